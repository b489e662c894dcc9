"""Dataclasses with postponed annotations, protocols, overloads, NamedTuple and names under TYPE_CHECKING. Seen: common in typed code."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Annotated, ClassVar, Generic, NamedTuple, Protocol, TypeVar, get_type_hints, overload

import torch
from torch import Tensor

if TYPE_CHECKING:
    from nowhere import Nothing

T = TypeVar("T", bound="Tensor")


class Fill(Enum):
    MINUS_INFINITY = auto()


class Scores(NamedTuple):
    values: Tensor
    scale: float = 1.0


class Scorer(Protocol[T]):
    def __call__(self, q: T, k: T) -> Scores: ...


@dataclass(frozen=True, slots=True)
class Config(Generic[T]):
    power: Annotated[float, "of the width"] = -0.5
    _: KW_ONLY
    fill: Fill = Fill.MINUS_INFINITY
    shown: ClassVar[str] = "config"
    scorer: Callable[[Tensor, Tensor], Scores] = field(default=lambda q, k: Scores(q @ k.mT, q.shape[-1] ** -0.5), repr=False)


@overload
def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor: ...
@overload
def attention(q: Tensor, k: Tensor, v: Tensor, mask: Nothing) -> Tensor: ...
def attention(q, k, v, mask=None):
    config: Config[Tensor] = Config()
    assert "power" in get_type_hints(Config, include_extras=True)
    scores = config.scorer(q, k)
    weights = scores.values * scores.scale
    match config.fill, mask:
        case Fill.MINUS_INFINITY, Tensor():
            weights = weights.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(weights, -1)) @ v
