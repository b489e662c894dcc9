"""A difference that was found, as the learner sees it: values, and Python that brings it about again."""

from __future__ import annotations

import json
import math
from typing import Any

import torch
from torch import Tensor

from judge.feedback.prober import Difference
from judge.feedback.probes import Made
from judge.grading.comparisons import results
from judge.grading.own_code import LoadedProblem
from judge.grading.pictures import Room, numbers, shown
from judge.model import Smallest
from judge.own_input import InputRefused, parse
from judge.remote.connection import clean

MOST_NUMBERS = 2048
MOST_SIDE = 16
MOST_TEXT = 300
MOST_CODE = 20_000
FEW_DIGITS, ALL_DIGITS = 6, 17


def described(difference: Difference, loaded: LoadedProblem) -> Smallest:
    """Everything about a difference, bounded whatever the submission answered."""
    calls = _Calls(difference, loaded)
    found = _results(difference, FEW_DIGITS)
    if found["expected"] == found["got"]:
        found = _results(difference, ALL_DIGITS)
    plan = difference.probe.plan
    finding = {
        key: clean(value, MOST_TEXT) if isinstance(value, str) else value for key, value in difference.finding.items()
    }
    how = {
        "dtype": str(plan.how.dtype).removeprefix("torch."),
        "gradients": plan.how.cotangents,
        "layout": plan.how.layout,
        "mode": plan.how.mode,
        "factor": plan.how.factor if plan.how.is_large else 1.0,
        "state": plan.how.state,
        "calls": len(calls.made),
    }
    code = calls.code()
    return Smallest(
        call=calls.text(),
        inputs={name: _shown(value) for name, value in calls.inputs.items()},
        **found,
        finding=finding,
        sizes=dict(plan.sizes),
        how={key: value for key, value in how.items() if value not in ("", 1.0, "float32")},
        code=code if len(code) <= MOST_CODE else "",
        input=calls.own_input(),
    )


def _given(value: Any) -> Any:
    if not isinstance(value, Tensor):
        return value
    values = numbers(value.detach(), ALL_DIGITS)
    return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch."), "values": values}


def _shown(value: Any) -> Any:
    return shown(value, Room(MOST_NUMBERS, MOST_SIDE, FEW_DIGITS))


def _results(difference: Difference, digits: int) -> dict[str, Any]:
    """`expected`, `got` and `contrast`, as `Smallest` has them."""
    return results(difference.expected, difference.got, None, Room(2 * MOST_NUMBERS, MOST_SIDE, digits))


class _Calls:
    """The calls up to the one that differs, and a name for each thing in them."""

    def __init__(self, difference: Difference, loaded: LoadedProblem) -> None:
        self.difference, self.loaded = difference, loaded
        self.made = difference.probe.calls[: difference.call + 1]
        self.inputs: dict[str, Any] = {}
        self.names: list[list[str]] = []
        self.modules: dict[int, str] = {}
        for number, made in enumerate(self.made):
            last = number == len(self.made) - 1
            if made.module is not None and id(made.module) not in self.modules:
                self.modules[id(made.module)] = "module" if not self.modules else f"module_{len(self.modules) + 1}"
                for name, weight in made.module.named_parameters():
                    self.inputs[name if len(self.modules) == 1 else f"{len(self.modules)}.{name}"] = weight.detach()
            known = loaded.arguments.get(made.name, ())
            names = [known[n] if n < len(known) else f"argument_{n}" for n in range(len(made.arguments))]
            names = names if last else [f"{name}_{number + 1}" for name in names]
            self.names.append(names)
            self.inputs.update(zip(names, made.arguments, strict=True))

    def own_input(self) -> dict[str, Any] | None:
        """The same call for `judge.own_input`, if it is one, and only its result is asked for."""
        made, how = self.made[-1], self.difference.probe.plan.how
        if len(self.made) > 1 or how.layout or how.mode or how.state or made.cotangents is not None:
            return None
        weights = dict(made.module.named_parameters()) if made.module is not None else {}
        found = {
            "call": made.name,
            "init": list(made.init),
            "arguments": {name: _given(value) for name, value in zip(self.names[-1], made.arguments, strict=True)},
            "weights": {name: _given(weight) for name, weight in weights.items()},
        }
        try:
            parse(found)
        except InputRefused:
            return None
        return found

    def text(self) -> str:
        return "; ".join(self._call(number) for number in range(len(self.made)))

    def _call(self, number: int) -> str:
        made = self.made[number]
        given = ", ".join(self.names[number])
        if made.module is None:
            return f"{made.name}({given})"
        return f"{made.name}({', '.join(literal(value) for value in made.init)})({given})"

    def code(self) -> str:
        """Python to be put below a solution; it prints what differs."""
        lines = ["import torch", ""]
        if self.difference.probe.plan.how.dtype is torch.float64:
            lines.append("torch.set_printoptions(precision=12)")
        made: set[int] = set()
        for number, one in enumerate(self.made):
            if one.module is not None and id(one.module) not in made:
                made.add(id(one.module))
                lines += self._module(one)
            for name, value in zip(self.names[number], one.arguments, strict=True):
                wanted = one.cotangents is not None and isinstance(value, Tensor) and value.is_floating_point()
                lines.append(f"{name} = {literal(value)}{'.requires_grad_()' if wanted else ''}")
            lines += under(self.difference.probe.plan.how.state, self._statements(number))
        expected = json.dumps(_values(_shown(self.difference.expected)))
        if len(expected) <= MOST_TEXT:
            lines.append(f"# expected: {expected}")
        return "\n".join(lines) + "\n"

    def _module(self, made: Made) -> list[str]:
        assert made.module is not None
        name = self.modules[id(made.module)]
        weights = [
            f"    {key!r}: {literal(weight.detach().float())}," for key, weight in made.module.named_parameters()
        ]
        lines = [f"{name} = {made.name}({', '.join(literal(value) for value in made.init)})"]
        lines += [f"{name}.load_state_dict({{", *weights, "}, strict=False)"]
        how = self.difference.probe.plan.how
        cast = [f"{name}.to({how.dtype})"] if how.dtype is not torch.float32 else []
        return [*lines, *cast, *([f"{name}.eval()"] if how.mode else [])]

    def _statements(self, number: int) -> list[str]:
        """The call, and for the last one what to print."""
        made = self.made[number]
        target = self.modules[id(made.module)] if made.module is not None else made.name
        call = f"{target}({', '.join(self.names[number])})"
        if number < len(self.made) - 1:
            return [call]
        finding = self.difference.finding
        if finding["code"] == "parameters":
            return ["print({name: list(p.shape) for name, p in module.named_parameters()})"]
        if finding["code"] == "input_changed" and finding["argument"] in self.names[number]:
            return [call, f"print({finding['argument']})"]
        if made.cotangents is None or (finding.get("of") == "result" and finding["code"] != "detached"):
            return [f"print({call})"]
        return [f"result = {call}", *_backward(made), f"print({self._gradient(made)})"]

    def _gradient(self, made: Made) -> str:
        name = str(self.difference.finding.get("of", "")).removeprefix("gradient of ")
        if made.module is not None and name in dict(made.module.named_parameters()):
            return f"{self.modules[id(made.module)]}.get_parameter({name!r}).grad"
        floats = [n for n, value in zip(self.names[-1], made.arguments, strict=True) if _wants_gradient(value)]
        return f"{name if name in floats else floats[0]}.grad" if floats else "result"


