"""Dtypes, repeated calls, global states: right answers pass, wrong ones are found, on a plain module and a stand-in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from judge import checks
from judge.grading.rng import Rng
from tests.both import Both, plain_module

SOURCE = Path(__file__).parent / "material" / "checked.py"
PROBLEMS = Path(__file__).parent.parent / "problems"
RIGHT = ("attention", "einsum_attention", "row_attention")


@pytest.fixture(scope="module")
def both(sandbox: Any) -> Iterator[Both]:
    opened = Both(sandbox, SOURCE, [])
    yield opened
    opened.session.close()


def inputs(dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, ...]:
    """q, k, v with B, H, T, S, D, Dv = 2, 3, 4, 6, 5, 7."""
    rng = Rng(1, "circumstances")
    sizes = ((2, 3, 4, 5), (2, 3, 6, 5), (2, 3, 6, 7))
    return tuple(rng.randn(*size, dtype=dtype) for size in sizes)


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_hold_in_each_circumstance(both: Both, name: str) -> None:
    reference = both.plain.attention

    def check(solution: Any) -> None:
        function = getattr(solution, name)
        checks.assert_dtypes(function, reference, inputs(), inputs(), gradients=True)
        checks.assert_repeatable(function, reference, inputs())
        checks.assert_global_state(function, reference, inputs())

    assert both.holds(check) == 3


@pytest.mark.parametrize(
    ("name", "code"),
    [("through_float32", "values"), ("through_bfloat16", "values"), ("always_float32", "dtype")],
)
def test_a_wrong_precision_is_found(both: Both, name: str, code: str) -> None:
    found = both.finding(lambda s: checks.assert_dtypes(getattr(s, name), both.plain.attention, inputs()))
    assert found["code"] == code


def test_the_dtypes_are_the_authors_choice(both: Both) -> None:
    halves = (torch.float16, torch.bfloat16)
    both.holds(lambda s: checks.assert_dtypes(s.through_float32, both.plain.attention, inputs(), dtypes=halves))
    found = both.finding(
        lambda s: checks.assert_dtypes(s.through_bfloat16, both.plain.attention, inputs(), dtypes=halves)
    )
    assert found["dtype"] == "float16"


def test_gradients_are_compared_in_each_dtype(both: Both) -> None:
    reference = both.plain.attention
    both.holds(lambda s: checks.assert_dtypes(s.no_gradient_to_k, reference, inputs()))
    found = both.finding(lambda s: checks.assert_dtypes(s.no_gradient_to_k, reference, inputs(), gradients=True))
    assert (found["code"], found["of"]) == ("gradient_missing", "gradient of k")


def test_a_low_precision_of_the_reference_excuses_nothing(both: Both) -> None:
    """A reference that rounds on its way is computed in float64."""

    def rounding(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = both.plain.attention(q, k, v)
        return result if result.dtype == torch.float64 else result * 1.5

    both.holds(lambda s: checks.assert_dtypes(s.attention, rounding, inputs()))


def modules(solution: Any, reference: Any, name: str, dtype: torch.dtype = torch.float32) -> tuple[Any, Any]:
    return checks.draw_modules(getattr(solution, name), reference.MultiHead, Rng(2, "modules"), 12, 3, dtype=dtype)


def test_half_precision_may_round_as_often_as_the_reference_does() -> None:
    steps = torch.linspace(-3, 3, 40)

    def reference(x: torch.Tensor) -> torch.Tensor:  # bfloat16 has steps of 2 there
        return (x + 400) - 400

    def other_order(x: torch.Tensor) -> torch.Tensor:
        return 200 + (x - 200)

    checks.assert_dtypes(other_order, reference, (steps,), dtypes=(torch.bfloat16,))
    with pytest.raises(checks.CheckFailed):
        checks.assert_dtypes(lambda x: x + 9, reference, (steps,), dtypes=(torch.bfloat16,))


def test_a_modules_weights_follow_the_dtype_in_one_frame(both: Both) -> None:
    x = (Rng(3, "x").randn(2, 5, 12),)

    def check(solution: Any) -> None:
        module, reference = modules(solution, both.plain, "AnotherMultiHead")
        checks.assert_dtypes(module, reference, x, x, gradients=True)
        checks.assert_same(module, reference, x)  # its weights are what they were

    assert both.holds(check) == 2
    found = both.finding(lambda s: checks.assert_dtypes(*modules(s, both.plain, "HalfMultiHead"), x))
    assert (found["code"], found["dtype"]) == ("values", "float64")


@pytest.mark.parametrize("name", ["keeps_weights", "reuses_memory"])
def test_state_between_calls_is_found(both: Both, name: str) -> None:
    found = both.finding(lambda s: checks.assert_repeatable(getattr(s, name), both.plain.attention, inputs()))
    assert (found["code"], found["inner"]["code"]) == ("again", "values")


def test_masks_are_turned_for_the_second_call(both: Both) -> None:
    seen = []

    def spy(x: torch.Tensor, mask: torch.Tensor, n: int) -> torch.Tensor:
        seen.append(mask)
        return x.masked_fill(mask, 0.0) * n

    checks.assert_repeatable(spy, spy, (torch.ones(2, 3), torch.tensor([True, False, False]), 2))
    checks.assert_repeatable(spy, spy, (torch.ones(2, 3), torch.ones(2, 3, dtype=torch.bool), 2))
    assert len({tuple(mask.flatten().tolist()) for mask in seen}) == 4


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("default_dtype", "torch.set_default_dtype(torch.float64)"),
        ("uninitialised", "torch.use_deterministic_algorithms(True)"),
        ("needs_no_grad_mode", "torch.enable_grad()"),
    ],
)
def test_dependence_on_global_state_is_found(both: Both, name: str, state: str) -> None:
    found = both.finding(
        lambda s: checks.assert_global_state(getattr(s, name), both.plain.attention, inputs(), states=[state])
    )
    assert (found["code"], found["state"]) == ("under", state)


def test_global_state_is_taken_back(both: Both) -> None:
    both.holds(lambda s: checks.assert_global_state(s.attention, both.plain.attention, inputs()))
    both.holds(lambda s: checks.assert_same(s.default_dtype, both.plain.attention, inputs()))
    assert torch.get_default_dtype() is torch.float32
    assert not torch.are_deterministic_algorithms_enabled()


def test_changed_inputs_are_found_and_named(both: Both) -> None:
    found = both.finding(lambda s: checks.assert_same(s.changes_k, both.plain.attention, inputs()))
    assert found == {"code": "input_changed", "argument": "k"}


@pytest.mark.parametrize(
    ("slug", "answer", "seed"),
    [("causal-mha", "einsum", 11703), ("sliding-window-attention", "gathered_windows", 10123)],
)
def test_half_precision_allows_what_slightly_moved_inputs_lose(slug: str, answer: str, seed: int) -> None:
    """Draws in which a right answer loses more than three times what the reference does."""
    folder = PROBLEMS / slug
    solution = plain_module(folder / "submissions" / "accepted" / f"{answer}.py")
    tests, reference = plain_module(folder / "tests.py"), plain_module(folder / "reference.py")
    tests.test_half_precision(solution, reference, Rng(seed, "test_half_precision"))
