"""The same submissions with the same seed again and again, by two graders at once: is every answer the same?

    python tests/repeats.py [--times 100] [--driver local] [--only NAME ...]

Compared are verdict, cases, messages in both languages, findings, errors and tensors; what was measured (time, memory)
is not, nor what a submission had printed when it was killed. Not asked of a submission that shows what memory it was
given held before. Exits 1 where an answer differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from judge.grading.grader import Grader
from judge.loader import load_problem
from judge.messages import report_json
from judge.model import LANGS, Problem, Report
from sandbox import open_sandbox

TESTS = Path(__file__).resolve().parent
BANK = TESTS.parent / "problems"
GRADERS = 2
SEED = 20
HOSTILE = (
    "compile_error/full_width", "memory_limit/many_small_tensors", "memory_limit/one_huge_tensor",
    "output_limit/floods_stdout", "restricted/by_operator", "runtime_error/error_at_import",
    "runtime_error/garbage_on_the_wire", "runtime_error/kills_itself", "runtime_error/native_recursion",
    "runtime_error/tensors_that_overlap", "time_limit/sleeps", "wrong_answer/guesses_the_seed",
)  # fmt: skip
KILLED = ("TLE", "MLE", "OLE")
PATIENT_S = 20.0
"""Where no time-out is expected: a busy machine is no difference between two gradings."""


def submissions() -> Iterator[tuple[str, Problem, bytes]]:
    """Name, problem and source: the reference and known mistakes of a problem, and an attack of each kind."""
    problem = with_patience(load_problem(BANK, "attention"))
    yield "reference", problem, (problem.folder / "reference.py").read_bytes()
    for known in problem.submissions:
        yield known.name, problem, known.source
    for name in HOSTILE:
        source = (TESTS / "hostile" / f"{name}.py").read_bytes()
        slug = "causal-mha" if source.startswith(b"# problem: causal-mha\n") else "attention"
        problem = load_problem(BANK, slug)
        yield name, problem if name.startswith("time_limit/") else with_patience(problem), source


def with_patience(problem: Problem) -> Problem:
    return replace(problem, limits=replace(problem.limits, time_limit_s=PATIENT_S))


def answer(report: Report, problem: Problem) -> str:
    """All that must not differ, as one text."""
    told: list[Any] = [report.internal]
    for lang in LANGS:
        shown = report_json(report, problem, lang)
        for part in (shown, *shown["cases"]):
            for key in ("time_ms", "memory_kb"):
                part.pop(key, None)
            if part.get("verdict") in KILLED:
                part.update(stdout="", stderr="")
        told.append(shown)
    return json.dumps(told, sort_keys=True)


def work(driver: str, times: int, only: list[str]) -> None:
    """One grader; a line for each grading: name, verdict, answer."""
    sandbox = open_sandbox(driver)
    sandbox.warm()
    grader = Grader(sandbox)
    chosen = [entry for entry in submissions() if not only or entry[0] in only]
    for _ in range(times):
        for name, problem, source in chosen:
            report = grader.grade(problem, source, seed=SEED)
            print(json.dumps([name, report.verdict, answer(report, problem)]), flush=True)
    grader.close()


def repeat(driver: str, times: int, only: list[str]) -> dict[str, Counter[tuple[str, str]]]:
    """For each submission how often each verdict and answer came, over all graders."""
    program = [sys.executable, __file__, "--work", "--driver", driver, "--times", str(times)]
    program += [f"--only={name}" for name in only]
    found: dict[str, Counter[tuple[str, str]]] = {}
    with contextlib.ExitStack() as stack:  # files: a grader never waits for the reader
        files = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(GRADERS)]
        graders = [subprocess.Popen(program, stdout=file) for file in files]
        assert [grader.wait() for grader in graders] == [0] * GRADERS
        for file in files:
            file.seek(0)
            for line in file:
                name, verdict, told = json.loads(line)
                found.setdefault(name, Counter())[verdict, told] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Grades the same submissions again and again, by two graders at once.")
    parser.add_argument("--times", type=int, default=100 // GRADERS)
    parser.add_argument("--driver", default="local")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.driver, options.times, options.only)
    found = repeat(options.driver, options.times, options.only)
    for name, answers in found.items():
        verdicts = ", ".join(sorted({verdict for verdict, _ in answers}))
        print(f"{name:50} {verdicts:8} {max(answers.values())} of {sum(answers.values())} the same")
    sys.exit(any(len(answers) > 1 for answers in found.values()))


if __name__ == "__main__":
    main()
