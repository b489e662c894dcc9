"""What the command line says: help, both languages, wrong usage, and text that comes from a submission."""

from __future__ import annotations

import ast
import re
import shlex
import string
from pathlib import Path

import click
import pytest
from cli_judge import SLUG, Here, make

import judge.cli
from judge.cli import helps, layout, words
from judge.cli.app import judge as group
from judge.cli.errors import explain
from judge.cli.language import choose
from judge.cli.terminal import visible

MODULES = [p for p in Path(judge.cli.__file__).parent.rglob("*.py") if "skeleton" not in p.parts]
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    return make(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("name", helps.COMMANDS)
def test_help_teaches_with_an_example_in_both_languages(here: Here, name: str) -> None:
    english, chinese = here(name, "--help"), here(name, "--help", "--lang", "zh")
    assert english.code == chinese.code == 0
    assert not CHINESE.search(english.out)
    assert f"  judge {name}" in english.out
    assert f"  judge {name}" in chinese.out
    assert len(CHINESE.findall(chinese.out)) > 30
    assert "--lang [en|zh]" in english.out


@pytest.mark.parametrize("line", [line for page in helps.COMMANDS.values() for line, _ in page.examples])
def test_example_of_a_help_page_is_a_command_that_parses(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    command = group.get_command(click.Context(group), name)
    assert command is not None
    command.make_context(name, arguments)


def test_every_sentence_that_is_said_exists_and_none_is_left_over() -> None:
    constants: set[str] = set()
    said: set[str] = set()
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and module.name != "words.py":
                constants |= {node.value, f"opt.{node.value}", f"doctor.{node.value}", f"doctor.advice.{node.value}"}
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "Refusal"):
                said |= {first.value for first in node.args[:1] if isinstance(first, ast.Constant)}
    assert said <= set(words.WORDS)
    assert set(words.WORDS) - {"easy", "medium", "hard"} <= constants


@pytest.mark.parametrize("key", words.WORDS)
def test_both_languages_use_the_same_fields(key: str) -> None:
    fields = [
        {field.split(":")[0] for _, field, _, _ in string.Formatter().parse(t) if field} for t in words.WORDS[key]
    ]
    assert fields[0] == fields[1]


@pytest.mark.parametrize(
    ("arguments", "environment", "lang"),
    [
        ([], {}, "en"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh"),
        ([], {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ([], {"LANG": "en_GB", "LC_MESSAGES": "zh_TW"}, "zh"),
        ([], {"LANG": "en_GB", "JUDGE_LANG": "zh"}, "zh"),
        (["list", "--lang", "en"], {"JUDGE_LANG": "zh"}, "en"),
        (["list", "--lang=zh"], {}, "zh"),
        (["list", "--", "--lang=zh"], {}, "en"),
    ],
)
def test_language_comes_from_option_then_setting_then_locale(
    arguments: list[str], environment: dict[str, str], lang: str
) -> None:
    assert choose(arguments, environment) == lang


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rnu"], "did you mean `run`?"),
        (["list", "--jsn"], "did you mean `--json`?"),
        (["show", "scaled-sun"], f"did you mean `{SLUG}`?"),
        (["show", "quite-another"], "`judge list` shows them all"),
        (["show"], "SLUG is missing"),
        (["run", SLUG], "FILE is missing"),
        (["list", "more"], "`more` is one word too many"),
        (["list", "--lang", "fr"], "--lang must be one of en, zh"),
        (["run", SLUG, "x.py", "--seed", "-1"], "--seed must be a whole number from 0"),
        (["run", SLUG, "x.py", "--seed"], "option `--seed` needs a value"),
        (["run", SLUG, "x.py", "--sandbox", "moon"], "--sandbox must be one of auto,"),
        (["run", SLUG, "nothing.py"], "there is no file nothing.py"),
        (["run", SLUG, "nothing.py", "--json"], "there is no file nothing.py"),
        (["run", SLUG, "problems"], "problems is a folder"),
        (["run", SLUG, "-", "--watch"], "--watch needs a file"),
        (["submit", SLUG, "nothing.py"], "there is no file nothing.py"),
        (["submit", SLUG, "problems/scaled-sum/starter.py", "--server", "here"], "here is no address of a judge"),
        (["serve", "--port", "99999"], "--port must be a whole number from 1 to 65535"),
        (["serve", "--host", "192.0.2.1"], "192.0.2.1"),
        (["verify"], "name a problem, or use --all"),
        (["verify", "--all", SLUG], "not both"),
        (["verify", "scaled-sun"], f"did you mean `{SLUG}`?"),
    ],
)
def test_wrong_usage_is_one_sentence_on_stderr_and_exit_2(here: Here, arguments: list[str], sentence: str) -> None:
    said = here(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert sentence in said.err
    assert said.err.startswith("error: ")
    assert "Traceback" not in said.err


def test_wrong_usage_speaks_chinese(here: Here) -> None:
    said = here("show", "scaled-sun", "--lang", "zh")
    assert said.err.startswith("错误：没有题目 `scaled-sun`")


def test_bad_setting_is_named(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_PORT", "many")
    said = here("list")
    assert said.code == 2
    assert "JUDGE_PORT='many'" in said.err


def test_failure_of_the_judge_shows_a_traceback_only_when_asked(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    assert explain(RuntimeError("out of luck")) == 3
    plain = here.capsys.readouterr().err
    monkeypatch.setenv("JUDGE_DEBUG", "1")
    assert explain(RuntimeError("out of luck")) == 3
    assert plain == "error: the judge failed: RuntimeError: out of luck. Set JUDGE_DEBUG=1 for details\n"
    assert "RuntimeError: out of luck\n" in here.capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ✓ 中文\nline", "plain ✓ 中文\nline"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\rb\x08\x07", "a\\rb\\x08\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("half \udc80", "half \\udc80"),
    ],
)
def test_control_characters_are_shown_not_obeyed(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("width", [20, 33, 80])
@pytest.mark.parametrize("text", [page.more[zh] for page in helps.COMMANDS.values() for zh in (0, 1)])
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, width: int) -> None:
    pieces = layout.wrap(text, width)
    assert all(layout.columns(piece) <= width for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert not any(piece.startswith(tuple("，。；：）")) for piece in pieces)


def test_help_and_list_import_neither_torch_nor_the_database(here: Here) -> None:
    assert here.probe("--help").out.endswith("exit code: 0\nimported: []\n")
    assert here.probe("list").out.endswith("exit code: 0\nimported: []\n")
