"""What several test files share: one sandbox and one grader a session, the problems of the bank, expected verdicts.

sandbox        the local driver, real           grader        on that sandbox      problem   slug -> Problem
each_sandbox   every jailed driver in turn      each_grader   on that one
new_database   makes the URL of a new, migrated database: SQLite, then PostgreSQL       store   a store on one
judge          the web app over a small bank, with a database of its own        strict  where sign-in is required
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge import loader
from judge.loader import load_problem
from judge.model import Problem, ProblemLimits
from judge.store import Store

ROOT = Path(__file__).resolve().parent.parent
BANK = ROOT / "problems"
TOKEN = "token-of-the-canary-7c1f"


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Any]:
    """The local driver."""
    yield from opened("local")


@pytest.fixture(scope="session")
def docker_sandbox() -> Iterator[Any]:
    """The docker driver."""
    require_docker()
    yield from opened("docker")


@pytest.fixture(scope="session", params=["local", "docker"])
def each_sandbox(request: pytest.FixtureRequest) -> Any:
    """Both drivers that jail, one after the other."""
    return request.getfixturevalue("sandbox" if request.param == "local" else "docker_sandbox")


@pytest.fixture(scope="session")
def each_grader(each_sandbox: Any) -> Any:
    """A grader on each of them."""
    from judge.grading.grader import Grader

    return Grader(each_sandbox)


def opened(driver: str) -> Iterator[Any]:
    """A warm sandbox. The environment it is started from holds a token that must not come back."""
    from sandbox import open_sandbox

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUDGE_TOKEN", TOKEN)
        sandbox = open_sandbox(driver)
        sandbox.warm()
        yield sandbox
        sandbox.close()


def require_docker() -> None:
    """Skips where no Docker can be used; where CI runs it must be there."""
    from sandbox import SandboxUnavailable, resolve

    try:
        resolve("docker")
    except SandboxUnavailable as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A PostgreSQL server. Skips where its programs are missing; where CI runs they must be there."""
    from tests.postgres import Server, programs

    found = programs()
    if found is None:
        assert "CI" not in os.environ, "PostgreSQL is not installed"
        pytest.skip("no PostgreSQL programs (Debian: postgresql); JUDGE_POSTGRES_BIN names their folder")
    server = Server(found)
    yield server
    server.stop()


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest) -> Callable[[Path], str]:
    """The folder is for SQLite's file."""
    if request.param == "sqlite":
        return lambda folder: f"sqlite:///{folder / 'judge.db'}"
    server = request.getfixturevalue("postgres")
    return lambda folder: server.database()  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def empty_database(new_database: Callable[[Path], str], request: pytest.FixtureRequest) -> Callable[[Path], str]:
    """As `new_database`, without tables."""
    sqlite = new_database(Path()).startswith("sqlite")
    return new_database if sqlite else lambda folder: request.getfixturevalue("postgres").empty()  # type: ignore[no-any-return]


@pytest.fixture
def store(new_database: Callable[[Path], str], tmp_path: Path) -> Iterator[Store]:
    """An empty store, on each kind of database."""
    opened = Store.open(new_database(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def judge(tmp_path: Path) -> Any:
    """A WebJudge."""
    from web_judge import WebJudge

    return WebJudge(tmp_path)


@pytest.fixture
def strict(tmp_path: Path) -> Any:
    """A WebJudge where sign-in is required."""
    from web_judge import WebJudge

    return WebJudge(tmp_path, options={"sign_in": "required"})


@pytest.fixture(scope="session")
def grader(sandbox: Any) -> Any:
    """One grader for the session; it is not closed, the sandbox is."""
    from judge.grading.grader import Grader

    return Grader(sandbox)


@pytest.fixture(scope="session")
def problem() -> Callable[[str], Problem]:
    """Loads a problem of the bank by its slug."""
    return lambda slug: load_problem(BANK, slug)


def with_little_memory(problem: Problem) -> Problem:
    """The same problem with 96 MB: a busy machine may need the whole time limit to touch 256 MB."""
    return replace(problem, limits=ProblemLimits(problem.limits.time_limit_s, 96))


def expected_verdicts(path: Path) -> tuple[str, ...]:
    """The verdicts that a submission may get, as for those of a problem's folder."""
    return loader.expected_verdicts(path, path.read_bytes())
