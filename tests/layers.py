"""Which layer stops what: judges the corpus with one layer off at a time, on the local driver. Linux, root only.

    python tests/layers.py [--markdown] [--layer NAME ...] [--only PART ...]

A layer alone stops a file if the file passes `test_attack_fails` with all layers and fails it with this one off, twice.
Everything happens in a copy of the machine that is thrown away (`throwaway.py`). `--markdown` writes docs/layers.md.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import throwaway
from conftest import BANK, ROOT
from test_hostile import FILES, HONEST, HOSTILE, MARK, WRITABLE, test_attack_fails

from judge.grader import Grader
from judge.loader import load_problem
from judge.model import Problem
from sandbox import wire
from sandbox.drivers.local import LocalSandbox

LAYERS = {
    "landlock": "Landlock: reading only the interpreter, its packages and shared libraries; no TCP, no signals out",
    "seccomp": "seccomp: the list of system calls and of their arguments",
    "rlimits": "resource limits: memory, address space, CPU, open files, file size, locked memory",
    "capabilities": "capabilities dropped (where the judge runs as root)",
    "descriptors": "descriptors closed: nothing open but its own pipes and socket",
    "watch": "the supervisor's watch: threads, output, CPU time, memory in use, a main thread that is gone",
    "wire": "the host's checks of what arrives: sizes, layouts, storages apart",
}
SKIPPED = ("accepted", "compile_error", "restricted")
"""Honest code, code that never runs, and what is held against honest code only: no layer stops them."""
HANG_S = 300.0
TRIES = 3
"""A busy machine makes some files fail that are held; the suite sees to it that none does."""
HOST_MEMORY = 4 << 30
PAGE = ROOT / "docs" / "layers.md"


class Bench:
    """One sandbox, made anew after anything odd, and the files judged in it."""

    def __init__(self, layer: str) -> None:
        self.layer = layer
        self.problems = {slug: load_problem(BANK, slug) for slug in ("attention", "causal-mha")}
        self.opened: dict[bool, tuple[LocalSandbox, Grader]] = {}

    def alone(self, path: Path) -> str:
        """How the file fails with the layer off, and only then; empty where it does not."""
        first = self.failure(path, off=True)
        if first and not all(self.failure(path, off=False) for _ in range(TRIES)):
            return self.failure(path, off=True) and first
        return ""

    def failure(self, path: Path, *, off: bool) -> str:
        """The assertion that does not hold, or what went wrong before."""
        try:
            sandbox, grader = self._open(off)
            test_attack_fails(path=path, warm=grader, each_sandbox=sandbox, attention=self.problems["attention"],
                              problem=self._problem)  # fmt: skip
        except pytest.skip.Exception:
            return ""
        except BaseException as error:
            self._clear()
            own = [
                frame.line for frame in traceback.extract_tb(error.__traceback__) if frame.name == "test_attack_fails"
            ]
            return f"{type(error).__name__}: {str(error).splitlines()[0][:150] if str(error) else own[-1:]}"
        return ""

    def _problem(self, slug: str) -> Problem:
        return self.problems[slug]

    def _open(self, off: bool) -> tuple[LocalSandbox, Grader]:
        if off not in self.opened:
            arguments = ["--without", self.layer] if off and self.layer != "wire" else []
            sandbox = LocalSandbox(arguments)
            sandbox.warm()
            self.opened[off] = sandbox, Grader(sandbox)
            assert self.opened[off][1].grade(self.problems["attention"], HONEST, seed=1).verdict == "AC"
        checked_wire(not off or self.layer != "wire")
        return self.opened[off]

    def _clear(self) -> None:
        """Ends what is left behind: in this namespace everything but us is theirs."""
        for sandbox, _ in self.opened.values():
            sandbox.close()
        self.opened.clear()
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in (1, os.getpid()):
                try:
                    os.kill(int(name), signal.SIGKILL)
                except ProcessLookupError:
                    continue
        for place in (*WRITABLE, str(Path(sys.modules["torch"].__file__ or "").parent)):
            for left in Path(place).glob(f"*{MARK}*"):
                left.rmdir() if left.is_dir() and not left.is_symlink() else left.unlink()


_checks = {name: getattr(wire, name) for name in ("MAX_HEADER", "MAX_BODY", "MAX_RESULT", "MAX_TENSORS", "MAX_DIMS",
                                                  "_check_storages", "decode")}  # fmt: skip


def checked_wire(on: bool) -> None:
    """Switches the host's checks of sizes and layouts."""
    for name, value in _checks.items():
        if on:
            setattr(wire, name, value)
        elif name == "decode":
            wire.decode = lambda head, body, contiguous=False: value(head, body)  # noqa: B023
        else:
            setattr(wire, name, (lambda *_, **__: None) if callable(value) else 1 << 62)


