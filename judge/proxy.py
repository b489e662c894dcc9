"""The stand-in for the learner's module that tests get as `solution`.

    solution.attention(q, k, v)                 a call in the sandbox; raw tensors come back
    solution.CausalMultiHeadAttention(64, 4)    a real nn.Module here: its weights live on the host and travel when
                                                they changed, so state_dict, parameters, double, train, eval are torch's own
    ....backward(), autograd.gradcheck          a remote call is an autograd.Function: its backward asks the sandbox
                                                for the vector-Jacobian product

What the submission does wrong becomes one of two exceptions: `CheckFailed` (a wrong answer) or `SubmissionFailed` (an
exception in its code, a restricted function). How its process ends is `sandbox.SessionEnded`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from judge.calls import Call, Outcome, float_tensors
from judge.checks import CheckFailed, compare_parameters
from judge.model import Finding, Verdict
from sandbox import Session, wire

_MEGABYTE = 1 << 20


class SubmissionFailed(Exception):
    """The submission's code raised, or did what it may not. Carries verdict, finding and the learner's own frames."""

    def __init__(self, verdict: Verdict, finding: Finding, traceback: str = "") -> None:
        self.verdict, self.finding, self.traceback = verdict, finding, traceback
        super().__init__(str(finding))


class Connection:
    """A session and what is counted over it: exchanges, and the submission's wall time in them."""

    def __init__(self, session: Session, argument_names: Mapping[str, Sequence[str]] | None = None) -> None:
        self.session = session
        self.time_left = session.limits.time_s
        self.time_used = 0.0
        self.exchanges = 0
        self.released: list[int] = []
        self.argument_names = argument_names or {}
        self.handles = 0
        self.log: list[tuple[bytes, wire.Frame]] = []
        """Requests and answers of the current case, for the diagnosis."""

    def start_case(self) -> None:
        """Each case has the whole time limit."""
        self.time_left, self.time_used = self.session.limits.time_s, 0.0
        self.log = []

    def load(self, source: bytes, names: Mapping[str, str], forbidden: Sequence[str], seconds: float) -> None:
        """Loads the source. Raises SubmissionFailed (CE, RTE, MLE, RF) or SessionEnded."""
        content = torch.frombuffer(bytearray(source) or bytearray(b"\n"), dtype=torch.uint8)
        header = {"op": "load", "names": dict(names), "forbidden": list(forbidden)}
        reply = self._exchange(header, [content], seconds).header
        if reply.get("ok") is not True:
            raise _load_failure(reply.get("error"), self)

    def calls(self, calls: list[dict[str, Any]], tensors: list[Tensor]) -> list[tuple[dict[str, Any], list[Tensor]]]:
        """Makes the calls in one frame; each result as its dict and the frame's tensors."""
        header = {"op": "calls", "release": self.released.copy(), "calls": calls}
        self.released.clear()
        frame = self._exchange(header, tensors, self.time_left)
        results = frame.header.get("results")
        if not isinstance(results, list) or len(results) > len(calls):
            raise self.session.garbled()
        for call, result in zip(calls, results, strict=False):
            if not isinstance(result, dict):
                raise self.session.garbled()
            self._raise_findings(call, result)
        if "error" in frame.header:
            raise _failure(frame.header["error"], self)
        if len(results) != len(calls):
            raise self.session.garbled()
        return [(result, frame.tensors) for result in results]

    def _exchange(self, header: dict[str, Any], tensors: list[Tensor], seconds: float) -> wire.Frame:
        request = wire.encode(header, tensors)
        head, body, took = self.session.exchange(request, seconds)
        self.exchanges += 1
        self.time_used += took
        self.time_left -= took
        try:
            frame = wire.decode(head, body, contiguous=True)
        except wire.WireError:
            raise self.session.garbled() from None
        self.log.append((request, frame))
        return frame

    def _raise_findings(self, call: dict[str, Any], result: dict[str, Any]) -> None:
        if "error" in result:
            raise _failure(result["error"], self)
        changed = result.get("changed")
        if isinstance(changed, list) and changed:
            raise CheckFailed("input_changed", argument=self._argument(call, changed[0]))
        if "foreign" in result:
            name = clean(result["foreign"], 200)
            if name == "coroutine":
                raise CheckFailed("coroutine")
            raise CheckFailed("foreign", got=name)
        if "too_large" in result:
            size = result.get("bytes")
            shape = [n for n in result["too_large"] if type(n) is int] if isinstance(result["too_large"], list) else []
            raise CheckFailed("too_large", got=shape, megabytes=size // _MEGABYTE if type(size) is int else 0)
        if "not_module" in result:
            raise CheckFailed("not_module", name=call["target"], got=clean(result["not_module"], 200))

    def _argument(self, call: dict[str, Any], position: Any) -> str:
        names = self.argument_names.get(str(call.get("label", call.get("target"))), ())
        if type(position) is int and 0 <= position < len(names):
            return names[position]
        return clean(position, 100)

    def value(self, tree: Any, tensors: list[Tensor]) -> Any:
        """A decoded result; what cannot travel is a wrong answer that names its type."""
        try:
            value = wire.decode_value(tree, tensors)
        except wire.WireError:
            raise self.session.garbled() from None
        return _refuse_other(value)

    def tensor(self, number: Any, tensors: list[Tensor]) -> Tensor:
        if type(number) is not int or not 0 <= number < len(tensors):
            raise self.session.garbled()
        return tensors[number]


def _refuse_other(value: Any) -> Any:
    if isinstance(value, wire.Other):
        name = clean(value.name, 200)
        raise CheckFailed("coroutine") if name == "coroutine" else CheckFailed("foreign", got=name)
    if isinstance(value, (list, tuple)):
        return type(value)(_refuse_other(item) for item in value)
    if isinstance(value, dict):
        return {key: _refuse_other(item) for key, item in value.items()}
    return clean(value, 10_000) if isinstance(value, str) else value


def clean(text: Any, cap: int) -> str:
    """Text from a submission: bounded, and without lone surrogates, which no database takes."""
    return str(text)[:cap].encode("utf-8", "replace").decode("utf-8")


def _error_fields(error: Any, connection: Connection) -> tuple[str, str, str, int | None, str]:
    if not isinstance(error, dict):
        raise connection.session.garbled()
    line = error.get("line")
    return (
        str(error.get("kind")),
        clean(error.get("type", ""), 100),
        clean(error.get("message", ""), 2000),
        line if type(line) is int and 0 < line < 1 << 31 else None,
        clean(error.get("traceback", ""), 8000),
    )


def _failure(error: Any, connection: Connection) -> SubmissionFailed:
    kind, name, message, line, traceback = _error_fields(error, connection)
    if kind == "restricted":
        return SubmissionFailed("RF", {"code": "restricted", "name": message, "line": line}, traceback)
    if kind == "memory":
        return SubmissionFailed("MLE", {"code": "memory", "limit": connection.session.limits.memory_mb}, traceback)
    return SubmissionFailed("RTE", {"code": "exception", "type": name, "message": message, "line": line}, traceback)


def _load_failure(error: Any, connection: Connection) -> SubmissionFailed:
    kind, name, message, line, traceback = _error_fields(error, connection)
    if kind == "syntax":
        column = error.get("column") if type(error.get("column")) is int else 1
        return SubmissionFailed("CE", syntax_finding(line or 1, column, message, clean(error.get("text", ""), 200),
                                                     clean(error.get("character", ""), 1)))  # fmt: skip
    if kind == "missing":
        found = [clean(item, 60) for item in error.get("found", []) if isinstance(item, str)][:20]
        return SubmissionFailed("CE", {"code": "missing_name", "name": clean(error.get("name"), 100),
                                       "found": ", ".join(found) or "-"})  # fmt: skip
    if kind == "not_callable":
        return SubmissionFailed("CE", {"code": "not_callable", "name": clean(error.get("name"), 100),
                                       "got": clean(error.get("got"), 100),
                                       "expected": clean(error.get("expected"), 20)})  # fmt: skip
    if kind == "load":
        return SubmissionFailed("CE", {"code": "load", "type": name, "message": message, "line": line}, traceback)
    return _failure(error, connection)


def syntax_finding(line: int, column: int, message: str, text: str, character: str) -> Finding:
    """The finding for a source that does not compile; names the plain character for a full-width one."""
    from sandbox.source import PLAIN

    finding = {"code": "syntax", "line": line, "column": column, "message": message, "text": text}
    if character in PLAIN:
        finding |= {"code": "full_width", "character": character, "plain": PLAIN[character]}
    return finding


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


class RemoteModule(nn.Module):
    """A module of the submission. Parameters and buffers are mirrored by name; `forward` runs in the sandbox."""

    def __init__(
        self, connection: Connection, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> None:
        super().__init__()
        tensors: list[Tensor] = []
        handle = connection.handles = connection.handles + 1
        call = {"do": "construct", "target": name, "handle": handle, **_encoded(arguments, keywords, tensors)}
        ((reply, received),) = connection.calls([call], tensors)
        self.__dict__.update(_connection=connection, _name=name, _sent={}, _handle=handle)
        _mirror(self, reply, received, connection)

    def forward(self, *arguments: Any, **keywords: Any) -> Any:
        return _call(self._connection, self._destination(), dict(self.named_parameters()), arguments, keywords)

    def perform_calls(self, calls: Sequence[Call]) -> list[Outcome]:
        """All calls in one frame; gradients include those of every parameter."""
        return _perform(self._connection, self._destination(), dict(self.named_parameters()), calls)

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
        for name, tensor in [*self.named_parameters(), *self.named_buffers()]:
            mark = (tensor.data_ptr(), tensor._version, tensor.dtype, tuple(tensor.shape))
            if self._sent.get(name, (None,))[0] != mark:
                self._sent[name] = (mark, tensor.detach())  # keeps the memory, so that its address stays taken
                changed[name] = tensor
        return changed


def _mirror(module: RemoteModule, reply: dict[str, Any], received: list[Tensor], connection: Connection) -> None:
    """Builds the tree of plain modules that carries the submission's parameters and buffers."""
    parameters, buffers = reply.get("parameters"), reply.get("buffers")
    if not isinstance(parameters, list) or not isinstance(buffers, list):
        raise connection.session.garbled()
    for entries, is_parameter in ((parameters, True), (buffers, False)):
        for entry in entries:
            if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str) and len(entry[0]) < 300):
                raise connection.session.garbled()
            tensor = connection.tensor(entry[1], received).clone()
            *folders, last = clean(entry[0], 300).split(".")
            owner: nn.Module = module
            try:
                for folder in folders:
                    if folder not in owner._modules:
                        owner.add_module(folder, nn.Module())
                    owner = owner.get_submodule(folder)
                if is_parameter:
                    wants = bool(entry[2]) and (tensor.is_floating_point() or tensor.is_complex())
                    owner.register_parameter(last, nn.Parameter(tensor, requires_grad=wants))
                else:
                    owner.register_buffer(last, tensor, persistent=bool(entry[2]))
            except (KeyError, AttributeError, TypeError):
                raise CheckFailed("parameters", missing=[], extra=[clean(entry[0], 300)], misshapen=[]) from None
    for name, value in [*module.named_parameters(), *module.named_buffers()]:
        mark = (value.data_ptr(), value._version, value.dtype, tuple(value.shape))
        module._sent[name] = (mark, value.detach())


