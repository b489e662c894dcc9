"""Commands that read and write files: list, show, start, new, doctor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_judge import SLUG, Here, make

from judge.cli.layout import columns
from judge.loader import load_problem


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    return make(tmp_path, monkeypatch, capsys)


def test_list_shows_slug_difficulty_and_title(here: Here) -> None:
    assert here("list").out.splitlines()[1].split(maxsplit=2) == [SLUG, "easy", "Scaled sum"]
    assert "简单" in here("list", "--lang", "zh").out


def test_chinese_list_keeps_its_columns(here: Here) -> None:
    head, row = here("list", "--lang", "zh").out.splitlines()
    assert columns(head.partition("难度")[0]) == columns(row.partition("简单")[0])
    assert columns(head.partition("标题")[0]) == columns(row.partition("缩放求和")[0])


def test_list_json_is_one_array(here: Here) -> None:
    (row,) = here("list", "--json").json
    assert row["slug"] == SLUG
    assert row["names"] == ["scaled_sum"]
    assert (row["cases"], row["samples"]) == (3, 1)


def test_broken_folder_hides_no_other_problem(here: Here) -> None:
    assert here("new", "broken").code == 0
    (here.folder / "problems" / "broken" / "problem.toml").write_text("title = 3\n")
    said = here("list")
    assert SLUG in said.out
    assert "broken/problem.toml: key `title` is 3, expected a string" in said.err
    assert said.code == 0


def test_empty_bank_is_said(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_PROBLEMS", "elsewhere")
    assert "there are no problems in elsewhere" in here("list").err
    assert json.loads(here("list", "--json").out) == []


def test_show_in_a_pipe_is_the_statement_as_written(here: Here) -> None:
    statement = (here.folder / "problems" / SLUG / "statement.zh.md").read_text(encoding="utf-8")
    assert statement in here("show", SLUG, "--lang", "zh").out


def test_show_names_limits_and_what_is_not_allowed(here: Here) -> None:
    path = here.folder / "problems" / SLUG / "problem.toml"
    path.write_text(path.read_text().replace("forbidden = []", 'forbidden = ["torch.sum"]'))
    out = here("show", SLUG).out
    assert "You write: scaled_sum" in out
    assert "Limits: 2 s a case, 256 MB" in out
    assert "Not allowed: torch.sum" in out


def test_start_writes_the_starter_and_says_what_is_next(here: Here) -> None:
    said = here("start", SLUG)
    assert (here.folder / "scaled_sum.py").read_text() == load_problem(here.folder / "problems", SLUG).starter
    assert f"judge run {SLUG} scaled_sum.py" in said.out


def test_start_never_overwrites(here: Here) -> None:
    here.write("mine.py", b"my work")
    said = here("start", SLUG, "mine.py")
    assert said.code == 2
    assert "is not overwritten" in said.err
    assert (here.folder / "mine.py").read_bytes() == b"my work"


def test_start_in_a_folder_that_does_not_exist(here: Here) -> None:
    said = here("start", SLUG, "no/such/folder.py")
    assert said.code == 2
    assert "cannot be written: No such file or directory" in said.err


def test_new_problem_loads_with_all_its_parts(here: Here) -> None:
    assert here("new", "rope-lite").code == 0
    problem = load_problem(here.folder / "problems", "rope-lite")
    assert problem.title.en == "Rope lite"
    assert all(text.zh for text in (problem.title, problem.statement, problem.explanation))
    assert all(case.title.zh for case in problem.cases)
    assert all(s.sentence.en and s.sentence.zh for s in problem.submissions if s.is_mistake)
    assert len([s for s in problem.submissions if not s.is_mistake]) == 2


@pytest.mark.parametrize("slug", ["Rope", "rope_lite", "-rope", "rope--lite", "../rope", "绳", "rope lite"])
def test_new_refuses_a_bad_slug(here: Here, slug: str) -> None:
    before = sorted(here.folder.rglob("*"))
    said = here("new", "--", slug)
    assert said.code == 2
    assert "cannot be a problem's name" in said.err
    assert sorted(here.folder.rglob("*")) == before


def test_new_leaves_an_existing_folder_as_it_is(here: Here) -> None:
    path = here.folder / "problems" / SLUG / "tests.py"
    path.write_text("# mine\n")
    said = here("new", SLUG)
    assert said.code == 2
    assert "exists and is left as it is" in said.err
    assert path.read_text() == "# mine\n"


def test_doctor_names_what_is_missing_and_what_to_do(here: Here) -> None:
    (here.folder / "data").write_text("a file where the folder should be")
    said = here("doctor", "--json")
    checks = {check["name"]: check for check in said.json["checks"]}
    assert said.code == 1
    assert [name for name, check in checks.items() if check["ok"] is False] == ["database"]
    assert "JUDGE_DATA" in checks["database"]["advice"]
    assert checks["torch"]["detail"].startswith("2.")
    assert "`local`" in checks["sandbox"]["detail"]
    assert not (here.folder / "data" / "judge.db").exists()


def test_doctor_hides_the_database_password(here: Here, postgres: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    url = postgres.database().replace("postgres@", "postgres:hunter22@")
    monkeypatch.setenv("JUDGE_DATABASE_URL", url)
    said = here("doctor", "--json").out
    assert "hunter22" not in said
    assert "postgres:***@" in said
