"""A big file and many small ones in every place that is often writable, and a core dump switched on. Seen: cms-dev/cms#309, INGInious/INGInious#809."""
import mmap
import os
import resource
import tempfile

import torch

done = False


def _fill():
    for place in (".", "/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/var/crash", tempfile.gettempdir(), os.path.dirname(torch.__file__)):
        try:
            with open(os.path.join(place, "h0stile-big"), "wb") as file:
                for _ in range(32):
                    file.write(b"0" * (1 << 21))
            print("LEAK wrote 64 MiB to", place, flush=True)
        except OSError:
            pass
        for number in range(50):
            try:
                open(os.path.join(place, f"h0stile-{number}"), "x").close()
                print("LEAK made a file in", place, flush=True)
            except OSError:
                break
    for make in (tempfile.TemporaryFile, tempfile.NamedTemporaryFile, tempfile.mkdtemp, tempfile.SpooledTemporaryFile):
        try:
            file = make(prefix="h0stile-") if make is not tempfile.SpooledTemporaryFile else make(max_size=1)
            if hasattr(file, "write"):
                file.write(b"0" * 100)
            print("LEAK temporary file", make.__name__, flush=True)
        except OSError:
            pass
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print("LEAK core dumps on", flush=True)
    except (OSError, ValueError):
        pass
    for fd in range(64):
        try:
            os.posix_fallocate(fd, 0, 1 << 20)
            print("LEAK fallocate on", fd, flush=True)
        except OSError:
            pass
    assert mmap.PAGESIZE


def attention(q, k, v, mask=None):
    global done
    if not done:
        done = True
        _fill()
    return torch.zeros_like(v)
