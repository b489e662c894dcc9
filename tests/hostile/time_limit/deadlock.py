"""Two locks taken in both orders by two threads. Seen: common in concurrent code."""
import threading

one, other = threading.Lock(), threading.Lock()
ready = threading.Barrier(2)


def _take(first, second):
    with first:
        ready.wait()
        with second:
            pass


def attention(q, k, v, mask=None):
    thread = threading.Thread(target=_take, args=(one, other))
    thread.start()
    _take(other, one)
    return v
