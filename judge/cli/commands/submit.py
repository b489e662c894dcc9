"""`judge submit SLUG FILE`"""

from __future__ import annotations

from typing import Any

from judge import config
from judge.cli import source as sources
from judge.cli.app import argument, json_option, option
from judge.cli.app import command as judge_command
from judge.cli.errors import Refusal, complain
from judge.cli.language import spoken
from judge.cli.remote import Server
from judge.cli.results import exit_code, print_json, run_cases, show_case, show_outcome
from judge.cli.terminal import Screen
from judge.cli.words import say


@judge_command("submit")
@argument("slug")
@argument("file")
@option("--server", metavar="URL", help="server")
@json_option
def command(slug: str, file: str, server: str | None, as_json: bool) -> int:
    settings = config.load(server=server)
    source = sources.read(file)
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("not_utf8", path=file, byte=error.start) from None
    judge = Server(settings.server, settings.token, spoken.get())
    submission = judge.submit(slug, text)
    try:
        return _follow(judge, submission, as_json)
    except KeyboardInterrupt:
        complain(say("still_kept", id=submission["id"]), kind="note")
        return 130


def _follow(judge: Server, submission: dict[str, Any], as_json: bool) -> int:
    screen, shown, told = Screen(), 0, 0
    for now in judge.follow(submission):
        if as_json:
            continue
        if now["ahead"] and now["ahead"] != told:
            told = now["ahead"]
            complain(say("ahead", ahead=told), kind="note")
        for case in run_cases(now)[shown:]:
            show_case(screen, case)
        shown = max(shown, len(run_cases(now)))
    if now["status"] == "cancelled":
        raise Refusal("cancelled", code=1)
    if as_json:
        print_json(now)
    else:
        show_outcome(screen, now)
    return exit_code(now)
