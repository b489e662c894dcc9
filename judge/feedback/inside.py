"""What happens inside attention on the smallest failing input: the stages of the right way, and who reads whom.

`stages` of a problem's tests.py takes the arguments of a call (a module before them) and returns scores, mask (True may
be seen) and weights. Attention is linear in v: with the identity for v, the result of a submission is the weights that
it gave each key, whatever it does inside. One more call, and only if the problem has `stages`.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from judge.feedback.prober import Difference, Prober
from judge.feedback.probes import Made, Probe
from judge.grading.comparisons import results
from judge.grading.own_code import LoadedProblem
from judge.grading.pictures import Room, shown
from judge.remote.calls import Call, perform
from judge.remote.connection import SubmissionFailed
from sandbox import Sandbox, SessionEnded
from sandbox.wire import WireError

ROOM, SIDE = 2048, 16
SECONDS = 0.5
"""For the one call, in a session of its own: the search may have used up its time."""
FINDINGS = ("values", "not_finite")


def looked_into(
    sandbox: Sandbox, difference: Difference, loaded: LoadedProblem, source: bytes
) -> dict[str, Any] | None:
    """For a wrong result of one plain call: `stages`, and `reads` where the submission could be asked."""
    probe = difference.probe
    plain = len(probe.calls) == 1 and difference.finding["code"] in FINDINGS and difference.finding["of"] == "result"
    if not plain or not hasattr(loaded.tests, "stages"):
        return None
    made = probe.calls[0]
    module = () if made.module is None else (made.module,)
    with torch.no_grad():
        stages: dict[str, Tensor] = loaded.tests.stages(*module, *made.arguments)
    mask = stages["mask"].expand_as(stages["weights"])
    told = stages | {"mask": mask, "masked": stages["scores"].masked_fill(~mask, -torch.inf)}
    order = ("scores", "mask", "masked", "weights")
    reads = None
    with contextlib.suppress(SessionEnded, SubmissionFailed, WireError):
        prober = Prober(sandbox, loaded, source, time.perf_counter() + SECONDS)
        with contextlib.closing(prober):
            reads = _reads(prober, probe, mask, loaded)
    return {
        "stages": [{"name": name, "value": shown(told[name], Room(ROOM, SIDE))} for name in order],
        "reads": reads,
    }


def _reads(prober: Prober, probe: Probe, mask: Tensor, loaded: LoadedProblem) -> dict[str, Any] | None:
    """The weights that the submission and the reference give each key; which hidden keys are read all the same."""
    asked = _with_identity(probe.calls[0], loaded)
    if asked is None:
        return None
    found = prober.alone(replace(probe, calls=(asked,)))
    want = asked.want.value
    got = want if found is None else found.got
    if not isinstance(got, Tensor) or got.shape != want.shape or want.shape != mask.shape:
        return None
    leaks = (got.nan_to_num(nan=1.0).abs() > 1e-6) & ~mask
    first = leaks.nonzero()[:1].flatten().tolist()
    return {
        **results(want, got, None, Room(2 * ROOM, SIDE)),
        "hidden": int((~mask).sum()),
        "leaks": int(leaks.sum()),
        "first": first,
        "weight": float(got[tuple(first)].nan_to_num(nan=0.0)) if first else 0.0,
    }


def _with_identity(made: Made, loaded: LoadedProblem) -> Made | None:
    """The call with row j of v the unit vector j; None for a module, or without an argument v."""
    names = loaded.arguments.get(made.name, [])
    if made.module is not None or "v" not in names[: len(made.arguments)]:
        return None
    place = names.index("v")
    v = made.arguments[place]
    size = v.size(-2)
    units = torch.eye(size, dtype=v.dtype).expand(*v.shape[:-1], size).contiguous()
    arguments = (*made.arguments[:place], units, *made.arguments[place + 1 :])
    (want,) = perform(getattr(loaded.reference, made.name), [Call(arguments)])
    return replace(made, arguments=arguments, cotangents=None, want=want, tolerance=None)
