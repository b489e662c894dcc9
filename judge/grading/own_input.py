"""An input that a learner made, as a problem with one case: the call, and what the reference gives for it.

The reference runs in the grader, on numbers that a stranger chose. So an input is bounded when it is read
(`judge.own_input`), and here the reference's time, its memory, and the size of its result.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import resource
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from judge.checks.modules import draw_modules, with_weights
from judge.checks.values import assert_close
from judge.grading.own_code import LoadedProblem, TestsBroken, bounded
from judge.grading.rng import Rng
from judge.model import OWN_INPUT, Case, Text
from judge.own_input import InputRefused, Numbers, OwnInput
from sandbox.processes import status_kb

SECONDS = 2
MEMORY = 512 << 20
MOST_RESULTS = 1 << 20


def with_own_input(loaded: LoadedProblem, given: OwnInput) -> LoadedProblem:
    """The problem with that call as its only case. Raises InputRefused where the reference cannot take it."""
    name = given.call or (loaded.problem.names[0] if len(loaded.problem.names) == 1 else "")
    if name not in loaded.names:
        raise InputRefused("input_unknown_call", name=name, known=", ".join(loaded.problem.names))
    arguments = _arguments(loaded, name, given)
    is_module = loaded.names[name] == "class"
    try:
        with bounded("the reference", SECONDS), _little_memory(), torch.no_grad():
            made = _module(loaded, name, given, arguments) if is_module else getattr(loaded.reference, name)
            expected = made(*_copies(arguments))
    except InputRefused:
        raise
    except TestsBroken:
        raise InputRefused("input_too_long", seconds=SECONDS) from None
    except Exception as error:
        if isinstance(error, MemoryError) or "can't allocate" in str(error):
            raise InputRefused("input_memory") from None
        raise InputRefused("input_refused", error=f"{type(error).__name__}: {error}"[:300]) from None
    if sum(tensor.numel() for tensor in _tensors(expected)) > MOST_RESULTS:
        raise InputRefused("input_result_too_large", limit=MOST_RESULTS)

    def own_input(solution: Any) -> None:
        function: Callable[..., Any] = getattr(solution, name)
        if is_module:
            function = with_weights(function, made, *given.init).eval()
        assert_close(function(*arguments), expected)

    problem = replace(loaded.problem, cases=(Case(OWN_INPUT, Text(OWN_INPUT), True, 0),))
    return replace(loaded, problem=problem, tests=types.SimpleNamespace(**{OWN_INPUT: own_input}))  # type: ignore[arg-type]


def _arguments(loaded: LoadedProblem, name: str, given: OwnInput) -> list[Any]:
    """In the order of the reference; None for one that is left out before another."""
    names = loaded.arguments.get(name, [])
    strangers = [one for one in given.arguments if one not in names]
    if strangers:
        raise InputRefused("input_unknown_argument", name=strangers[0], known=", ".join(names))
    last = max((names.index(one) for one in given.arguments), default=-1)
    usual = _usual_dtypes(loaded, name)
    return [_made(given.arguments.get(one), usual.get(one)) for one in names[: last + 1]]


def _usual_dtypes(loaded: LoadedProblem, name: str) -> dict[str, torch.dtype]:
    """Of the arguments that the problem's own `inputs` draws."""
    if not hasattr(loaded.tests, "inputs"):
        return {}
    defaults = inspect.signature(loaded.tests.inputs).parameters.values()
    chosen = {one.name: one.default[-1] for one in defaults if isinstance(one.default, tuple)}
    drawn = loaded.tests.inputs(Rng(0, OWN_INPUT), **chosen)
    trials = drawn if isinstance(drawn, (list, tuple)) else [drawn]
    arguments = next((trial.arguments for trial in trials if trial and trial.name == name), ())
    pairs = zip(loaded.arguments.get(name, []), arguments, strict=False)
    return {one: value.dtype for one, value in pairs if isinstance(value, Tensor)}


def _made(value: Any, usual: torch.dtype | None) -> Any:
    if not isinstance(value, Numbers):
        return value
    if value.dtype is not None:
        dtype = getattr(torch, value.dtype)
    elif usual is not None:
        dtype = usual
    else:
        dtype = torch.tensor(value.values or (0.0,)).dtype
    try:
        return torch.tensor(value.values, dtype=torch.float64).to(dtype).reshape(value.shape)
    except (RuntimeError, ValueError, TypeError) as error:
        raise InputRefused("input_refused", error=str(error)[:300]) from None


def _module(loaded: LoadedProblem, name: str, given: OwnInput, arguments: list[Any]) -> nn.Module:
    """The reference's, with weights that were given, or drawn with the seed."""
    kind = getattr(loaded.reference, name)
    dtype = next((a.dtype for a in arguments if isinstance(a, Tensor) and a.is_floating_point()), torch.float32)
    made, _ = draw_modules(kind, kind, Rng(given.seed, OWN_INPUT), *given.init, dtype=dtype)
    own = dict(made.named_parameters())
    for key, weight in given.weights.items():
        if key not in own or tuple(own[key].shape) != weight.shape:
            raise InputRefused("input_weight", name=key)
        own[key].data = _made(weight, dtype).to(dtype)
    return made.eval()


def _copies(arguments: list[Any]) -> list[Any]:
    return [value.clone() if isinstance(value, Tensor) else value for value in arguments]


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _tensors(part)


@contextlib.contextmanager
def _little_memory() -> Iterator[None]:
    """What is allocated beyond MEMORY more fails with an exception instead of taking the machine's."""
    used = status_kb(os.getpid(), ("VmData:",)).get("VmData:")
    if used is None:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_DATA)
    most = (used << 10) + MEMORY
    limit = most if before[1] == resource.RLIM_INFINITY else min(most, before[1])
    resource.setrlimit(resource.RLIMIT_DATA, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
