"""A broken folder is told with file, key and what is expected there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.loader import ProblemError, UnknownProblem, load_bank, load_problem

BANK = Path(__file__).resolve().parent / "bank"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(BANK / "double", tmp_path / "double")
    return tmp_path / "double"


def test_a_problem_has_names_cases_and_mistakes(folder: Path) -> None:
    problem = load_problem(folder.parent, "double")
    assert problem.names == ("double",)
    assert any(case.sample for case in problem.cases)
    assert problem.mistake("squared") is not None


def test_a_change_is_seen_and_changes_the_digest(folder: Path) -> None:
    before = load_problem(folder.parent, "double")
    assert load_problem(folder.parent, "double") is before
    (folder / "tests.py").write_text("def test_new(solution):\n    pass\n")
    (folder / "problem.toml").write_text('title = "Double"\ndifficulty = "easy"\n')
    after = load_problem(folder.parent, "double")
    assert after.digest != before.digest
    assert [case.name for case in after.cases] == ["test_new"]


@pytest.mark.parametrize("slug", ["nothing", "../double", "", "a/b", "Double", "."])
def test_unknown_names_are_no_paths(folder: Path, slug: str) -> None:
    with pytest.raises(UnknownProblem):
        load_problem(folder.parent, slug)


GOOD = 'title = "Double"\ndifficulty = "easy"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = ", "no valid TOML"),
        ('difficulty = "easy"\n', "`title` is missing, expected a string"),
        ('title = "x"\n', "`difficulty` is missing"),
        (GOOD + "time_limit = 3\n", "`time_limit` is unknown; known keys: title"),
        (GOOD + 'time_limit_s = "3"\n', "`time_limit_s` is '3', expected a number"),
        (GOOD + "time_limit_s = 0\n", "`time_limit_s` must be more than 0"),
        (GOOD + "memory_mb = 1\n", "`memory_mb` must be between"),
        (GOOD + "order = true\n", "`order` is True, expected a whole number"),
        (GOOD + "tags = [1]\n", "`tags` is [1], expected a list of strings"),
        (GOOD.replace("easy", "odd"), "expected easy, medium or hard"),
        (GOOD + "name = 1\nsize = 1\n[zh]\nother = 1\n", "`name` is unknown; known keys: title, "),
        (GOOD + "name = 1\nsize = 1\n[zh]\nother = 1\n", "`size` is unknown; known keys: title, "),
        (GOOD + "name = 1\nsize = 1\n[zh]\nother = 1\n", "`zh.other` is unknown; known keys: title, cases"),
        (GOOD + "stage = 'later'\n", "`stage` is 'later', expected one of foundations, masks"),
        (GOOD + "builds_on = 'softmax'\n", "`builds_on` is 'softmax', expected a list of strings"),
        (GOOD + "explorer = 'javascript:alert(1)'\n", "expected such as 'masks?kind=window&w=3'"),
        (GOOD + "explorer = 'masks/../../editor'\n", "expected such as 'masks?kind=window&w=3'"),
        (GOOD + "[zh]\nname = 'x'\n", "`zh.name` is unknown"),
        (GOOD + "[zh.cases]\ntest_gone = 'x'\n", "`zh.cases.test_gone` names nothing"),
        (GOOD + "[zh.mistakes]\ngone = 'x'\n", "`zh.mistakes.gone` names nothing"),
    ],
)
def test_settings_are_checked(folder: Path, text: str, words: str) -> None:
    (folder / "problem.toml").write_text(text)
    with pytest.raises(ProblemError, match=r"double/problem\.toml") as error:
        load_problem(folder.parent, "double")
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tests.py", "x = 1\n", "no `test_*` function"),
        ("tests.py", "def test_a(solution:\n", "line 1"),
        ("tests.py", "def test_a(answer): pass\n", "known arguments: solution, reference, rng"),
        ("tests.py", "def test_a(): pass\ndef test_a(): pass\n", "defined twice"),
        ("tests.py", "def test_a(): pass\nasync def test_b(): pass\n", "line 2: `test_b` is async"),
        ("tests.py", "def test_a(): pass\nclass TestB:\n    def test_c(self): pass\n", "line 2: class `TestB`"),
        ("tests.py", "def test_a():\n    def test_b(): pass\n", "line 2: `test_b` is inside something else"),
        ("tests.py", "import functools\n@functools.cache\ndef test_a(): pass\n", "has a decorator"),
        ("tests.py", "def test_a(*, rng): pass\n", "takes rng; known"),
        ("starter.py", "_x = 1\n", "no public function or class"),
        ("submissions/wrong/x.py", "x = 1\n", "no known folder of submissions"),
        ("submissions/wrong_answer/x.py", "# expect: XX\n", "expected verdicts such as"),
        ("statement.en.md", None, "the file is missing"),
        ("reference.py", None, "the file is missing"),
    ],
)
def test_files_are_checked(folder: Path, name: str, text: str | None, words: str) -> None:
    path = folder / name
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (folder / "problem.toml").write_text(GOOD)
    with pytest.raises(ProblemError) as error:
        load_problem(folder.parent, "double")
    assert words in str(error.value)


def test_a_file_that_is_not_utf8_is_named(folder: Path) -> None:
    (folder / "starter.py").write_bytes(b"# caf\xe9\n")
    with pytest.raises(ProblemError, match=r"starter.py: is not UTF-8 \(byte 5\)"):
        load_problem(folder.parent, "double")


def test_two_mistakes_of_one_name_are_an_error(folder: Path) -> None:
    for verdict in ("runtime_error", "wrong_answer"):
        (folder / "submissions" / verdict).mkdir(parents=True, exist_ok=True)
        (folder / "submissions" / verdict / "one.py").write_text("x = 1\n")
    with pytest.raises(ProblemError, match=r"one\.py: has the name of another submission"):
        load_problem(folder.parent, "double")


def test_one_broken_folder_hides_no_other(folder: Path) -> None:
    shutil.copytree(folder, folder.parent / "other")
    (folder / "problem.toml").write_text("title = ")
    problems, errors = load_bank(folder.parent)
    assert [p.slug for p in problems] == ["other"]
    assert [e.path.parent.name for e in errors] == ["double"]


def test_what_an_editor_leaves_behind_is_no_part_of_a_problem(folder: Path) -> None:
    (folder / ".#tests.py").symlink_to("nobody@nowhere.1")
    (folder / "submissions" / "loop").symlink_to("..")
    assert load_problem(folder.parent, "double").names == ("double",)
