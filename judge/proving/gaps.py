"""What a published problem has and a draft may lack."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable
from pathlib import Path

from judge.loader import ProblemError, UnknownProblem, load_problem, slugs
from judge.model import STAGES, Problem

MIN_MISTAKES, MIN_ACCEPTED = 6, 2


def gaps(problem: Problem) -> list[str]:
    """A sentence for each."""
    known = [s for s in problem.submissions if s.is_mistake]
    accepted = sum(not s.is_mistake for s in problem.submissions)
    found = [*_texts(problem), *_sentences(problem), *_place(problem)]
    if len(known) < MIN_MISTAKES:
        found.append(f"{len(known)} known mistakes, a good problem has at least {MIN_MISTAKES}")
    functions = [n.name for n in _parsed(problem.folder / "tests.py").body if isinstance(n, ast.FunctionDef)]
    if "inputs" not in functions:
        found.append("tests.py: no function `inputs`, from which the smallest failing input is drawn")
    if accepted < MIN_ACCEPTED:
        found.append(f"{accepted} accepted answers beside the reference, a good problem has at least {MIN_ACCEPTED}")
    return found


def _texts(problem: Problem) -> list[str]:
    found = []
    for name, text in (("statement", problem.statement), ("explanation", problem.explanation)):
        for lang, content in (("en", text.en), ("zh", text.zh)):
            if not content:
                found.append(f"{name}.{lang}.md is missing")
    if not problem.title.zh:
        found.append("problem.toml: key `zh.title` is missing")
    untold = [name for name in docstrings(problem.folder / "tests.py") if problem.case(name)]
    untold = [case.name for case in problem.cases if case.name not in untold]
    if untold:
        found.append(f"tests.py: no docstring, whose first line is the title learners read: {', '.join(untold)}")
    untitled = [case.name for case in problem.cases if not case.title.zh]
    if untitled:
        found.append(f"problem.toml: `zh.cases` lacks {', '.join(untitled)}")
    return found


def _sentences(problem: Problem) -> list[str]:
    found = []
    known = [s for s in problem.submissions if s.is_mistake]
    silent = [s.name for s in known if not s.sentence.en]
    if silent:
        found.append(f"submissions without a docstring that says what is wrong: {', '.join(silent)}")
    unspoken = [s.name for s in known if s.sentence.en and not s.sentence.zh]
    if unspoken:
        found.append(f"problem.toml: `zh.mistakes` lacks {', '.join(unspoken)}")
    return found


def _place(problem: Problem) -> list[str]:
    """Its place on the learning path."""
    found = []
    if problem.stage is None:
        found.append(f"problem.toml: key `stage` is missing, one of {', '.join(STAGES)}")
    strangers = sorted(set(problem.builds_on) - set(slugs(problem.folder.parent)))
    if strangers:
        found.append(f"problem.toml: `builds_on` names no problem: {', '.join(strangers)}")
    if problem.slug in _needed(problem.folder.parent, problem.builds_on):
        found.append("problem.toml: `builds_on` leads in a circle back to this problem")
    return found


def _needed(bank: Path, slugs_before: Iterable[str]) -> set[str]:
    """All problems that lead to these, and these."""
    found: set[str] = set()
    ahead = list(slugs_before)
    while ahead:
        slug = ahead.pop()
        if slug not in found:
            found.add(slug)
            with contextlib.suppress(ProblemError, UnknownProblem):  # told where it is verified itself
                ahead += load_problem(bank, slug).builds_on
    return found


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings(path: Path) -> dict[str, str]:
    """Of each function in a file that has one."""
    functions = [node for node in _parsed(path).body if isinstance(node, ast.FunctionDef)]
    found = {node.name: ast.get_docstring(node) for node in functions}
    return {name: text for name, text in found.items() if text}
