"""The process that runs a submission: reads frames, loads the source, makes calls, answers with raw values.

Operations, one JSON header each (tensors in it are `{"t": n}`, see `sandbox.wire`):

    load    source, names, forbidden                       -> {"ok": ...} or {"error": ...}
    calls   release: [graph...], calls: [call...]          -> results: one of {"value": ...} or {"error": ...} each
            a call is one of
            call       target (name or handle), arguments, gradients, cotangents, weights, training, trace,
                       state (one of `sandbox.states`), measure   -> measured: bytes, shape, flops
            construct  target, arguments, handle (a number)   -> parameters, buffers
                       shapes (of parameters by name)         -> with shapes for the tensors; others end the frame,
                       converting                             and so do float buffers, which the host converts
            backward   graph, cotangents                   -> gradients

Nothing that this process says is believed: an answer holds values, and only right values help it.
What it needs of torch it takes before the submission loads, so that patches there do not reach it.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import importlib.abc
import linecache
import os
import sys
import types
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from sandbox import restrict, wire
from sandbox.findings import (
    MODULE,
    Foreign,
    changed_inputs,
    explain,
    is_own,
    keep_reserve,
    marks,
    name_of,
    require_plain,
)
from sandbox.limits import COLD_STATUS, MEMORY_STATUS
from sandbox.measure import Meter
from sandbox.source import FILENAME, SourceError, compile_source
from sandbox.states import STATES

_grad = torch.autograd.grad
_untouched = torch._C.DisableTorchFunction
_collect = gc.collect
_enable_grad, _no_grad = torch.enable_grad, torch.no_grad


class OnlyLearnersPackages(importlib.abc.MetaPathFinder):
    """Says "No module named ..." for what is installed here but not part of the sandbox.

    Where the sandbox is cold, what would take seconds to import ends the process: see COLD_STATUS.
    """

    def __init__(self, names: frozenset[str], *, cold: bool) -> None:
        self.names, self.cold = names, cold

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if self.cold and fullname == "torch._dynamo":
            os._exit(COLD_STATUS)
        top = fullname.partition(".")[0]
        if top not in self.names and not top.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(f"No module named {top!r} in the sandbox", name=fullname)


class Channel:
    """Frames over two descriptors with plain reads and writes: no socket call is needed in the jail."""

    def __init__(self, source: int, sink: int) -> None:
        self.source, self.sink = source, sink
        self.buffer = bytearray()

    def receive(self) -> wire.Frame | None:
        """The next frame, None at the end."""
        if not self._fill(wire.PREFIX.size):
            return None
        header_size, body_size = wire.read_prefix(bytes(self._take(wire.PREFIX.size)))
        if not self._fill(header_size + body_size):
            return None
        header = bytes(self._take(header_size))
        return wire.decode(header, self._take(body_size))

    def send(self, header: dict[str, Any], tensors: list[Tensor]) -> None:
        data = memoryview(wire.encode(header, tensors, keep_layout=False))
        while data:
            data = data[os.write(self.sink, data) :]

    def _fill(self, size: int) -> bool:
        """Whether that many bytes are in the buffer, or come. A frame is mostly one read."""
        while len(self.buffer) < size:
            chunk = os.read(self.source, max(1 << 16, size - len(self.buffer)))
            if not chunk:
                return False
            self.buffer += chunk
        return True

    def _take(self, size: int) -> bytearray:
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken


class Child:
    """One submission: its module, the modules it made (handles) and the graphs that may still be differentiated."""

    def __init__(self, channel: Channel, imports: OnlyLearnersPackages) -> None:
        self.channel = channel
        self.imports = imports
        self.module = types.ModuleType(MODULE)
        self.forbidden: list[str] = []
        self.handles: dict[int, nn.Module] = {}
        self.graphs: dict[int, tuple[list[Tensor], list[Tensor]]] = {}

    def serve(self) -> None:
        """Answers frames until the host hangs up."""
        while (frame := self.channel.receive()) is not None:
            tensors: list[Tensor] = []
            reply = self._load(frame) if frame.header["op"] == "load" else self._calls(frame, tensors)
            _flush()
            with _untouched():
                self._send(reply, tensors)

    def _send(self, reply: dict[str, Any], tensors: list[Tensor]) -> None:
        """A result that only fails when it is turned into bytes is an exception like any other."""
        try:
            self.channel.send(reply, tensors)
        except (wire.WireError, RuntimeError, TypeError, ValueError) as error:
            self.channel.send({"results": [], "error": explain(error)}, [])

    def _load(self, frame: wire.Frame) -> dict[str, Any]:
        source = frame.tensors[0].numpy().tobytes()
        self.forbidden = frame.header["forbidden"]
        try:
            code = compile_source(source)
        except SourceError as error:
            return {"error": {"kind": "syntax", "line": error.line, "column": error.column, "message": error.message,
                              "text": error.text[:200], "character": error.character}}  # fmt: skip
        again = MODULE in sys.modules
        restrict.install(self.forbidden)
        if self.imports not in sys.meta_path:
            sys.meta_path.insert(0, self.imports)
        self.module = types.ModuleType(MODULE)
        self.handles, self.graphs = {}, {}
        self.module.__file__ = FILENAME
        self.module.__builtins__ = builtins  # type: ignore[attr-defined]
        sys.modules[MODULE] = self.module
        if again:
            _collect()  # the module before it: functions and their globals hold each other
        lines = source.decode("utf-8", "replace").splitlines(keepends=True)
        linecache.cache[FILENAME] = (len(source), None, lines, FILENAME)
        try:
            exec(code, self.module.__dict__)
            restrict.raise_if_used()
        except BaseException as error:
            return {"error": explain(restrict.used() or error)}
        names = self.module.__dict__
        found = [name for name, value in names.items() if not name.startswith("_") and is_own(value)]
        for name, kind in frame.header["names"].items():
            if name not in names:
                return {"error": {"kind": "missing", "name": name, "found": found[:20]}}
            if not (isinstance(names[name], type) if kind == "class" else callable(names[name])):
                return {"error": {"kind": "not_callable", "name": name, "got": type(names[name]).__name__,
                                  "expected": kind}}  # fmt: skip
        return {"ok": True}

    def _calls(self, frame: wire.Frame, tensors: list[Tensor]) -> dict[str, Any]:
        for graph in frame.header["release"]:
            self.graphs.pop(graph, None)
        with _untouched():
            before, marked = bytes(frame.body), marks(frame)
        results: list[dict[str, Any]] = []
        for call in frame.header["calls"]:
            mark = len(tensors)
            try:
                result = getattr(self, f"_do_{call['do']}")(call, frame, tensors)
                restrict.raise_if_used()
            except Foreign as error:
                del tensors[mark:]
                result = error.args[0]
            except BaseException as error:
                del tensors[mark:]
                results.append({"error": explain(restrict.used() or error)})
                break
            with _untouched():
                changed = changed_inputs(call, frame, before, marked)
            if changed:
                result["changed"] = changed
                before, marked = bytes(frame.body), marks(frame)
            results.append(result)
            if call["do"] == "construct" and _differs(call, result, tensors):
                break
        return {"results": results}

    def _do_call(self, call: dict[str, Any], frame: wire.Frame, tensors: list[Tensor]) -> dict[str, Any]:
        target = call["target"]
        weights: dict[str, Tensor] = {}
        function: Callable[..., Any]
        if isinstance(target, int):
            function = module = self.handles[target]
            _update(module, call, frame)
            if call["parameters"]:
                own = dict(module.named_parameters())
                weights = {name: own[name] for name in call["parameters"] if name in own}
        else:
            function = getattr(self.module, target)
        with _untouched():
            leaves = {position: frame.tensors[position] for position in call["gradients"]}
            for leaf in leaves.values():
                leaf.requires_grad_(True)
            arguments = [wire.decode_value(item, frame.tensors) for item in call["arguments"]]
            keywords = {key: wire.decode_value(item, frame.tensors) for key, item in call["keywords"].items()}
        wanted = bool(leaves or weights)
        meter = Meter() if call.get("measure") else None
        with contextlib.ExitStack() as stack:
            stack.enter_context(_enable_grad() if wanted else _no_grad())
            if call.get("state") is not None:
                stack.enter_context(STATES[call["state"]]())
            if call["trace"]:
                stack.enter_context(restrict.FunctionWatch(self.forbidden))
                stack.enter_context(restrict.OperatorWatch(self.forbidden))
            if meter:
                stack.enter_context(restrict.FunctionWatch([]))  # without it nn.MultiheadAttention is one operator
                stack.enter_context(meter)
            value = function(*arguments, **keywords)
        reply: dict[str, Any] = {}
        if meter:
            reply["measured"] = {"bytes": meter.largest_bytes, "shape": meter.shape, "flops": meter.flops}
        with _untouched():
            mark = len(tensors)
            reply["value"] = wire.encode_value(value, tensors, name_of)
            results = tensors[mark:]
            for result in results:
                require_plain(result)
        if wanted:
            inputs = [*leaves.values(), *weights.values()]
            self._differentiate(call, frame, reply, results, inputs, list(weights), tensors)
        return reply

    def _differentiate(
        self, call: dict[str, Any], frame: wire.Frame, reply: dict[str, Any], results: list[Tensor],
        inputs: list[Tensor], weights: list[str], tensors: list[Tensor],
    ) -> None:  # fmt: skip
        """Either pulls the cotangents back at once, or keeps the graph for a later `backward`."""
        reply["attached"] = [number for number, result in enumerate(results) if result.requires_grad]
        if call["cotangents"] is None:
            if reply["attached"]:
                number = len(self.graphs) and max(self.graphs) + 1
                self.graphs[number] = ([results[i] for i in reply["attached"]], inputs)
                reply["graph"] = number
            return
        floats = [result for result in results if result.is_floating_point()]
        given = [frame.tensors[number] for number in call["cotangents"]]
        fits = len(floats) == len(given) and all(
            f.shape == g.shape and f.dtype == g.dtype for f, g in zip(floats, given, strict=True)
        )
        pairs = [(f, g) for f, g in zip(floats, given, strict=False) if f.requires_grad] if fits else []
        reply["gradients"] = _pull_back(pairs, inputs, tensors) if pairs else None

    def _do_construct(self, call: dict[str, Any], frame: wire.Frame, tensors: list[Tensor]) -> dict[str, Any]:
        arguments = [wire.decode_value(item, frame.tensors) for item in call["arguments"]]
        keywords = {key: wire.decode_value(item, frame.tensors) for key, item in call["keywords"].items()}
        made = getattr(self.module, call["target"])(*arguments, **keywords)
        if not isinstance(made, nn.Module):
            return {"not_module": name_of(made)}
        self.handles[call["handle"]] = made
        with _untouched():
            sent = _sent if call["shapes"] is None else _shape
            parameters = [[name, sent(p, tensors), p.requires_grad] for name, p in made.named_parameters()]
            persistent = made.state_dict().keys()
            buffers = [[name, _sent(b, tensors), name in persistent] for name, b in made.named_buffers()]
        return {"parameters": parameters, "buffers": buffers}

    def _do_backward(self, call: dict[str, Any], frame: wire.Frame, tensors: list[Tensor]) -> dict[str, Any]:
        results, inputs = self.graphs[call["graph"]]
        pairs = [(results[n], frame.tensors[t]) for n, t in call["cotangents"]]
        return {"gradients": _pull_back(pairs, inputs, tensors)}


def _pull_back(pairs: list[tuple[Tensor, Tensor]], inputs: list[Tensor], tensors: list[Tensor]) -> list[int | None]:
    """Vector-Jacobian product. The graph is kept: a host may differentiate it again until it releases it.

    The gradient of `(r * c).sum()` with respect to r is c. Handing c to `autograd.grad` would import sympy.
    """
    with _enable_grad(), _untouched():
        scalars = [(result * cotangent).sum() for result, cotangent in pairs]
    found = _grad(scalars, inputs, retain_graph=True, allow_unused=True)
    return [None if gradient is None else _sent(gradient, tensors) for gradient in found]


def _sent(tensor: Tensor, tensors: list[Tensor]) -> int:
    require_plain(tensor)
    tensors.append(tensor)
    return len(tensors) - 1


def _differs(call: dict[str, Any], result: dict[str, Any], tensors: list[Tensor]) -> bool:
    """Whether the calls that follow in the frame do not fit the module that was made."""
    if call["shapes"] is None:
        return False
    shapes = {name: shape for name, shape, _ in result.get("parameters", ())}
    floats = any(tensors[n].is_floating_point() for _, n, _ in result.get("buffers", ()))
    return call["shapes"] != shapes or (call["converting"] and floats)


def _shape(tensor: Tensor, tensors: list[Tensor]) -> list[int]:
    require_plain(tensor)
    return list(tensor.shape)


def _update(module: nn.Module, call: dict[str, Any], frame: wire.Frame) -> None:
    """Takes over the weights that changed on the host, and the training flag."""
    if call["weights"]:
        own = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        for name, number in call["weights"].items():
            if name in own:
                own[name].data = frame.tensors[number].clone()
    if module.training != call["training"]:
        module.train(call["training"])


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(BaseException):
            stream.flush()  # type: ignore[union-attr]


def main(source: int, sink: int, importable: frozenset[str], *, cold: bool) -> None:
    """Serves frames until the host hangs up, then ends without running what the submission left behind.

    Nothing of ours is printed: standard error belongs to the submission.
    """
    status = 0
    keep_reserve()
    try:
        Child(Channel(source, sink), OnlyLearnersPackages(importable, cold=cold)).serve()
    except MemoryError:
        status = MEMORY_STATUS
    except BaseException:
        status = 2
    os._exit(status)
