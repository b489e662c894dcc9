"""A reference changed in one place at a time: does a case notice?

mutants_of(source)            each change of `judge.proving.mutations` as a Mutant, without repeats
read_equivalents(problem)     problems/<slug>/equivalent.toml: changes that change nothing, each with a reason
settle(folder, verdicts)      survivors, and entries of that file that are wrong

[[mutant]]
line = "scores = q @ k.mT / math.sqrt(D)"      the reference's line, stripped
becomes = "scores = q @ k.mT / math.sqrt(D)"   what the mutant has in its place; lines joined by a newline
occurrence = 2                                 optional: of several such mutants this one, counted from 1
reason = "why no input can tell them apart"
"""

from __future__ import annotations

import ast
import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.proving.mutations import OPERATORS, Change, Code

FILE = "equivalent.toml"
KEYS: dict[str, type] = {"line": str, "becomes": str, "occurrence": int, "reason": str}
MAX_EQUIVALENT = 0.1
"""Share of a problem's mutants that may be listed as equivalent."""


@dataclass(frozen=True)
class Mutant:
    """`operator`: what was done; `line`, `becomes`: the changed lines before and after, stripped of comments too."""

    operator: str
    number: int
    line: str
    becomes: str
    occurrence: int
    source: str
    diff: str


@dataclass(frozen=True)
class Equivalent:
    """An entry of equivalent.toml; without `occurrence` it stands for all mutants with these lines."""

    line: str
    becomes: str
    reason: str
    occurrence: int | None = None

    def is_of(self, mutant: Mutant) -> bool:
        same = (self.line, self.becomes) == (mutant.line, mutant.becomes)
        return same and self.occurrence in (None, mutant.occurrence)


@dataclass
class MutantResult:
    """What became of a reference's mutants. `equivalent` counts those listed that indeed survived."""

    made: int = 0
    killed: int = 0
    equivalent: int = 0
    survivors: list[Mutant] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    too_many: str = ""
    """What to say where more are listed than a good problem has."""


def mutants_of(source: str) -> list[Mutant]:
    """All mutants of a reference in the order of its lines; two that read the same are one."""
    code = Code(source)
    seen = {source}
    found: list[Mutant] = []
    times: dict[tuple[str, str], int] = {}
    for node in code.nodes:
        for operator in OPERATORS:
            for change in operator(node, code):
                text = _applied(source, change)
                if text in seen or not _parses(text):
                    continue
                seen.add(text)
                number, line, becomes = _changed(source, text)
                times[line, becomes] = times.get((line, becomes), 0) + 1
                found.append(Mutant(operator.__name__, number, line, becomes, times[line, becomes], text,
                                    _diff(source, text)))  # fmt: skip
    return sorted(found, key=lambda mutant: mutant.number)


def _applied(source: str, change: Change) -> str:
    for edit in sorted(change, key=lambda edit: edit.start, reverse=True):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _changed(source: str, text: str) -> tuple[int, str, str]:
    """Number of the first changed line, and the changed lines before and after."""
    old, new = source.splitlines(), text.splitlines()
    blocks = [b for b in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if b[0] != "equal"]
    before = [line for _, start, end, _, _ in blocks for line in old[start:end]]
    after = [line for _, _, _, start, end in blocks for line in new[start:end]]
    return blocks[0][1] + 1 if blocks else 0, _bare("\n".join(before)), _bare("\n".join(after))


def _bare(lines: str) -> str:
    """Each line without indent and without the comment at its end."""
    return "\n".join(_COMMENT.sub("", line).strip() for line in lines.strip().splitlines())


_COMMENT = re.compile(r"\s+# .*$")


def _diff(source: str, text: str) -> str:
    """A unified diff with one line of context."""
    old, new = source.splitlines(), text.splitlines()
    return "\n".join(difflib.unified_diff(old, new, "reference.py", "mutant", lineterm="", n=1))


def read_equivalents(folder: Path) -> tuple[list[Equivalent], list[str]]:
    """The entries of a problem's equivalent.toml, and what is wrong with it."""
    path = folder / FILE
    if not path.is_file():
        return [], []
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [], [f"{FILE}: is no valid TOML: {error}"]
    errors = [f"{FILE}: key `{key}` is unknown; known keys: mutant" for key in content if key != "mutant"]
    tables = content.get("mutant", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        return [], [*errors, f"{FILE}: key `mutant` is no list of tables; write [[mutant]]"]
    found = []
    for number, table in enumerate(tables, 1):
        faults = _faults(table)
        errors += [f"{FILE}: mutant {number}: {fault}" for fault in faults]
        if not faults:
            lines = {key: _bare(table[key]) for key in ("line", "becomes")}
            found.append(Equivalent(**{**table, **lines}))
    return found, errors


def _faults(table: Mapping[str, Any]) -> list[str]:
    faults = [f"key `{key}` is unknown; known keys: {', '.join(KEYS)}" for key in table if key not in KEYS]
    for key, kind in KEYS.items():
        value = table.get(key)
        if value is None and key != "occurrence":
            faults.append(f"key `{key}` is missing")
        elif value is not None and (type(value) is not kind or (value == "" and key == "reason")):
            expected = "a string" if kind is str else "a whole number"
            faults.append(f"key `{key}` is {value!r}, expected {expected}")
    return faults


def settle(folder: Path, verdicts: Mapping[Mutant, str]) -> MutantResult:
    """Survivors, kills, and what is wrong with the list of equivalents. `verdicts`: of each mutant, "AC" or another."""
    entries, errors = read_equivalents(folder)
    result = MutantResult(made=len(verdicts), errors=errors)
    used: set[Equivalent] = set()
    for mutant, verdict in verdicts.items():
        listed = [entry for entry in entries if entry.is_of(mutant)]
        used.update(listed)
        if verdict != "AC":
            result.killed += 1
            result.errors += [f"{FILE}: listed as equivalent, but a case fails with it: {_told(e)}" for e in listed]
        elif listed:
            result.equivalent += 1
        else:
            result.survivors.append(mutant)
    if result.survivors:
        result.errors.insert(0, f"reference.py: {len(result.survivors)} of {result.made} mutants pass all cases")
    result.errors += [f"{FILE}: no mutant is like this: {_told(entry)}" for entry in entries if entry not in used]
    if result.equivalent > MAX_EQUIVALENT * result.made:
        share = f"{result.equivalent} of {result.made} mutants are listed as equivalent"
        result.too_many = f"{FILE}: {share}, a good problem has at most {MAX_EQUIVALENT:.0%}"
    return result


def _told(entry: Equivalent) -> str:
    where = f" (occurrence {entry.occurrence})" if entry.occurrence else ""
    return f"`{entry.line}` becomes `{entry.becomes}`{where}"
