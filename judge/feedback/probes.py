"""Small calls made on purpose, for the search of the smallest failing input.

How     under what circumstances: dtype, gradients, layout, large numbers, after another call, in evaluation mode ...
Plan    what to draw: sizes, variants, numbers, and how to call
Probe   a plan drawn: calls with their arguments, and what the reference answers
Draw    from plans to probes, by the problem's `inputs`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import torch
from torch import Tensor, nn

from judge.checks.circumstances import HALF
from judge.feedback.drawing import DECIMAL, LARGE, QUARTERS, SPARSE, WHOLE, WIDE, SearchRng
from judge.feedback.rounding import in_half
from judge.feedback.trials import Trial
from judge.grading.own_code import LoadedProblem, TestsBroken
from judge.remote.calls import Call, Outcome, float_tensors, perform


@dataclass(frozen=True)
class How:
    """`factor`: all drawn numbers times this. `cotangents`: "ones", or "counted": 1, 2, 3 ...

    `before`: a call is made first, of the "same" sizes and variant, another "variant", one size "smaller" or "larger".
    `mode`: modules are in "eval". `state`: a key of `sandbox.states.STATES` that holds during the calls.
    `draws`: of the largest sizes alone, for what shows rarely.
    """

    dtype: torch.dtype = torch.float32
    cotangents: str = ""
    layout: str = ""
    factor: float = 1.0
    before: str = ""
    mode: str = ""
    state: str = ""
    values: tuple[int, ...] = WHOLE
    draws: int = 0

    @property
    def is_large(self) -> bool:
        return self.factor >= LARGE

    def plainer(self) -> list[How]:
        """The same with fewer of its circumstances, the plainest first."""
        usual: dict[str, Any] = {"dtype": torch.float32, "cotangents": "", "layout": "", "factor": 1.0}
        special = [name for name, value in usual.items() if getattr(self, name) != value]
        kept = [names for count in range(len(special)) for names in combinations(special, count)]
        return [replace(self, **{n: usual[n] for n in special if n not in names}) for names in kept]

    @property
    def of_floats(self) -> bool:
        """Whether it makes no difference to a call without float tensors."""
        return self != How(before=self.before, mode=self.mode, state=self.state)


CIRCUMSTANCES = (
    How(),
    How(cotangents="ones"),
    How(cotangents="counted"),
    How(dtype=torch.float64),
    How(dtype=torch.float64, factor=LARGE),
    How(factor=LARGE),
    How(dtype=torch.float16),
    How(dtype=torch.bfloat16),
    How(layout="transposed"),
    How(layout="expanded"),
    How(before="smaller"),
    How(before="larger"),
    How(before="same"),
    How(before="variant"),
    How(dtype=torch.float64, factor=LARGE, cotangents="counted"),
    How(dtype=torch.float64, factor=DECIMAL),
    How(mode="eval", before="same"),
    How(cotangents="counted", values=SPARSE),
    How(dtype=torch.float16, factor=QUARTERS, values=WIDE, draws=60),
)


@dataclass(frozen=True)
class Plan:
    """`choices`: the numbers themselves (see `judge.feedback.drawing`), else they come from `number` and `values`."""

    sizes: Mapping[str, int]
    variants: Mapping[str, Any]
    how: How = How()
    number: int = 0
    values: tuple[int, ...] = WHOLE
    choices: tuple[Tensor, ...] | None = None
    before: Mapping[str, Any] | None = None
    """Sizes and variants of a call made first, on the same module if it has the same `init`."""


@dataclass(frozen=True)
class Made:
    """One call of a probe. `module`: the reference's, with its weights; one object for all calls on one module."""

    name: str
    arguments: tuple[Any, ...]
    init: tuple[Any, ...]
    module: nn.Module | None
    cotangents: list[Tensor] | None
    want: Outcome
    tolerance: float | None = None
    """Of the result, where it depends on the numbers."""


@dataclass(frozen=True)
class Probe:
    """`choices`: the numbers that were drawn."""

    plan: Plan
    calls: tuple[Made, ...]
    choices: tuple[Tensor, ...]


