"""What a call uses: forbidden functions, new storage, FLOPs. Seen in the sandbox while the call runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.calls import Call, perform


def assert_not_used(function: Callable[..., Any], *calls: tuple[Any, ...]) -> None:
    """Runs the calls under a tracer that sees the problem's forbidden functions and operators (verdict RF).

    On a plain module it only runs them.
    """
    perform(function, [Call(arguments, trace=True) for arguments in calls])
