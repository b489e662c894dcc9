"""The floor: the problem's cases by hand, in a fork of a process that has everything loaded, without a jail.

As a program it runs the cases once, in a process that starts from nothing.
"""

from __future__ import annotations

import importlib.util
import inspect
import multiprocessing
import os
import statistics
import time
from pathlib import Path
from typing import Any

from benchmarks.measuring import PROBLEM, ROOT, submission, timed


def import_file(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def preload() -> tuple[Any, Any]:
    """The modules `reference` and `tests` of the problem."""
    import torch

    torch.set_num_threads(1)
    folder = ROOT / "problems" / PROBLEM
    return import_file(folder / "reference.py", "reference"), import_file(folder / "tests.py", "tests")


def run_cases(reference: Any, tests: Any) -> None:
    """All cases on the submission as a plain module: what a test runner would do."""
    from judge.grading.rng import Rng

    solution = import_file(submission(), "solution")
    for name, test in vars(tests).items():
        if name.startswith("test_"):
            offered = {"solution": solution, "reference": reference, "rng": Rng(1, name)}
            test(**{key: offered[key] for key in inspect.signature(test).parameters})


def run_in_a_fork(reference: Any, tests: Any) -> None:
    """From the fork to the end of the child."""
    pid = os.fork()
    if pid == 0:
        try:
            run_cases(reference, tests)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    assert status == 0, "the cases failed in the fork"


def median_ms(runs: int) -> float:
    """One fork at a time."""
    modules = preload()
    run_cases(*modules)
    return statistics.median(timed(lambda: run_in_a_fork(*modules)) for _ in range(runs))


def rate(seconds: float, processes: int) -> float:
    """Forks a second of so many processes."""
    context = multiprocessing.get_context("spawn")
    queues = [(context.Queue(), context.Queue()) for _ in range(processes)]
    children = [context.Process(target=_fork_again_and_again, args=(seconds, *pair)) for pair in queues]
    for child in children:
        child.start()
    for out, _ in queues:
        out.get()
    for _, back in queues:
        back.put("go")
    total = sum(out.get() for out, _ in queues)
    for child in children:
        child.join()
    return total / seconds


def _fork_again_and_again(seconds: float, out: Any, back: Any) -> None:
    modules = preload()
    run_cases(*modules)
    out.put("ready")
    back.get()
    count, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        run_in_a_fork(*modules)
        count += 1
    out.put(count)


if __name__ == "__main__":
    run_cases(*preload())
