"""A selection of attacks for `judge doctor --attack`: what holds on this very machine.

The files are those of the test corpus, `tests/hostile/<expected verdict>/`; an installed package carries them along.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.grading.grader import Grader
from judge.loader import expected_verdicts
from judge.messages import report_json
from judge.model import Problem

PACKAGED = Path(__file__).parent / "hostile"
CORPUS = PACKAGED if PACKAGED.exists() else Path(__file__).parent.parent / "tests" / "hostile"
SELECTION = """wrong_answer/raw_syscalls wrong_answer/runs_shell wrong_answer/forks_every_way
wrong_answer/sockets_every_family wrong_answer/calls_home wrong_answer/reads_host_files wrong_answer/foreign_memory
wrong_answer/signals_others wrong_answer/lifts_its_limits wrong_answer/changes_metadata wrong_answer/fills_disks
wrong_answer/walks_the_process wrong_answer/scans_heap_for_others wrong_answer/patches_everything
wrong_answer/returns_pickle_bomb wrong_answer/guesses_the_seed runtime_error/thread_bomb
runtime_error/garbage_on_the_wire runtime_error/claims_4_gib memory_limit/one_huge_tensor
memory_limit/many_small_tensors output_limit/floods_stdout time_limit/sleeps time_limit/patched_clock""".split()
LEAK = "LEAK"
"""What an attack prints when it got through."""


@dataclass(frozen=True)
class Attack:
    """`held`: it got its verdict, printed nothing it should not know, and an honest answer after it is accepted."""

    name: str
    tries: str
    verdict: str
    held: bool


def attack(grader: Grader, problem: Problem) -> Iterator[Attack]:
    """Judges the selection against `problem`, which must be `attention`."""
    honest = (problem.folder / "reference.py").read_bytes()
    for name in SELECTION:
        path = CORPUS / f"{name}.py"
        source = path.read_bytes()
        report = grader.grade(problem, source, seed=20)
        read = json.dumps(report_json(report, problem, "en"))
        right = report.verdict in expected_verdicts(path, source) and LEAK not in read
        held = right and grader.grade(problem, honest, seed=20).verdict == "AC"
        tries = (ast.get_docstring(ast.parse(source)) or name).split(" Seen:")[0].split("\n")[0]
        yield Attack(name.split("/")[1], tries, report.verdict, held)
