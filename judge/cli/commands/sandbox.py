"""`judge sandbox build`: the Docker image that submissions run in, made once for each version of the judge."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.app import argument, option
from judge.cli.app import command as judge_command
from judge.cli.errors import Refusal
from judge.cli.words import say


@judge_command("sandbox")
@argument("action", type=click.Choice(["build"]))
@option("--base", metavar="IMAGE", help="base")
@option("--wheels", type=click.Path(path_type=Path), help="wheels")
@option("--index", metavar="URL", default="", help="index")
def command(action: str, base: str | None, wheels: Path | None, index: str) -> None:
    import docker

    from sandbox import image
    from sandbox.drivers.docker import connect

    if wheels is not None and not any(wheels.glob("*.whl")):
        raise Refusal("no_wheels", path=wheels)
    client = connect(seconds=image.BUILD_S)
    print(say("building", base=base or image.default_base()), flush=True)
    try:
        for line in image.build(client, base, wheels, index):
            print(f"  {line}", flush=True)
    except (image.BuildFailed, docker.errors.DockerException) as error:
        raise Refusal("build_failed", say("build_advice"), reason=error) from None
    finally:
        client.close()
    print(say("built", name=image.name()))
