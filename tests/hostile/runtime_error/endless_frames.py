# expect: RTE|TLE
"""Never stops to write to the wire. Seen: DOMjudge/domjudge#605, DOMjudge/domjudge#465."""
import os


def attention(q, k, v, mask=None):
    block = b"\0\0\0\2{}" * 10_000
    alive = set(range(3, 64))
    while alive:
        for fd in list(alive):
            try:
                os.write(fd, block)
            except BlockingIOError:
                pass
            except OSError:
                alive.discard(fd)
    os._exit(0)
