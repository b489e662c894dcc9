"""`judge worker`"""

from __future__ import annotations

from judge import config
from judge.cli.app import command as judge_command


@judge_command("worker")
def command() -> int:
    settings = config.load()
    from judge.worker import main

    return main(settings)
