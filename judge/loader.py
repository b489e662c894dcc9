"""From a folder to a Problem. Reads and parses; never imports or runs anything of the folder.

    problems/<slug>/problem.toml  statement.*.md  explanation.*.md  starter.py  reference.py  tests.py  submissions/

Every fault is a `ProblemError` that names the file, the key and what is expected there.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from judge import problem_toml
from judge.model import VERDICTS, BankSubmission, Case, Problem, Text, Verdict

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
QUESTIONS = "questions.toml"
"""A folder that holds it is a quiz, which `judge.quiz` loads: no problem."""
REQUIRED_FILES = ("problem.toml", "statement.en.md", "starter.py", "reference.py", "tests.py")
FOLDER_VERDICTS: dict[str, Verdict] = {
    "accepted": "AC", "wrong_answer": "WA", "time_limit": "TLE", "memory_limit": "MLE", "output_limit": "OLE",
    "runtime_error": "RTE", "compile_error": "CE", "restricted": "RF",
}  # fmt: skip


class ProblemError(Exception):
    """A problem folder that cannot be used: `path`, and a sentence that says what is expected."""

    def __init__(self, path: Path, message: str) -> None:
        self.path, self.message = path, message
        super().__init__(f"{path.parent.name}/{path.name}: {message}")

    def __reduce__(self) -> tuple[Any, ...]:
        return ProblemError, (self.path, self.message)  # it crosses processes in `verify`


class UnknownProblem(KeyError):
    """No folder of that name in the bank; `known` lists the slugs there are."""

    def __init__(self, slug: str, known: list[str]) -> None:
        self.slug, self.known = slug, known
        super().__init__(slug)


class IsQuiz(UnknownProblem):
    """The folder of that name is a quiz: answered in the browser, not by code."""


def slugs(bank: Path) -> list[str]:
    """Folder names in the bank that hold a problem.toml and are no quiz."""
    return [name for name in folders(bank) if not (bank / name / QUESTIONS).is_file()]


def folders(bank: Path) -> list[str]:
    """Folder names in the bank that hold a problem.toml: problems and quizzes."""
    if not bank.is_dir():
        return []
    return sorted(p.name for p in bank.iterdir() if SLUG.fullmatch(p.name) and (p / "problem.toml").is_file())


def load_bank(bank: Path) -> tuple[list[Problem], list[ProblemError]]:
    """All problems in their order, and the faults of the folders that do not load: one broken folder hides no other."""
    problems, errors = [], []
    for slug in slugs(bank):
        try:
            problems.append(load_problem(bank, slug))
        except ProblemError as error:
            errors.append(error)
    return sorted(problems, key=lambda p: (p.order, p.slug)), errors


def load_problem(bank: Path, slug: str) -> Problem:
    """Reads one problem; a second call with unchanged files is answered from memory."""
    folder = bank / slug
    if not SLUG.fullmatch(slug) or not (folder / "problem.toml").is_file():
        raise UnknownProblem(slug, slugs(bank))
    if (folder / QUESTIONS).is_file():
        raise IsQuiz(slug, slugs(bank))
    return _load(folder, tuple(sorted(_stamps(folder))))


def _stamps(folder: Path, prefix: str = "") -> Iterator[tuple[str, int, int]]:
    """Name, time and size of each file that makes the problem. Asked for at every judging, so no Path objects."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.is_symlink():
                continue  # editors leave locks and links to nowhere
            if entry.is_dir():
                yield from _stamps(Path(entry.path), f"{prefix}{entry.name}/")
            elif entry.name.endswith((".py", ".toml", ".md")):
                found = entry.stat()
                yield f"{prefix}{entry.name}", found.st_mtime_ns, found.st_size


