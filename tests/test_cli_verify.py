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