class Draw:
    """Makes probes from plans."""

    def __init__(self, loaded: LoadedProblem) -> None:
        self.loaded = loaded
        self.inputs: Callable[..., Any] = loaded.tests.inputs

    def probe(self, plan: Plan) -> Probe | None:
        """None where the sizes do not fit together, or the reference itself raises."""
        double = plan.how.dtype is torch.float64
        rng = SearchRng(plan.number, plan.values, plan.how.factor, plan.choices, double=double)
        trials: list[Trial] = []
        asked = {**plan.sizes, **plan.variants}
        for one in (asked,) if plan.before is None else (plan.before, asked):
            drawn = self._drawn(rng, one)
            if not drawn:
                return None
            trials += drawn
        if plan.how.of_floats and not float_tensors([trial.arguments for trial in trials]):
            return None
        if plan.how.cotangents and not trials[-1].gradients:
            return None
        try:
            modules = self._modules(trials, rng, plan.how)
            if plan.how.mode and not modules:
                return None
            calls = tuple(self._made(trial, modules.get(_key(trial)), plan.how) for trial in trials)
        except Exception:
            return None
        if plan.values != WHOLE and not rng.choices:  # the same again
            return None
        return Probe(plan, calls, tuple(rng.choices))

    def _drawn(self, rng: SearchRng, asked: Mapping[str, Any]) -> list[Trial]:
        try:
            drawn = self.inputs(rng, **asked)
        except Exception as error:
            raise TestsBroken(f"inputs in tests.py, for {dict(asked)}: {type(error).__name__}: {error}") from error
        return [drawn] if isinstance(drawn, Trial) else list(drawn or ())

    def _modules(self, trials: list[Trial], rng: SearchRng, how: How) -> dict[Any, nn.Module]:
        """The reference's modules with small weights, one for all calls with equal name and `init`."""
        made: dict[Any, nn.Module] = {}
        for trial in trials:
            if self.loaded.names.get(trial.name) != "class" or _key(trial) in made:
                continue
            module: nn.Module = getattr(self.loaded.reference, trial.name)(*trial.init)
            with torch.no_grad():
                for parameter in module.parameters():
                    parameter.copy_(rng.randn(*parameter.shape) / rng.factor)
            made[_key(trial)] = module.to(how.dtype).train(not how.mode)
        return made

    def _made(self, trial: Trial, module: nn.Module | None, how: How) -> Made:
        arguments = tuple(_laid_out(_cast(value, how.dtype), how.layout) for value in trial.arguments)
        function = module if module is not None else getattr(self.loaded.reference, trial.name)
        if how.dtype in HALF and how.values is not WHOLE:
            want, tolerance = in_half(function, arguments, how.dtype)
            return Made(trial.name, arguments, trial.init, module, None, want, tolerance)
        (want,) = perform(function, [Call(arguments)])
        cotangents = None
        if how.cotangents and trial.gradients:
            cotangents = [_cotangent(result, how.cotangents) for result in float_tensors(want.value)]
            (want,) = perform(function, [Call(arguments, cotangents=cotangents)])
        return Made(trial.name, arguments, trial.init, module, cotangents, want)


def _key(trial: Trial) -> Any:
    return trial.name, repr(trial.init)


def _cast(value: Any, dtype: torch.dtype) -> Any:
    return value.to(dtype) if isinstance(value, Tensor) and value.dtype == torch.float32 else value


def _cotangent(result: Tensor, kind: str) -> Tensor:
    if kind == "ones":
        return torch.ones(result.shape, dtype=result.dtype)
    return torch.arange(1, result.numel() + 1, dtype=torch.float64).to(result.dtype).reshape(result.shape)


def _laid_out(value: Any, layout: str) -> Any:
    """The same values with other strides ("transposed"), or the first of the outer axis for all ("expanded")."""
    if not isinstance(value, Tensor) or not value.is_floating_point() or not value.dim():
        return value
    if layout == "transposed" and value.dim() > 1:
        return value.transpose(-1, -2).contiguous().transpose(-1, -2)
    return value[:1].expand(value.shape) if layout == "expanded" else value
