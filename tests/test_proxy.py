"""The stand-in behaves as the plain module does: each test runs against both."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from judge.checks import assert_same
from judge.compare import CheckFailed
from judge.remote.calls import Call, perform
from judge.remote.connection import Connection, SubmissionFailed
from judge.remote.proxy import Solution
from sandbox import Limits

SOURCE = Path(__file__).parent / "material" / "stand_in.py"
FUNCTIONS = ("attention", "parts", "kept_history", "detached", "half_attached", "describe", "share_memory",
             "scale_in_place", "mixed")  # fmt: skip
KINDS = dict.fromkeys(FUNCTIONS, "function") | {"Mixer": "class", "Layer": "class"}


@pytest.fixture
def remote(sandbox: Any) -> Iterator[Solution]:
    session = sandbox.open(Limits(time_s=20))
    connection = Connection(session, {"scale_in_place": ["x"]})
    connection.load(SOURCE.read_bytes(), KINDS, [], 20)
    yield Solution(connection, KINDS)
    session.close()


def plain_module() -> Any:
    spec = importlib.util.spec_from_file_location("stand_in_plain", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["plain", "remote"])
def solution(request: pytest.FixtureRequest) -> Any:
    return plain_module() if request.param == "plain" else request.getfixturevalue("remote")


def randn(*shape: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(3))


def test_gradcheck_passes(solution: Any) -> None:
    q, k, v = randn(3, 1, 2, 3, 4).unbind()
    inputs = [t.clone().requires_grad_() for t in (q, k, v)]
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    assert torch.autograd.gradcheck(solution.attention, (*inputs, mask))


def test_gradcheck_finds_a_wrong_gradient(solution: Any) -> None:
    x = randn(2, 3).requires_grad_()
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(lambda t: solution.detached(t) + t, (x,))


def test_gradients_reach_inputs_through_host_code(solution: Any) -> None:
    q = randn(1, 2, 3, 4).requires_grad_()
    first = solution.attention(q * 2, q, q)
    second = solution.attention(q, q, q + 1)
    (first.sum() + second.square().sum()).backward()
    assert q.grad is not None
    expected = q.detach().clone().requires_grad_()
    module = plain_module()
    (module.attention(expected * 2, expected, expected).sum()
     + module.attention(expected, expected, expected + 1).square().sum()).backward()  # fmt: skip
    torch.testing.assert_close(q.grad, expected.grad)


def test_backward_twice_needs_retain_graph(solution: Any) -> None:
    x = randn(2, 3).requires_grad_()
    result = solution.kept_history(x).sum()
    result.backward(retain_graph=True)
    result.backward()
    torch.testing.assert_close(x.grad, 2 * torch.arange(1.0, 4, dtype=torch.float64).expand(2, 3))
    with pytest.raises(RuntimeError, match="second time"):
        result.backward()


def test_a_detached_result_wants_no_gradient(solution: Any) -> None:
    assert not solution.detached(randn(2, 3).requires_grad_()).requires_grad
    one, other = solution.half_attached(randn(2).requires_grad_(), randn(2).requires_grad_())
    assert one.requires_grad
    assert not other.requires_grad


def test_an_input_without_a_path_gets_no_gradient(solution: Any) -> None:
    x, y = randn(2).requires_grad_(), randn(2).requires_grad_()
    solution.half_attached(x, y)[0].sum().backward()
    assert x.grad is not None
    assert y.grad is None


def test_trees_of_values_come_back_as_they_are(solution: Any) -> None:
    x = randn(2, 3)
    result = solution.parts(x)
    assert result["count"] == 2
    assert result["nothing"] is None
    assert result["names"][0] == "a"
    assert type(result["names"][1]) is tuple
    torch.testing.assert_close(result["names"][1][1], x * 2)


@pytest.mark.parametrize(
    "tensor",
    [
        randn(4, 6).t(),
        randn(4, 6)[:, ::2],
        randn(1, 6).expand(4, 6),
        randn(6, 6)[2:, 1:],
        randn(0, 3),
        randn(1)[0],
        randn(2, 3, dtype=torch.float32).to(torch.bfloat16),
    ],
    ids=["transposed", "strided", "expanded", "offset", "empty", "scalar", "bfloat16"],
)
def test_layouts_arrive_as_they_are(solution: Any, tensor: torch.Tensor) -> None:
    assert solution.describe(tensor)[:3] == [list(tensor.shape), list(tensor.stride()), tensor.is_contiguous()]


def test_aliased_inputs_share_memory(solution: Any) -> None:
    x = randn(3, 4)
    assert solution.share_memory(x, x)
    assert not solution.share_memory(x, x.clone())


def test_expanded_inputs_get_gradients_of_their_own_shape(solution: Any) -> None:
    base = randn(1, 2, 1, 4).requires_grad_()
    solution.attention(base.expand(1, 2, 3, 4), base.expand(1, 2, 3, 4), base.expand(1, 2, 3, 4)).sum().backward()
    assert base.grad is not None
    assert base.grad.shape == base.shape


def loaded(solution: Any) -> tuple[Any, Any]:
    torch.manual_seed(0)
    expected = plain_module().Mixer(4)
    module = solution.Mixer(4)
    module.load_state_dict(expected.state_dict())
    return module.eval(), expected.eval()


def test_a_handle_computes_with_loaded_weights(solution: Any) -> None:
    module, expected = loaded(solution)
    x = randn(2, 4, dtype=torch.float32)
    torch.testing.assert_close(module(x), expected(x))
    torch.testing.assert_close(module(x, shift=x), expected(x, x))


def test_backward_through_a_handle_reaches_its_parameters(solution: Any) -> None:
    module, expected = loaded(solution)
    x = randn(2, 4, dtype=torch.float32).requires_grad_()
    y = x.detach().clone().requires_grad_()
    module(x).square().sum().backward()
    expected(y).square().sum().backward()
    torch.testing.assert_close(x.grad, y.grad)
    for (name, mine), (_, theirs) in zip(module.named_parameters(), expected.named_parameters(), strict=True):
        torch.testing.assert_close(mine.grad, theirs.grad, msg=name)


def test_a_training_step_on_the_host_is_seen(solution: Any) -> None:
    module, _ = loaded(solution)
    x = randn(2, 4, dtype=torch.float32)
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1)
    before = module(x).square().sum()
    before.backward()
    optimiser.step()
    assert module(x).square().sum() < before


def test_double_moves_parameters_and_buffers(solution: Any) -> None:
    module, expected = loaded(solution)
    module.double()
    expected.double()
    torch.testing.assert_close(module(randn(2, 4)), expected(randn(2, 4)))


def test_train_and_eval_switch_dropout(solution: Any) -> None:
    module, _ = loaded(solution)
    x = randn(8, 4, dtype=torch.float32)
    assert torch.equal(module(x), module(x))
    module.train()
    assert not torch.equal(module(x), module(x))


def test_state_dict_names_are_the_submissions(solution: Any) -> None:
    assert list(solution.Mixer(4).state_dict()) == [
        "scale", "offset", "inner.0.weight", "inner.0.bias", "out.weight"
    ]  # fmt: skip


def test_wrong_names_are_a_finding_that_lists_them(remote: Solution) -> None:
    module = remote.Mixer(4)
    state = {**module.state_dict(), "extra": torch.zeros(1)}
    del state["out.weight"]
    state["scale"] = torch.zeros(2)
    with pytest.raises(CheckFailed) as failure:
        module.load_state_dict(state)
    assert failure.value.finding["missing"] == ["extra"]
    assert failure.value.finding["extra"] == ["out.weight"]
    assert failure.value.finding["misshapen"] == [["scale", [], [2]]]


def test_a_module_with_given_weights_is_made_with_its_first_calls(remote: Solution) -> None:
    expected = plain_module().Mixer(4).eval()
    module = remote.Mixer.loaded(expected, 4).eval()
    x = randn(2, 4, dtype=torch.float32)
    before = remote._connection.exchanges
    assert_same(module, expected, (x,), (x, x), gradients=True)
    assert_same(module, expected, (x,))
    assert remote._connection.exchanges - before == 2
    torch.testing.assert_close(module(x), expected(x))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_float_buffers_are_converted_before_calls_in_another_dtype(remote: Solution, dtype: torch.dtype) -> None:
    """The calls that came with the request to make the module had to be sent again."""
    expected = plain_module().Mixer(4).eval().to(dtype)
    module = remote.Mixer.loaded(expected, 4).eval()
    x = randn(2, 4, dtype=dtype)
    before = remote._connection.exchanges
    call = Call((x,)) if dtype is torch.float64 else Call((x.bfloat16(),), dtype=torch.bfloat16)
    (found,) = perform(module, [call])
    torch.testing.assert_close(found.value, perform(expected, [call])[0].value)
    assert found.value.dtype is call.arguments[0].dtype
    assert remote._connection.exchanges - before == 2
    assert remote.mixed() == 1
    assert_same(module, expected, (x,), gradients=True)


def test_a_module_without_buffers_is_made_with_its_first_calls_in_any_dtype(remote: Solution) -> None:
    expected = torch.nn.Linear(4, 3).double()
    module = remote.Layer.loaded(expected, 4, 3)
    x = randn(2, 4)
    before = remote._connection.exchanges
    assert_same(module, expected, (x,), gradients=True)
    assert remote._connection.exchanges - before == 1
    with pytest.raises(CheckFailed):
        perform(remote.Layer.loaded(torch.nn.Linear(4, 4).double(), 4, 3), [Call((x,))])


@pytest.mark.parametrize("use", ["state_dict", "named_buffers", "double"])
def test_what_asks_for_buffers_makes_the_module(remote: Solution, use: str) -> None:
    expected = plain_module().Mixer(4).eval()
    module = remote.Mixer.loaded(expected, 4).eval()
    assert {"offset"} <= set(dict(getattr(module, use)())) if use != "double" else module.double()
    expected.to(next(module.parameters()).dtype)
    x = randn(2, 4).to(next(module.parameters()).dtype)
    torch.testing.assert_close(module(x), expected(x))


def test_given_weights_of_other_names_or_shapes_are_a_finding(remote: Solution) -> None:
    x = randn(2, 4, dtype=torch.float32)
    module = remote.Mixer.loaded(plain_module().Mixer(4, 5), 4)
    with pytest.raises(CheckFailed) as failure:
        perform(module, [Call((x,))])
    assert failure.value.finding["missing"] == failure.value.finding["extra"] == []
    assert ["out.weight", [4, 3], [4, 5]] in failure.value.finding["misshapen"]
    with pytest.raises(CheckFailed) as failure:
        perform(remote.Mixer.loaded(torch.nn.Linear(4, 4), 4), [Call((x,))])
    assert "bias" in failure.value.finding["missing"]
    assert "scale" in failure.value.finding["extra"]


def test_an_exception_while_a_module_is_made_is_told_with_the_first_call(remote: Solution) -> None:
    module = remote.Mixer.loaded(plain_module().Mixer(4), "four")
    with pytest.raises(SubmissionFailed) as failure:
        perform(module, [Call((randn(2, 4, dtype=torch.float32),))])
    assert failure.value.verdict == "RTE"


def test_a_changed_input_is_a_finding_that_names_it(remote: Solution) -> None:
    with pytest.raises(CheckFailed) as failure:
        remote.scale_in_place(randn(2))
    assert failure.value.finding == {"code": "input_changed", "argument": "x"}


def test_an_exception_carries_line_and_message(remote: Solution) -> None:
    with pytest.raises(SubmissionFailed) as failure:
        remote.attention(randn(2, 3), randn(4, 5), randn(2, 3))
    assert failure.value.verdict == "RTE"
    assert failure.value.finding["line"] == 8
    assert "solution.py" in failure.value.traceback
    assert "child.py" not in failure.value.traceback


def test_second_derivatives_are_refused_not_wrong(remote: Solution) -> None:
    x = randn(2, 3).requires_grad_()
    (gradient,) = torch.autograd.grad(remote.kept_history(x).square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError):
        gradient.sum().backward()


def test_names_outside_the_problem_do_not_exist(remote: Solution) -> None:
    with pytest.raises(AttributeError, match="attention"):
        _ = remote.os


def test_a_graph_from_before_the_source_is_loaded_anew_takes_no_other_along(remote: Solution) -> None:
    connection = remote._connection
    q, k, v = randn(3, 1, 2, 3, 4).unbind()
    old = remote.attention(q.clone().requires_grad_(), k, v)
    connection.load(SOURCE.read_bytes(), KINDS, [], 20)
    connection.start_case(1)
    leaf = q.clone().requires_grad_()
    new = Solution(connection, KINDS).attention(leaf, k, v)
    del old
    new.sum().backward()
    assert leaf.grad is not None
