"""Scans its own heap for what an earlier submission or the judge left in the forked process. Seen: gpu-mode/pygpubench#22."""
import ctypes
import errno

import torch

PAGE = 4096
WANTED = ((b"canary-of-another-", b"renrael"), (b"token-of-the-", b"yranac"), (b"def test_exam", b"_elp"))  # ends are written backwards
done = False


def _readable(libc, page):
    return libc.access(ctypes.c_void_p(page), 0) == 0 or ctypes.get_errno() != errno.EFAULT


def _region(libc, address, most=1 << 12):
    first = last = address // PAGE * PAGE
    for _ in range(most):
        if not _readable(libc, first - PAGE):
            break
        first -= PAGE
    for _ in range(most):
        if not _readable(libc, last + PAGE):
            break
        last += PAGE
    return first, last


def _scan():
    libc = ctypes.CDLL(None, use_errno=True)
    blocks = [ctypes.create_string_buffer(size) for size in (600, 5000, 40_000, 200_000)]
    places = [id(object()), id(WANTED), id(torch.nn), *(ctypes.addressof(block) for block in blocks)]
    seen = set()
    for place in places:
        region = _region(libc, place)
        if region in seen:
            continue
        seen.add(region)
        for start in range(region[0], region[1], 1 << 20):
            text = ctypes.string_at(start, min((1 << 20) + 64, region[1] - start))
            for begin, end in WANTED:
                at = text.find(begin)
                while at >= 0:
                    at += len(begin)
                    if text[at : at + len(end)][::-1] == end:
                        print("LEAK heap holds", begin, flush=True)
                        break
                    at = text.find(begin, at)


def attention(q, k, v, mask=None):
    global done
    if not done:
        done = True
        _scan()
    return torch.zeros_like(v)
