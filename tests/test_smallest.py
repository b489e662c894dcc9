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

from judge.feedback.probes import How
from judge.grading.grader import Grader
from judge.grading.own_code import TestsBroken
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
    smallest = found(grader, problem, mistake.source)
    assert smallest is not None
    return mistake.source, smallest


def printed(source: bytes, code: str) -> str:
    """What the code prints below a source; the name of an exception that ends it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source.decode() + "\n\n" + code, "solution.py", "exec"), {"__name__": "solution"})
        except Exception as error:
            return f"{out.getvalue()}{type(error).__name__}"
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
        ("attention", "exp_overflows", {"dtype": "float64", "factor": 100.0}),
        ("attention", "view_of_strided_input", {"layout": "expanded"}),
        ("kv-offset-mask", "mask_kept_for_s", {"calls": 2}),
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
    ],
)
def test_the_code_shows_it_again(grader: Grader, problem: Callable[[str], Problem], slug: str, mistake: str) -> None:
    source, smallest = of_mistake(grader, problem(slug), mistake)
    right = printed((BANK / slug / "reference.py").read_bytes(), smallest.code)
    assert right.strip()
    assert not right.endswith("Error")
    assert printed(source, smallest.code) != right


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


@pytest.mark.parametrize("how", [{"dtype": "float16"}, {"gradients": "ones"}, {"layout": "expanded"}, {"calls": 2}])
def test_circumstances_have_words(how: dict[str, object]) -> None:
    smallest = Smallest("f(x)", {}, 1, 2, {"code": "number", "of": "result"}, {"T": 1}, how, "")
    for lang in ("en", "zh"):
        (told,) = smallest_json(smallest, load_problem(BANK, "attention"), lang)["circumstances"]
        assert told
        assert "{" not in told


def test_every_circumstance_of_the_search_has_words() -> None:
    from judge.feedback.probes import CIRCUMSTANCES

    named = {how.layout for how in CIRCUMSTANCES if how.layout} | {"dtype", "gradients", "factor", "calls"}
    assert named == set(HOW)
    assert How() == CIRCUMSTANCES[0]
