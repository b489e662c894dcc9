"""Sends probes to a submission in a session of its own, many in a frame, and says which are answered otherwise."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from judge.compare import CheckFailed, compare, compare_parameters
from judge.feedback.probes import Made, Probe
from judge.grading.own_code import LoadedProblem
from judge.model import Finding
from judge.remote.calls import Outcome, float_tensors
from judge.remote.connection import Answer, Connection, SubmissionFailed, clean
from sandbox import Limits, Sandbox, wire
from sandbox.limits import LOAD_LIMIT_S

FIRST_FRAME, A_FRAME = 4, 24
"""Probes in one frame: few at first, for an early one often differs; after each call the child looks at all tensors."""
LIMITS = {torch.float64: 1e-9, torch.float32: 1e-4, torch.float16: 2e-2, torch.bfloat16: 0.12}
LIMITS_LARGE = {torch.float64: 1e-6, torch.float32: 1e-2}
LIMIT_OF_GRADIENTS = 1e-3
"""Wider than the checks' tolerance: what is shown as a failure is no rounding."""


MAX_WEIGHTS = 1000


@dataclass(frozen=True)
class Difference:
    """Call `call` of a probe, counted from 0, is not answered as by the reference. `got` is None for an exception."""

    probe: Probe
    call: int
    finding: Finding
    expected: Any
    got: Any = None

    @property
    def kind(self) -> tuple[Any, ...]:
        """What stays the same while the input becomes smaller."""
        of = str(self.finding.get("of", "")).split(" of ")[0]
        return self.finding["code"], self.finding.get("type"), of


