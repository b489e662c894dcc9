"""The stages of attention on the smallest failing input, and which hidden keys a submission reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from judge.captions import inside_json
from judge.checks import shown_stages
from judge.feedback.trials import Trial
from judge.grading.grader import Grader
from judge.grading.own_code import load_modules
from judge.grading.rng import Rng
from judge.model import Problem, Report

WITH_STAGES = (
    "attention", "causal-attention", "sliding-window-attention", "cross-attention", "grouped-query-attention",
    "attention-sinks",
)  # fmt: skip


def inside(grader: Grader, problem: Problem, name: str) -> dict[str, Any]:
    mistake = problem.mistake(name)
    assert mistake is not None
    report = Report(problem.slug, "WA", (), 0.0, 0, "local", 1, "")
    smallest = grader.smallest(problem, mistake.source, report, 20.0)
    assert smallest is not None
    assert smallest.inside is not None
    return smallest.inside


def test_a_hidden_key_that_is_read_is_named(grader: Grader, problem: Callable[[str], Problem]) -> None:
    found = inside(grader, problem("causal-attention"), "not_causal")
    assert found["reads"]["leaks"] == 1
    assert found["reads"]["got"]["values"][0][0][0] == [0.5, 0.5]
    assert found["reads"]["expected"]["values"][0][0][0] == [1.0, 0.0]
    told = [inside_json(found, lang)["reads"]["caption"] for lang in ("en", "zh")]
    assert told[0] == "key 1 reaches query 0 with weight 0.5, and is hidden from it; 1 of 1 hidden pairs leak"
    assert told[1].startswith("键 1 本应对查询 0 不可见")
    assert [stage["name"] for stage in found["stages"]] == ["scores", "mask", "masked", "weights"]
    assert found["stages"][2]["value"]["values"][0][0][0][1] == "-inf"


def test_what_leaks_nothing_is_told_too(grader: Grader, problem: Callable[[str], Problem]) -> None:
    found = inside(grader, problem("attention"), "scale_missing")
    assert inside_json(found, "en")["reads"]["caption"] == "no key is hidden here"
    assert found["reads"]["contrast"]["wrong"] > 0


@pytest.mark.parametrize("slug", WITH_STAGES)
def test_the_weights_shown_are_those_of_the_reference(slug: str, problem: Callable[[str], Problem]) -> None:
    """With the identity for v, the result of the reference is its weights."""
    loaded = load_modules(problem(slug))
    choices = {"attention": {"mask": "one for all"}, "cross-attention": {"padding": "anywhere"}}
    trial: Trial = loaded.tests.inputs(Rng(3, slug), **choices.get(slug, {}))
    q, k, v, *rest = trial.arguments
    units = torch.eye(k.size(-2)).expand(*v.shape[:-1], k.size(-2))
    weights = getattr(loaded.reference, trial.name)(q, k, units, *rest)
    stages = loaded.tests.stages(*trial.arguments)
    torch.testing.assert_close(stages["weights"], weights)
    hidden = ~stages["mask"].expand_as(weights)
    assert not weights[hidden].any()


def test_a_query_without_keys_has_no_weights() -> None:
    stages = shown_stages(torch.zeros(1, 1, 1, 2), torch.zeros(1, 2, dtype=torch.bool))
    assert stages["weights"].tolist() == [[[[0.0, 0.0]]]]
