"""Steps from the numbers of a probe to simpler ones: 0 before 1 before all others."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor

from judge.feedback.probes import Plan, Probe

MOST_NUMBERS = 48
"""Above that many numbers in a call they are not made simpler one by one."""

Change = tuple[int, int | None, float]
"""A draw, a place in it (None: all of it), and what stands there then."""


def _cost(number: float) -> float:
    return abs(number) + (1.5 if number < 0 else 0.0)


def changes(choices: tuple[Tensor, ...]) -> list[Change]:
    """All single steps to simpler numbers, whole draws first."""
    whole: list[Change] = []
    single: list[Change] = []
    for draw, choice in enumerate(choices):
        numbers = choice.flatten().tolist()
        for value in (0.0, 1.0):
            if len(numbers) > 1 and len(numbers) * _cost(value) < sum(map(_cost, numbers)):
                whole.append((draw, None, value))
            single += [(draw, n, value) for n, number in enumerate(numbers) if _cost(value) < _cost(number)]
    return whole + (single if sum(choice.numel() for choice in choices) <= MOST_NUMBERS else [])


def changed(probe: Probe, steps: list[Change]) -> Plan:
    """The plan with those changes; one of a whole draw stands, whatever else would change in it."""
    choices = [choice.clone() for choice in probe.choices]
    settled = set()
    for draw, place, value in steps:
        if draw in settled:
            continue
        if place is None:
            settled.add(draw)
            choices[draw].fill_(value)
        else:
            choices[draw].view(-1)[place] = value
    return replace(probe.plan, choices=tuple(choices))
