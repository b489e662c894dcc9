"""Imports point one way, and what must stay light or apart does."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = {"judge", "sandbox", "web", "problems", "tests"}
WEB_MAY = {"config", "loader", "logs", "messages", "model", "own_input", "queue", "quiz", "store"}
"""Modules of judge that the web process may import; none of them imports torch."""


def imported(path: Path) -> Iterator[str]:
    """Dotted names of all imports of a file, also those inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files(package: str) -> list[Path]:
    return [p for p in (ROOT / package).rglob("*.py") if "node_modules" not in p.parts and "skeleton" not in p.parts]


@pytest.mark.parametrize("path", files("sandbox"), ids=lambda p: str(p.relative_to(ROOT)))
def test_sandbox_imports_nothing_of_ours(path: Path) -> None:
    assert not {name for name in imported(path) if name.split(".")[0] in OURS - {"sandbox"}}


@pytest.mark.parametrize("path", files("judge"), ids=lambda p: str(p.relative_to(ROOT)))
def test_judge_never_imports_web(path: Path) -> None:
    assert not {name for name in imported(path) if name.split(".")[0] in ("web", "tests", "problems")}


@pytest.mark.parametrize("path", files("web"), ids=lambda p: str(p.relative_to(ROOT)))
def test_web_imports_only_what_has_no_torch(path: Path) -> None:
    for name in imported(path):
        parts = name.split(".")
        assert parts[0] not in ("torch", "sandbox", "tests", "problems"), name
        assert parts[0] != "judge" or len(parts) == 1 or parts[1] in WEB_MAY, name


@pytest.mark.parametrize("path", sorted(ROOT.glob("problems/*/tests.py")), ids=lambda p: p.parent.name)
def test_problems_import_torch_and_checks_only(path: Path) -> None:
    free = ("torch", "math", "itertools", "functools", "__future__")
    tops = {name for name in imported(path) if name.split(".")[0] not in free}
    assert all(name.startswith("judge.checks") for name in tops), tops


@pytest.mark.parametrize(
    ("modules", "absent"),
    [
        ("judge.model, judge.config, judge.loader, judge.messages, judge.store, judge.queue, judge.quiz", "torch"),
        ("web", "torch"),
        ("sandbox", "torch"),
        ("judge.cli", "torch sqlalchemy flask docker rich"),
        ("judge.serve", "torch flask"),
    ],
)
def test_light_modules_stay_light(modules: str, absent: str) -> None:
    program = f"import sys, {modules}\nprint(*[name for name in {absent.split()!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_at_the_top(path: Path, known: set[str]) -> set[str]:
    """Modules of ours that importing this file imports; `from web import body` is one of web.body."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (names & known) or {node.module}
    return (found & known) - {module_name(path)}


def test_modules_do_not_import_each_other_in_circles() -> None:
    paths = {module_name(path): path for package in ("sandbox", "judge", "web") for path in files(package)}
    graph = {name: imported_at_the_top(path, set(paths)) for name, path in paths.items()}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name not in done:
            for other in graph[name]:
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())
