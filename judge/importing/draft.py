"""A folder of another layout, taken into the bank as a draft. Nothing in it is run.

    problem.md     statement.en.md (and statement.zh.md, where it is Chinese)
    starter.py     starter.py
    solution.py    reference.py
    test.py        tests.py, see `judge.importing.translating`

The draft loads, or nothing is written. What a person has to do is told in sentences.
"""

from __future__ import annotations

import ast
import json
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from judge.importing.translating import Translation, translate
from judge.loader import SLUG, ProblemError, load_problem
from judge.model import MAX_SOURCE_BYTES, Problem

FILES = ("problem.md", "starter.py", "solution.py", "test.py")
MAX_BYTES = 256 * 1024
"""Of one file."""
CHINESE = re.compile(r"[\u4e00-\u9fff]")
MAX_LISTED = 8


class ImportRefused(Exception):
    """The folder is not taken; the message says why."""


@dataclass(frozen=True)
class Draft:
    """The new problem, and what is left to do by hand."""

    folder: Path
    slug: str
    cases: int
    left: tuple[str, ...]


def import_folder(folder: Path, bank: Path, slug: str = "") -> Draft:
    """Makes the draft; its slug is by default the folder's name. Raises ImportRefused, or OSError of the bank."""
    texts = _read_all(folder)
    slug = slug or re.sub(r"[\s_]+", "-", folder.resolve().name.lower())
    if not SLUG.fullmatch(slug):
        raise ImportRefused(f"`{slug}` cannot be a problem's name: lower-case letters, digits and single hyphens")
    target = bank / slug
    if target.exists() or target.is_symlink():
        raise ImportRefused(f"{target} exists and is left as it is")
    for name in ("starter.py", "solution.py"):
        _parse(name, texts[name])
    public = [n.name for n in _parse("starter.py", texts["starter.py"]).body
              if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and not n.name.startswith("_")]  # fmt: skip
    _parse("test.py", texts["test.py"])
    tests = translate(texts["test.py"], public)
    if not tests.tests:
        raise ImportRefused("test.py: " + ("; ".join(_numbered(tests)) or "has no `test_*` function"))
    bank.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".import-", dir=bank) as beside:
        problem = _write(Path(beside) / slug, texts, tests)
        os.rename(problem.folder, target)
    return Draft(target, slug, len(tests.tests), tuple(_left(problem, texts, tests)))


def _read_all(folder: Path) -> dict[str, str]:
    if folder.is_symlink():
        raise ImportRefused(f"{folder} is a link; name the folder itself")
    if not folder.is_dir():
        raise ImportRefused(f"{folder} is no folder")
    missing = [name for name in FILES if not os.path.lexists(folder / name)]
    if missing:
        raise ImportRefused(f"{folder} has no {', '.join(missing)}; expected {', '.join(FILES)}")
    return {name: _read(folder / name) for name in FILES}


def _read(path: Path) -> str:
    """The text of a plain file, bounded; links and devices are not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise ImportRefused(f"{path.name}: {'is a link' if path.is_symlink() else error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ImportRefused(f"{path.name}: is no plain file")
        content = file.read(MAX_BYTES + 1)
    limit = MAX_SOURCE_BYTES if path.name in ("starter.py", "solution.py") else MAX_BYTES
    if len(content) > limit:
        raise ImportRefused(f"{path.name}: is larger than {limit >> 10} KiB")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise ImportRefused(f"{path.name}: is not UTF-8 (byte {error.start})") from None


def _parse(name: str, text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise ImportRefused(f"{name}: line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ImportRefused(f"{name}: is no Python that can be read: {error or type(error).__name__}") from None


def _write(folder: Path, texts: dict[str, str], tests: Translation) -> Problem:
    """Writes the draft and loads it."""
    folder.mkdir()
    title, statement = _statement(texts["problem.md"], folder.name)
    settings = f'title = {_toml(title)}\ndifficulty = "medium"\ntags = []\norder = 1000\nforbidden = []\n'
    files = {"problem.toml": settings, "statement.en.md": statement, "starter.py": texts["starter.py"],
             "reference.py": texts["solution.py"], "tests.py": tests.text}  # fmt: skip
    if _is_chinese(statement):
        files["statement.zh.md"] = statement
        files["problem.toml"] += f"\n[zh]\ntitle = {_toml(title)}\n"
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    for verdict in ("accepted", "wrong_answer"):
        (folder / "submissions" / verdict).mkdir(parents=True)
    try:
        return load_problem(folder.parent, folder.name)
    except ProblemError as error:
        raise ImportRefused(str(error)) from None


def _statement(text: str, slug: str) -> tuple[str, str]:
    """Title and the rest: the page shows the title itself."""
    heading = re.match(r"\s*#[ \t]+([^\n]+)\n*", text)
    if heading is None:
        return slug.replace("-", " ").capitalize(), text
    title = "".join(c for c in heading.group(1).strip().rstrip("#").strip() if c.isprintable())
    return title or slug, text[heading.end() :] or "\n"


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_chinese(text: str) -> bool:
    return len(CHINESE.findall(text)) > 0.1 * len(text)


def _numbered(tests: Translation) -> list[str]:
    return [f"line {line}: {sentence}" for line, sentence in sorted(tests.left)]


def _left(problem: Problem, texts: dict[str, str], tests: Translation) -> list[str]:
    found = [f"test.py: {sentence}" for sentence in _numbered(tests)]
    tree = ast.parse(tests.text)
    asserts = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    if asserts:
        found.append(f"tests.py: plain `assert` says nothing to the learner; use judge.checks in {_lines(asserts)}")
    seeds = [n.lineno for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "torch.manual_seed"]
    if seeds:
        found.append(f"tests.py: draw inputs from the argument `rng` instead of a seed of your own in {_lines(seeds)}")
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and problem.case(node.name)]
    untitled = [node.name for node in functions if not ast.get_docstring(node)]
    if untitled:
        found.append(f"tests.py: a docstring, whose first line is the title learners read, for {', '.join(untitled)}")
    if not problem.samples:
        found.append("tests.py: no sample; name one `test_example...`")
    strange = sorted({name for name in _imports(tree) if name not in ("torch", "math", "itertools", "functools")})
    if strange:
        found.append(f"tests.py: imports {', '.join(strange)}; torch and judge.checks should do")
    lang = "English" if _is_chinese(texts["problem.md"]) else "Chinese"
    found.append(f"{lang} statement, title and case titles; explanations in both languages")
    found.append("problem.toml: difficulty, tags, order, forbidden functions")
    found.append("submissions: at least two other right answers and six known mistakes, each with its sentence")
    return found


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(str(number) for number in sorted(numbers)[:MAX_LISTED])
    return ("lines " if len(numbers) > 1 else "line ") + shown + (" ..." if len(numbers) > MAX_LISTED else "")


def _imports(tree: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name.split(".")[0] for alias in node.names]
        if isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith("judge.checks"):
            found.append(node.module.split(".")[0])
    return [name for name in found if name != "__future__"]
