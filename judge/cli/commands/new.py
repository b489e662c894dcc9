"""`judge new SLUG`: copies `judge/cli/skeleton`, a small problem that loads and verifies."""

from __future__ import annotations

import shutil
from pathlib import Path

from judge import config
from judge.cli.app import argument
from judge.cli.app import command as judge_command
from judge.cli.errors import Refusal
from judge.cli.words import say
from judge.loader import SLUG

SKELETON = Path(__file__).resolve().parent.parent / "skeleton"
TITLE = "Scaled sum"
"""The skeleton's title, which gives way to one made from the slug."""


@judge_command("new")
@argument("slug")
def command(slug: str) -> None:
    if not SLUG.fullmatch(slug):
        raise Refusal("bad_slug", name=slug)
    folder = config.load().problems / slug
    if folder.exists() or folder.is_symlink():
        raise Refusal("folder_exists", path=folder)
    try:
        shutil.copytree(SKELETON, folder, ignore=shutil.ignore_patterns("__pycache__"))
        _retitle(folder / "problem.toml", slug.replace("-", " ").capitalize())
    except OSError as error:
        raise Refusal("file_unwritable", path=folder, reason=error.strerror or error) from None
    print(say("wrote", path=folder))
    print(say("new_edit", command=f"judge verify {slug}"))


def _retitle(path: Path, title: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(TITLE, title), encoding="utf-8")
