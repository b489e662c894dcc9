"""`judge admin` for operators: copies, pruning, judging again, workers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from cli_judge import Here, make
from sqlalchemy import update

from judge import config
from judge.store import Store
from judge.store.tables import judging, submission
from tests.records import claimed, report, submit

RIGHT = b"def double(x):\n    return x + x\n"
WRONG = b"def double(x):\n    return x ** 2\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    made = make(tmp_path, monkeypatch, capsys)
    monkeypatch.setenv("JUDGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("JUDGE_PROBLEMS", str(Path(__file__).parent / "bank"))
    monkeypatch.setenv("JUDGE_SANDBOX", "local")
    return made


@pytest.fixture
def records(here: Here) -> Store:
    return Store.open(config.load().database)


def test_a_copy_can_be_put_back(here: Here, records: Store, tmp_path: Path) -> None:
    kept = submit(records).id
    assert here("admin", "backup", str(tmp_path / "copy")).code == 0
    assert here("admin", "backup", str(tmp_path / "copy")).code == 2
    later = submit(records).id
    records.close()
    assert here("admin", "restore", str(tmp_path / "copy")).code == 0
    again = Store.open(config.load().database)
    assert (again.submission(kept) is not None, again.submission(later)) == (True, None)


def test_what_is_no_copy_is_not_put_back(here: Here, records: Store, tmp_path: Path) -> None:
    kept = submit(records).id
    (tmp_path / "text").write_text("no database at all, whatever its size may be")
    for name in ("text", "missing"):
        assert here("admin", "restore", str(tmp_path / name)).code == 2
    assert records.submission(kept)


def test_a_judge_that_runs_is_not_restored(here: Here, records: Store, tmp_path: Path) -> None:
    here("admin", "backup", str(tmp_path / "copy"))
    records.hello("host/1/2", "local")
    assert "host/1/2" in here("admin", "restore", str(tmp_path / "copy")).err
    records.goodbye("host/1/2")
    assert here("admin", "restore", str(tmp_path / "copy")).code == 0


def test_a_preview_of_judging_again_changes_nothing(here: Here, records: Store) -> None:
    for source, verdict in ((RIGHT, "AC"), (WRONG, "AC")):
        submit(records, source, problem="double")
        records.finish(claimed(records), report(verdict))  # type: ignore[arg-type]
    said = here("admin", "rejudge", "double")
    assert said.code == 0
    assert "#2  double  AC -> WA" in said.out
    assert "#1" not in said.out
    assert records.queue_state().queued == 0
    assert here("admin", "rejudge", "double", "--yes").code == 0
    assert records.queue_state().queued == 2


def test_judging_nothing_again_is_an_error(here: Here, records: Store) -> None:
    assert here("admin", "rejudge", "double").code == 2
    assert here("admin", "rejudge", "77").code == 2


def test_pruning_keeps_submissions_and_verdicts(here: Here, records: Store) -> None:
    old, run, young = submit(records).id, None, None
    records.finish(claimed(records), report("WA"))
    run = records.submit(learner="ada", problem="attention", source=b"", samples_only=True)[0].submission.id
    records.finish(claimed(records), report("AC"))
    with records.write() as connection:
        long_ago = time.time() - 400 * 86400
        connection.execute(update(submission).values(created_at=long_ago))
        connection.execute(update(judging).values(finished_at=long_ago))
    young = submit(records).id
    records.finish(claimed(records), report("WA"))
    assert "1 runs" in here("admin", "prune").out
    assert records.submission(run)
    assert here("admin", "prune", "--yes").code == 0
    assert records.submission(run) is None
    views = [view for number in (old, young) if (view := records.submission(number))]
    assert [(view.judging.verdict, bool(view.cases)) for view in views] == [("WA", False), ("WA", True)]


def test_a_worker_is_asked_to_stop(here: Here, records: Store) -> None:
    records.hello("host/1/2", "local")
    assert not records.seen("host/1/2")
    assert "host/1/2" in here("admin", "workers").out
    assert here("admin", "drain", "host/1/2").code == 0
    assert records.seen("host/1/2")
    assert here("admin", "drain", "host/3/4").code == 2
