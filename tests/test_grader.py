"""From a source to a verdict: which one, for what reason, and that it does not change."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.grading.grader import Grader
from judge.loader import load_problem, slugs
from judge.messages import describe, report_json
from judge.model import CaseResult, Problem, ProblemLimits
from sandbox import Limits

BANK = Path(__file__).resolve().parent.parent / "problems"
RIGHT = (BANK / "attention" / "reference.py").read_bytes()
SLUGS = slugs(BANK)


@pytest.fixture(scope="session")
def attention(problem: Callable[[str], Problem]) -> Problem:
    return problem("attention")


def function(body: str) -> bytes:
    return f"import torch\ndef attention(q, k, v, mask=None):\n    {body}\n".encode()


@pytest.mark.parametrize("slug", SLUGS)
def test_the_reference_is_accepted(grader: Grader, problem: Callable[[str], Problem], slug: str) -> None:
    report = grader.grade(problem(slug), (BANK / slug / "reference.py").read_bytes())
    assert report.verdict == "AC", report
    assert all(case.verdict == "AC" for case in report.cases)
    assert grader.exchanges <= 60


@pytest.mark.parametrize("slug", SLUGS)
def test_a_known_mistake_is_recognised(grader: Grader, problem: Callable[[str], Problem], slug: str) -> None:
    mistake = next(s for s in problem(slug).submissions if s.expected == ("WA",))
    report = grader.grade(problem(slug), mistake.source, seed=1)
    assert report.verdict == "WA"
    assert grader.diagnose(problem(slug), report, seconds=20) == mistake.name


def test_an_own_mistake_is_not_explained_by_another(grader: Grader, attention: Problem) -> None:
    source = function("return torch.ones(*q.shape[:-1], v.shape[-1], dtype=q.dtype) * 0.123")
    report = grader.grade(attention, source)
    assert report.verdict == "WA"
    assert grader.diagnose(attention, report, seconds=20) is None


@pytest.mark.parametrize(
    ("source", "verdict", "code"),
    [
        (function("return None"), "WA", "type"),
        (function("return [q]"), "WA", "type"),
        (function("return q.numpy()"), "WA", "foreign"),
        (function("return q[..., :1]"), "WA", "shape"),
        (function("return (q @ k.mT).softmax(-1).double() @ v.double()"), "WA", "dtype"),
        (function("return torch.zeros(10**9).to_sparse()"), "MLE", "memory"),
        (function("return torch.zeros(1).expand(10**10)"), "WA", "too_large"),
        (function("q.zero_(); return q"), "WA", "input_changed"),
        (function("raise KeyError('x')"), "RTE", "exception"),
        (function("return 1 / 0"), "RTE", "exception"),
        (function("import sys; sys.exit(0)"), "RTE", "exception"),
        (function("import os; os._exit(0)"), "RTE", "exit"),
        (function("import ctypes; ctypes.string_at(0)"), "RTE", "signal"),
        (
            function("import torch.nn.functional as F; return F.scaled_dot_product_attention(q, k, v)"),
            "RF",
            "restricted",
        ),
        (b"def attention(q, k, v, mask=None)\n    return q\n", "CE", "syntax"),
        ("def attention(q, k, v，mask=None):\n    return q\n".encode(), "CE", "full_width"),
        (b"def attn(q, k, v, mask=None):\n    return q\n", "CE", "missing_name"),
        (b"attention = 3\n", "CE", "not_callable"),
        (b"import nothing_like_this\n", "CE", "load"),
        (b"class A(nn.Module):\n    pass\n", "CE", "load"),
        (b"import flask\n", "CE", "load"),
        (b"# caf\xe9\n" + RIGHT, "CE", "syntax"),
        (b"x = 1\0\n", "CE", "syntax"),
        (b"", "CE", "missing_name"),
        (b"#" * 70_000, "CE", "too_long"),
        (b"n = int(input())\n", "RTE", "exception"),
    ],
)
def test_verdict_and_reason(grader: Grader, attention: Problem, source: bytes, verdict: str, code: str) -> None:
    report = grader.grade(attention, source)
    finding = report.finding or (report.first_failure.finding if report.first_failure else None)
    assert (report.verdict, finding and finding["code"]) == (verdict, code), report.internal
    for lang in ("en", "zh"):
        text = report_json(report, attention, lang)["message"]
        assert text
        assert "{" not in text.replace("{}", "")


def test_latin1_with_a_coding_line_is_python(grader: Grader, attention: Problem) -> None:
    source = b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + RIGHT.replace(b'"""', b"'''")
    assert grader.grade(attention, source).verdict == "AC"


