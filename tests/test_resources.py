"""New storage and FLOPs: what is counted, alike on both sides, and that a forged count is no fault of the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from judge import checks
from judge.grading.rng import Rng
from judge.remote.calls import Call, Measured, perform
from judge.remote.connection import Connection, SubmissionFailed
from judge.remote.proxy import Solution
from sandbox import Limits, SessionEnded
from tests.both import Both

MATERIAL = Path(__file__).parent / "material"


@pytest.fixture(scope="module")
def both(sandbox: Any) -> Iterator[Both]:
    opened = Both(sandbox, MATERIAL / "checked.py", [])
    yield opened
    opened.session.close()


def inputs(T: int = 4, S: int = 6) -> tuple[torch.Tensor, ...]:
    """q, k, v with B, H, D, Dv = 2, 3, 5, 7."""
    rng = Rng(1, "resources")
    return tuple(rng.randn(*size) for size in ((2, 3, T, 5), (2, 3, S, 5), (2, 3, S, 7)))


def measured(both: Both, name: str, *arguments: Any) -> Measured:
    """The same on both sides."""
    plain, remote = (
        perform(getattr(side, name), [Call(arguments, measure=True)])[0].measured for side in (both.plain, both.remote)
    )
    assert plain == remote
    assert plain is not None
    return plain


@pytest.mark.parametrize(
    ("name", "arguments", "size"),
    [
        ("zeros", (1000,), 4000),
        ("expanded", (torch.ones(2, 5), 300), 40),
        ("repeated", (torch.ones(2, 5), 300), 12000),
        ("from_list", (torch.ones(1), 500), 2000),
        ("grown", (torch.ones(1), 700), 2800),
    ],
)
def test_new_storage_is_what_a_call_allocates_at_once(
    both: Both, name: str, arguments: tuple[Any, ...], size: int
) -> None:
    assert measured(both, name, *arguments).bytes == size


A, M = torch.ones(3, 4, 5), torch.ones(5, 7)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("linear_product", (A, M)),
        ("product_in_inference_mode", (A, M)),
        ("product_in_vmap", (A, M[:, 0])),
        ("summed_product", (A, M)),
    ],
)
def test_each_way_to_a_product_counts_two_flops_a_multiply_add(
    both: Both, name: str, arguments: tuple[torch.Tensor, ...]
) -> None:
    columns = arguments[1].shape[-1] if arguments[1].dim() > 1 else 1
    assert measured(both, name, *arguments).flops == 2 * 3 * 4 * 5 * columns


@pytest.mark.parametrize("name", ["attention", "einsum_attention", "library_product"])
def test_attention_counts_its_two_products(both: Both, name: str) -> None:
    assert measured(both, name, *inputs()).flops == 2 * 2 * 3 * 4 * 6 * (5 + 7)


def test_attention_by_hand_counts_what_it_computes(both: Both) -> None:
    assert measured(both, "row_attention", *inputs()).flops == 2 * 2 * 3 * (3 + 4 + 5 + 6) * (5 + 7)


def test_the_whole_score_matrix_is_too_much_storage(both: Both) -> None:
    scores = 2 * 3 * 64 * 64 * 4
    q, k, v = inputs(64, 64)
    bound = {"at_most": scores - 1}
    assert both.holds(lambda s: checks.assert_new_storage(s.row_attention, (q, k, v), (q, k, v), **bound)) == 1
    found = both.finding(lambda s: checks.assert_new_storage(s.attention, (q, k, v), **bound))
    assert (found["bytes"], found["shape"], found["limit"]) == (scores, [6, 64, 64], scores - 1)


def test_flops_have_two_bounds(both: Both) -> None:
    full = 2 * 2 * 3 * 4 * 6 * (5 + 7)
    bounds = {"at_least": 0.7 * full, "at_most": 0.8 * full}
    assert both.holds(lambda s: checks.assert_flops(s.row_attention, inputs(), inputs(), **bounds)) == 1
    found = both.finding(lambda s: checks.assert_flops(s.attention, inputs(), **bounds))
    assert (found["code"], found["flops"]) == ("flops_over", full)
    found = both.finding(lambda s: checks.assert_flops(s.zeros, (3,), **bounds))
    assert (found["code"], found["flops"]) == ("flops_under", 0)


def test_a_forbidden_operator_is_seen_in_inference_mode(sandbox: Any) -> None:
    strict = Both(sandbox, MATERIAL / "checked.py", ["aten._softmax"])
    with pytest.raises(SubmissionFailed) as failure:
        checks.assert_not_used(strict.remote.softmax_in_inference_mode, (torch.ones(3),))
    strict.session.close()
    assert failure.value.verdict == "RF"


@pytest.mark.parametrize("number", range(6))
def test_a_forged_count_is_no_fault_of_the_judge(sandbox: Any, number: int) -> None:
    session = sandbox.open(Limits(time_s=20))
    connection = Connection(session)
    connection.load((MATERIAL / "forged_counts.py").read_bytes(), {"forged": "function"}, [], 20)
    function: Callable[..., Any] = Solution(connection, {"forged": "function"}).forged
    try:
        checks.assert_flops(function, (number,), at_most=10)
    except (checks.CheckFailed, SessionEnded):
        return
    finally:
        session.close()
    pytest.fail("a forged count passed")
