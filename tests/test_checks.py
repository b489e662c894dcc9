"""Each check fails for what it is for, says so, and lets right answers pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from judge import checks
from judge.compare import CheckFailed
from judge.grading.rng import Rng
from judge.messages import describe


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    scores = q @ k.mT * q.shape[-1] ** -0.5
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(hidden, float("-inf")).softmax(-1) @ v


def inputs(dtype: torch.dtype = torch.float64) -> tuple[torch.Tensor, ...]:
    rng = Rng(1, "checks")
    return tuple(rng.randn(2, 3, 5, 4, dtype=dtype) for _ in range(3))


def finding(check: Callable[..., Any], *arguments: Any, **keywords: Any) -> dict[str, Any]:
    with pytest.raises(CheckFailed) as failure:
        check(*arguments, **keywords)
    for lang in ("en", "zh"):
        assert "{" not in describe(failure.value.finding, lang)
    return failure.value.finding


ONE = torch.ones(2, 3)


@pytest.mark.parametrize(
    ("got", "code"),
    [
        (None, "type"),
        ([1.0], "type"),
        (torch.ones(3, 2), "shape"),
        (torch.ones(1, 3), "shape"),
        (ONE.double(), "dtype"),
        (ONE * 1.1, "values"),
        (ONE * float("nan"), "not_finite"),
        (ONE * float("inf"), "not_finite"),
        (ONE.to(torch.complex64), "dtype"),
    ],
)
def test_close_finds(got: Any, code: str) -> None:
    assert finding(checks.assert_close, got, ONE)["code"] == code


def test_close_says_where_and_how_much() -> None:
    wrong = ONE.clone()
    wrong[1, 2] = 3
    wrong[0, 0] = 1.5
    found = finding(checks.assert_close, wrong, ONE)
    assert (found["index"], found["max_error"], found["wrong"], found["total"]) == ([1, 2], 2.0, 2, 6)
    assert "expected" not in found


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16], ids=str)
def test_tolerance_follows_the_dtype(dtype: torch.dtype) -> None:
    limit = checks.TOLERANCE[dtype]
    one = torch.ones(1, dtype=torch.float64)
    checks.assert_close((one * (1 + limit)).to(dtype), one.to(dtype))
    finding(checks.assert_close, (one * (1 + 5 * limit)).to(dtype), one.to(dtype))


def test_equal_wants_every_element_and_the_type() -> None:
    mask = torch.eye(3, dtype=torch.bool)
    checks.assert_equal(mask, mask.clone())
    assert finding(checks.assert_equal, ~mask, mask)["code"] == "elements"
    assert finding(checks.assert_equal, mask.int(), mask)["code"] == "dtype"
    assert finding(checks.assert_equal, 3.0, 3)["code"] == "type"
    assert finding(checks.assert_equal, True, 1)["code"] == "type"
    assert finding(checks.assert_equal, 10**30, 10**30 + 1)["code"] == "number"


def test_infinity_must_be_infinity() -> None:
    infinite = torch.tensor([float("-inf"), 1.0])
    checks.assert_close(infinite, infinite)
    finding(checks.assert_close, torch.tensor([-1e30, 1.0]), infinite)


def test_same_compares_gradients_of_every_float_argument() -> None:
    checks.assert_same(attention, attention, inputs(), gradients=True)
    detached = lambda q, k, v: attention(q, k.detach(), v)  # noqa: E731
    assert finding(checks.assert_same, detached, attention, inputs(), gradients=True)["of"] == "gradient of k"
    nothing = lambda q, k, v: attention(q, k, v).detach()  # noqa: E731
    assert finding(checks.assert_same, nothing, attention, inputs(), gradients=True)["code"] == "detached"


def test_same_names_the_call_arguments_as_the_reference_does() -> None:
    doubled = lambda q, k, v: attention(q, k, v + (v - v.detach()))  # noqa: E731
    assert finding(checks.assert_same, doubled, attention, inputs(), gradients=True)["of"] == "gradient of v"


def leaky(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v


def test_independent_finds_a_leak_from_the_future() -> None:
    q, k, v = inputs()
    changed = (q, k, torch.cat([v[:, :, :-1], v[:, :, -1:] + 10], 2))
    rows = (slice(None), slice(None), slice(0, 4))
    words = {"source": "token 4", "target": "the outputs before it"}
    checks.assert_independent(attention, (q, k, v), changed, rows, **words)
    assert finding(checks.assert_independent, leaky, (q, k, v), changed, rows, **words)["code"] == "leak"


def test_no_gradient_finds_a_leak_in_the_jacobian() -> None:
    future = (slice(None), slice(None), slice(3, None))
    rows = (slice(None), slice(None), slice(0, 3))
    words = {"source": "later tokens", "target": "earlier outputs"}
    checks.assert_no_gradient(attention, inputs(), rows, 2, future, **words)
    assert finding(checks.assert_no_gradient, leaky, inputs(), rows, 2, future, **words)["code"] == "leak"


def test_layouts_catch_code_that_reads_memory_in_order() -> None:
    checks.assert_layouts(attention, attention, inputs())

    def careless(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        flat = torch.as_strided(v, v.shape, torch.empty(v.shape).stride())
        return attention(q, k, flat)

    assert finding(checks.assert_layouts, careless, attention, inputs())["code"] == "values"


def test_weights_are_loaded_by_name() -> None:
    torch.manual_seed(0)
    mine, theirs = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
    checks.load_weights(mine, theirs)
    assert torch.equal(mine.weight, theirs.weight)
    found = finding(checks.load_weights, torch.nn.Linear(3, 2, bias=False), theirs)
    assert found["missing"] == ["bias"]
    found = finding(checks.load_weights, torch.nn.Linear(2, 2), theirs)
    assert found["misshapen"] == [["weight", [2, 2], [2, 3]]]


def test_same_compares_the_gradients_of_weights() -> None:
    torch.manual_seed(0)
    theirs = torch.nn.Linear(3, 2)

    class Frozen(torch.nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x @ self.weight.detach().T + self.bias

    mine = checks.load_weights(Frozen(3, 2), theirs)
    x = (torch.randn(4, 3),)
    checks.assert_same(mine, theirs, x)
    assert finding(checks.assert_same, mine, theirs, x, gradients=True)["of"] == "gradient of weight"


def test_an_authors_own_rule_has_its_sentence() -> None:
    found = finding(checks.check, False, "the mask is upside down", "掩码反了")
    assert describe(found, "en") == "the mask is upside down"
    assert describe(found, "zh") == "掩码反了"


def test_the_same_seed_and_case_draw_the_same_numbers() -> None:
    assert torch.equal(Rng(1, "a").randn(3), Rng(1, "a").randn(3))
    assert not torch.equal(Rng(1, "a").randn(3), Rng(1, "b").randn(3))
    assert not torch.equal(Rng(1, "a").randn(3), Rng(2, "a").randn(3))