def test_after_an_exception_the_rest_is_run(grader: Grader, attention: Problem) -> None:
    second = (Path(__file__).parent / "material" / "second_call_raises.py").read_bytes()
    report = grader.grade(attention, RIGHT + second)
    assert report.verdict == "RTE"
    assert all(case.verdict is not None for case in report.cases)


@pytest.mark.parametrize(
    "above",
    [
        b"table = torch.ones(25_000_000)",
        b"library = torch.library.Library('mine', 'DEF')\ntorch.mine_library = library",
        b"import threading\nfor _ in range(10): threading.Thread(target=threading.Event().wait, daemon=True).start()",
    ],
)
def test_what_a_file_leaves_does_not_fail_it_when_it_is_loaded_anew(
    grader: Grader, attention: Problem, above: bytes
) -> None:
    source = b"import torch\n" + above + b"\ndef attention(q, k, v, mask=None):\n    raise KeyError('x')\n"
    report = grader.grade(attention, source)
    assert {(case.verdict, (case.finding or {}).get("type")) for case in report.cases} == {("RTE", "KeyError")}


@pytest.mark.parametrize(("kills", "verdict"), [(1, "AC"), (2, "RTE")])
def test_a_process_killed_from_outside_is_replaced_once(
    grader: Grader, attention: Problem, monkeypatch: pytest.MonkeyPatch, kills: int, verdict: str
) -> None:
    opened: list[int] = []
    killed: list[int] = []

    def open_and_tell(limits: Limits) -> Any:
        session = open_session(limits)
        opened.append(session.channel.pid)
        return session

    def kill(case: CaseResult) -> None:
        if len(opened) <= kills and opened[-1] not in killed:
            killed.append(opened[-1])
            os.kill(opened[-1], 9)
            time.sleep(0.1)

    open_session = grader.sandbox.open
    monkeypatch.setattr(grader.sandbox, "open", open_and_tell)
    report = grader.grade(attention, RIGHT, on_case=kill)
    assert report.verdict == verdict
    assert len(opened) == kills + 1


def test_after_a_time_out_the_rest_is_not_run(grader: Grader, attention: Problem) -> None:
    quick = replace(attention, limits=ProblemLimits(0.3, 512))
    start = time.perf_counter()
    report = grader.grade(quick, function("while True: pass"))
    assert report.verdict == "TLE"
    assert [case.verdict for case in report.cases] == ["TLE", *[None] * (len(report.cases) - 1)]
    assert (
        describe(report.cases[0].finding)
        == "stopped after 0.3 s (limit 0.3 s), with inputs of up to shape [1, 1, 2, 4]"
    )
    assert time.perf_counter() - start < 5


def test_samples_only_runs_the_samples(grader: Grader, attention: Problem) -> None:
    report = grader.grade(attention, RIGHT, samples_only=True)
    assert [case.name for case in report.cases] == [case.name for case in attention.samples]
    assert report.samples_only


def test_cases_are_told_as_they_come(grader: Grader, attention: Problem) -> None:
    seen: list[CaseResult] = []
    report = grader.grade(attention, RIGHT, on_case=seen.append)
    assert tuple(seen) == report.cases


def test_samples_show_values_and_hidden_cases_show_none(grader: Grader, attention: Problem) -> None:
    report = grader.grade(attention, function("print('seen'); return v.new_zeros(*q.shape[:-1], v.shape[-1])"))
    for case in report.cases:
        assert bool(case.tensors) == case.sample
        assert bool(case.stdout) == case.sample
    finding = next(c.finding for c in report.cases if not c.sample and c.verdict == "WA")
    assert finding is not None
    assert set(finding) <= {"code", "of", "wrong", "total", "max_error", "index", "tolerance", "dtype", "kind"}


