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
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest
import throwaway
from conftest import BANK, ROOT
from test_hostile import FILES, HONEST, HOSTILE, IN_CONTAINER, test_attack_fails

from judge.grading.grader import Grader
from judge.loader import load_problem
from sandbox import wire
from sandbox.drivers.local import LocalSandbox
from sandbox.runner import LAYERS as OURS

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


def failure(path: Path, sandbox: Any, grader: Grader) -> str:
    """What of `test_attack_fails` does not hold; empty where all does."""
    problems = {slug: load_problem(BANK, slug) for slug in ("attention", "causal-mha")}
    try:
        test_attack_fails(path=path, warm=grader, each_sandbox=sandbox, attention=problems["attention"],
                          problem=problems.__getitem__)  # fmt: skip
    except pytest.skip.Exception:
        return ""
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame.line or "" for frame in frames if frame.name == "test_attack_fails"]
        return f"{type(error).__name__}: {(str(error) or own[-1]).splitlines()[0][:150]}"
    return ""


def uncheck_wire() -> None:
    """Switches the host's checks of sizes and layouts off, and bounds what that can cost."""
    original = wire.decode
    wire.MAX_HEADER = wire.MAX_BODY = wire.MAX_RESULT = wire.MAX_TENSORS = wire.MAX_DIMS = 1 << 62
    wire._check_storages = lambda *_, **__: None
    wire.decode = lambda head, body, contiguous=False: original(head, body)
    resource.setrlimit(resource.RLIMIT_DATA, (HOST_MEMORY, HOST_MEMORY))


def work(layer: str, paths: list[Path]) -> None:
    """In a copy of the machine, until a file fails: a line when a file begins, and one with how it failed."""
    throwaway.enter()
    sandbox = LocalSandbox(["--without", layer] if layer in OURS else [])
    sandbox.warm()
    grader = Grader(sandbox)
    assert grader.grade(load_problem(BANK, "attention"), HONEST, seed=1).verdict == "AC"
    if layer == "wire":
        uncheck_wire()
    for path in paths:
        print(json.dumps([str(path), None]), flush=True)
        why = failure(path, sandbox, grader)
        print(json.dumps([str(path), why]), flush=True)
        if why:
            break  # what it left behind goes with the copy
    os._exit(0)


def failing(layer: str, paths: list[Path]) -> dict[Path, str]:
    """The files that fail with this layer off, and how; one that stops the judge itself counts too."""
    found: dict[Path, str] = {}
    left = list(paths)
    while left:
        program = [sys.executable, __file__, "--work", layer, *map(str, left)]
        process = subprocess.Popen(program, stdout=subprocess.PIPE, bufsize=0, start_new_session=True)
        assert process.stdout is not None
        path, why = None, None
        while select.select([process.stdout], [], [], HANG_S)[0] and (line := process.stdout.readline()):
            name, why = json.loads(line)
            path = Path(name)
            if why is not None:
                left.remove(path)
            if why:
                found[path] = why
        process.kill()
        process.wait()
        if path is None:
            raise SystemExit(f"{layer}: the copy of the machine cannot be made")
        if why is None:
            left.remove(path)
            found[path] = "stops the judge itself"
    return found


def alone(layer: str, paths: list[Path]) -> dict[Path, str]:
    """The files that fail twice with the layer off, and hold with all layers on."""
    first = failing(layer, paths)
    unheld = list(first)
    for _ in range(TRIES):
        unheld = list(failing("", unheld))
    held = [path for path in first if path not in unheld]
    return {path: first[path] for path in failing(layer, held)}


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
    inside = [path.relative_to(HOSTILE).with_suffix("").as_posix() for path in FILES if only_in_container(path)]
    names = ", ".join(f"`{name}`" for name in inside)
    lines += ["", f"What no layer of the local driver stops, the container does: {names}."]
    return "\n".join(lines) + "\n"


def only_in_container(path: Path) -> bool:
    return path.read_bytes().startswith(IN_CONTAINER)


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
        stopped = alone(layer, paths)
        found[layer] = [path.relative_to(HOSTILE).as_posix() for path in stopped]
        for name, why in zip(found[layer], stopped.values(), strict=True):
            print(f"{layer:13} {name:50} {why}", flush=True)
    if options.markdown:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(found, len(paths)), encoding="utf-8")
    sys.exit(not all(found.values()))


if __name__ == "__main__":
    main()
