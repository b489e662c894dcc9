"""`verify` proves a problem, and fails for each way in which one can be unproven."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from judge.verify import VerifyResult, verify

BANK = Path(__file__).resolve().parent.parent / "problems"


def verified(bank: Path, slug: str, *, publish: bool = False) -> VerifyResult:
    (result,) = verify(bank, [slug], sandbox="local", processes=1, publish=publish)
    return result


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(BANK / "kv-offset-mask", tmp_path / "kv-offset-mask")
    return tmp_path


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