def test_one_seed_gives_one_report(grader: Grader, attention: Problem) -> None:
    source = function("return (q @ k.mT).softmax(-1) @ v")
    first, second = (grader.grade(attention, source, seed=11) for _ in range(2))
    other = grader.grade(attention, source, seed=12)
    assert [c.finding for c in first.cases] == [c.finding for c in second.cases]
    assert [c.finding for c in first.cases] != [c.finding for c in other.cases]
    assert first.seed == 11


def test_late_imports_work_in_the_jail(grader: Grader, attention: Problem) -> None:
    late = (Path(__file__).parent / "hostile" / "accepted" / "late_imports.py").read_bytes()
    assert grader.grade(attention, late).verdict == "AC"


def write_problem(bank: Path, tests: str) -> Problem:
    folder = bank / "tiny"
    folder.mkdir()
    (folder / "problem.toml").write_text('title = "Tiny"\ndifficulty = "easy"\n')
    (folder / "statement.en.md").write_text("Add.")
    (folder / "starter.py").write_text("def add(a, b):\n    ...\n")
    (folder / "reference.py").write_text("def add(a, b):\n    return a + b\n")
    (folder / "tests.py").write_text(tests)
    return load_problem(bank, "tiny")


TINY = b"def add(a, b):\n    return a + b\n"


def test_a_test_that_raises_for_the_reference_too_is_our_fault(grader: Grader, tmp_path: Path) -> None:
    problem = write_problem(tmp_path, "def test_broken(solution):\n    solution.add(1, 2).shape\n")
    report = grader.grade(problem, TINY)
    assert report.verdict == "JE"
    assert "AttributeError" in report.internal


def test_a_test_that_raises_for_the_submission_only_is_its_fault(grader: Grader, tmp_path: Path) -> None:
    problem = write_problem(tmp_path, "def test_odd(solution):\n    solution.add(1, 2) + 1\n")
    report = grader.grade(problem, b"def add(a, b):\n    return 'three'\n")
    assert report.verdict == "WA"
    assert "str" in describe(report.cases[0].finding)


def test_a_plain_assert_of_a_test_is_a_wrong_answer(grader: Grader, tmp_path: Path) -> None:
    problem = write_problem(tmp_path, "def test_sum(solution):\n    assert solution.add(1, 2) == 3\n")
    assert grader.grade(problem, b"def add(a, b):\n    return 4\n").verdict == "WA"
    assert grader.grade(problem, TINY).verdict == "AC"


def test_a_reference_that_does_not_load_is_our_fault(grader: Grader, tmp_path: Path) -> None:
    problem = write_problem(tmp_path, "def test_sum(solution):\n    pass\n")
    (problem.folder / "reference.py").write_text("import nothing_like_this\n")
    report = grader.grade(load_problem(tmp_path, "tiny"), TINY)
    assert report.verdict == "JE"
    assert "reference.py: line 1" in report.internal


def test_a_huge_whole_number_comes_back_exactly(grader: Grader, tmp_path: Path) -> None:
    problem = write_problem(
        tmp_path, "def test_big(solution, reference):\n    assert solution.add(10**300, 1) == 10**300 + 1\n"
    )
    assert grader.grade(problem, TINY).verdict == "AC"


def test_sources_after_each_other_do_not_meet(grader: Grader, attention: Problem) -> None:
    spoiler: Any = b"import torch, builtins\ntorch.softmax = None\nbuiltins.len = None\n" + RIGHT
    grader.grade(attention, spoiler)
    assert grader.grade(attention, RIGHT).verdict == "AC"


def test_a_test_that_exits_or_never_ends_is_our_fault(
    grader: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.grading.own_code.OWN_CODE_S", 0.5)
    problem = write_problem(tmp_path, "def test_exit():\n    raise SystemExit\n")
    assert "SystemExit" in grader.grade(problem, TINY).internal
    (problem.folder / "tests.py").write_text("def test_endless():\n    while True: pass\n")
    report = grader.grade(load_problem(tmp_path, "tiny"), TINY)
    assert (report.verdict, "did not end within" in report.internal) == ("JE", True)
