"""`judge import FOLDER`: a folder of another layout, as a draft in the bank."""

from __future__ import annotations

from pathlib import Path

import click

from judge import config
from judge.cli.app import argument, option
from judge.cli.app import command as judge_command
from judge.cli.errors import Refusal
from judge.cli.terminal import Screen
from judge.cli.words import say
from judge.importing.draft import ImportRefused, import_folder


@judge_command("import")
@argument("folder", type=click.Path(path_type=Path))
@option("--slug", default="", metavar="SLUG", help="slug")
def command(folder: Path, slug: str) -> None:
    bank = config.load().problems
    try:
        draft = import_folder(folder, bank, slug)
    except ImportRefused as error:
        raise Refusal("plain", message=error) from None
    except OSError as error:
        raise Refusal("file_unwritable", path=error.filename or bank, reason=error.strerror or error) from None
    screen = Screen()
    screen.line(say("imported", path=draft.folder, cases=draft.cases))
    for sentence in draft.left:
        screen.line("- ", sentence, indent=2, hang=2)
    screen.line(say("or_edit_draft", command=f"judge verify {draft.slug}"))
