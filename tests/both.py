"""A file of functions as a plain module and through the sandbox: what a check finds must be the same on both."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from judge.compare import CheckFailed
from judge.messages import describe
from judge.remote.connection import Connection
from judge.remote.proxy import Solution, argument_names, reference_names
from sandbox import Limits

Check = Callable[[Any], Any]


class Both:
    """`holds(check)` and `finding(check)` call `check(solution)` with each of the two."""

    def __init__(self, sandbox: Any, path: Path, forbidden: list[str]) -> None:
        self.plain = plain_module(path)
        names = [name for name in vars(self.plain) if not name.startswith("_") and callable(vars(self.plain)[name])]
        kinds = reference_names(self.plain, names)
        self.session = sandbox.open(Limits(time_s=20))
        self.connection = Connection(self.session, argument_names(self.plain, names))
        self.connection.load(path.read_bytes(), kinds, forbidden, 20)
        self.remote = Solution(self.connection, kinds)

    def holds(self, check: Check) -> int:
        """Returns the round trips into the sandbox."""
        check(self.plain)
        before = self.connection.exchanges
        check(self.remote)
        return self.connection.exchanges - before

    def finding(self, check: Check) -> dict[str, Any]:
        found = []
        for solution in (self.plain, self.remote):
            with pytest.raises(CheckFailed) as failure:
                check(solution)
            found.append(failure.value.finding)
            for lang in ("en", "zh"):
                sentence = describe(failure.value.finding, lang)
                assert sentence != failure.value.finding["code"]
                assert "{" not in sentence
        assert found[0] == found[1]
        return found[0]


def plain_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem + "_plain", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
