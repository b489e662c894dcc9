"""Runs `judge` and prints what it imported, and how many child processes there were when torch was first imported."""

from __future__ import annotations

import sys
from pathlib import Path

from judge.cli import run


class Finder:
    """An import finder that finds nothing."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "torch":
            sys.meta_path.remove(self)  # type: ignore[arg-type]
            files = [task / "children" for task in Path("/proc/self/task").iterdir()]
            children = [pid for file in files for pid in file.read_text().split()]
            print("children when torch is imported:", len(children), flush=True)


sys.meta_path.insert(0, Finder())  # type: ignore[arg-type]
code = run(sys.argv[1:])
print("exit code:", code)
print("imported:", sorted({"torch", "sqlalchemy", "flask"} & set(sys.modules)))
