"""Directories, FIFOs, device nodes, links and removals wherever it may. Seen: common in judges that only limit file size."""
import errno
import os
import stat

import torch

REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EROFS)


def _try(name, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except OSError as error:
        if error.errno not in REFUSED:
            print("LEAK", name, "reached the kernel:", errno.errorcode.get(error.errno), arguments, flush=True)
        return
    print("LEAK", name, arguments, flush=True)


def attention(q, k, v, mask=None):
    for place in (".", "/tmp", "/var/tmp", "/dev/shm", os.path.dirname(torch.__file__), os.path.dirname(__file__) or "."):
        if not os.path.isdir(place):  # a container may have no /dev/shm
            continue
        path = os.path.join(place, "h0stile-odd")
        _try("mkdir", os.mkdir, path)
        _try("mkfifo", os.mkfifo, path)
        _try("mknod null", os.mknod, path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        _try("mknod socket", os.mknod, path, stat.S_IFSOCK | 0o666)
        _try("symlink", os.symlink, "/etc/passwd", path)
        _try("link", os.link, os.__file__, path)
        _try("rename", os.rename, os.__file__, path)
        _try("unlink", os.unlink, path)
        _try("rmdir", os.rmdir, path)
        _try("open", os.open, path, os.O_CREAT | os.O_WRONLY, 0o600)
        _try("tmpfile", os.open, place, os.O_TMPFILE | os.O_RDWR, 0o600)
    return torch.zeros_like(v)
