"""`verify` proves a problem, and fails for each way in which one can be unproven."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from judge.proving.proof import VerifyResult
from judge.proving.verify import verify

ROOT = Path(__file__).resolve().parent.parent
BANK = ROOT / "problems"
SKELETON = ROOT / "judge" / "cli" / "skeleton"


def verified(bank: Path, slug: str, *, publish: bool = False) -> VerifyResult:
    (result,) = verify(bank, [slug], sandbox="local", processes=1, publish=publish)
    return result


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(BANK / "kv-offset-mask", tmp_path / "kv-offset-mask")
    settings = tmp_path / "kv-offset-mask" / "problem.toml"
    settings.write_text(re.sub(r"(?m)^builds_on = .*$", "", settings.read_text(encoding="utf-8")), encoding="utf-8")
    return tmp_path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The problem that `judge new` makes, with another case to fill."""
    folder = tmp_path / "small"
    shutil.copytree(SKELETON, folder)
    return folder


def with_case(folder: Path, body: str, docstring: str = '"""More\n\n    Guards: x\n    """') -> VerifyResult:
    path = folder / "tests.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n\ndef test_more(solution, reference):\n    {docstring}\n    {body}\n", encoding="utf-8")
    return verified(folder.parent, "small")


def test_a_complete_problem_is_proven(copy: Path) -> None:
    result = verified(copy, "kv-offset-mask", publish=True)
    assert result.ok, result.errors
    assert result.diagnosed == result.mistakes
    assert any(row.sole for row in result.table)


def test_a_comparison_replaced_by_pass_is_found(copy: Path) -> None:
    path = copy / "kv-offset-mask" / "tests.py"
    sole = next(row for row in verified(copy, "kv-offset-mask").table if row.sole)
    text = path.read_text()
    start = text.index(f"def {sole.name}(")
    end = text.find("\ndef ", start + 1)
    body = re.sub(
        r"(?m)^    assert_\w+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)$",
        "    pass",
        text[start : end if end > 0 else None],
    )
    path.write_text(text[:start] + body + (text[end:] if end > 0 else ""))
    result = verified(copy, "kv-offset-mask")
    assert any(name in error and "AC" in error for name in sole.sole for error in result.errors), result.errors


def test_a_reference_that_fails_is_found(copy: Path) -> None:
    (copy / "kv-offset-mask" / "reference.py").write_text("def kv_offset_mask(T, S):\n    return None\n")
    assert any(error.startswith("submissions/accepted") for error in verified(copy, "kv-offset-mask").errors)


def test_an_idle_hidden_case_must_say_what_it_guards(copy: Path) -> None:
    path = copy / "kv-offset-mask" / "tests.py"
    idle = '\n\ndef test_idle(solution):\n    """Idle"""\n'
    path.write_text(path.read_text() + idle)
    assert any("test_idle" in error for error in verified(copy, "kv-offset-mask").errors)
    path.write_text(path.read_text().replace('"""Idle"""', '"""Idle\n\n    Guards: nothing, in this test.\n    """'))
    assert not any("test_idle" in error for error in verified(copy, "kv-offset-mask").errors)


def test_gaps_are_warnings_until_it_is_published(copy: Path) -> None:
    folder = copy / "kv-offset-mask"
    (folder / "explanation.zh.md").unlink()
    draft, published = verified(copy, "kv-offset-mask"), verified(copy, "kv-offset-mask", publish=True)
    assert draft.ok
    assert any("explanation.zh.md" in warning for warning in draft.warnings)
    assert any("explanation.zh.md" in error for error in published.errors)


def test_a_folder_that_does_not_load_is_an_error_not_an_exception(copy: Path) -> None:
    (copy / "kv-offset-mask" / "problem.toml").write_text("title = ")
    assert "no valid TOML" in verified(copy, "kv-offset-mask").errors[0]


def test_an_import_error_is_told_with_its_file(copy: Path) -> None:
    (copy / "kv-offset-mask" / "reference.py").write_text("import nothing_like_this\n")
    assert any("reference.py: line 1" in error for error in verified(copy, "kv-offset-mask").errors)


