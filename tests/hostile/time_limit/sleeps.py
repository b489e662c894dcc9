"""Sleeps for an hour, again each time it is woken. Seen: ucbds-infra/otter-grader#469."""
import signal
import time

for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))


def attention(q, k, v, mask=None):
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            pass