def work(layer: str, paths: list[Path]) -> None:
    """In the copy: a line when a file begins, and one with how it failed."""
    throwaway.enter()
    if layer == "wire":
        resource.setrlimit(resource.RLIMIT_DATA, (HOST_MEMORY, HOST_MEMORY))
    bench = Bench(layer)
    for path in paths:
        print(json.dumps([path.relative_to(HOSTILE).as_posix(), None]), flush=True)
        print(json.dumps([path.relative_to(HOSTILE).as_posix(), bench.alone(path)]), flush=True)


def run(layer: str, paths: list[Path]) -> Iterator[tuple[str, str]]:
    """Each file that this layer alone stops, with how it fails. A file that stops the bench counts as such."""
    left = list(paths)
    while left:
        program = [sys.executable, __file__, "--work", layer, *map(str, left)]
        process = subprocess.Popen(program, stdout=subprocess.PIPE, start_new_session=True)
        assert process.stdout is not None
        current = ""
        while select.select([process.stdout], [], [], HANG_S)[0] and (line := process.stdout.readline()):
            current, why = json.loads(line)
            if why is not None:
                left = [path for path in left if path.relative_to(HOSTILE).as_posix() != current]
                current = "" if not why else current
                if why:
                    yield current, why
                    current = ""
        process.kill()
        process.wait()
        if current:
            yield current, "stops the judge itself"
            left = [path for path in left if path.relative_to(HOSTILE).as_posix() != current]
        elif left and not current:
            raise SystemExit(f"{layer}: the bench ended before it was done")


def page(found: dict[str, list[str]], count: int) -> str:
    lines = [
        "# Which layer stops what",
        "",
        f"{count} files of `tests/hostile/` attack the sandbox. Each was judged with one layer off at a time.",
        "A layer alone stops a file if, without it, the file gets another verdict, prints what it should not know or",
        "be able to do, leaves something behind, or disturbs the next submission. Most files are stopped by several",
        "layers and stand in no row. Made by `python tests/layers.py --markdown` on the local driver.",
        "",
        "| layer | files it alone stops | which |",
        "|---|---|---|",
    ]
    for layer, files in found.items():
        names = ", ".join(f"`{name.removesuffix('.py')}`" for name in sorted(files))
        lines.append(f"| {LAYERS[layer]} | {len(files)} | {names or '-'} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--layer", action="append", choices=LAYERS)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    options: Any = parser.parse_args()
    if options.work:
        return work(options.work[0], [Path(path) for path in options.work[1:]])
    paths = [path for path in FILES if path.parent.name not in SKIPPED]
    paths = [path for path in paths if not options.only or any(part in str(path) for part in options.only)]
    found: dict[str, list[str]] = {}
    for layer in options.layer or LAYERS:
        found[layer] = []
        for name, why in run(layer, paths):
            found[layer].append(name)
            print(f"{layer:13} {name:50} {why}", flush=True)
    if options.markdown:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(found, len(paths)), encoding="utf-8")
    sys.exit(not all(found.values()))


if __name__ == "__main__":
    main()
