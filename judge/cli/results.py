"""A judging in the terminal. Works on the JSON of the contract, so that `run` and `submit` print the same.

✓ Accepted        1.2 ms  Two tokens, by hand · sample
✗ Wrong answer    0.9 ms  Tokens do not see the future

Known mistake: ...

Smallest input that fails: ...

✗ Tokens do not see the future
  what is wrong, the learner's traceback, what a sample printed, its tensors

✗ Wrong answer · 7 of 8 cases passed · 34 ms · 12 MB · sandbox local · seed 1
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from judge.cli.language import spoken
from judge.cli.layout import columns, padded
from judge.cli.smallest import show_smallest
from judge.cli.tensors import show_tensors
from judge.cli.terminal import Part, Screen, style_of
from judge.cli.words import say
from judge.messages import VERDICT_WORDS
from judge.model import OWN_INPUT

WORD_WIDTH = 13


def exit_code(report: dict[str, Any]) -> int:
    return {"AC": 0, "JE": 3}.get(report["verdict"], 1)


def verdict_word(verdict: str | None) -> str:
    return VERDICT_WORDS[verdict][spoken.get() == "zh"] if verdict else say("not_run")


def duration(milliseconds: float) -> str:
    if milliseconds < 1000:
        return f"{milliseconds:.1f} ms" if milliseconds < 100 else f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.2f} s"


def show_case(screen: Screen, case: dict[str, Any]) -> None:
    """The line of one case."""
    verdict = case["verdict"]
    time = duration(case["time_ms"]) if verdict else ""
    tag: tuple[Part, ...] = ((" · " + say("sample"), "dim"),) if case["sample"] else ()
    word = f"{screen.icons[verdict or '']} {padded(verdict_word(verdict), WORD_WIDTH)}"
    screen.line((word, style_of(verdict)), f" {time:>8}  ", case["title"], *tag, hang=27)


def show_outcome(screen: Screen, report: dict[str, Any]) -> None:
    """All but the lines of the cases: what is wrong, and the last line."""
    cases = run_cases(report)
    if cases:
        screen.blank()
    if report["diagnosis"]:
        screen.line((say("known_mistake"), "bold"), report["diagnosis"])
        screen.blank()
    if report.get("smallest"):
        show_smallest(screen, report["smallest"])
        screen.blank()
    if report["finding"]:
        _show_finding(screen, report["finding"], report["message"])
    _show_details(screen, cases)
    screen.line(*_last_line(screen, report))


def run_cases(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The cases; none where not even the first was run (the file does not load)."""
    cases: list[dict[str, Any]] = report["cases"]
    return cases if any(case["verdict"] for case in cases) else []


def _show_finding(screen: Screen, finding: dict[str, Any], message: str) -> None:
    """What is wrong with the file as a whole, with the line it is about and a mark below the column."""
    screen.line(message)
    line, number, column = finding.get("text"), finding.get("line"), finding.get("column")
    if line and isinstance(number, int) and columns(line) <= 100:
        screen.line((f"{number:>6} │ ", "dim"), line)
        if isinstance(column, int) and 1 <= column <= len(line) + 1:
            screen.line(" " * (9 + columns(line[: column - 1])), ("^", "bold red"))
    _block(screen, say("traceback"), finding.get("traceback") or "")
    screen.blank()


def _show_details(screen: Screen, cases: list[dict[str, Any]]) -> None:
    """Each failure once: cases that end in the same way are counted below the first of them."""
    before, pictured = "", False
    for case in cases:
        failed = case["verdict"] not in (None, "AC")
        printed = bool(case["stdout"] or case["stderr"])
        same = [other for other in cases if failed and _way(other) == _way(case)]
        own = case["name"] == OWN_INPUT
        if not failed and not printed and not own:
            continue
        if same and same[0] is not case and not printed:
            continue
        icon = screen.icons[case["verdict"] or ""]
        screen.line((f"{icon} {case['title']}", f"bold {style_of(case['verdict'])}"))
        if failed and case["message"]:
            screen.line(case["message"], indent=2)
        if case["traceback"] and case["traceback"] == before:
            screen.line((say("same_traceback"), "dim"), indent=2)
        else:
            _block(screen, say("traceback"), case["traceback"])
        before = case["traceback"] or before
        _block(screen, say("printed"), case["stdout"])
        _block(screen, say("printed_stderr"), case["stderr"])
        if (failed or own) and case["tensors"] and not pictured:
            pictured = True
            show_tensors(screen, case["tensors"], case["finding"] or {}, indent=2)
        more = sum(not (other["stdout"] or other["stderr"]) for other in same if other is not case)
        if same and same[0] is case and more:
            say_more = say("same_failure", count=more) if more > 1 else say("same_failure_once")
            screen.line((say_more, "dim"), indent=2)
        screen.blank()


def _way(case: dict[str, Any]) -> tuple[Any, ...]:
    """How a case ended, as far as it is told."""
    return case["verdict"], case["message"], case["traceback"]


def _block(screen: Screen, heading: str, text: str) -> None:
    if text.strip():
        screen.line((heading, "dim"), indent=2)
        screen.line(text.rstrip("\n"), indent=4)


def _last_line(screen: Screen, report: dict[str, Any]) -> list[Part]:
    verdict, cases = report["verdict"], report["cases"]
    passed = sum(case["verdict"] == "AC" for case in cases)
    key = "samples_passed" if report.get("samples_only") else "cases_passed"
    facts = [
        say(key, passed=passed, total=len(cases)) if run_cases(report) else say("not_judged"),
        duration(report["time_ms"]),
        f"{report['memory_kb'] / 1024:.0f} MB",
        say("sandbox_is", name=report["sandbox"]),
        say("seed_is", seed=report["seed"]),
    ]
    head = f"{screen.icons[verdict]} {verdict_word(verdict)}"
    return [(head, f"bold {style_of(verdict)}"), " · " + " · ".join(facts)]


def print_json(value: Any) -> None:
    """One object on stdout, valid for every reader: what is not finite becomes a string."""
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(_finite(value), ensure_ascii=plain, indent=2, allow_nan=False), flush=True)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
