"""Modules: weights by name, and dropout on attention weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from judge.checks.values import Expected, assert_expected
from judge.compare import TOLERANCE, CheckFailed, compare, compare_parameters, type_name
from judge.grading.rng import Rng
from judge.remote.calls import Call, perform
from judge.remote.proxy import RemoteClass


def load_weights(module: nn.Module, reference: nn.Module) -> nn.Module:
    """Copies the reference's parameters into `module` by name; missing, extra or misshapen ones are the finding."""
    if not isinstance(module, nn.Module):
        raise CheckFailed("type", got=type_name(module), expected="nn.Module", of="result")
    mine, theirs = dict(module.named_parameters()), dict(reference.named_parameters())
    compare_parameters({n: tuple(p.shape) for n, p in mine.items()}, {n: tuple(p.shape) for n, p in theirs.items()})
    with torch.no_grad():
        for name, parameter in mine.items():
            parameter.data = theirs[name].detach().to(theirs[name].dtype).clone()
    return module


def with_weights(made: Callable[..., nn.Module], expected: nn.Module, *init: Any) -> nn.Module:
    """`made(*init)` with the parameters of `expected`, in their dtype.

    A submission's module is made in the frame of its first calls; what is wrong with its names is found then.
    """
    if isinstance(made, RemoteClass):
        return made.loaded(expected, *init)
    module = made(*init)
    dtype = next(expected.parameters(), torch.zeros(0)).dtype
    if isinstance(module, nn.Module) and dtype is not torch.float32:
        module = module.to(dtype)
    return load_weights(module, expected)


def draw_modules(
    made: Callable[..., nn.Module],
    reference: Callable[..., nn.Module],
    rng: Rng,
    *init: Any,
    dtype: torch.dtype = torch.float32,
) -> tuple[nn.Module, nn.Module]:
    """`made(*init)` and `reference(*init)` with the same random weights, which keep activations at ordinary size."""
    expected = reference(*init).to(dtype)
    with torch.no_grad():
        for parameter in expected.parameters():
            width = parameter.shape[-1] if parameter.dim() > 1 else 1
            parameter.copy_(rng.randn(*parameter.shape, dtype=torch.float64) / math.sqrt(width))
    return with_weights(made, expected, *init), expected


B, H, T = 2, 2, 6
"""Sizes of the call that shows what dropout does: B * H * T * T attention weights, each of them twice."""


def assert_weight_dropout(
    made: Callable[..., nn.Module], reference: Callable[..., nn.Module], p: float = 0.25, *, calls: int = 2
) -> None:
    """`made(d_model, n_heads, p)` with `W_q`, `W_k`, `W_v`, `W_o`: dropout on the attention weights, only in training.

    With no queries, the identity for W_v and W_o, and unit vectors (twice side by side) for tokens, each result of
    self-attention is one attention weight, 1 / T. In training a share p of them is 0 and the others are divided by
    1 - p, each by itself. Two frames.
    """
    d_model = 2 * T * H
    expected = reference(d_model, H, p).eval()
    one = torch.eye(d_model)
    with torch.no_grad():
        for name, weight in (("W_q", 0 * one), ("W_k", one), ("W_v", one), ("W_o", one)):
            getattr(expected, name).weight.copy_(weight)
    module = with_weights(made, expected, d_model, H, p)
    call = Call((torch.eye(T).repeat(1, 2 * H).expand(B, T, d_model).contiguous(),))
    plain = perform(expected, [call])[0]
    assert_expected(module.eval(), [Expected(call, plain, {"code": "in_eval"})] * 2, ["x"])
    module.train()
    results = [outcome.value for outcome in perform(module, [call] * calls)]
    module.eval()
    for result in results:
        compare(torch.zeros_like(result) if isinstance(result, Tensor) else result, 0 * plain.value, None, "result")
    _compare_dropped(torch.stack(results), plain.value, p)


def _compare_dropped(results: Tensor, plain: Tensor, p: float) -> None:
    limit = TOLERANCE[plain.dtype]
    dropped = results.abs() <= limit
    if not bool(dropped.any()) and bool(((results - plain).abs() <= limit).all()):
        raise CheckFailed("dropout_none")
    odd = ~dropped & ~((results - plain / (1 - p)).abs() <= limit)
    if bool(odd.any()):
        raise CheckFailed("dropout_values", wrong=int(odd.sum()), total=odd.numel())
    for place, place_zh in _alike(dropped.view(-1, T, H, 2, T)):
        raise CheckFailed("dropout_place", place=place, place_zh=place_zh)
    share, spread = float(dropped.double().mean()), math.sqrt(p * (1 - p) / (dropped.numel() / 2))
    if abs(share - p) > 6 * spread:
        raise CheckFailed("dropout_share", got=share, expected=p)


def _alike(dropped: Tensor) -> Sequence[tuple[str, str]]:
    """What is dropped together that should not be. `dropped`: [calls * B, T, H, 2, T], the two columns alike."""
    if not torch.equal(dropped[..., 0, :], dropped[..., 1, :]):
        return [("elements of the result or of the values", "输出或 v 的元素")]
    places = {
        0: ("the same weights in every sequence and every call", "每个序列、每次调用中相同的权重"),
        1: ("whole keys, for all queries alike", "整个键（对所有查询都一样）"),
        2: ("the same weights in every head", "每个头中相同的权重"),
        4: ("whole queries, with all their keys", "整个查询（连同它的所有键）"),
    }
    return [words for axis, words in places.items() if bool((dropped == dropped.narrow(axis, 0, 1)).all())]
