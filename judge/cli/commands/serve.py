"""`judge serve`"""

from __future__ import annotations

import click

from judge import config
from judge.cli.app import command as judge_command
from judge.cli.app import option
from judge.cli.errors import Refusal


@judge_command("serve")
@option("--host", metavar="ADDRESS", help="host")
@option("--port", type=click.IntRange(1, 65535), metavar="N", help="port")
@option("--workers", type=click.IntRange(1, 256), metavar="N", help="workers")
@option("--insecure", is_flag=True, help="insecure")
def command(host: str | None, port: int | None, workers: int | None, insecure: bool) -> None:
    settings = config.load(host=host, port=port, workers=workers)
    from judge.serve import ServeError, serve
    from judge.store import StoreError

    try:
        serve(settings, insecure=insecure, say=_say)
    except (ServeError, StoreError) as error:
        raise Refusal("plain", message=error) from None


def _say(line: str) -> None:
    print(line, flush=True)
