"""The problem's own Python: its reference and tests as modules, and their functions run within a time.

What they do wrong is `ProblemError` (the folder is broken) or `TestsBroken` (a test raised by itself).
"""

from __future__ import annotations

import importlib.util
import signal as signals
import sys
import threading
import traceback
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from judge.grading.rng import Rng
from judge.loader import ProblemError
from judge.model import Case, Problem
from judge.remote.proxy import argument_names, reference_names

OWN_CODE_S = 60
"""Wall seconds for one test function with all it asks, or for importing a problem's file."""


class TestsBroken(Exception):
    """A test raised although the submission did nothing wrong: the problem's fault."""

    __test__ = False


@dataclass(frozen=True)
class LoadedProblem:
    """A problem with its reference and tests as modules."""

    problem: Problem
    reference: types.ModuleType
    tests: types.ModuleType
    names: dict[str, str]
    arguments: dict[str, list[str]]

    def depends_on_seed(self, case: Case) -> bool:
        """Whether anything in a case is drawn: with `rng`, or as the first weights of a module."""
        return "class" in self.names.values() or "rng" in _asks_for(getattr(self.tests, case.name))


def load_modules(problem: Problem) -> LoadedProblem:
    """Imports reference.py and tests.py. Raises ProblemError with file and line; answered from memory if unchanged."""
    return _load(problem.folder, problem.digest, problem)


@lru_cache(maxsize=64)
def _load(folder: Path, digest: str, problem: Problem) -> LoadedProblem:
    reference = _import_file(folder / "reference.py", f"_reference_{digest[:16]}")
    tests = _import_file(folder / "tests.py", f"_tests_{digest[:16]}")
    for name in problem.names:
        if not callable(getattr(reference, name, None)):
            raise ProblemError(folder / "reference.py", f"does not define `{name}`, which starter.py asks for")
    return LoadedProblem(problem, reference, tests, reference_names(reference, problem.names),
                         argument_names(reference, problem.names))  # fmt: skip


def _import_file(path: Path, name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ProblemError(path, "cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        with bounded(f"importing {path.parent.name}/{path.name}"):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        where = line_in(path, error).removeprefix(f"{path.name}: ")
        raise ProblemError(path, f"{where}{type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = before
    return module


def call_test(loaded: LoadedProblem, case: Case, solution: Any, seed: int) -> None:
    test = getattr(loaded.tests, case.name)
    offered = {"solution": solution, "reference": loaded.reference, "rng": Rng(seed, case.name)}
    torch.default_generator.manual_seed(seed)  # torch.manual_seed also queues calls for devices, more with each
    with bounded(f"{case.name} in tests.py"):
        test(**{name: offered[name] for name in _asks_for(test)})


def _asks_for(test: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = test.__code__.co_varnames[: test.__code__.co_argcount]
    return names


@contextmanager
def bounded(what: str, seconds: float | None = None) -> Iterator[None]:
    """Ends code of the problem that does not end by itself. Only the main thread can be interrupted."""
    seconds = OWN_CODE_S if seconds is None else seconds
    if threading.current_thread() is not threading.main_thread() or not hasattr(signals, "setitimer"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TestsBroken(f"{what} did not end within {seconds} s")

    before = signals.signal(signals.SIGALRM, stop)
    signals.setitimer(signals.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signals.setitimer(signals.ITIMER_REAL, 0)
        signals.signal(signals.SIGALRM, before)


def blame(loaded: LoadedProblem, case: Case, seed: int, error: BaseException) -> None:
    """A test raised something else than a finding. If it does so with the reference too, the test is broken."""
    try:
        call_test(loaded, case, loaded.reference, seed)
    except (Exception, SystemExit) as again:
        folder = loaded.problem.folder
        place = line_in(folder / "tests.py", again) or line_in(folder / "reference.py", again) or "tests.py: "
        told = f"{type(again).__name__}: {again}"
        raise TestsBroken(f"{place}`{case.name}` raises by itself, with the reference too: {told}") from error


def line_in(path: Path, error: BaseException) -> str:
    """`tests.py: line 12: `, the deepest line of that file that the exception came through; empty if there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path.absolute())]
    return f"{path.name}: line {lines[-1]}: " if lines else ""
