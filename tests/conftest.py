"""What several test files share: one sandbox and one grader a session, the problems of the bank, expected verdicts.

sandbox   the local driver, real      grader   on that sandbox      problem   slug -> Problem
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.loader import FOLDER_VERDICTS, load_problem
from judge.model import Problem, ProblemLimits

ROOT = Path(__file__).resolve().parent.parent
BANK = ROOT / "problems"
TOKEN = "token-of-the-canary-7c1f"


@pytest.fixture(scope="session")
def sandbox() -> Iterator[object]:
    """The local driver. The environment it is started from holds a token that must not come back."""
    from sandbox import open_sandbox

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUDGE_TOKEN", TOKEN)
        opened = open_sandbox("local")
        opened.warm()
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def grader(sandbox: object) -> object:
    """One grader for the session; it is not closed, the sandbox is."""
    from judge.grader import Grader

    return Grader(sandbox)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def problem() -> Callable[[str], Problem]:
    """Loads a problem of the bank by its slug."""
    return lambda slug: load_problem(BANK, slug)


def with_little_memory(problem: Problem) -> Problem:
    """The same problem with 96 MB: a busy machine may need the whole time limit to touch 256 MB."""
    return replace(problem, limits=ProblemLimits(problem.limits.time_limit_s, 96))


def expected_verdicts(path: Path) -> tuple[str, ...]:
    """The verdicts that a submission may get: its folder's, or those of a first line `# expect: RTE|TLE`."""
    first = path.read_bytes().split(b"\n", 1)[0].decode("ascii", "replace").strip()
    if first.startswith("# expect:"):
        return tuple(first.removeprefix("# expect:").strip().split("|"))
    return (FOLDER_VERDICTS[path.parent.name],)
