"""Calls of a submission's functions and modules in the sandbox: many in one frame, or one that is differentiated later.

perform   `judge.remote.calls.Call`s to `Outcome`s, one round trip
call      as a test writes it, `solution.attention(q, k, v)`: an autograd.Function whose backward is a round trip
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from judge.compare import asked
from judge.remote.calls import Call, Outcome, given_cotangents
from judge.remote.connection import Answer, Connection
from sandbox import wire


class Weights(Protocol):
    """What a call needs of the module that it calls."""

    training: bool

    def making(self, tensors: list[Tensor], *, converting: bool) -> list[dict[str, Any]]:
        """The request that makes it, where that has not been sent yet; `tensors` grows by what it refers to.

        `converting`: the calls that come with it want another dtype than the module is made in.
        """

    def made(self, answer: Answer) -> bool:
        """Takes what came back; False where the calls that came with it must be sent again. Raises CheckFailed."""

    def settle(self) -> None:
        """Makes it now."""

    def held_parameters(self) -> dict[str, Tensor]:
        """By name."""

    def changed_weights(self) -> dict[str, Tensor]:
        """Parameters and buffers that differ from what was last sent."""

    def weights_as(self, dtype: torch.dtype) -> dict[str, Tensor]:
        """All of them in another dtype, for one call."""


@dataclass(frozen=True)
class Target:
    """What is called: a function by name, or a module by its handle. `label` is the name that tests use."""

    connection: Connection
    target: str | int
    label: str
    module: Weights | None = None

    @property
    def parameters(self) -> dict[str, Tensor]:
        return self.module.held_parameters() if self.module else {}


def encoded(arguments: Sequence[Any], keywords: Mapping[str, Any], tensors: list[Tensor]) -> dict[str, Any]:
    """The arguments of a call as the child reads them; `tensors` grows by what they refer to."""
    return {
        "arguments": [wire.encode_value(_unwrapped(value), tensors) for value in arguments],
        "keywords": {key: wire.encode_value(_unwrapped(value), tensors) for key, value in keywords.items()},
    }


def _unwrapped(value: Any) -> Any:
    return tuple(value) if isinstance(value, torch.Size) else value


def _request(
    target: Target, arguments: Sequence[Any], keywords: Mapping[str, Any], tensors: list[Tensor],
    asking: Call, parameters: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    request = {"do": "call", "target": target.target, "label": target.label, "gradients": [], "cotangents": None,
               "trace": asking.trace, "measure": asking.measure, "state": asking.state,
               "parameters": list(parameters), **encoded(arguments, keywords, tensors)}  # fmt: skip
    module = target.module
    if module is not None:
        request["training"] = module.training
        request["weights"] = {}
        weights = module.changed_weights() if asking.dtype is None else module.weights_as(asking.dtype)
        for name, tensor in weights.items():
            tensors.append(tensor.detach())
            request["weights"][name] = len(tensors) - 1
    return request


def perform(target: Target, calls: Sequence[Call]) -> list[Outcome]:
    """All calls in one frame; gradients include those of a module's parameters."""
    module = target.module
    tensors: list[Tensor] = []
    weights = list(target.parameters)
    making = module.making(tensors, converting=any(call.dtype is not None for call in calls)) if module else []
    requests, places = [], []
    for call in calls:
        request, place = _request_with_gradients(target, call, weights, tensors)
        requests.append(request)
        places.append(place)
    made = module.made if module and making else None
    answers = target.connection.calls([*making, *requests], tensors, made)[len(making) :]
    if len(answers) < len(requests):
        return perform(target, calls)
    return [
        _outcome(target.connection, request, place, weights, *answer)
        for request, place, answer in zip(requests, places, answers, strict=True)
    ]


def _request_with_gradients(
    target: Target, call: Call, weights: Sequence[str], tensors: list[Tensor]
) -> tuple[dict[str, Any], dict[int, int]]:
    """The request, and the number of each float argument's tensor by position."""
    mark = len(tensors)
    if call.cotangents is None:
        return _request(target, call.arguments, {}, tensors, call), {}
    request = _request(target, call.arguments, {}, tensors, call, weights)
    given = given_cotangents(call)
    place: dict[int, int] = {}
    for position, tree in enumerate(request["arguments"]):
        number = tree.get("t") if isinstance(tree, dict) else None
        if number is not None and number >= mark and tensors[number].is_floating_point():
            place[position] = number
    request["gradients"] = list(place.values())
    request["cotangents"] = list(range(len(tensors), len(tensors) + len(given)))
    tensors.extend(given)
    return request, place


