"""What a call uses: forbidden functions, new storage, FLOPs. Seen in the sandbox while the call runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from judge.compare import CheckFailed
from judge.remote.calls import Call, perform


def assert_not_used(function: Callable[..., Any], *calls: tuple[Any, ...]) -> None:
    """Runs the calls under a tracer that sees the problem's forbidden functions and operators (verdict RF).

    On a plain module it only runs them.
    """
    perform(function, [Call(arguments, trace=True) for arguments in calls])


def assert_new_storage(function: Callable[..., Any], *calls: tuple[Any, ...], at_most: int) -> None:
    """No single new storage of a call is larger than `at_most` bytes, seen operator by operator; one frame.

    Views are free; `torch.empty` counts, and so does a copy of an expanded tensor. What one operator allocates inside
    (`bmm`, library attention) and what numpy does is not seen. It is no proof against code that hides on purpose.
    """
    for outcome in perform(function, [Call(arguments, measure=True) for arguments in calls]):
        used = outcome.measured
        if used is not None and used.bytes > at_most:
            raise CheckFailed("new_storage", bytes=used.bytes, shape=list(used.shape), limit=at_most)


def assert_flops(
    function: Callable[..., Any], *calls: tuple[Any, ...], at_least: float = 0, at_most: float | None = None
) -> None:
    """FLOPs of each call's matrix products lie between the bounds, 2 per multiply-add; one frame.

    Counted are matmul, einsum, linear and the like, and elementwise products that are summed. Library attention counts
    its full products, causal or not. What numpy does is not seen.
    """
    for outcome in perform(function, [Call(arguments, measure=True) for arguments in calls]):
        flops = outcome.measured.flops if outcome.measured else 0
        if at_most is not None and flops > at_most:
            raise CheckFailed("flops_over", flops=flops, limit=int(at_most))
        if flops < at_least:
            raise CheckFailed("flops_under", flops=flops, limit=math.ceil(at_least))