def _encoded(arguments: Sequence[Any], keywords: Mapping[str, Any], tensors: list[Tensor]) -> dict[str, Any]:
    return {
        "arguments": [wire.encode_value(_unwrapped(value), tensors) for value in arguments],
        "keywords": {key: wire.encode_value(_unwrapped(value), tensors) for key, value in keywords.items()},
    }


def _unwrapped(value: Any) -> Any:
    return tuple(value) if isinstance(value, torch.Size) else value


def _request(
    destination: dict[str, Any], arguments: Sequence[Any], keywords: Mapping[str, Any], tensors: list[Tensor],
    *, trace: bool = False, parameters: Sequence[str] = (), ship: bool = True,
) -> dict[str, Any]:  # fmt: skip
    call = {"do": "call", "target": destination["target"], "trace": trace, "gradients": [], "cotangents": None,
            "parameters": list(parameters), **_encoded(arguments, keywords, tensors)}  # fmt: skip
    if "module" in destination:
        call["label"] = destination["label"]
        call["training"] = destination["module"].training
        call["weights"] = {}
        for name, tensor in (destination["module"].changed_weights() if ship else {}).items():
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
        request = _request(destination, call.arguments, {}, tensors, trace=call.trace,
                           parameters=list(weights) if wanted else ())  # fmt: skip
        place: dict[int, int] = {}
        if wanted:
            given = [call.cotangents] if isinstance(call.cotangents, Tensor) else list(call.cotangents or [])
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
    for (reply, received), place, request in zip(connection.calls(requests, tensors), places, requests, strict=True):
        outcome = Outcome(connection.value(reply.get("value"), received))
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
    return connection.value(remote.reply["value"], [*results, *remote.rest])


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
        if not isinstance(attached, list) or not all(type(n) is int and 0 <= n < len(received) for n in attached):
            raise connection.session.garbled()
        remote.attached = attached
        ctx.set_materialize_grads(False)
        ctx.remote, ctx.count = remote, len(inputs)
        if attached:
            graph = reply.get("graph")
            if type(graph) is not int:
                raise connection.session.garbled()
            ctx.graph = graph
            weakref.finalize(remote, connection.released.append, graph)
        loose = [tensor for n, tensor in enumerate(received) if n not in attached]
        ctx.mark_non_differentiable(*loose)
        remote.tensors = []
        return tuple(received) or torch.zeros(0)

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, *cotangents: Tensor | None) -> Any:
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
        return (None, *(None if n is None else connection.tensor(n, received) for n in found))


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


__all__ = ["Connection", "RemoteFunction", "RemoteModule", "Solution", "SubmissionFailed", "argument_names", "clean",
           "float_tensors", "reference_names", "syntax_finding"]  # fmt: skip