def test_a_forbidden_name_that_names_nothing_is_an_error(copy: Path) -> None:
    path = copy / "kv-offset-mask" / "problem.toml"
    path.write_text('forbidden = ["libary-attention"]\n' + path.read_text().replace("forbidden = []\n", ""))
    assert any("libary-attention" in error for error in verified(copy, "kv-offset-mask").errors)


def test_a_test_that_raises_is_told_once_with_its_line(small: Path) -> None:
    line = len((small / "tests.py").read_text().splitlines()) + 8
    errors = with_case(small, 'raise ValueError("oh")').errors
    told = f"tests.py: line {line}: `test_more` raises by itself, with the reference too: ValueError: oh"
    assert errors == [told]


def test_a_test_that_ends_the_process_is_told_once(small: Path) -> None:
    (error,) = with_case(small, "import os; os._exit(3)").errors
    assert "ends the judge's own process after `test_gradient` (exit code 3)" in error


def test_what_tests_print_stays_out_of_the_output(small: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert with_case(small, 'print("printed")').ok
    said = capfd.readouterr()
    assert said.out == ""
    assert "printed" in said.err


def test_a_case_without_a_docstring_is_a_gap(small: Path) -> None:
    result = with_case(small, "pass", "pass")
    assert any("no docstring" in warning and "test_more" in warning for warning in result.warnings)


def test_a_mistake_that_the_diagnosis_does_not_name_is_told(small: Path) -> None:
    folder = small / "submissions" / "wrong_answer"
    shutil.copy(folder / "mean_not_sum.py", folder / "mean_again.py")
    warnings = verified(small.parent, "small").warnings
    for name in ("mean_again", "mean_not_sum"):
        assert any(f"wrong_answer/{name}.py: the diagnosis of this mistake names nothing" in w for w in warnings)


def test_a_reference_that_all_right_answers_differ_from_is_named_first(small: Path) -> None:
    path = small / "reference.py"
    path.write_text(path.read_text().replace("sum(dim=0)", "sum(dim=0) + 1"))
    first, *others = verified(small.parent, "small").errors
    assert first.startswith("reference.py: is probably wrong")
    assert any("accepted/einsum.py" in error for error in others)


def test_what_was_graded_is_kept_until_its_content_changes(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(small.parent / "cache"))

    def again() -> VerifyResult:
        (result,) = verify(small.parent, ["small"], sandbox="local", processes=1, cache=True)
        return result

    first, second = again(), again()
    assert (first.cached, second.cached) == (0, first.gradings)
    assert (first.table, first.diagnosed) == (second.table, second.diagnosed)
    (small / "statement.en.md").write_text("# Other words\n")
    assert again().cached == first.gradings
    (small / "submissions" / "accepted" / "matmul.py").write_text("x = 1\n")
    assert again().cached == first.gradings - 1
    (small / "tests.py").write_text((small / "tests.py").read_text() + "\n")
    assert again().cached == 0


def test_every_seed_is_tried_where_the_seed_matters(small: Path) -> None:
    """mean_not_sum fails the sample, which draws nothing; the other two mistakes fail what is drawn."""
    (result,) = verify(small.parent, ["small"], sandbox="local", processes=1, seeds=4)
    assert result.ok, result.errors
    once, always = 2, 5  # mean_not_sum and the starter; reference, two accepted answers, two mistakes
    assert result.gradings == once + 4 * always


def test_an_answer_that_only_some_seeds_accept_is_an_error(small: Path) -> None:
    (small / "submissions" / "accepted" / "sometimes.py").write_text(
        "import torch\n\n\ndef scaled_sum(x, scale):\n"
        "    lucky = x.shape != (5, 3) or x[0, 0] > 0\n    return x.sum(0) * (scale if lucky else 1)\n"
    )
    (result,) = verify(small.parent, ["small"], sandbox="local", processes=1, seeds=12)
    assert any("accepted/sometimes.py: WA in `test_random_values` with seed" in error for error in result.errors)
