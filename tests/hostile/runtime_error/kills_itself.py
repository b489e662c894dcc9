"""SIGKILL to itself, as the kernel's OOM killer would do. Seen: cms-dev/cms#58."""
import os
import signal


def attention(q, k, v, mask=None):
    try:
        signal.raise_signal(signal.SIGKILL)
    except OSError:
        os.abort()
