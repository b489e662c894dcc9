"""The stand-in for the learner's module that tests get as `solution`.

solution.attention(q, k, v)                 a call in the sandbox; raw tensors come back
solution.CausalMultiHeadAttention(64, 4)    a real nn.Module here: its weights live on the host and travel when
                                            they changed, so state_dict, parameters, double, train, eval are torch's own
....backward(), autograd.gradcheck          a remote call is an autograd.Function: its backward asks the sandbox
                                            for the vector-Jacobian product

"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from judge.calls import Call, Outcome, given_cotangents
from judge.compare import CheckFailed, asked, compare_parameters
from judge.connection import Connection, clean
from sandbox import wire


class Solution:
    """`solution` in a test: its attributes are the names that the problem asks for, and nothing else."""

    def __init__(self, connection: Connection, names: Mapping[str, str]) -> None:
        self._connection, self._names = connection, dict(names)

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            raise AttributeError(f"this problem's submissions define {', '.join(self._names)}, not {name!r}")
        if self._names[name] == "class":
            return lambda *arguments, **keywords: RemoteModule(self._connection, name, arguments, keywords)
        return RemoteFunction(self._connection, name)


class RemoteFunction:
    """A function of the submission."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection, self._target = connection, name
        self.__name__ = name

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return _call(self._connection, {"target": self._target}, {}, arguments, keywords)

    def perform_calls(self, calls: Sequence[Call]) -> list[Outcome]:
        """All calls in one frame, see `judge.calls`."""
        return _perform(self._connection, {"target": self._target}, {}, calls)


MAX_WEIGHTS, MAX_NESTING = 1000, 16
"""Parameters and buffers of one module, and the depth of their names."""
Mark = tuple[int, int, torch.dtype, tuple[int, ...]]


def _mark(tensor: Tensor) -> Mark:
    """Changes whenever the tensor's memory, values, dtype or shape may have."""
    return tensor.data_ptr(), tensor._version, tensor.dtype, tuple(tensor.shape)


Place = tuple[str, dict[str, Any], str]
"""Name of a parameter or buffer, and the table and key where its module holds it (`to` puts new buffers there)."""


def _held(places: list[Place]) -> dict[str, Tensor]:
    return {name: table[key] for name, table, key in places}


class RemoteModule(nn.Module):
    """A module of the submission. Parameters and buffers are mirrored by name; `forward` runs in the sandbox."""

    _connection: Connection
    _name: str
    _handle: int
    _sent: dict[str, tuple[Mark | None, Tensor]]
    _parameter_places: list[Place]
    _buffer_places: list[Place]

    def __init__(self, connection: Connection, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        super().__init__()
        tensors: list[Tensor] = []
        handle = connection.handles = connection.handles + 1
        call = {"do": "construct", "target": name, "handle": handle, **_encoded(arguments, keywords, tensors)}
        ((reply, received),) = connection.calls([call], tensors)
        self.__dict__.update(_connection=connection, _name=name, _handle=handle, _sent={},
                             _parameter_places=[], _buffer_places=[])  # fmt: skip
        _mirror(self, reply, received, connection)

    def forward(self, *arguments: Any, **keywords: Any) -> Any:
        return _call(self._connection, self._destination(), _held(self._parameter_places), arguments, keywords)

    def perform_calls(self, calls: Sequence[Call]) -> list[Outcome]:
        """All calls in one frame; gradients include those of every parameter."""
        return _perform(self._connection, self._destination(), _held(self._parameter_places), calls)

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """As torch's, but what does not match is a finding, and buffers that only the submission has are let be."""
        if strict:
            own = {name: tuple(p.shape) for name, p in self.named_parameters()}
            buffers = {name for name, _ in self.named_buffers()}
            compare_parameters(own, {n: tuple(t.shape) for n, t in state_dict.items() if n not in buffers})
        return super().load_state_dict(state_dict, strict=False, assign=assign)

    def _destination(self) -> dict[str, Any]:
        return {"target": self._handle, "label": self._name, "module": self}

    def changed_weights(self) -> dict[str, Tensor]:
        """Parameters and buffers that differ from what was last sent."""
        changed = {}
        for name, tensor in _held(self._parameter_places + self._buffer_places).items():
            mark = _mark(tensor)
            if self._sent[name][0] != mark:
                self._sent[name] = (mark, tensor.detach())  # keeps the memory: its address stays taken
                changed[name] = tensor
        return changed

    def weights_as(self, dtype: torch.dtype) -> dict[str, Tensor]:
        """All float parameters and buffers in another dtype. They count as never sent: the next call brings its own."""
        changed = self.changed_weights()
        for name, tensor in _held(self._parameter_places + self._buffer_places).items():
            if tensor.is_floating_point():
                self._sent[name] = (None, tensor.detach())
                changed[name] = tensor.detach().to(dtype)
        return changed


def _mirror(module: RemoteModule, reply: dict[str, Any], received: list[Tensor], connection: Connection) -> None:
    """Builds the tree of plain modules that carries the submission's parameters and buffers."""
    parameters, buffers = reply.get("parameters"), reply.get("buffers")
    if not isinstance(parameters, list) or not isinstance(buffers, list):
        raise connection.session.garbled()
    if len(parameters) + len(buffers) > MAX_WEIGHTS:
        raise connection.session.garbled()
    copied: set[int] = set()
    for entries, is_parameter in ((parameters, True), (buffers, False)):
        for entry in entries:
            if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str) and len(entry[0]) < 300):
                raise connection.session.garbled()
            tensor = connection.tensor(entry[1], received)
            if entry[1] in copied:  # one large tensor under a thousand names
                raise connection.session.garbled()
            copied.add(entry[1])
            tensor = tensor.clone()
            *folders, last = clean(entry[0], 300).split(".")
            if len(folders) > MAX_NESTING:
                raise connection.session.garbled()
            owner: nn.Module = module
            try:
                for folder in folders:
                    if folder not in owner._modules:
                        owner.add_module(folder, nn.Module())
                    owner = owner.get_submodule(folder)
                if is_parameter:
                    wants = bool(entry[2]) and (tensor.is_floating_point() or tensor.is_complex())
                    owner.register_parameter(last, nn.Parameter(tensor, requires_grad=wants))
                    module._parameter_places.append((entry[0], owner._parameters, last))
                else:
                    owner.register_buffer(last, tensor, persistent=bool(entry[2]))
                    module._buffer_places.append((entry[0], owner._buffers, last))
            except (KeyError, AttributeError, TypeError):
                raise CheckFailed("parameters", missing=[], extra=[clean(entry[0], 300)], misshapen=[]) from None
    for name, value in _held(module._parameter_places + module._buffer_places).items():
        module._sent[name] = (_mark(value), value.detach())


