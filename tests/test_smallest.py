"""The smallest failing input: small, whole, of no hidden case, the same every time, whatever a submission does."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from judge.compare import CheckFailed, compare
from judge.feedback.diagnosis import Evidence
from judge.feedback.drawing import LARGE, QUARTERS, WIDE, SearchRng
from judge.feedback.hints import hint_of
from judge.feedback.probes import CIRCUMSTANCES, Draw, How, Plan
from judge.feedback.rounding import in_half
from judge.grading.grader import Grader
from judge.grading.own_code import TestsBroken, load_modules
from judge.loader import load_problem
from judge.messages import HOW, smallest_json
from judge.model import Problem, Report, Smallest, Verdict

MATERIAL = Path(__file__).parent / "material"
BANK = Path(__file__).resolve().parent.parent / "problems"
LONG = 20.0
"""Seconds: on a busy machine too the search ends by itself."""


def found(grader: Grader, problem: Problem, source: bytes, verdict: Verdict = "WA") -> Smallest | None:
    report = Report(problem.slug, verdict, (), 0.0, 0, "local", 1, "")
    return grader.smallest(problem, source, report, LONG)


def of_mistake(grader: Grader, problem: Problem, name: str) -> tuple[bytes, Smallest]:
    mistake = problem.mistake(name)
    assert mistake is not None
    report = grader.grade(problem, mistake.source, seed=1, stop_at_failure=True)
    smallest = grader.smallest(problem, mistake.source, report, LONG)
    assert smallest is not None
    return mistake.source, smallest


def printed(source: bytes, code: str) -> str:
    """What the code prints below a source; the name of an exception that ends it."""
    out, before = io.StringIO(), torch.get_default_dtype()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source.decode() + "\n\n" + code, "solution.py", "exec"), {"__name__": "solution"})
        except Exception as error:
            return f"{out.getvalue()}{type(error).__name__}"
        finally:
            torch.set_default_dtype(before)
    return out.getvalue()


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return numbers(value["values"])
    return [n for item in value for n in numbers(item)] if isinstance(value, list) else [value]


@pytest.mark.parametrize(
    ("slug", "mistake", "sizes", "how"),
    [
        ("attention", "scale_missing", {"B": 1, "H": 1, "T": 1, "S": 2, "D": 2, "Dv": 1}, {}),
        ("attention", "output_squeezed", {"B": 1, "H": 1, "T": 1, "S": 1, "D": 1, "Dv": 1}, {}),
        ("attention", "mask_of_first_head", {"B": 1, "H": 2, "T": 1, "S": 2, "D": 1, "Dv": 1}, {}),
        ("kv-offset-mask", "shift_fixed", {"T": 2, "S": 3}, {}),
    ],
)
def test_sizes_are_as_small_as_may_be(
    grader: Grader, problem: Callable[[str], Problem], slug: str, mistake: str, sizes: dict[str, int], how: object
) -> None:
    _, smallest = of_mistake(grader, problem(slug), mistake)
    assert (smallest.sizes, smallest.how) == (sizes, how)


@pytest.mark.parametrize(
    ("slug", "mistake", "how"),
    [
        ("attention", "weights_detached", {"gradients": "ones"}),
        ("attention", "minus_1e9_in_half", {"dtype": "float16"}),
        ("attention", "exp_overflows", {"factor": 300.0}),
        ("attention", "view_of_strided_input", {"layout": "expanded"}),
        ("kv-offset-mask", "mask_kept_for_s", {"calls": 2}),
        ("split-heads", "result_kept_by_shape", {"calls": 2}),
        ("causal-attention", "bfloat16_inside", {"dtype": "float16"}),
        ("swiglu-rmsnorm", "squares_in_half", {"dtype": "float16"}),
        ("attention-sinks", "sinks_in_float32", {"dtype": "float64"}),
        ("swiglu-rmsnorm", "root_before_eps", {"gradients": "counted"}),
        ("causal-mha", "cache_in_evaluation", {"mode": "eval", "calls": 2}),
        ("multi-head-attention", "dropout_in_eval", {"mode": "eval"}),
        ("alibi-slopes", "default_dtype", {"state": "torch.set_default_dtype(torch.float64)"}),
    ],
)
def test_what_plain_calls_do_not_show_is_found_otherwise(
    grader: Grader, problem: Callable[[str], Problem], slug: str, mistake: str, how: dict[str, object]
) -> None:
    _, smallest = of_mistake(grader, problem(slug), mistake)
    assert smallest.how == how


@pytest.mark.parametrize(
    ("slug", "mistake"),
    [
        ("attention", "zero_taken_for_hidden"),
        ("attention", "weights_detached"),
        ("attention", "exp_overflows"),
        ("attention", "half_returned_as_float32"),
        ("attention", "view_of_strided_input"),
        ("attention", "input_scaled_in_place"),
        ("kv-offset-mask", "mask_kept_for_s"),
        ("causal-mha", "not_causal"),
        ("causal-mha", "bias_left_on"),
        ("causal-mha", "scale_in_float32"),
        ("causal-mha", "padding_mask_kept"),
        ("causal-mha", "cache_in_evaluation"),
        ("causal-attention", "bfloat16_inside"),
        ("attention-sinks", "sinks_in_float32"),
        ("document-mask", "ids_in_float64"),
        ("document-mask", "view_on_strided"),
        ("multi-head-attention", "dropout_on_scores"),
        ("multi-head-attention", "weights_detached_by_dropout"),
        ("alibi-slopes", "default_dtype"),
    ],
)
def test_the_code_shows_it_again(grader: Grader, problem: Callable[[str], Problem], slug: str, mistake: str) -> None:
    source, smallest = of_mistake(grader, problem(slug), mistake)
    right = printed((BANK / slug / "reference.py").read_bytes(), smallest.code)
    assert right.strip()
    assert not right.endswith("Error")
    assert printed(source, smallest.code) != right


@pytest.mark.parametrize(
    ("slug", "mistake", "how"),
    [
        ("causal-mha", "view_on_strided_input", {"layout": "transposed"}),
        ("causal-mha", "cache_in_evaluation", {"mode": "eval", "before": "same"}),
        ("causal-mha", "mask_kept_from_first_length", {"before": "smaller"}),
        ("causal-mha", "weights_changed_in_place", {"cotangents": "ones", "dtype": torch.float64}),
        ("causal-mha", "scores_clamped", {"dtype": torch.float64, "factor": LARGE, "cotangents": "counted"}),
        ("causal-mha", "minus_1e9_in_half", {"dtype": torch.float16}),
    ],
)
def test_what_the_failing_case_asked_for_is_near(
    grader: Grader, problem: Callable[[str], Problem], slug: str, mistake: str, how: dict[str, Any]
) -> None:
    wrong = problem(slug).mistake(mistake)
    assert wrong is not None
    failure = grader.grade(problem(slug), wrong.source, seed=1, stop_at_failure=True).first_failure
    assert failure is not None
    hint = hint_of(failure.finding or {}, grader.evidence)
    assert hint.rank(How(**how)) < hint.rank(How())
    assert hint.rank(How(**how)) <= min(map(hint.rank, hint.circumstances()))


def test_without_evidence_plain_calls_come_first() -> None:
    hint = hint_of({}, None)
    assert hint.circumstances() == list(CIRCUMSTANCES)
    assert hint_of({}, Evidence("", 1)) == hint


@pytest.mark.parametrize(
    ("slug", "mistake"),
    [
        ("attention", "mask_of_three_axes_for_sequences"),
        ("attention-backward", "scores_clamped"),
        ("attention-sink-score", "first_query_left_out"),
        ("attention-sink-score", "rows_normalised"),
        ("block-mask-stats", "border_only"),
        ("document-mask", "compared_as_objects"),
        ("document-mask", "differences_overflow"),
        ("document-mask", "id_used_as_index"),
        ("document-mask", "ids_in_int32"),
        ("kv-cache", "maximum_of_nothing"),
        ("multi-head-attention", "dropout_missing"),
        ("online-softmax", "matrix_expected"),
        ("online-softmax", "sum_detached"),
        ("online-softmax", "view_of_strided_input"),
        ("padded-positions", "view_of_strided_mask"),
        ("paged-attention", "first_length_for_all"),
        ("prefix-lm-attention", "count_of_prefix_queries_negative"),
        ("prefix-lm-attention", "empty_prefix_sees_everything"),
        ("rope", "base_rounded"),
        ("rope-decode", "table_ends_before_100000"),
        ("softcap-attention", "cap_in_float32"),
        ("softcap-attention", "exp_without_maximum"),
        ("swiglu-rmsnorm", "eps_default_of_another"),
        ("swiglu-rmsnorm", "three_axes_expected"),
    ],
)
def test_inputs_of_every_kind_are_drawn(
    grader: Grader, problem: Callable[[str], Problem], slug: str, mistake: str
) -> None:
    _, smallest = of_mistake(grader, problem(slug), mistake)
    assert max(smallest.sizes.values()) <= 4


def test_a_call_that_only_a_later_one_spoils_is_not_shown(grader: Grader, problem: Callable[[str], Problem]) -> None:
    mistake = problem("split-heads").mistake("buffer_reused")
    assert mistake is not None
    assert found(grader, problem("split-heads"), mistake.source) is None


def test_the_inputs_are_few_whole_numbers(grader: Grader, problem: Callable[[str], Problem]) -> None:
    _, smallest = of_mistake(grader, problem("attention"), "zero_taken_for_hidden")
    assert {n for value in smallest.inputs.values() for n in numbers(value)} == {0, 1}
    assert smallest.call == "attention(q, k, v, mask)"
    assert (numbers(smallest.expected), numbers(smallest.got)) == ([0.5], [0.0])


def test_a_module_comes_with_its_weights(grader: Grader, problem: Callable[[str], Problem]) -> None:
    _, smallest = of_mistake(grader, problem("causal-mha"), "not_causal")
    assert [f"W_{letter}.weight" for letter in "qkvo"] == list(smallest.inputs)[:4]
    assert re.fullmatch(r"CausalMultiHeadAttention\(\d, \d\)\(x.*\)", smallest.call)


def test_the_same_submission_has_the_same_smallest_input(grader: Grader, problem: Callable[[str], Problem]) -> None:
    _, first = of_mistake(grader, problem("attention"), "mask_multiplied")
    assert of_mistake(grader, problem("attention"), "mask_multiplied")[1] == first


@pytest.mark.parametrize("verdict", ["AC", "TLE", "MLE", "OLE", "RF", "CE", "JE"])
def test_only_wrong_answers_and_exceptions_are_searched(
    grader: Grader, problem: Callable[[str], Problem], verdict: Verdict
) -> None:
    attention = problem("attention")
    mistake = attention.mistake("scale_missing")
    assert mistake is not None
    assert found(grader, attention, mistake.source, verdict) is None


def test_nothing_is_found_for_a_right_answer(grader: Grader, problem: Callable[[str], Problem]) -> None:
    for submission in problem("attention").submissions:
        if not submission.is_mistake:
            assert found(grader, problem("attention"), submission.source) is None, submission.name


def _prescaled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention with the scale in q and in k, before their product, which rounds more often."""
    scale = q.size(-1) ** -0.25
    future = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool).triu(k.size(-2) - q.size(-2) + 1)
    return ((q * scale) @ (k * scale).mT).masked_fill(future, -torch.inf).softmax(-1) @ v


