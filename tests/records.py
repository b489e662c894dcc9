"""Values for the tests of the records: a store on a file of its own, a report with cases."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from judge.model import CaseResult, Report, Smallest, Verdict
from judge.store import Claim, Store, Submission

CASES = (
    CaseResult("test_example", True, "AC", 1.5, 100, None, "printed", "", "", [{"name": "q", "values": [[1.0, 2.5]]}]),
    CaseResult("test_shape", False, "WA", 0.5, 120, {"code": "shape", "got": [2], "expected": [3]}),
    CaseResult("test_last", False, None),
)

SMALLEST = Smallest(
    "double(x)", {"x": {"shape": [2], "dtype": "float32", "cut": False, "values": [1.0, 2.0]}},
    {"shape": [2], "dtype": "float32", "cut": False, "values": [2.0, 4.0]},
    {"shape": [2], "dtype": "float32", "cut": False, "values": [1.0, 4.0]},
    {"code": "number", "of": "result"}, {"N": 2}, {"dtype": "float64"}, "import torch\n\nprint(double(x))\n",
)  # fmt: skip


def open_store(folder: Path) -> Store:
    return Store.open(f"sqlite:///{folder / 'judge.db'}")


def submit(store: Store, source: bytes = b"x = 1\n", learner: str = "ada", problem: str = "attention") -> Submission:
    return store.submit(learner=learner, problem=problem, source=source)[0].submission


def claimed(store: Store, lease_s: float = 60.0, worker: str = "w") -> Claim:
    claim = store.claim(worker, lease_s)
    assert claim is not None
    return claim


def report(verdict: Verdict = "WA", cases: tuple[CaseResult, ...] = CASES) -> Report:
    return Report("attention", verdict, cases, 2.0, 120, "local", 7, "", samples_only=False)


def together(functions: list[Callable[[], None]]) -> None:
    """Runs each in a thread; none may raise."""
    failures: list[BaseException] = []

    def run(function: Callable[[], None]) -> None:
        try:
            function()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
