"""Coverage-guided fuzzing of the host's decoder: `python tests/fuzz/run.py [SECONDS] [FOLDER]`; needs the extra `fuzz`.

Starts from `corpus/`, keeps what it finds in FOLDER (a new one if none is named), and says at the end how many inputs
ran and how much was covered. An input that breaks a rule is printed and written there. `--merge FOLDER` adds to
`corpus/` what covers more than it does. `--corpus` writes the first answers anew, from honest submissions.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

import atheris

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
MEMORY = 1 << 30
"""Bytes over what it starts with: an allocation past it fails, and fails the run."""

with atheris.instrument_imports(include=["sandbox", "judge"]):
    from answers import RAW, feed, frames, pack

POOL: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 7, 64, 128, 1 << 24, 1 << 31, 1 << 40, 1 << 63, 1 << 70, 0.5, float("nan"),
    float("inf"), "", "t", "x", "\ud800", "a.b", "." * 20, "coroutine", "float32", "float64", "bool", "syntax",
    "restricted", "memory", "missing", "not_callable", "load", [], {}, [[]], [1, 2], [0, 24], {"t": 0}, {"t": 1},
    {"tuple": [{"t": 0}]}, {"dict": {"a": {"t": 0}}}, {"other": "x"}, {"error": {}}, {"value": {"t": 0}},
    [0, "float32", [2, 3], [3, 1], 0], [1, "float32", [2, 3], [3, 1], 0], ["weight", 0, True],
]  # fmt: skip
KEYS = (
    "value", "error", "results", "ok", "changed", "foreign", "too_large", "bytes", "not_module", "attached", "graph",
    "gradients", "parameters", "buffers", "storages", "tensors", "kind", "type", "message", "line", "traceback",
    "trace", "measured", "found", "name", "text", "column", "character",
)  # fmt: skip


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Half the time a header is changed as a tree, else bytes are."""
    rng = random.Random(seed)
    parts = frames(data)
    if not parts or data[0] & RAW or rng.random() < 0.3:
        return bytes(atheris.Mutate(data, len(data)))[:max_size]
    at = rng.randrange(len(parts))
    header, body = parts[at]
    try:
        tree = json.loads(header)
    except (ValueError, RecursionError):
        tree = {"storages": [], "tensors": []}
    for _ in range(rng.randint(1, 3)):
        tree = _changed(tree, rng)
    try:
        parts[at] = (json.dumps(tree).encode()[:60_000], body)
    except RecursionError:
        return data
    if rng.random() < 0.1:
        parts.insert(at, parts[rng.randrange(len(parts))])
    return pack(data[0], parts)[:max_size]


def _changed(tree: Any, rng: random.Random) -> Any:
    """A copy with one place changed: another value, an entry more or less, a value from elsewhere in the tree."""
    if isinstance(tree, dict) and (tree and rng.random() < 0.85):
        key = rng.choice(list(tree))
        return {**tree, key: _changed(tree[key], rng)}
    if isinstance(tree, list) and tree and rng.random() < 0.8:
        at = rng.randrange(len(tree))
        return [*tree[:at], _changed(tree[at], rng), *tree[at + 1 :]]
    kind = rng.randrange(6)
    if kind == 0 and isinstance(tree, dict):
        return {**tree, rng.choice(KEYS): rng.choice(POOL)}
    if kind == 1 and isinstance(tree, dict) and tree:
        gone = rng.choice(list(tree))
        return {key: value for key, value in tree.items() if key != gone}
    if kind == 2 and isinstance(tree, list):
        return tree * 2 if tree and rng.random() < 0.5 else [*tree, rng.choice(POOL)]
    if kind == 3:
        return [tree]
    if kind == 4 and rng.random() < 0.1:
        for _ in range(rng.choice((15, 40, 300, rng.randrange(800, 1000)))):
            tree = [tree]
        return tree
    return rng.choice(POOL)


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--corpus"]:
        from honest import write

        return write(CORPUS)
    if arguments[:1] == ["--merge"]:
        options = ["-merge=1", str(CORPUS), arguments[1]]
    elif any(argument.startswith("-merge_inner") for argument in arguments):
        options = arguments
    else:
        seconds = arguments[0] if arguments else "600"
        found = arguments[1] if len(arguments) > 1 else tempfile.mkdtemp(prefix="fuzz-")
        print(f"findings go to {found}")
        options = [f"-max_total_time={seconds}", f"-artifact_prefix={found}/", found, str(CORPUS)]
    status = Path("/proc/self/status").read_text().splitlines()
    data = sum(int(line.split()[1]) for line in status if line.startswith("VmData:")) * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (data + MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    fixed = ["-max_len=4000", "-timeout=10", "-rss_limit_mb=0", "-print_final_stats=1"]
    program = f"{sys.executable} {__file__}"  # a merge starts it anew, by a shell
    atheris.Setup([program, *fixed, *options], feed, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
