"""The stand-in for the learner's module that tests get as `solution`.

solution.attention(q, k, v)                 a call in the sandbox; raw tensors come back
solution.CausalMultiHeadAttention(64, 4)    a real nn.Module here: its weights live on the host and travel when
                                            they changed, so state_dict, parameters, double, train, eval are torch's own
    .loaded(expected, 64, 4)                the same with the weights of another module; made in the frame of its first
                                            calls, and only then is it known whether its parameters are the same ones
....backward(), autograd.gradcheck          a remote call is an autograd.Function: its backward asks the sandbox
                                            for the vector-Jacobian product, see `judge.remote.remote_calls`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from judge.compare import CheckFailed, compare_parameters
from judge.remote import remote_calls
from judge.remote.calls import Call, Outcome
from judge.remote.connection import Answer, Connection, clean
from judge.remote.remote_calls import Target


class Solution:
    """`solution` in a test: its attributes are the names that the problem asks for, and nothing else."""

    def __init__(self, connection: Connection, names: Mapping[str, str]) -> None:
        self._connection, self._names = connection, dict(names)

    def __getattr__(self, name: str) -> Any:
        if name not in self._names:
            raise AttributeError(f"this problem's submissions define {', '.join(self._names)}, not {name!r}")
        if self._names[name] == "class":
            return RemoteClass(self._connection, name)
        return RemoteFunction(self._connection, name)


class RemoteClass:
    """A class of the submission."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection, self.__name__ = connection, name

    def __call__(self, *arguments: Any, **keywords: Any) -> RemoteModule:
        module = RemoteModule(self._connection, self.__name__, arguments, keywords)
        module.settle()
        return module

    def loaded(self, expected: nn.Module, *arguments: Any) -> RemoteModule:
        """A module of these arguments with the weights of `expected`, by name and in their dtype."""
        return RemoteModule(self._connection, self.__name__, arguments, {}, expected)


