"""Where and how much a result differs: the facts and the caption against numpy, the window of what is large."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from judge.captions import axes_of, captioned
from judge.compare import Comparison
from judge.grading.comparisons import picture
from judge.grading.contrast import contrast
from judge.grading.pictures import Room

AXES = {"result": ("batch", "head", "query", "key"), "mask": ("batch", "head", "query", "key")}


def caption(got: Tensor, expected: Tensor, lang: str = "en", tolerance: float | None = None) -> str:
    found = captioned(contrast(got, expected, tolerance, Room()), "result", AXES, lang)
    return str(found["caption"])


def causal(size: int, value: float) -> Tensor:
    return torch.full((1, 1, size, size), value).triu(1)


@pytest.mark.parametrize("seed", range(5))
def test_the_caption_says_what_numpy_finds(seed: int) -> None:
    draw = np.random.default_rng(seed)
    expected = draw.standard_normal((1, 2, 5, 4)).astype(np.float32)
    got = expected + np.where(draw.random(expected.shape) < 0.2, draw.standard_normal(expected.shape), 0).astype("f4")
    error = np.abs(got.astype(float) - expected)
    wrong = error > 1e-5 * (1 + np.abs(expected))
    _, head, query, key = np.unravel_index(error.argmax(), error.shape)
    told = caption(torch.tensor(got), torch.tensor(expected))
    largest = f"{error.max():.3g}"
    assert told.startswith(
        f"largest difference {largest} at head {head}, query {query}, key {key}; {wrong.sum()} of 40"
    )


@pytest.mark.parametrize(
    ("got", "expected", "en", "zh"),
    [
        (
            causal(4, 0.5),
            causal(4, 0.0),
            "largest difference 0.5 at query 0, key 1; 6 of 16 elements wrong, all above the diagonal",
            "最大差值 0.5，位于查询 0、键 1；16 个元素中有 6 个错误，全部在对角线上方",
        ),
        (
            torch.zeros(1, 1, 2, 3),
            torch.tensor([[[[0.0, 0, 0], [1, 2, 1]]]]),
            "largest difference 2 at query 1, key 1; 3 of 6 elements wrong, all at query 1",
            "最大差值 2，位于查询 1、键 1；6 个元素中有 3 个错误，全部位于查询 1",
        ),
        (
            torch.tensor([[[[float("nan"), 0.0], [float("inf"), float("nan")]]]]),
            torch.zeros(1, 1, 2, 2),
            "2 NaN where a number is expected, 1 inf where a number is expected, the first at query 0, key 0; "
            "3 of 4 elements wrong",
            "有 2 个 NaN，而此处应为数字，有 1 个 inf，而此处应为数字，第一处位于查询 0、键 0；4 个元素中有 3 个错误",
        ),
        (torch.ones(1, 1, 1, 1), torch.zeros(1, 1, 1, 1), "off by 1", "相差 1"),
        (
            torch.ones(1, 1, 1, 2),
            torch.ones(1, 1, 1, 2),
            "no element differs by more than 1e-05",
            "所有元素的差都不超过 1e-05",
        ),
        (
            torch.zeros(1, 1, 1, 2),
            torch.ones(1, 1, 1, 2),
            "largest difference 1 at key 0; all 2 elements wrong",
            "最大差值 1，位于键 0；全部 2 个元素都错误",
        ),
    ],
)
def test_captions(got: Tensor, expected: Tensor, en: str, zh: str) -> None:
    assert (caption(got, expected), caption(got, expected, "zh")) == (en, zh)


def test_a_mask_that_ends_elsewhere_is_wrong_beside_its_own_diagonal() -> None:
    late = torch.ones(3, 5, dtype=torch.bool).tril(2)
    early = torch.ones(3, 5, dtype=torch.bool).tril(0)
    found = contrast(early, late, 0.0, Room())
    assert {"diagonal": "below"} not in found["where"]
    assert contrast(torch.ones_like(late), late, 0.0, Room())["where"][-1] == {"diagonal": "above"}
    assert found["values"][0] == [None, -1.0, -1.0, None, None]


def test_only_wrong_elements_have_a_difference() -> None:
    expected = torch.tensor([[1.0, 2.0, float("nan"), 4.0]])
    got = torch.tensor([[1.0 + 1e-6, 2.5, float("nan"), float("inf")]])
    assert contrast(got, expected, None, Room())["values"] == [[None, 0.5, None, "inf"]]
    assert contrast(got, expected, 1.0, Room())["values"] == [[None, None, None, "inf"]]


def sizes(values: Any) -> list[int]:
    return [len(values), *sizes(values[0])] if isinstance(values, list) else []


def test_of_a_large_matrix_the_worst_element_and_blocks_are_shown() -> None:
    expected = torch.zeros(2, 2, 1024, 1024)
    got = expected.clone()
    got[1, 1, 700, 77] = 1.0
    shown = picture(Comparison({}, got, expected, "result"))
    found = shown["contrast"]
    first = found["from"]
    assert found["at"] == [1, 1, 700, 77]
    place = [n - start for n, start in zip(found["at"], first, strict=True)]
    assert found["values"][place[0]][place[1]][place[2]][place[3]] == 1.0
    assert shown["got"]["values"][place[0]][place[1]][place[2]][place[3]] == 1.0
    assert shown["expected"]["from"] == shown["got"]["from"] == first
    assert sizes(found["values"])[2:] == [16, 16]
    assert sizes(found["blocks"]["values"]) == [32, 32]
    assert found["blocks"]["values"][700 // 32][77 // 32] == round(1 / 32**2, 4)
    numbers = re.findall(r"\d", str(shown))
    assert len(numbers) < 50_000


def test_what_cannot_be_subtracted_has_no_contrast() -> None:
    one = torch.zeros(2, 2)
    pairs = [(one, torch.zeros(2, 3)), (one.double(), one), (None, one), (one[:0], one[:0]), ("text", one), (1, 2)]
    assert [contrast(got, expected, None, Room()) for got, expected in pairs] == [None] * 6


def test_each_part_of_a_tuple_has_its_own() -> None:
    found = contrast((torch.ones(2), 3, torch.zeros(2)), (torch.ones(2), 3, torch.ones(2)), None, Room())
    assert [part and part["wrong"] for part in found] == [0, None, 2]


def test_axes_are_named_by_the_problem_or_by_place() -> None:
    assert axes_of(AXES, "result", [1, 2, 3, 4]) == ["batch", "head", "query", "key"]
    assert axes_of(AXES, "mask", [3, 4]) == ["query", "key"]
    assert axes_of(AXES, "gradient of mask", [3, 4]) == ["query", "key"]
    assert axes_of(AXES, "result", [3, 4]) == ["row", "column"]
    assert axes_of({}, "x", [2, 3, 4]) == ["slice", "row", "column"]
    assert axes_of({}, "x", []) == []