class Prober:
    """One submission. SessionEnded comes through when its process, or the time, ends; SubmissionFailed from loading."""

    def __init__(self, sandbox: Sandbox, loaded: LoadedProblem, source: bytes, deadline: float) -> None:
        self.loaded, self.source, self.deadline = loaded, source, deadline
        self.isolated = False
        """Whether the submission is loaded anew before each probe, so that nothing is kept from the one before."""
        self.asked: list[Probe] = []
        """Since the source was loaded."""
        limits = Limits(self._left(), loaded.problem.limits.memory_mb, 2 * LOAD_LIMIT_S)
        self.connection = Connection(sandbox.open(limits), loaded.arguments)
        self.load()

    def close(self) -> None:
        self.connection.session.close()

    def load(self) -> None:
        """The source anew."""
        forbidden = self.loaded.problem.forbidden
        self.asked = []
        self.connection.load(self.source, self.loaded.names, forbidden, self._left())

    def first(self, probes: Iterable[Probe | None]) -> Difference | None:
        """The first that differs."""
        return next(self.differences(probes), None)

    def differences(self, probes: Iterable[Probe | None], at_once: int = FIRST_FRAME) -> Iterator[Difference]:
        """All that differ, in order; probes are drawn a frame at a time, each twice as large as the one before."""
        waiting = iter(probe for probe in probes if probe is not None)
        while chunk := list(islice(waiting, 1 if self.isolated else at_once)):
            at_once = min(2 * at_once, A_FRAME)
            while chunk:
                found = self._frame(chunk)
                chunk = chunk[len(found) :]
                yield from (one for one in found if one is not None)

    def alone(self, probe: Probe) -> Difference | None:
        """One probe, with the source loaded anew, and without calls after the one that differs."""
        self.load()
        found = self.first([probe])
        if found is None or found.call == len(probe.calls) - 1:
            return found
        return self.alone(replace(probe, calls=probe.calls[: found.call + 1]))

    def _left(self) -> float:
        return max(self.deadline - time.perf_counter(), 0.001)

    def _frame(self, probes: list[Probe]) -> list[Difference | None]:
        """What became of the first of the probes, at least of one: an exception ends a frame."""
        if self.isolated:
            self.load()
        self.asked += probes
        self.connection.time_left = self._left()
        modules, found = self._construct(probes)
        tensors: list[Tensor] = []
        places = [(n, c) for n, one in enumerate(found) if one is None for c in range(len(probes[n].calls))]
        calls = [probes[number].calls[call] for number, call in places]
        asked = [_request(made, modules.get(id(made.module)), probes[number].plan.how.state, tensors)
                 for (number, _), made in zip(places, calls, strict=True)]  # fmt: skip
        if not asked:
            return found
        answers = self.connection.answers(asked, tensors)
        for (number, call), request, answer in zip(places, asked, answers, strict=False):
            if found[number] is None:
                found[number] = self._compared(probes[number], call, request, answer)
        return self._reached(found, places, len(answers))

    def _construct(self, probes: list[Probe]) -> tuple[dict[int, dict[str, Any]], list[Difference | None]]:
        """Modules (handle and weights) by `id` of the reference's; for the first probes None, or why not."""
        tensors: list[Tensor] = []
        requests: list[dict[str, Any]] = []
        places: list[tuple[int, int]] = []
        for number, probe in enumerate(probes):
            known: set[int] = set()
            for call, made in enumerate(probe.calls):
                if made.module is not None and id(made.module) not in known:
                    known.add(id(made.module))
                    self.connection.handles += 1
                    requests.append({"do": "construct", "target": made.name, "handle": self.connection.handles,
                                     "shapes": None, "converting": False, **_encoded(made.init, tensors)})  # fmt: skip
                    places.append((number, call))
        found: list[Difference | None] = [None] * len(probes)
        modules: dict[int, dict[str, Any]] = {}
        taken: set[int] = set()
        if not requests:
            return modules, found
        answers = self.connection.answers(requests, tensors)
        for (number, call), request, answer in zip(places, requests, answers, strict=False):
            module = probes[number].calls[call].module
            assert module is not None
            own = {name: list(p.shape) for name, p in module.named_parameters()}
            theirs: dict[str, list[int]] | None = None
            try:
                parameters, buffers = self._weights(answer, taken)
                theirs = {name: list(p.shape) for name, p in parameters.items()}
                compare_parameters(
                    {name: tuple(shape) for name, shape in theirs.items()},
                    {name: tuple(shape) for name, shape in own.items()},
                )
            except (CheckFailed, SubmissionFailed) as error:
                if isinstance(error, SubmissionFailed) and error.verdict != "RTE":
                    raise
                found[number] = found[number] or Difference(
                    probes[number], call, error.finding, _listed(own), theirs and _listed(theirs)
                )
                continue
            how = probes[number].plan.how
            moved = {n: b.to(how.dtype) for n, b in buffers.items() if b.dtype == torch.float32 != how.dtype}
            modules[id(module)] = {"handle": request["handle"], "weights": {**dict(module.named_parameters()), **moved}}
        return modules, self._reached(found, places, len(answers))

    def _weights(self, answer: Answer | Exception, taken: set[int]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """Parameters and buffers of a module that was made; `taken` are the tensors that others of the frame have."""
        if isinstance(answer, Exception):
            raise answer
        reply, received = answer
        found = []
        for entries in (reply.get("parameters"), reply.get("buffers")):
            if not isinstance(entries, list) or len(entries) > MAX_WEIGHTS:
                raise self.connection.session.garbled()
            for entry in entries:
                if not (isinstance(entry, list) and len(entry) == 3 and isinstance(entry[0], str)):
                    raise self.connection.session.garbled()
                self.connection.tensor(entry[1], received)
                if entry[1] in taken:  # one large tensor under a thousand names
                    raise self.connection.session.garbled()
                taken.add(entry[1])
            found.append({clean(entry[0], 300): self.connection.tensor(entry[1], received) for entry in entries})
        return found[0], found[1]

    def _reached(
        self, found: list[Difference | None], places: list[tuple[int, int]], answered: int
    ) -> list[Difference | None]:
        """As far as there are answers: what comes after an exception was not tried."""
        if answered == len(places):
            return found
        if not answered:
            raise self.connection.session.garbled()
        return found[: places[answered - 1][0] + 1]

    def _compared(
        self, probe: Probe, call: int, request: dict[str, Any], answer: Answer | Exception
    ) -> Difference | None:
        made = probe.calls[call]
        expected: Any = made.want.value
        got: Any = None
        try:
            if isinstance(answer, Exception):
                raise answer
            outcome = self._outcome(made, request, answer)
            got = outcome.value
            floats = float_tensors(expected)
            limits = LIMITS_LARGE if probe.plan.how.is_large else LIMITS
            limit = (made.tolerance or limits.get(floats[0].dtype)) if floats else None
            _compare(got, expected, limit, "result")
            gradients = self._gradients(made, outcome)
            if outcome.detached and any(bool(want.any()) for _, want, _ in gradients):
                raise CheckFailed("detached", of="result")
            for name, want, mine in gradients:
                expected, got = want, mine
                if mine is not None:
                    limit = LIMIT_OF_GRADIENTS * (1 + float(want.abs().nan_to_num().max())) if want.numel() else None
                    _compare(mine, want, limit, f"gradient of {name}")
                elif bool(want.any()):
                    raise CheckFailed("gradient_missing", of=f"gradient of {name}")
        except CheckFailed as error:
            if error.finding["code"] == "input_changed":
                names = self.loaded.arguments.get(made.name, ())
                expected = next(
                    (a for n, a in zip(names, made.arguments, strict=False) if n == error.finding["argument"]), expected
                )
            return Difference(probe, call, error.finding, expected, got)
        except SubmissionFailed as error:
            if error.verdict != "RTE":
                raise
            return Difference(probe, call, error.finding, expected, None)
        return None

    def _outcome(self, made: Made, request: dict[str, Any], answer: Answer) -> Outcome:
        reply, received = answer
        outcome = Outcome(self.connection.value(reply.get("value"), received))
        found, leaves = reply.get("gradients"), request["leaves"]
        outcome.detached = found is None
        if made.cotangents is not None and found is not None:
            if not isinstance(found, list) or len(found) != len(leaves) + len(request["parameters"]):
                raise self.connection.session.garbled()
            gradients = [None if n is None else self.connection.tensor(n, received) for n in found]
            outcome.gradients = dict(zip(leaves, gradients, strict=False))
            outcome.parameters = dict(zip(request["parameters"], gradients[len(leaves) :], strict=True))
        return outcome

    def _gradients(self, made: Made, outcome: Outcome) -> list[tuple[str, Tensor, Tensor | None]]:
        """Name, the reference's and the submission's, for all that the reference has one for."""
        names = self.loaded.arguments.get(made.name, ())
        found = [
            (names[n] if n < len(names) else f"argument {n}", want, outcome.gradients.get(n))
            for n, want in made.want.gradients.items()
            if want is not None
        ]
        weights = made.want.parameters.items()
        return found + [(n, want, outcome.parameters.get(n)) for n, want in weights if want is not None]


def _listed(shapes: dict[str, list[int]]) -> str:
    return ", ".join(f"{name} {shape}" for name, shape in sorted(shapes.items()))


def _compare(got: Any, expected: Any, limit: float | None, of: str) -> None:
    """Differs only beyond `limit`; how far is told by the tolerance that the checks have."""
    try:
        compare(got, expected, limit, of)
    except CheckFailed:
        compare(got, expected, None, of)
        raise


def _encoded(arguments: tuple[Any, ...], tensors: list[Tensor]) -> dict[str, Any]:
    return {"arguments": [wire.encode_value(value, tensors) for value in arguments], "keywords": {}}


def _request(made: Made, module: dict[str, Any] | None, state: str, tensors: list[Tensor]) -> dict[str, Any]:
    """One call as the child reads it; `leaves` are the positions of the arguments that want a gradient."""
    request: dict[str, Any] = {
        "do": "call", "target": module["handle"] if module else made.name, "label": made.name, "trace": False,
        "state": state or None,
        "gradients": [], "cotangents": None, "parameters": [], "leaves": [],
    }  # fmt: skip
    mark = len(tensors)
    request |= _encoded(made.arguments, tensors)
    if made.cotangents is not None:
        trees = [
            (n, tree["t"]) for n, tree in enumerate(request["arguments"]) if isinstance(tree, dict) and "t" in tree
        ]
        leaves = [(n, t) for n, t in trees if t >= mark and tensors[t].is_floating_point()]
        request["leaves"], request["gradients"] = [n for n, _ in leaves], [t for _, t in leaves]
        request["cotangents"] = list(range(len(tensors), len(tensors) + len(made.cotangents)))
        tensors.extend(made.cotangents)
    if module is not None:
        assert made.module is not None
        if made.cotangents is not None:
            request["parameters"] = [name for name, _ in made.module.named_parameters()]
        weights = {name: tensor.detach() for name, tensor in module["weights"].items()}
        request |= {
            "training": made.module.training,
            "weights": dict(zip(weights, range(len(tensors), 1 << 30), strict=False)),
        }
        tensors.extend(weights.values())
    return request