class RemoteFunction:
    """A function of the submission."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._target = Target(connection, name, name)
        self.__name__ = name

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return remote_calls.call(self._target, arguments, keywords)

    def perform_calls(self, calls: Sequence[Call]) -> list[Outcome]:
        """All calls in one frame, see `judge.remote.calls`."""
        return remote_calls.perform(self._target, calls)


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
    _unmade: tuple[tuple[Any, ...], dict[str, Any]] | None
    """Arguments, until the submission's own is made."""
    _adopted: bool
    """Whether the weights are those of another module."""
    _dtype: torch.dtype
    """Of adopted weights, and so of the buffers beside them."""
    _converting: bool
    """Whether its buffers must be sent in another dtype before the calls that came with the request to make it."""

    def __init__(
        self, connection: Connection, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any],
        expected: nn.Module | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        handle = connection.handles = connection.handles + 1
        self.__dict__.update(
            _connection=connection, _name=name, _handle=handle, _sent={}, _parameter_places=[], _buffer_places=[],
            _unmade=(arguments, keywords), _adopted=expected is not None, _converting=False,
            _dtype=next((p.dtype for p in expected.parameters()), torch.float32) if expected else torch.float32,
        )  # fmt: skip
        for name, parameter in expected.named_parameters() if expected is not None else ():
            self._hold(name, nn.Parameter(parameter.detach().clone()))

    def making(self, tensors: list[Tensor], *, converting: bool = False) -> list[dict[str, Any]]:
        """See `Weights`."""
        if self._unmade is None:
            return []
        self._converting = converting or self._dtype is not torch.float32
        given = remote_calls.encoded(*self._unmade, tensors)
        shapes = {name: list(p.shape) for name, p in self.held_parameters().items()} if self._adopted else None
        return [{"do": "construct", "target": self._name, "handle": self._handle, "shapes": shapes,
                 "converting": self._converting, **given}]  # fmt: skip

    def made(self, answer: Answer) -> bool:
        """See `Weights`. Holds what the submission's module has; adopted weights must agree in name and shape."""
        self._unmade = None
        reply, received = answer
        parameters, buffers = reply.get("parameters"), reply.get("buffers")
        if not isinstance(parameters, list) or not isinstance(buffers, list):
            raise self._connection.session.garbled()
        if len(parameters) + len(buffers) > MAX_WEIGHTS:
            raise self._connection.session.garbled()
        copied: set[int] = set()
        if self._adopted:
            self._compare(parameters)
        for entries, is_parameter in ((() if self._adopted else parameters, True), (buffers, False)):
            for name, number, flag in map(self._entry, entries):
                tensor = self._connection.tensor(number, received)
                if number in copied:  # one large tensor under a thousand names
                    raise self._connection.session.garbled()
                copied.add(number)
                tensor = self._like_weights(tensor).clone()
                if is_parameter:
                    wants = flag and (tensor.is_floating_point() or tensor.is_complex())
                    self._hold(name, nn.Parameter(tensor, requires_grad=wants))
                else:
                    self._hold(name, tensor, persistent=flag)
        places = self._buffer_places if self._adopted else self._parameter_places + self._buffer_places
        again = self._converting and any(value.is_floating_point() for value in _held(self._buffer_places).values())
        for name, value in _held(self._parameter_places + places if again else places).items():
            self._sent[name] = (None if again else _mark(value), value.detach())
        return not again

    def _like_weights(self, tensor: Tensor) -> Tensor:
        return tensor.to(self._dtype) if self._dtype is not torch.float32 and tensor.is_floating_point() else tensor

    def _compare(self, parameters: list[Any]) -> None:
        found = {name: (self._connection.shape(shape), flag) for name, shape, flag in map(self._entry, parameters)}
        own = self.held_parameters()
        shapes = {clean(name, 300): shape for name, (shape, _) in found.items()}
        compare_parameters(shapes, {name: tuple(p.shape) for name, p in own.items()})
        for name, parameter in own.items():
            parameter.requires_grad_(found[name][1])

    def _entry(self, entry: Any) -> tuple[str, Any, bool]:
        if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str) and len(entry[0]) < 300):
            raise self._connection.session.garbled()
        return entry[0], entry[1], bool(entry[2])

    def _hold(self, name: str, tensor: Tensor, *, persistent: bool = True) -> None:
        """Puts a parameter or buffer where its dotted name says, in plain modules."""
        *folders, last = clean(name, 300).split(".")
        if len(folders) > MAX_NESTING:
            raise self._connection.session.garbled()
        owner: nn.Module = self
        try:
            for folder in folders:
                if folder not in owner._modules:
                    owner.add_module(folder, nn.Module())
                inner = owner._modules[folder]
                assert inner is not None
                owner = inner
            if isinstance(tensor, nn.Parameter):
                owner.register_parameter(last, tensor)
                self._parameter_places.append((name, owner._parameters, last))
            else:
                owner.register_buffer(last, tensor, persistent=persistent)
                self._buffer_places.append((name, owner._buffers, last))
        except (KeyError, AttributeError, TypeError):
            raise CheckFailed("parameters", missing=[], extra=[clean(name, 300)], misshapen=[]) from None
        self._sent[name] = (None, tensor.detach())

    def settle(self) -> None:
        """See `Weights`."""
        tensors: list[Tensor] = []
        if making := self.making(tensors):
            self._connection.calls(making, tensors, self.made)

    def named_buffers(self, *arguments: Any, **keywords: Any) -> Iterator[tuple[str, Tensor]]:
        self.settle()
        return super().named_buffers(*arguments, **keywords)

    def state_dict(self, *arguments: Any, **keywords: Any) -> Any:
        self.settle()
        return super().state_dict(*arguments, **keywords)

    def _apply(self, *arguments: Any, **keywords: Any) -> Any:
        self.settle()
        return super()._apply(*arguments, **keywords)  # type: ignore[no-untyped-call]

    def forward(self, *arguments: Any, **keywords: Any) -> Any:
        return remote_calls.call(self._target(), arguments, keywords)

    def perform_calls(self, calls: Sequence[Call]) -> list[Outcome]:
        """All calls in one frame; gradients include those of every parameter."""
        return remote_calls.perform(self._target(), calls)

    def _target(self) -> Target:
        return Target(self._connection, self._handle, self._name, self)

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """As torch's, but what does not match is a finding, and buffers that only the submission has are let be."""
        if strict:
            own = {name: tuple(p.shape) for name, p in self.named_parameters()}
            buffers = {name for name, _ in self.named_buffers()}
            compare_parameters(own, {n: tuple(t.shape) for n, t in state_dict.items() if n not in buffers})
        return super().load_state_dict(state_dict, strict=False, assign=assign)

    def held_parameters(self) -> dict[str, Tensor]:
        """By name, as the submission names them."""
        return _held(self._parameter_places)

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