def under(state: str, lines: list[str]) -> list[str]:
    """The statements under a global state of torch, a key of `sandbox.states.STATES`."""
    if not state or "set_default" in state or "use_" in state:
        return [state, *lines] if state else lines
    return [f"with {state}:", *(f"    {line}" for line in lines)]


def _wants_gradient(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _backward(made: Made) -> list[str]:
    """The backward pass of the results times the cotangents."""
    places = _places(made.want.value, "result")
    terms = []
    for place, cotangent in zip(places, made.cotangents or (), strict=True):
        ones = bool((cotangent == 1).all())
        terms.append(f"{place}.sum()" if ones else f"({place} * {literal(cotangent)}).sum()")
    return [f"({' + '.join(terms)}).backward()" if len(terms) > 1 else f"{''.join(terms)}.backward()"]


def _places(value: Any, name: str) -> list[str]:
    """Where the float tensors of a result are, in reading order."""
    if isinstance(value, Tensor):
        return [name] if value.is_floating_point() else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (tuple, list)) else ()
    return [place for key, item in items for place in _places(item, f"{name}[{key!r}]")]


def literal(value: Any) -> str:
    """Python for a value of a call; a tensor with its dtype and its layout."""
    if isinstance(value, Tensor):
        return _tensor(value.detach())
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        inner = ", ".join(literal(item) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    return _number(value) if isinstance(value, float) else repr(value)


def _tensor(value: Tensor) -> str:
    dtype = "" if value.dtype in (torch.float32, torch.int64, torch.bool) else f", dtype={value.dtype}"
    if not value.numel():
        return f"torch.zeros({tuple(value.shape)}, dtype={value.dtype})"
    if not value.is_contiguous():
        if value.stride(0) == 0 and value[:1].is_contiguous():
            return f"{_tensor(value[:1])}.expand({', '.join(map(str, value.shape))})"
        if value.transpose(-1, -2).is_contiguous():
            return f"{_tensor(value.transpose(-1, -2))}.transpose(-1, -2)"
        if 0 not in value.stride():
            made = f"torch.empty_strided({tuple(value.shape)}, {value.stride()}, dtype={value.dtype})"
            return f"{made}.copy_({_tensor(value.contiguous())})"
    return f"torch.tensor({_nested(value.tolist())}{dtype})"


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_nested(item) for item in value) + "]"
    return _number(value) if isinstance(value, float) else repr(value)


def _number(value: float) -> str:
    if not math.isfinite(value):
        return {"inf": "torch.inf", "-inf": "-torch.inf"}.get(str(value), "torch.nan")
    return f"{int(value)}." if value == int(value) and abs(value) < 1e6 else repr(value)


def _values(picture: Any) -> Any:
    """The numbers of a picture alone."""
    if isinstance(picture, dict) and "values" in picture:
        return picture["values"]
    if isinstance(picture, dict):
        return {key: _values(item) for key, item in picture.items()}
    return [_values(item) for item in picture] if isinstance(picture, list) else picture
