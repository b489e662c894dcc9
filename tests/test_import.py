"""`judge import`: what becomes of a folder of the other layout, and which folders are refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_judge import make

from judge.importing.draft import ImportRefused, import_folder
from judge.importing.translating import translate
from judge.loader import load_problem
from judge.proving.verify import verify

PROBLEM = "# Twice as much\n\nDouble it.\n"
STARTER = "def double(x):\n    raise NotImplementedError\n"
SOLUTION = "import torch\n\n\ndef double(x):\n    return 2 * x\n\n\ndef secret(x):\n    return x\n"
TESTS = '''"""Tests of double."""

import torch
from solution import double  # what is tested


def check(x):
    assert torch.equal(double(x), x + x)  # by hand


def test_example_one():
    """One number"""
    check(torch.ones(1))


def test_zero():
    assert double(torch.zeros(2)).sum() == 0


if __name__ == "__main__":
    test_zero()
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "old" / "Twice_more"
    made.mkdir(parents=True)
    for name, text in (("problem.md", PROBLEM), ("starter.py", STARTER), ("solution.py", SOLUTION), ("test.py", TESTS)):
        (made / name).write_text(text, encoding="utf-8")
    return made


def test_a_folder_becomes_a_draft_that_loads(folder: Path, tmp_path: Path) -> None:
    draft = import_folder(folder, tmp_path / "bank")
    problem = load_problem(tmp_path / "bank", "twice-more")
    assert (draft.slug, draft.cases) == ("twice-more", 2)
    assert (problem.title.en, problem.statement.en) == ("Twice as much", "Double it.\n")
    assert [(case.name, case.title.en, case.sample) for case in problem.cases] == [
        ("test_example_one", "One number", True),
        ("test_zero", "zero", False),
    ]
    assert (problem.folder / "reference.py").read_text() == SOLUTION
    assert [path.name for path in (tmp_path / "bank").iterdir()] == ["twice-more"]


def test_the_cases_of_a_draft_work_through_the_stand_in(folder: Path, tmp_path: Path) -> None:
    import_folder(folder, tmp_path)
    accepted, wrong = (tmp_path / "twice-more" / "submissions" / name for name in ("accepted", "wrong_answer"))
    (accepted / "sum.py").write_text("def double(x):\n    return x + x\n")
    (wrong / "one_more.py").write_text('"""One more."""\n\n\ndef double(x):\n    return 2 * x + (x == 1)\n')
    (wrong / "zero_is_one.py").write_text('"""Zero."""\n\n\ndef double(x):\n    return 2 * x + (x == 0)\n')
    (result,) = verify(tmp_path, ["twice-more"], sandbox="local", processes=1)
    assert result.ok, result.errors
    assert {row.name: row.sole for row in result.table} == {
        "test_example_one": ("one_more",),
        "test_zero": ("zero_is_one",),
    }


def test_what_is_left_to_do_is_told(folder: Path, tmp_path: Path) -> None:
    left = "\n".join(import_folder(folder, tmp_path).left)
    assert "plain `assert` says nothing to the learner; use judge.checks in lines 8, 17" in left
    assert "a docstring, whose first line is the title learners read, for test_zero" in left
    assert "Chinese statement" in left
    assert "six known mistakes" in left


def translated(body: str) -> str:
    """One test with that body below `from solution import double`, without the lines around."""
    source = f"from solution import double\n\ndef test_it():\n    {body}\n"
    result = translate(source, ["double"])
    assert result.left == []
    lines = result.text.splitlines()
    assert lines[0] == "def test_it(solution):"
    return "\n".join(line.strip() for line in lines[1:])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("double( 1 )  # double", "solution.double( 1 )  # double"),
        ('"double"; double.x', '"double"; solution.double.x'),
        ("map(double, [1])", "map(solution.double, [1])"),
        ("from solution import double as d", "d = solution.double"),
        ("import solution", "pass"),
        ("import solution as s", "s = solution"),
        ("é = double(1); double(é)", "é = solution.double(1); solution.double(é)"),
    ],
)
def test_names_are_turned_where_they_are_used(body: str, expected: str) -> None:
    assert translated(body) == expected


@pytest.mark.parametrize(
    "line", ["import solution", "import solution as s", "from solution import *", "import math, solution"]
)
def test_each_way_to_import_the_solution_is_known(line: str) -> None:
    used = {"import solution as s": "s.double", "from solution import *": "double"}.get(line, "solution.double")
    result = translate(f"{line}\n\ndef test_it():\n    {used}(1)\n", ["double"])
    assert result.left == []
    assert "def test_it(solution):\n    solution.double(1)\n" in result.text
    assert "import solution" not in result.text
    assert ("import math" in result.text) == ("math" in line)


def test_helpers_hand_the_solution_on() -> None:
    source = (
        "from solution import double\n\ndef inner(x): return double(x)\n\ndef outer(*x): return inner(*x)\n\n"
        "def free(x): return x\n\ndef test_it():\n    outer(double, free(1))\n"
    )
    assert translate(source, ["double"]).text == (
        "def inner(solution, x): return solution.double(x)\n\n"
        "def outer(solution, *x): return inner(solution, *x)\n\n"
        "def free(x): return x\n\ndef test_it(solution):\n    outer(solution, solution.double, free(1))\n"
    )


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        ("def test_x(tmp_path): pass", 2, "takes tmp_path, which nobody gives it"),
        ("@mark.parametrize\ndef test_x(): double(1)", 3, "has a decorator, `@mark.parametrize`"),
        ("async def test_x(): double(1)", 2, "is async"),
        ("class TestX:\n    def test_x(self): double(1)", 2, "is a class"),
        ("def test_x():\n    double = 1", 3, "gives `double` another value"),
        ("def test_x():\n    return lambda double: 1", 3, "has an argument named `double`"),
        ("def test_x():\n    from solution import secret", 3, "uses `secret`, which starter.py does not define"),
        ("import solution\ndef test_x():\n    solution.secret", 4, "uses `secret`"),
        ("def test_x(a=double): pass", 2, "takes a"),
        ("def help(): double(1)\ndef test_x():\n    map(help, [])", 4, "hands `help` on"),
        ("KEPT = double(1)\ndef test_x(): pass", 2, "while the file is imported"),
    ],
)
def test_what_cannot_be_turned_is_commented_out_and_told_with_its_line(source: str, line: int, reason: str) -> None:
    result = translate(f"from solution import double\n{source}\n\ndef test_good(): double(2)\n", ["double"])
    (told,) = result.left
    assert told[0] == line
    assert reason in told[1]
    assert result.tests[-1] == "test_good"
    compile(result.text, "tests.py", "exec")
    assert "# Left out: it " in result.text


def link(folder: Path) -> None:
    (folder / "test.py").rename(folder / "elsewhere.py")
    (folder / "test.py").symlink_to("elsewhere.py")


def pipe(folder: Path) -> None:
    (folder / "problem.md").unlink()
    os.mkfifo(folder / "problem.md")


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (link, "test.py: is a link"),
        (pipe, "problem.md: is no plain file"),
        (lambda f: (f / "problem.md").unlink(), "has no problem.md; expected problem.md, starter.py"),
        (lambda f: (f / "solution.py").write_text("#" * 70_000), "solution.py: is larger than 64 KiB"),
        (lambda f: os.truncate(f / "test.py", 1 << 40), "test.py: is larger than 256 KiB"),
        (lambda f: (f / "starter.py").write_bytes(b"# caf\xe9"), "starter.py: is not UTF-8 (byte 5)"),
        (lambda f: (f / "test.py").write_text("def test_a(:"), "test.py: line 1"),
        (lambda f: (f / "test.py").write_text("x = " + "(" * 3000), "test.py: "),
        (lambda f: (f / "test.py").write_text("x = 1"), "has no `test_*` function"),
        (lambda f: (f / "test.py").write_text("def test_a(x): pass"), "line 1: `test_a` is left out: it takes x"),
        (lambda f: (f / "starter.py").write_text("x = 1"), "starter.py: defines no public function or class"),
        (lambda f: (f / "starter.py").write_text("\0"), "starter.py: "),
    ],
)
def test_a_hostile_folder_is_refused_with_the_reason(
    folder: Path, tmp_path: Path, harm: Callable[[Path], object], reason: str
) -> None:
    harm(folder)
    with pytest.raises(ImportRefused) as error:
        import_folder(folder, tmp_path / "bank")
    assert reason in str(error.value)
    assert list((tmp_path / "bank").glob("*")) == []


@pytest.mark.parametrize("slug", ["../out", "Upper", "a--b", "a/b", "."])
def test_a_slug_stays_in_the_bank(folder: Path, tmp_path: Path, slug: str) -> None:
    with pytest.raises(ImportRefused, match="cannot be a problem's name"):
        import_folder(folder, tmp_path / "bank", slug)


def test_nothing_is_overwritten(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bank" / "twice-more").mkdir(parents=True)
    with pytest.raises(ImportRefused, match="exists and is left as it is"):
        import_folder(folder, tmp_path / "bank")
    assert list((tmp_path / "bank" / "twice-more").iterdir()) == []


def test_a_linked_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(folder)
    with pytest.raises(ImportRefused, match="is a link"):
        import_folder(tmp_path / "short", tmp_path / "bank")


def test_a_title_with_quotes_is_kept(folder: Path, tmp_path: Path) -> None:
    (folder / "problem.md").write_text('# The "best" \\ \x7f title #\ntext\n')
    import_folder(folder, tmp_path, "quoted")
    assert load_problem(tmp_path, "quoted").title.en == 'The "best" \\  title'


def test_a_chinese_statement_is_taken_as_one(folder: Path, tmp_path: Path) -> None:
    (folder / "problem.md").write_text("# 加倍\n\n把输入乘以二，然后返回。\n", encoding="utf-8")
    draft = import_folder(folder, tmp_path, "chinese")
    problem = load_problem(tmp_path, "chinese")
    assert (problem.title.zh, problem.statement.zh) == ("加倍", "把输入乘以二，然后返回。\n")
    assert any(sentence.startswith("English statement") for sentence in draft.left)


def test_the_command_says_what_it_made_and_what_is_left(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = make(tmp_path, monkeypatch, capsys)
    said = here("import", str(folder))
    assert said.code == 0
    assert "twice-more with 2 case(s)" in said.out
    assert "  - tests.py: plain `assert`" in said.out
    again = here("import", str(folder))
    assert (again.code, again.out) == (2, "")
    assert "exists and is left as it is" in again.err
