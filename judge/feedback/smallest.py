"""The smallest failing input: one that the learner can check by hand.

    find      all circumstances and variants at a few sizes, plain calls first: does anything differ?
    confirm   alone, with the source loaded anew; what differs only after other calls is looked for as such
    plainer   without circumstances that are not needed
    sizes     towards 1, the smallest sum first
    numbers   few other than 0 and 1

Drawn with seeds of its own by the problem's `inputs`, in a sandbox session of its own. What may be tried is counted, so
that the same submission has the same smallest input; time is a bound for what hangs.
"""

from __future__ import annotations

import contextlib
import inspect
import math
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from judge.feedback.diagnosis import Evidence
from judge.feedback.drawing import SIMPLE, SPARSE, WHOLE
from judge.feedback.hints import Hint, hint_of
from judge.feedback.inside import looked_into
from judge.feedback.prober import A_FRAME, Difference, Prober
from judge.feedback.probes import Draw, How, Plan, Probe
from judge.feedback.reproduction import described
from judge.feedback.simpler import Change, changed, changes
from judge.grading.own_code import LoadedProblem, bounded
from judge.model import Report, Smallest
from judge.remote.connection import SubmissionFailed
from sandbox import Sandbox, SessionEnded
from sandbox.wire import WireError

SEARCHED = ("WA", "RTE")
MOST_VARIANTS = 12
MOST_SIZES, SOME_SIZES = 40, 3
MOST_BEFORE = 60
MOST_ROUNDS = 6


def find_smallest(
    sandbox: Sandbox,
    loaded: LoadedProblem,
    source: bytes,
    report: Report,
    seconds: float,
    evidence: Evidence | None = None,
) -> Smallest | None:
    """For a wrong answer or an exception, if the problem has `inputs` and one is found within `seconds`.

    `evidence` of the grading says what to try first.
    """
    failure = report.first_failure
    unwritten = failure is not None and (failure.finding or {}).get("type") == "NotImplementedError"
    if report.verdict not in SEARCHED or unwritten or not hasattr(loaded.tests, "inputs"):
        return None
    with bounded("inputs in tests.py"):
        try:
            prober = Prober(sandbox, loaded, source, time.perf_counter() + seconds)
        except (SessionEnded, SubmissionFailed):
            return None
        own = evidence and (evidence.source_sha256, evidence.seed) == (report.source_sha256, report.seed)
        hint = hint_of((failure.finding if failure else None) or {}, evidence if own else None)
        search = _Search(prober, Draw(loaded), hint)
        try:
            with contextlib.suppress(SessionEnded, SubmissionFailed, WireError):  # WireError: weights too large to send
                search.run()
        finally:
            prober.close()
        if search.sure is None:
            return None
        return replace(described(search.sure, loaded), inside=looked_into(sandbox, search.sure, loaded, source))


