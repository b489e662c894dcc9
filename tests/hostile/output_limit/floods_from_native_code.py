"""printf without end, from a thread, past sys.stdout. Seen: judge0/judge0#496."""
import ctypes
import threading


def _print():
    libc = ctypes.CDLL(None)
    while True:
        libc.puts(b"<marquee>" * 1000)


def attention(q, k, v, mask=None):
    thread = threading.Thread(target=_print)
    thread.start()
    thread.join()
