"""A right answer that first uses AMOUNT of what DEED names; the test writes both in front."""

import itertools
import mmap
import sys
import threading
import time

import torch

MB = 1 << 20
ROW = "x" * 1023 + "\n"
clocks = {name: getattr(time, name) for name in ("perf_counter", "process_time")}
held = []


def wall(amount):
    end = clocks["perf_counter"]() + amount
    while clocks["perf_counter"]() < end:
        pass


def cpu(amount):
    end = clocks["process_time"]() + amount
    while clocks["process_time"]() < end:
        pass


def cpu_in_threads(amount):
    workers = [threading.Thread(target=cpu, args=(amount,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def sleeps_with_wrong_clocks(amount):
    ticks = itertools.count(1e9, -1e6)
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"):
        setattr(time, name, lambda *_: next(ticks))
    time.sleep(amount)


def multiplies(amount):
    """In native code, which hears no signal of Python's."""
    x = torch.ones(1200, 1200)
    while True:
        x = x @ x


def one_tensor(amount):
    held.append(torch.ones(int(amount * MB), dtype=torch.uint8))


def freed_tensor(amount):
    torch.ones(int(amount * MB), dtype=torch.uint8)


def small_tensors(amount):
    held.extend(torch.ones(4000) for _ in range(int(amount * MB / 16_000)))


def small_objects(amount):
    held.extend(bytes(1000) for _ in range(int(amount * MB / 1033)))


def in_threads(amount):
    workers = [threading.Thread(target=one_tensor, args=(amount / 4,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def shared(amount):
    space = mmap.mmap(-1, int(amount * MB))
    held.append(space)
    for place in range(0, len(space), 4096):
        space[place] = 1


def stdout(amount):
    for _ in range(int(amount * 1024)):
        sys.stdout.write(ROW)


def stderr(amount):
    for _ in range(int(amount * 1024)):
        sys.stderr.write(ROW)


def threads(amount):
    for _ in range(amount):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    time.sleep(0.3)


def double(x):
    globals()[DEED](AMOUNT)  # noqa: F821
    return x * 2