class _Search:
    """`best` is the smallest that was found so far, `sure` the smallest that was seen to differ alone."""

    def __init__(self, prober: Prober, draw: Draw, hint: Hint) -> None:
        self.prober, self.draw = prober, draw
        self.hint, self.circumstances = hint, hint.circumstances()
        self.best: Difference | None = None
        self.sure: Difference | None = None
        defaults = {
            name: parameter.default for name, parameter in inspect.signature(draw.inputs).parameters.items()
            if parameter.default is not parameter.empty
        }  # fmt: skip
        self.largest = {name: value for name, value in defaults.items() if type(value) is int}
        choices = {name: value for name, value in defaults.items() if isinstance(value, tuple)}
        self.variants = [dict(zip(choices, picked, strict=True)) for picked in product(*choices.values())][
            :MOST_VARIANTS
        ]
        self.smallest = dict.fromkeys(self.largest, 1)

    def run(self) -> None:
        found = self.prober.first(self._wide())
        if found is None:
            return
        before = self._asked_before(found)
        self.best = self.prober.alone(found.probe)
        if self.best is None:
            self.prober.isolated = True
            plans = (replace(found.probe.plan, before=one) for one in before)
            self.best = self.prober.first(self.draw.probe(plan) for plan in plans)
            self.best = self.best and self.prober.alone(self.best.probe)
        self.sure = self.best
        if self.best is not None:
            for step in (
                self._plainer,
                self._smaller_sizes,
                self._confirm,
                self._simpler_numbers,
                self._confirm,
                self._fewer_calls,
            ):
                step()

    def _confirm(self) -> None:
        """That the best differs alone too; else back to the last one that did."""
        assert self.best is not None
        self.best = self.sure = self.prober.alone(self.best.probe) or self.sure

    def _asked_before(self, found: Difference) -> list[dict[str, Any]]:
        """Sizes and variants of what was asked before, in case that matters: its own, then the last."""
        number = next(n for n, probe in enumerate(self.prober.asked) if probe is found.probe)
        probes = [found.probe, *reversed(self.prober.asked[:number])]
        asked = [{**probe.plan.sizes, **probe.plan.variants} for probe in probes]
        return [one for n, one in enumerate(asked) if one not in asked[:n]][:MOST_BEFORE]

    def _wide(self) -> Iterator[Probe | None]:
        """Everything at a few sizes: some plain calls, what the hint is near to, many plain calls, the rest."""
        plain = self.hint.rank(How())
        nearer = [how for how in self.circumstances if self.hint.rank(how) < plain]
        yield from self._drawn(How(), much=False)
        for how in nearer:
            yield from self._drawn(how, much=True)
        yield from self._drawn(How(), much=True)
        for how in self.circumstances:
            if how not in nearer and how != How():
                yield from self._drawn(how, much=False)

    def _drawn(self, how: How, *, much: bool) -> Iterator[Probe | None]:
        for number in range(how.draws):
            variants = self.variants[number % len(self.variants)]
            yield self.draw.probe(Plan(self.largest, variants, how, number, how.values))
        if how.draws:
            return
        for values in (WHOLE, SPARSE) if how == How() and much else (how.values,):
            for variants, sizes in product(self.variants, self._sizes(how, much)):
                yield from map(self.draw.probe, self._plans(Plan(sizes, variants, how, values=values)))

    def _sizes(self, how: How, much: bool) -> list[dict[str, int]]:
        """All 1; all 2; as large as may be, and so with one of them smaller where much is tried; by chance."""
        if how == How() and much and math.prod(self.largest.values()) <= MOST_SIZES:
            return self._boxes()
        middle = {name: min(2, size) for name, size in self.largest.items()}
        less = [{**self.largest, name: size} for name, most in self.largest.items() for size in range(1, most)]
        chance = random.Random(str(how))
        some = [{name: chance.randint(1, most) for name, most in self.largest.items()} for _ in range(SOME_SIZES)]
        return _distinct([self.smallest, middle, self.largest, *(less if much else []), *some])

    def _plans(self, plan: Plan) -> Iterator[Plan]:
        """The plan with what `before` says; other sizes one at a time, so that a module may stay the same."""
        if not plan.how.before:
            yield plan
        elif plan.how.before == "same":
            yield replace(plan, before={**plan.sizes, **plan.variants})
        elif plan.how.before == "variant":
            other = self.variants[self.variants.index(dict(plan.variants)) - 1]
            yield replace(plan, before={**plan.sizes, **other})
        elif plan.sizes == self.largest:
            for name in self.largest:
                smaller = {**self.largest, name: 1}
                sizes, first = (self.largest, smaller) if plan.how.before == "smaller" else (smaller, self.largest)
                yield replace(plan, sizes=sizes, before={**first, **plan.variants})

    def _boxes(self) -> list[dict[str, int]]:
        """All sizes there are, the smallest sum first."""
        boxes = product(*(range(1, size + 1) for size in self.largest.values()))
        return [dict(zip(self.largest, box, strict=True)) for box in sorted(boxes, key=lambda box: (sum(box), box))]

    def _try(self, plans: Iterable[Plan]) -> bool:
        """Whether one of the plans fails in the same way; the first that does is the best from now on."""
        assert self.best is not None
        kind = self.best.kind
        for found in self.prober.differences(self.draw.probe(plan) for plan in plans):
            if found.kind == kind:
                self.best = found
                return True
        return False

    def _plainer(self) -> None:
        """Without circumstances that are not needed."""
        assert self.best is not None
        plan = self.best.probe.plan
        self._try(replace(plan, how=how) for how in plan.how.plainer())

    def _smaller_sizes(self) -> None:
        """First all small ones in the order of their sum, then one size after the other."""
        if self._try(self._small_plans()):
            return
        for _ in range(MOST_ROUNDS):
            if not self._try(self._reduced_plans()):
                return

    def _small_plans(self) -> Iterator[Plan]:
        assert self.best is not None
        plan = self.best.probe.plan
        for one in self._boxes()[:MOST_SIZES]:
            if sum(one.values()) < sum(plan.sizes.values()):
                before = {**plan.before, **one} if plan.before is not None else None
                yield from self._numbered(replace(plan, sizes=one, before=before))

    def _reduced_plans(self) -> Iterator[Plan]:
        """One size smaller, in the call itself, in the one before it, in both."""
        assert self.best is not None
        plan = self.best.probe.plan
        for name, most in sorted(self.largest.items(), key=lambda one: -plan.sizes[one[0]]):
            for size in range(1, most):
                own = {**plan.sizes, name: size} if size < plan.sizes[name] else plan.sizes
                steps: list[tuple[Mapping[str, int], Mapping[str, Any] | None]] = [(own, None)]
                if plan.before is not None:
                    before = {**plan.before, name: size} if size < plan.before[name] else plan.before
                    steps = [(own, before), (own, plan.before), (plan.sizes, before)]
                for sizes, first in steps:
                    if (sizes, first) != (plan.sizes, plan.before):
                        yield from self._numbered(replace(plan, sizes=sizes, before=first))

    def _numbered(self, plan: Plan) -> Iterator[Plan]:
        for number in (0, 1):
            yield replace(plan, number=number)

    def _simpler_numbers(self) -> None:
        assert self.best is not None
        plan = self.best.probe.plan
        self._try(replace(plan, number=number, values=SIMPLE) for number in range(6))
        for value in (0.0, 1.0):
            steps = [step for step in changes(self.best.probe.choices) if step[2] == value]
            for _ in range(MOST_ROUNDS):
                steps = self._simplify(steps) if steps else []

    def _fewer_calls(self) -> None:
        """Without calls before the one that differs, where it differs all the same."""
        assert self.best is not None
        probe, first = self.best.probe, self.best.call
        shorter = [replace(probe, calls=(*probe.calls[:n], *probe.calls[n + 1 : first + 1])) for n in range(first)]
        alone = [replace(probe, calls=probe.calls[first : first + 1])] if first else []
        for tried in (*alone, *(shorter if first > 1 else ())):
            found = self.prober.alone(tried)
            if found is not None and found.kind == self.best.kind:
                self.best = self.sure = found
                return

    def _simplify(self, steps: list[Change]) -> list[Change]:
        """One round: each change that still fails alone, then as many of them together as will. What is left to try."""
        assert self.best is not None
        start, kind = self.best, self.best.kind
        plans = [changed(start.probe, [step]) for step in steps]
        numbers = {id(plan): number for number, plan in enumerate(plans)}
        found = self.prober.differences((self.draw.probe(plan) for plan in plans), A_FRAME)
        worked = [steps[numbers[id(one.probe.plan)]] for one in found if one.kind == kind]
        counts = [len(worked)]
        while counts[-1] > 1:
            counts.append(3 * counts[-1] // 4)
        if not worked or not self._try(changed(start.probe, worked[:count]) for count in counts):
            return []
        left = changes(self.best.probe.choices)
        return [step for step in worked if step in left]


def _distinct(sizes: list[dict[str, int]]) -> list[dict[str, int]]:
    return [one for n, one in enumerate(sizes) if one not in sizes[:n]]