def _encoded(arguments: Sequence[Any], keywords: Mapping[str, Any], tensors: list[Tensor]) -> dict[str, Any]:
    return {
        "arguments": [wire.encode_value(_unwrapped(value), tensors) for value in arguments],
        "keywords": {key: wire.encode_value(_unwrapped(value), tensors) for key, value in keywords.items()},
    }


def _unwrapped(value: Any) -> Any:
    return tuple(value) if isinstance(value, torch.Size) else value


def _request(
    destination: dict[str, Any], arguments: Sequence[Any], keywords: Mapping[str, Any], tensors: list[Tensor],
    *, asking: Call | None = None, parameters: Sequence[str] = (), ship: bool = True,
) -> dict[str, Any]:  # fmt: skip
    asking = asking or Call(())
    call = {"do": "call", "target": destination["target"], "gradients": [], "cotangents": None,
            "trace": asking.trace, "measure": asking.measure, "state": asking.state,
            "parameters": list(parameters), **_encoded(arguments, keywords, tensors)}  # fmt: skip
    if "module" in destination:
        module = destination["module"]
        call["label"] = destination["label"]
        call["training"] = module.training
        call["weights"] = {}
        weights = module.changed_weights() if asking.dtype is None else module.weights_as(asking.dtype)
        for name, tensor in (weights if ship else {}).items():
            tensors.append(tensor.detach())
            call["weights"][name] = len(tensors) - 1
    return call


def _perform(
    connection: Connection, destination: dict[str, Any], weights: dict[str, Tensor], calls: Sequence[Call]
) -> list[Outcome]:
    tensors: list[Tensor] = []
    requests, places = [], []
    for call in calls:
        mark = len(tensors)
        wanted = call.cotangents is not None
        request = _request(destination, call.arguments, {}, tensors, asking=call,
                           parameters=list(weights) if wanted else ())  # fmt: skip
        place: dict[int, int] = {}
        if wanted:
            given = given_cotangents(call)
            for position, tree in enumerate(request["arguments"]):
                number = tree.get("t") if isinstance(tree, dict) else None
                if number is not None and number >= mark and tensors[number].is_floating_point():
                    place[position] = number
            request["gradients"] = list(place.values())
            request["cotangents"] = list(range(len(tensors), len(tensors) + len(given)))
            tensors.extend(given)
        requests.append(request)
        places.append(place)
    outcomes = []
    answers = connection.calls(requests, tensors)
    for (reply, received), place, request in zip(answers, places, requests, strict=True):
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
        outcomes.append(outcome)
    return outcomes


def _call(
    connection: Connection, destination: dict[str, Any], weights: dict[str, Tensor],
    arguments: tuple[Any, ...], keywords: dict[str, Any],
) -> Any:  # fmt: skip
    """One call as a test writes it; hangs in the autograd graph where an input or a weight wants a gradient."""
    names = connection.argument_names.get(str(destination.get("label", destination["target"])), ())
    asked.set({**{names[n] if n < len(names) else str(n): a for n, a in enumerate(arguments)}, **keywords})
    tensors: list[Tensor] = []
    request = _request(destination, arguments, keywords, tensors)
    inputs = [n for n, t in enumerate(_inputs(arguments, keywords)) if t.requires_grad]
    trained = {name: weight for name, weight in weights.items() if weight.requires_grad}
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


def reference_names(module: Any, names: Sequence[str]) -> dict[str, str]:
    """For each name "function" or "class", as the reference has it."""
    return {name: "class" if isinstance(getattr(module, name, None), type) else "function" for name in names}


def argument_names(module: Any, names: Sequence[str]) -> dict[str, list[str]]:
    """The arguments' names of each function, or of a class's forward, for messages."""
    found: dict[str, list[str]] = {}
    for name in names:
        target = getattr(module, name, None)
        function: Callable[..., Any] | None = target.forward if isinstance(target, type) else target  # type: ignore[attr-defined]
        code = getattr(function, "__code__", None)
        if code is not None:
            listed = list(code.co_varnames[: code.co_argcount])
            found[name] = listed[1:] if listed[:1] == ["self"] else listed
    return found