@lru_cache(maxsize=256)
def _load(folder: Path, stamp: tuple[tuple[str, int, int], ...]) -> Problem:
    settings = _read_settings(folder / "problem.toml")
    for name in REQUIRED_FILES:
        if not (folder / name).is_file():
            raise ProblemError(folder / name, "the file is missing")
    zh = settings.get("zh", {})
    cases = _read_cases(folder / "tests.py", zh.get("cases", {}))
    submissions = _read_submissions(folder, zh.get("mistakes", {}))
    _no_strangers(folder, "zh.cases", zh.get("cases", {}), {case.name for case in cases})
    _no_strangers(folder, "zh.mistakes", zh.get("mistakes", {}), {s.name for s in submissions})
    digest = hashlib.sha256()
    for name, _, _ in stamp:
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes() + b"\0")
    return Problem(
        slug=folder.name,
        folder=folder,
        title=Text(settings["title"], zh.get("title")),
        difficulty=settings["difficulty"],
        tags=tuple(settings.get("tags", [])),
        order=settings.get("order", 1000),
        limits=problem_toml.limits(settings),
        forbidden=tuple(settings.get("forbidden", [])),
        statement=_read_text(folder, "statement"),
        explanation=_read_text(folder, "explanation"),
        starter=_read(folder / "starter.py"),
        names=_public_names(folder / "starter.py"),
        cases=cases,
        submissions=submissions,
        digest=digest.hexdigest(),
        stage=settings.get("stage"),
        builds_on=tuple(settings.get("builds_on", [])),
        explorer=settings.get("explorer"),
        axes={name: tuple(words.split()) for name, words in settings.get("axes", {}).items()},
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ProblemError(path, f"is not UTF-8 (byte {error.start})") from None


def _read_text(folder: Path, kind: str) -> Text:
    texts = {lang: folder / f"{kind}.{lang}.md" for lang in ("en", "zh")}
    found = {lang: _read(path) for lang, path in texts.items() if path.is_file()}
    return Text(found.get("en", ""), found.get("zh"))


def _parse(path: Path) -> ast.Module:
    try:
        return ast.parse(_read(path), filename=path.name)
    except SyntaxError as error:
        raise ProblemError(path, f"line {error.lineno}: {error.msg}") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Raises ProblemError."""
    try:
        return tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise ProblemError(path, f"is no valid TOML: {error}") from None


def _read_settings(path: Path) -> dict[str, Any]:
    settings = read_toml(path)
    if settings.get("kind") == "quiz":
        raise ProblemError(path.parent / QUESTIONS, 'the file is missing; `kind = "quiz"` asks for it')
    if fault := problem_toml.fault(settings):
        raise ProblemError(path, fault)
    return settings


def _no_strangers(folder: Path, key: str, table: dict[str, str], known: set[str]) -> None:
    strangers = [f"`{key}.{name}`" for name in table if name not in known]
    if strangers:
        plural = ("keys", "name") if len(strangers) > 1 else ("key", "names")
        listed = ", ".join(strangers)
        raise ProblemError(folder / "problem.toml", f"{plural[0]} {listed} {plural[1]} nothing in this problem")


def _read_cases(path: Path, zh: dict[str, str]) -> tuple[Case, ...]:
    cases: list[Case] = []
    tree = _parse(path)
    if faults := list(_test_faults(tree)):
        raise ProblemError(path, "; ".join(faults))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            if any(case.name == node.name for case in cases):
                raise ProblemError(path, f"line {node.lineno}: `{node.name}` is defined twice")
            title = (ast.get_docstring(node) or node.name.removeprefix("test_").replace("_", " ")).splitlines()[0]
            sample = node.name.startswith("test_example")
            cases.append(Case(node.name, Text(title, zh.get(node.name)), sample, node.lineno))
    if not cases:
        raise ProblemError(path, "has no `test_*` function")
    return tuple(cases)


def _test_faults(tree: ast.Module) -> Iterator[str]:
    """What looks like a case and would not run as one."""
    for node in ast.walk(tree):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, ast.ClassDef) and node in tree.body and node.name.startswith("Test"):
            yield f"line {node.lineno}: class `{node.name}`: cases are plain functions, not methods"
        if not isinstance(node, kinds) or not node.name.startswith("test_"):
            continue
        where = f"line {node.lineno}: `{node.name}`"
        given = node.args
        unknown = {a.arg for a in given.args} - {"solution", "reference", "rng"}
        unknown |= {a.arg for a in [*given.posonlyargs, *given.kwonlyargs, given.vararg, given.kwarg] if a}
        if isinstance(node, ast.AsyncFunctionDef):
            yield f"{where} is async; cases are plain functions"
        elif node not in tree.body:
            yield f"{where} is inside something else; cases are functions at the top level"
        elif node.decorator_list:
            yield f"{where} has a decorator; cases are plain functions"
        elif unknown:
            yield f"{where} takes {', '.join(sorted(unknown))}; known arguments: solution, reference, rng"


def _public_names(path: Path) -> tuple[str, ...]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    names = tuple(n.name for n in _parse(path).body if isinstance(n, kinds) and not n.name.startswith("_"))
    if not names:
        raise ProblemError(path, "defines no public function or class; its names are what a submission must define")
    return names


def _read_submissions(folder: Path, zh: dict[str, str]) -> tuple[BankSubmission, ...]:
    found: list[BankSubmission] = []
    for path in sorted((folder / "submissions").glob("*/*.py")):
        if path.is_symlink() or path.parent.is_symlink() or path.name.startswith("."):
            continue
        raw = path.read_bytes()
        expected = expected_verdicts(path, raw)
        if any(path.stem == other.name and (other.is_mistake or "AC" not in expected) for other in found):
            raise ProblemError(path, "has the name of another submission; a mistake is told by its name")
        found.append(BankSubmission(path.stem, path, raw, expected, Text(_docstring(raw), zh.get(path.stem))))
    return tuple(found)


def expected_verdicts(path: Path, source: bytes) -> tuple[Verdict, ...]:
    """What a submission must get: its folder's verdict, or those of a first line `# expect: RTE|TLE`."""
    verdict = FOLDER_VERDICTS.get(path.parent.name)
    if verdict is None:
        raise ProblemError(path.parent, f"is no known folder of submissions: {', '.join(FOLDER_VERDICTS)}")
    first = source.split(b"\n", 1)[0].decode("ascii", "replace").strip()
    if not first.startswith("# expect:"):
        return (verdict,)
    words = first.removeprefix("# expect:").strip().split("|")
    if not all(word in VERDICTS for word in words):
        raise ProblemError(path, f"first line: {first!r}, expected verdicts such as `# expect: RTE|TLE`")
    return cast(tuple[Verdict, ...], tuple(words))


_DOCSTRING = re.compile(r'(?:\s*#[^\n]*\n|\s*\n)*[ \t]*("""|\'\'\'|"|\')(.*?)\1', re.DOTALL)


def _docstring(source: bytes) -> str:
    """The module docstring as one line, empty without one. Not parsed: some of these files are meant not to be."""
    found = _DOCSTRING.match(source.decode("utf-8", "replace"))
    return " ".join(found.group(2).split()) if found else ""