def _outcome(
    connection: Connection, request: dict[str, Any], place: dict[int, int], weights: Sequence[str],
    reply: dict[str, Any], received: list[Tensor],
) -> Outcome:  # fmt: skip
    outcome = Outcome(connection.value(reply.get("value"), received))
    if request["measure"]:
        outcome.measured = connection.measured(reply.get("measured"))
    if request["cotangents"] is not None:
        found = reply.get("gradients")
        outcome.detached = found is None
        if found is not None:
            if not isinstance(found, list) or len(found) != len(place) + len(weights):
                raise connection.session.garbled()
            gradients = [None if n is None else connection.tensor(n, received) for n in found]
            outcome.gradients = dict(zip(place, gradients, strict=False))
            outcome.parameters = dict(zip(weights, gradients[len(place) :], strict=True))
    return outcome


def call(target: Target, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """One call as a test writes it; hangs in the autograd graph where an input or a weight wants a gradient."""
    connection = target.connection
    if target.module:
        target.module.settle()
    names = connection.argument_names.get(target.label, ())
    asked.set({**{names[n] if n < len(names) else str(n): a for n, a in enumerate(arguments)}, **keywords})
    tensors: list[Tensor] = []
    request = _request(target, arguments, keywords, tensors, Call(arguments))
    inputs = [n for n, t in enumerate(_inputs(arguments, keywords)) if t.requires_grad]
    trained = {name: weight for name, weight in target.parameters.items() if weight.requires_grad}
    if not torch.is_grad_enabled() or not (inputs or trained):
        ((reply, received),) = connection.calls([request], tensors)
        return connection.value(reply.get("value"), received)
    request["gradients"], request["parameters"] = inputs, list(trained)
    originals = _inputs(arguments, keywords)
    remote = _Remote(connection, request, tensors, {})
    results = _RemoteCall.apply(remote, *[originals[n] for n in inputs], *trained.values())  # type: ignore[no-untyped-call]
    results = results if isinstance(results, tuple) else (results,)
    return connection.value(remote.reply.get("value"), [*results, *remote.rest])


def _inputs(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Tensor]:
    """The tensors of a call in the order in which they are encoded."""
    found: list[Tensor] = []
    for value in [*arguments, *keywords.values()]:
        wire.encode_value(_unwrapped(value), found)
    return found


class _Remote:
    """What forward and backward of one remote call share."""

    def __init__(
        self, connection: Connection, request: dict[str, Any], tensors: list[Tensor], reply: dict[str, Any]
    ) -> None:
        self.connection, self.request, self.tensors, self.reply = connection, request, tensors, reply
        self.attached: list[int] = []
        self.rest: list[Tensor] = []


class _RemoteCall(torch.autograd.Function):
    """A call in the sandbox as a node of the host's graph."""

    @staticmethod
    def forward(ctx: Any, remote: _Remote, *inputs: Tensor) -> Any:
        connection = remote.connection
        ((reply, received),) = connection.calls([remote.request], remote.tensors)
        remote.reply.update(reply)
        attached = reply.get("attached")
        if not isinstance(attached, list) or len(attached) > len(received):
            raise connection.session.garbled()
        if not all(type(n) is int and 0 <= n < len(received) for n in attached):
            raise connection.session.garbled()
        remote.attached = list(dict.fromkeys(attached))
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(torch.empty(0))  # freed as a real graph is: a second backward raises
        ctx.remote, ctx.count = remote, len(inputs)
        ctx.kinds = [(tensor.shape, tensor.dtype) for tensor in inputs]
        if attached:
            graph = reply.get("graph")
            if type(graph) is not int:
                raise connection.session.garbled()
            ctx.graph = graph
            weakref.finalize(remote, connection.released.append, graph)
        hanging = set(attached)
        loose = [tensor for n, tensor in enumerate(received) if n not in hanging]
        ctx.mark_non_differentiable(*loose)
        remote.tensors = []
        return tuple(received) or torch.zeros(0)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *cotangents: Tensor | None) -> Any:
        _ = ctx.saved_tensors
        remote = ctx.remote
        connection = remote.connection
        pairs = [(k, cotangents[n]) for k, n in enumerate(remote.attached) if cotangents[n] is not None]
        if not pairs:
            return (None,) * (ctx.count + 1)
        request = {"do": "backward", "graph": ctx.graph, "cotangents": [[k, i] for i, (k, _) in enumerate(pairs)]}
        ((reply, received),) = connection.calls([request], [c for _, c in pairs])
        found = reply.get("gradients")
        if not isinstance(found, list) or len(found) != ctx.count:
            raise connection.session.garbled()
        gradients = [None if n is None else connection.tensor(n, received) for n in found]
        if any(g is not None and (g.shape, g.dtype) != kind for g, kind in zip(gradients, ctx.kinds, strict=True)):
            raise connection.session.garbled()
        return (None, *gradients)
