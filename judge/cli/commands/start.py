"""`judge start SLUG [FILE]`"""

from __future__ import annotations

import shlex
from pathlib import Path

from judge import config, loader
from judge.cli.app import argument
from judge.cli.app import command as judge_command
from judge.cli.errors import Refusal
from judge.cli.words import say


@judge_command("start")
@argument("slug")
@argument("file", required=False)
def command(slug: str, file: str | None) -> None:
    problem = loader.load_problem(config.load().problems, slug)
    path = Path(file or slug.replace("-", "_") + ".py")
    try:
        with path.open("xb") as starter:
            starter.write((problem.folder / "starter.py").read_bytes())
    except FileExistsError:
        raise Refusal("file_exists", say("or_edit", command=_next(slug, path)), path=path) from None
    except OSError as error:
        raise Refusal("file_unwritable", path=path, reason=error.strerror or error) from None
    print(say("wrote", path=path))
    print(say("or_edit", command=_next(slug, path)))


def _next(slug: str, path: Path) -> str:
    return f"judge run {slug} {shlex.quote(str(path))}"
