"""Who reads whom, and dropout in training: each wrong answer is found for what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from judge import checks
from judge.grading.rng import Rng
from tests.both import Both

SOURCE = Path(__file__).parent / "material" / "checked.py"


@pytest.fixture(scope="module")
def both(sandbox: Any) -> Iterator[Both]:
    opened = Both(sandbox, SOURCE, [])
    yield opened
    opened.session.close()


def inputs(dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, ...]:
    """q, k, v with B, H, T, S, D, Dv = 2, 2, 3, 5, 4, 6."""
    rng = Rng(1, "influence")
    return tuple(rng.randn(*size, dtype=dtype) for size in ((2, 2, 3, 4), (2, 2, 5, 4), (2, 2, 5, 6)))


@pytest.mark.parametrize("name", ["attention", "einsum_attention", "row_attention"])
def test_right_answers_read_what_the_reference_reads(both: Both, name: str) -> None:
    reference = both.plain.attention
    trips = both.holds(lambda s: checks.assert_jacobian(getattr(s, name), reference, inputs(), (0, 1, 2)))
    assert trips == 1


@pytest.mark.parametrize("name", ["reads_the_future", "hides_too_little"])
def test_the_jacobian_shows_who_reads_the_future(both: Both, name: str) -> None:
    found = both.finding(lambda s: checks.assert_jacobian(getattr(s, name), both.plain.attention, inputs(), 1))
    assert found["code"] == "leak"
    assert found["source"] in ("k[0, 0, 3]", "k[0, 0, 4]")
    assert found["target"] == "result[0, 0, 0]"
    assert found["target_zh"] == "结果[0, 0, 0]"


def test_the_jacobian_shows_heads_in_each_others_place(both: Both) -> None:
    found = both.finding(lambda s: checks.assert_jacobian(s.mixes_heads, both.plain.attention, inputs(), 2))
    assert (found["code"], found["target"]) == ("leak", "result[0, 0, 0]")
    assert found["source"].startswith("v[0, 1, ")


def test_the_jacobian_shows_what_is_not_read(both: Both) -> None:
    found = both.finding(lambda s: checks.assert_jacobian(s.attention, both.plain.reads_the_future, inputs(), 1))
    assert (found["code"], found["target"]) == ("no_influence", "result[0, 0, 0]")


def test_a_detached_result_is_told_as_such(both: Both) -> None:
    found = both.finding(lambda s: checks.assert_jacobian(s.detached_attention, both.plain.attention, inputs()))
    assert found["code"] == "detached"


def test_the_jacobian_of_one_result_among_several(both: Both) -> None:
    def check(solution: Any) -> None:
        function, reference = solution.with_row_sums, both.plain.with_row_sums
        checks.assert_jacobian(function, reference, inputs(), (0, 1))
        checks.assert_jacobian(function, reference, inputs(), 2, part=1, features=(1, 0))

    both.holds(check)
    found = both.finding(lambda s: checks.assert_jacobian(s.attention, both.plain.with_row_sums, inputs()))
    assert found["code"] == "type"


def test_the_jacobian_of_a_module(both: Both) -> None:
    x = (Rng(1, "x").randn(2, 4, 12),)

    def check(solution: Any) -> None:
        module, reference = checks.draw_modules(solution.MultiHead, both.plain.MultiHead, Rng(1, "w"), 12, 3)
        checks.assert_jacobian(module, reference, x)
        checks.assert_same(module, reference, x)

    assert both.holds(check) == 2


LATER = (slice(None), slice(None), slice(3, None))
FIRST = (slice(None), slice(None), 0)
WORDS = {"source": "keys 3 and 4", "target": "the first query", "source_zh": "第 3、4 个键", "target_zh": "第一个查询"}


@pytest.mark.parametrize("argument", [1, 2])
def test_named_positions_have_no_influence(both: Both, argument: int) -> None:
    reference = both.plain.attention
    arguments = (reference, inputs(torch.float64), argument, LATER, FIRST)
    assert both.holds(lambda s: checks.assert_no_influence(s.attention, *arguments, **WORDS)) == 1
    for name in ("reads_the_future", "hides_too_little"):
        found = both.finding(lambda s, name=name: checks.assert_no_influence(getattr(s, name), *arguments, **WORDS))
        assert (found["code"], found["source"], found["target_zh"]) == ("leak", "keys 3 and 4", "第一个查询")


@pytest.mark.parametrize("name", ["leaks_without_a_graph", "leaks_below_rounding"])
def test_influence_is_looked_for_by_change_and_by_gradient(both: Both, name: str) -> None:
    arguments = (both.plain.attention, inputs(torch.float64), 2, LATER, FIRST)
    found = both.finding(lambda s: checks.assert_no_influence(getattr(s, name), *arguments, **WORDS))
    assert found["code"] == "leak"


def dropout(solution: Any, reference: Any, name: str) -> None:
    checks.assert_weight_dropout(getattr(solution, name), reference.MultiHead)


@pytest.mark.parametrize("name", ["MultiHead", "AnotherMultiHead"])
def test_dropout_of_single_weights_in_training_holds(both: Both, name: str) -> None:
    assert both.holds(lambda s: dropout(s, both.plain, name)) == 2


@pytest.mark.parametrize(
    ("name", "code", "place"),
    [
        ("NeverDrops", "dropout_none", None),
        ("DropsScores", "dropout_none", None),
        ("AlwaysDrops", "in_eval", None),
        ("DropsWithoutScale", "dropout_values", None),
        ("KeepsTheShareP", "dropout_share", None),
        ("DropsTheResult", "dropout_place", "elements of the result"),
        ("DropsValues", "dropout_place", "elements of the result or of the values"),
        ("DropsTheSameInEachHead", "dropout_place", "every head"),
        ("DropsQueries", "dropout_place", "whole queries"),
    ],
)
def test_dropout_elsewhere_is_found(both: Both, name: str, code: str, place: str | None) -> None:
    for solution in (both.plain, both.remote):
        with pytest.raises(checks.CheckFailed) as failure:
            dropout(solution, both.plain, name)
        assert failure.value.finding["code"] == code
        assert place is None or place in failure.value.finding["place"]
