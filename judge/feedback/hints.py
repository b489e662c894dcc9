"""What the failing case of a grading asked for, which says what the search tries first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from judge.feedback.diagnosis import Evidence
from judge.feedback.probes import CIRCUMSTANCES, How
from judge.model import Finding
from sandbox import wire

ORDINARY = 20.0
"""Numbers that a test draws to be ordinary are smaller."""


@dataclass(frozen=True)
class Hint:
    """`some`: what is special about some of the calls that may have failed, `all`: about all of them; None: unknown."""

    finding: Finding = field(default_factory=dict)
    some: frozenset[str] | None = None
    all: frozenset[str] = frozenset()

    def rank(self, how: How) -> tuple[int, int]:
        """0 for what the finding speaks of; then by how much differs from what was asked."""
        differs = 0 if self.some is None else len(special(how) - self.some) + len(self.all - special(how))
        return int(not spoken_of(how, self.finding)), differs

    def circumstances(self) -> list[How]:
        """All that are tried, in order. A global state only if it was the one that failed."""
        told = [How(state=self.finding["state"])] if self.finding.get("code") == "under" else []
        return [*told, *sorted(CIRCUMSTANCES, key=self.rank)]


def hint_of(finding: Finding, evidence: Evidence | None) -> Hint:
    """From the last request of the first failing case."""
    failed = next((case for case in evidence.cases if case.failed and case.log), None) if evidence else None
    if failed is None:
        return Hint(finding)
    request, answer = failed.log[-1]
    size, _ = wire.read_prefix(request[: wire.PREFIX.size], max_body=len(request))
    head, body = request[wire.PREFIX.size :][:size], request[wire.PREFIX.size + size :]
    sent = wire.decode(head, bytearray(body))
    requests = sent.header.get("calls", [])
    calls = [call for call in requests if call["do"] == "call"]
    asked = [_special(call, sent.tensors) | ({"before"} if n else set()) for n, call in enumerate(calls)]
    done = sum(call["do"] == "call" for call in requests[: len(answer.header.get("results", ()))])
    if finding.get("code") == "exception" and done < len(asked):  # an exception ends a frame
        asked = [asked[done]]
    if not asked:
        return Hint(finding)
    return Hint(finding, frozenset.union(*asked), frozenset.intersection(*asked))


def special(how: How) -> frozenset[str]:
    """In what a circumstance is none of a plain call, as far as a request tells."""
    told = {
        "gradients": how.cotangents,
        "layout": how.layout,
        "eval": how.mode,
        "before": how.before,
        "large": how.is_large,
    }
    dtype = str(how.dtype).removeprefix("torch.")
    return frozenset({key for key, value in told.items() if value} | ({dtype} - {"float32"}))


def _special(call: dict[str, Any], tensors: list[Tensor]) -> frozenset[str]:
    given = [tensors[tree["t"]] for tree in call["arguments"] if isinstance(tree, dict) and "t" in tree]
    floats = [tensor for tensor in given if tensor.is_floating_point() and tensor.numel()]
    found = {str(tensor.dtype).removeprefix("torch.") for tensor in floats} - {"float32"}
    told = {
        "gradients": bool(call["gradients"]),
        "layout": any(not tensor.is_contiguous() for tensor in floats),
        "eval": call.get("training") is False,
        "large": any(float(tensor.abs().nan_to_num().max()) > ORDINARY for tensor in floats),
    }
    return frozenset(found | {key for key, value in told.items() if value})


def spoken_of(how: How, finding: Finding) -> bool:
    """Whether what is wrong in the grading speaks of such a circumstance."""
    of = str(finding.get("of"))
    dtype = finding.get("dtype") or (finding.get("expected") if finding.get("code") == "dtype" else None)
    gradients = of.startswith("gradient") or finding.get("code") == "detached"
    return bool(how.cotangents) if gradients else how.dtype != torch.float32 and str(how.dtype) == f"torch.{dtype}"