def test_another_order_of_steps_holds_in_half_precision(problem: Callable[[str], Problem]) -> None:
    loaded = load_modules(problem("causal-attention"))
    draw, how = Draw(loaded), How(dtype=torch.float16, factor=QUARTERS, values=WIDE)
    tolerances = []
    for number in range(200):
        probe = draw.probe(Plan({"B": 2, "H": 2, "T": 3, "S": 4, "D": 3, "Dv": 3}, {}, how, number, values=WIDE))
        assert probe is not None
        (made,) = probe.calls
        q, k, v = made.arguments
        got = _prescaled(q, k, v)
        compare(got, made.want.value, made.tolerance, "result")
        tolerances.append(made.tolerance)
    assert min(tolerances) == 2e-2


def test_half_precision_that_overflows_is_not_asked() -> None:
    large = torch.full((2,), 300.0, dtype=torch.float16)
    with pytest.raises(OverflowError):
        in_half(lambda x: x * x, (large,), torch.float16)
    want, tolerance = in_half(lambda x: x.double().mul(x.double()).mean().sqrt().to(x.dtype), (large,), torch.float16)
    assert (float(want.value), tolerance) == (300.0, 2e-2)


def test_float64_has_digits_that_float32_has_not() -> None:
    assert SearchRng(0, (3,), 1.1, double=True).randn(1).item() == pytest.approx(3.3, rel=1e-15)
    with pytest.raises(CheckFailed):
        compare(SearchRng(0, (3,), 1.1).randn(1).double(), torch.tensor([3.3], dtype=torch.float64), 1e-9, "result")


