"""Rules of a grading process: whatever a submission, a problem or the sandbox does, one verdict, and it goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.store import MAX_TRIES, Store
from judge.worker import EXIT_UNUSABLE, is_dead, worker_name
from tests.processes import BANK, assert_one_verdict, below, environment, judged, running, until, verdict, worker
from tests.records import open_store

RIGHT = b"def double(x):\n    return x + x\n"
SQUARED = b"def double(x):\n    return x ** 2\n"
SLOW = b"import time\n\ndef double(x):\n    time.sleep(0.5)\n    return x + x\n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bank")
    shutil.copytree(BANK / "double", folder / "double")
    for slug in ("broken", "raising"):
        shutil.copytree(BANK / "double", folder / slug)
    (folder / "broken" / "reference.py").unlink()
    (folder / "raising" / "tests.py").write_text("def test_example(solution, reference, rng):\n    1 / 0\n")
    return folder


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with one worker on it, for all tests that leave the worker alive."""
    return open_store(tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="module", autouse=True)
def worker_pid(shared: Store, bank: Path) -> Iterator[int]:
    with worker(shared, bank, JUDGE_PROBLEMS=str(bank), JUDGE_LEASE_S="3") as process:
        yield process.pid


def send(store: Store, source: bytes, problem: str = "double", samples_only: bool = False) -> int:
    return store.submit(learner="ada", problem=problem, source=source, samples_only=samples_only)[0].submission.id


# one worker, many submissions


def test_right_submission_is_accepted(shared: Store) -> None:
    report = verdict(shared, send(shared, RIGHT))
    assert report.verdict == "AC"
    assert [case.verdict for case in report.cases] == ["AC"] * 3
    assert report.sandbox == "local"


def test_wrong_submission_learns_its_mistake(shared: Store) -> None:
    report = verdict(shared, send(shared, SQUARED))
    assert (report.verdict, report.diagnosis) == ("WA", "squared")


def test_samples_run_alone(shared: Store) -> None:
    report = verdict(shared, send(shared, RIGHT, samples_only=True))
    assert [case.name for case in report.cases] == ["test_example_three_numbers"]


def test_seed_of_a_rejudge_is_used(shared: Store) -> None:
    number = send(shared, RIGHT)
    verdict(shared, number)
    shared.rejudge(number, seed=11)
    assert verdict(shared, number).seed == 11


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"import os, signal\ndef double(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n", "RTE"),
        (b"import os\ndef double(x):\n    os._exit(0)\n", "RTE"),
        (b"import os\nos._exit(0)\n", "RTE"),
        (b"def double(x):\n    print('\\0\\udcff' * 9)\n    raise SystemExit('\\ud800')\n", "RTE"),
        (b"def double(x):\n    return object()\n", "WA"),
        (b"\xff\xfe", "CE"),
        (b"", "CE"),
    ],
    ids=["kills-itself", "exits", "exits-early", "odd-text", "no-tensor", "no-text", "empty"],
)
def test_worker_survives(shared: Store, source: bytes, expected: str) -> None:
    assert verdict(shared, send(shared, source)).verdict == expected
    assert verdict(shared, send(shared, RIGHT)).verdict == "AC"


@pytest.mark.parametrize(("slug", "word"), [("broken", "reference.py"), ("none-such", "none-such")])
def test_problem_that_does_not_load_is_a_judge_error(shared: Store, slug: str, word: str) -> None:
    judging = judged(shared, send(shared, RIGHT, slug)).judging
    assert (judging.verdict, judging.finding, judging.tries) == ("JE", {"code": "judge_error"}, 1)
    assert word in judging.internal


def test_tests_that_raise_are_tried_three_times(shared: Store) -> None:
    judging = judged(shared, send(shared, RIGHT, "raising")).judging
    assert (judging.verdict, judging.finding, judging.tries) == ("JE", {"code": "judge_error"}, MAX_TRIES)
    assert "ZeroDivisionError" in judging.internal
    assert verdict(shared, send(shared, RIGHT)).verdict == "AC"


def test_cases_of_a_long_grading_appear_as_they_come(shared: Store) -> None:
    number = send(shared, SLOW)

    def some_cases() -> bool:
        view = shared.submission(number)
        return view is not None and view.judging.status == "running" and len(view.cases) > 0

    until(some_cases, "a case before the verdict")
    assert len(verdict(shared, number).cases) == 3


def test_killed_supervisor_costs_no_try(shared: Store, worker_pid: int) -> None:
    number = send(shared, SLOW)
    running(shared, number)
    below(worker_pid, "sandbox.runner")[0].kill()
    judging = judged(shared, number).judging
    assert (judging.verdict, judging.tries) == ("AC", 1)


def test_heartbeat_keeps_a_long_grading(shared: Store) -> None:
    number = send(shared, SLOW.replace(b"0.5", b"1.5"))
    running(shared, number)
    until(lambda: shared.expire() or shared.submission(number).judging.status == "done", "the verdict")
    assert judged(shared, number).judging.tries == 1


# processes that die


def test_what_a_killed_worker_graded_is_graded_by_another(store: Store, tmp_path: Path) -> None:
    numbers = [send(store, SLOW), send(store, RIGHT)]
    with worker(store, tmp_path, JUDGE_LEASE_S="2") as process:
        running(store, numbers[0])
        process.kill()
    with worker(store, tmp_path, JUDGE_LEASE_S="2"):
        assert [verdict(store, number).verdict for number in numbers] == ["AC", "AC"]
    assert_one_verdict(store)


def test_terminated_worker_finishes_what_it_grades(store: Store, tmp_path: Path) -> None:
    numbers = [send(store, SLOW), send(store, RIGHT)]
    with worker(store, tmp_path) as process:
        running(store, numbers[0])
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert verdict(store, numbers[0]).verdict == "AC"
    assert store.queue_state().queued == 1


def test_without_sandbox_the_worker_says_why_and_ends(store: Store, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "judge.worker"],
        env=environment(store, tmp_path, JUDGE_SANDBOX="glass"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == EXIT_UNUSABLE
    assert "glass" in done.stderr
    assert "Traceback" not in done.stderr


def test_dead_workers_are_known_by_their_names() -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        name = worker_name(process.pid)
        host, pid, birth = name.rsplit("/", 2)
        assert not is_dead(name)
        assert is_dead(f"{host}/{pid}/{int(birth) - 1}")  # another process has the number now
        assert not is_dead(f"elsewhere/{pid}/{int(birth) - 1}")
        assert not is_dead("no name of ours")
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_dead(name)  # a zombie
    assert is_dead(name)
