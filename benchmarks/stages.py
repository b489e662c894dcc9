"""Where each millisecond from POST to verdict goes: medians over accepted submissions of one problem.

    records     accept, claim and finish, each with its commit
    sandbox     a fresh child, and the source loaded in it
    calls       the submission's own work, as it is charged to it: frames there and back included
    frames      requests made into bytes and answers read, on the judge's side
    tests       the rest of the grading: drawing inputs, the reference, comparing
    around      what a server adds: HTTP, waking the worker, the news to who waits

Usage: python benchmarks/stages.py [--runs N] [--driver local|docker] [--markdown]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from benchmarks.measuring import PROBLEM, ROOT, submission
from benchmarks.serving import Client, server
from judge.grading.grader import Grader
from judge.loader import load_problem
from judge.remote.connection import Connection
from judge.store import Store
from sandbox import open_sandbox, wire

PORT = 8952


class Stopwatch:
    """Adds up what functions take, by name."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def on(self, name: str, owner: Any, attribute: str) -> None:
        """Measures every call of `owner.attribute` from now on."""
        setattr(owner, attribute, self.around(name, getattr(owner, attribute)))

    def around(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*arguments: Any, **keywords: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*arguments, **keywords)
            finally:
                self.spent[name] += (time.perf_counter() - start) * 1000

        return measured


def measured(driver: str, runs: int) -> dict[str, float]:
    """Median milliseconds by stage, in a process that does one after the other."""
    watch = Stopwatch()
    grader = Grader(open_sandbox(driver))
    problem = load_problem(ROOT / "problems", PROBLEM)
    source = submission().read_bytes()
    watch.on("sandbox: a fresh child", grader.sandbox, "open")
    watch.on("sandbox: loading the source", Connection, "load")
    watch.on("frames", wire, "encode")
    watch.on("frames", wire, "decode")
    found: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="judge-stages-") as data:
        store = Store.open(f"sqlite:///{data}/judge.db")
        accept = watch.around("records: accept", store.submit)
        claim = watch.around("records: claim", store.claim)
        finish = watch.around("records: finish", store.finish)
        grade = watch.around("grading", grader.grade)
        for run in range(runs + 3):
            watch.spent.clear()
            accept(learner="a", problem=problem.slug, source=source)
            taken = claim("benchmark", 60)
            report = grade(problem, source)
            assert report.verdict == "AC", report
            finish(taken, report)
            spent = dict(watch.spent)
            spent["calls of the submission"] = report.time_ms
            known = sum(ms for name, ms in spent.items() if not name.startswith(("records", "grading")))
            spent["tests: inputs, reference, comparing"] = spent.pop("grading") - known
            if run >= 3:
                for name, ms in spent.items():
                    found[name].append(ms)
        store.close()
    grader.close()
    return {name: statistics.median(times) for name, times in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--driver", default="local")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    with server(options.driver, PORT):
        client = Client(PORT)
        for _ in range(5):
            client.submit()
        total = statistics.median(client.submit() for _ in range(options.runs))
    stages = measured(options.driver, options.runs)
    stages["around: HTTP, waking, news"] = total - sum(stages.values())
    for name, ms in sorted(stages.items(), key=lambda stage: -stage[1]):
        figures = f"{ms:.1f}", f"{100 * ms / total:.0f} %"
        print(
            f"| {name} | {' | '.join(figures)} |"
            if options.markdown
            else f"{name:40} {figures[0]:>8} ms {figures[1]:>6}"
        )
    print(f"POST to verdict {total:.1f} ms, {options.driver}")


if __name__ == "__main__":
    main()