@pytest.mark.parametrize("path", sorted((MATERIAL / "searched").glob("*.py")), ids=lambda p: p.stem)
def test_whatever_a_submission_does_little_comes_back(
    grader: Grader, problem: Callable[[str], Problem], path: Path
) -> None:
    attention = problem("attention")
    report = Report("attention", "WA", (), 0.0, 0, "local", 1, "")
    smallest = grader.smallest(attention, path.read_bytes(), report, 1.0)
    assert smallest is None or len(json.dumps(asdict(smallest), allow_nan=False)) < 50_000
    assert grader.grade(attention, (attention.folder / "reference.py").read_bytes()).verdict == "AC"


def test_inputs_that_raise_are_the_problems_fault(grader: Grader, tmp_path: Path) -> None:
    shutil.copytree(BANK / "kv-offset-mask", tmp_path / "kv-offset-mask")
    tests = tmp_path / "kv-offset-mask" / "tests.py"
    tests.write_text(re.sub(r"return Trial\(", "return Triel(", tests.read_text()))
    broken = load_problem(tmp_path, "kv-offset-mask")
    mistake = broken.mistake("inverted")
    assert mistake is not None
    with pytest.raises(TestsBroken, match=r"inputs in tests.py.*Triel"):
        found(grader, broken, mistake.source)
    report = grader.grade(broken, mistake.source)
    assert grader.explain(broken, mistake.source, report).smallest is None


@pytest.mark.parametrize("how", [
    {"dtype": "float16"}, {"gradients": "ones"}, {"layout": "expanded"}, {"calls": 2}, {"mode": "eval"},
    {"state": "torch.inference_mode()"},
])  # fmt: skip
def test_circumstances_have_words(how: dict[str, object]) -> None:
    smallest = Smallest("f(x)", {}, 1, 2, {"code": "number", "of": "result"}, {"T": 1}, how, "")
    for lang in ("en", "zh"):
        (told,) = smallest_json(smallest, load_problem(BANK, "attention"), lang)["circumstances"]
        assert told
        assert "{" not in told


def test_every_circumstance_of_the_search_has_words() -> None:
    named = {how.layout for how in CIRCUMSTANCES if how.layout}
    named |= {"dtype", "gradients", "factor", "calls", "mode", "state"}
    assert named == set(HOW)
    assert How() == CIRCUMSTANCES[0]
