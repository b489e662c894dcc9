"""The click group: commands found by name, help pages and usage errors in the reader's language.

`judge.cli.helps` lists the commands, so that `judge --help` imports none of them; `judge run` imports only
`judge.cli.commands.run`. A command function returns its exit code, or None for 0.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import click

from judge import __version__
from judge.cli import helps
from judge.cli.language import spoken
from judge.cli.layout import columns, padded, wrap
from judge.cli.words import say


class Option(click.Option):
    """Its help is a key of `judge.cli.words`."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return (record[0], say(self.help)) if record and self.help else record


class Page:
    """Writes the help page of a command or of the group."""

    def __init__(self, text: helps.Help) -> None:
        self.text = text

    def write(self, command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        zh, width = spoken.get() == "zh", min(formatter.width, 100)
        write = formatter.write
        write(f"{say('usage')}{ctx.command_path} {' '.join(command.collect_usage_pieces(ctx))}\n")
        for pair in (self.text.summary, self.text.more):
            write("\n" + "".join(f"  {line}\n" for line in wrap(pair[zh], width - 2)))
        _table(formatter, "examples", [(line, what[zh]) for line, what in self.text.examples])
        if isinstance(command, click.Group):
            _table(formatter, "commands", [(name, page.summary[zh]) for name, page in helps.COMMANDS.items()])
        records = [param.get_help_record(ctx) for param in command.get_params(ctx)]
        _table(formatter, "options", [record for record in records if record and record[1]])


def _table(formatter: click.HelpFormatter, heading: str, rows: list[tuple[str, str]]) -> None:
    first = max(columns(row[0]) for row in rows) + 2
    formatter.write(f"\n{say(heading)}\n")
    for left, right in rows:
        pieces = wrap(right, max(formatter.width - first - 2, 20))
        formatter.write(f"  {padded(left, first)}{pieces[0]}\n")
        formatter.write("".join(f"{' ' * (first + 2)}{piece}\n" for piece in pieces[1:]))


class Command(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        from judge.cli.errors import Refusal

        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise Refusal("too_many", _try(ctx.command_path), name=rest[0])
        return rest

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        Page(helps.COMMANDS[str(self.name)]).write(self, ctx, formatter)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        return _help_option()


class Judge(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(helps.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in helps.COMMANDS:
            return None
        module = importlib.import_module(f"judge.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        from judge.cli.errors import Refusal, near

        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise Refusal("unknown_command", near(args[0], list(helps.COMMANDS)) or _try("judge"), name=args[0])
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        Page(helps.GROUP).write(self, ctx, formatter)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        return _help_option()


def _try(command: str) -> str:
    return say("try_help", command=command)


def _help_option() -> Option:
    return Option(["-h", "--help"], is_flag=True, is_eager=True, expose_value=False, callback=_help, help="opt.help")


def _help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help())
        ctx.exit()


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"attention-judge {__version__}")
        ctx.exit()


def option(*names: str, help: str, **settings: Any) -> Callable[[Any], Any]:
    """An option whose help is the word `opt.<help>`."""
    return click.option(*names, cls=Option, help=f"opt.{help}", **settings)


def argument(name: str, **settings: Any) -> Callable[[Any], Any]:
    return click.argument(name, **settings)


def command(name: str) -> Callable[[Callable[..., int | None]], click.Command]:
    """Makes the function a command with help from `judge.cli.helps` and the option --lang."""

    def make(function: Callable[..., int | None]) -> click.Command:
        return click.command(name, cls=Command, context_settings={"allow_extra_args": True})(_lang(function))

    return make


_lang = option("--lang", type=click.Choice(["en", "zh"]), expose_value=False, help="lang")
json_option = option("--json", "as_json", is_flag=True, help="json")


@click.group(cls=Judge, no_args_is_help=True)
@_lang
@option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="version")
def judge() -> None:
    """See `judge.cli.helps.GROUP`."""
