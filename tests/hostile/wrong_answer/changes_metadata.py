"""chmod, chown, utime, truncate, xattr, rename on files it can see, with values that change nothing. Seen: landlock-lsm/linux#11, unslothai/unsloth#7248."""
import ctypes
import errno
import os

import torch

REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)


def _try(name, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except OSError as error:
        if error.errno in REFUSED:
            return
        print("LEAK", name, "reached the kernel:", errno.errorcode.get(error.errno), flush=True)
        return
    print("LEAK", name, arguments, flush=True)


def attention(q, k, v, mask=None):
    for path in (os.__file__, torch.__file__, os.path.dirname(torch.__file__), "/tmp", "/etc/hosts", "."):
        status = os.stat(path)
        _try("chmod", os.chmod, path, status.st_mode & 0o7777)
        _try("chmod no follow", os.lchmod, path, status.st_mode & 0o7777) if hasattr(os, "lchmod") else None
        _try("chown", os.chown, path, -1, -1)
        _try("lchown", os.lchown, path, -1, -1)
        _try("utime", os.utime, path, ns=(status.st_atime_ns, status.st_mtime_ns))
        _try("setxattr", os.setxattr, path, "user.h0stile", b"1")
        _try("removexattr", os.removexattr, path, "user.h0stile")
        _try("rename", os.rename, path, path)
        if os.path.isfile(path):
            _try("truncate", os.truncate, path, status.st_size)
            for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND):
                _try("open to write", os.open, path, flags)
    fd = os.open(os.__file__, os.O_RDONLY)
    status = os.fstat(fd)
    _try("fchmod", os.fchmod, fd, status.st_mode & 0o7777)
    _try("fchown", os.fchown, fd, -1, -1)
    _try("futimens", os.utime, fd, ns=(status.st_atime_ns, status.st_mtime_ns))
    _try("fsetxattr", os.setxattr, fd, "user.h0stile", b"1")
    libc = ctypes.CDLL(None, use_errno=True)
    for name, arguments in (("fchmodat", (-100, os.__file__.encode(), status.st_mode & 0o7777, 0)), ("utimes", (os.__file__.encode(), None))):
        if getattr(libc, name)(*arguments) != -1:
            print("LEAK", name, flush=True)
    return torch.zeros_like(v)
