"""`judge verify` on the problem that `judge new` makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_judge import SLUG, Here, make


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    return make(tmp_path, monkeypatch, capsys)


def test_new_problem_verifies_and_the_table_names_sole_killers(here: Here) -> None:
    said = here.process("verify", SLUG)
    assert said.code == 0
    assert said.out.startswith(f"✓ {SLUG}: fine\n")
    assert "test_random_values    squeezes_one_feature*, mean_not_sum\n" in said.out
    assert "test_gradient         detached*, mean_not_sum\n" in said.out


def test_mistake_that_passes_is_an_error_and_exit_1(here: Here) -> None:
    path = here.folder / "problems" / SLUG / "tests.py"
    path.write_text(path.read_text().replace(", gradients=True", ""))
    said = here.process("verify", "--all", "--json")
    (problem,) = said.json["problems"]
    assert said.code == 1
    assert not said.json["ok"]
    assert any("detached.py: AC with seed" in error for error in problem["errors"])
    assert {row["name"]: row["sole"] for row in problem["table"]}["test_gradient"] == []


def test_a_surviving_mutant_is_shown_with_its_diff_and_the_table_is_markdown(here: Here) -> None:
    path = here.folder / "problems" / SLUG / "tests.py"
    path.write_text(path.read_text().replace("(x, 0.5)", "(x, 1.0)").replace("0.25", "1.0").replace("-2.0", "1.0")
                    .replace("float64), 0.5", "float64), 1.0"))  # fmt: skip
    said = here.process("verify", SLUG, "--mutants", "--markdown")
    assert said.code == 1
    assert said.out.splitlines()[:2] == ["# Mutants", ""]
    assert "| scaled-sum | 6 | 4 | 0 |" in said.out
    assert "  -    return x.sum(dim=0) * scale  # (D,)\n  +    return x.sum(dim=0) / scale  # (D,)\n" in said.err
    assert "2 of 6 mutants pass all cases" in said.err
