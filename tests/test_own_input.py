"""Inputs of the learner's own: bounded before anything computes, refused in words, judged like a sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from records import open_store
from web_judge import SOURCE, WebJudge

from judge import config
from judge.cli import run
from judge.grading.grader import Grader
from judge.grading.own_code import load_modules
from judge.grading.own_input import with_own_input
from judge.messages import describe
from judge.model import OWN_INPUT, Problem
from judge.own_input import InputRefused, Numbers, parse
from judge.queue import Bell, WorkQueue
from judge.worker import Worker

BANK = Path(__file__).resolve().parent.parent / "problems"
QKV = {"q": [[[[1, 2]]]], "k": [[[[1, 0], [0, 1]]]], "v": [[[[1], [2]]]]}


def refusal(given: Any) -> str:
    with pytest.raises(InputRefused) as refused:
        parse(given)
    for lang in ("en", "zh"):
        assert "{" not in describe(refused.value.finding, lang)
        assert describe(refused.value.finding, lang) != refused.value.finding["code"]
    return str(refused.value.finding["code"])


def test_values_are_read_with_their_kind() -> None:
    read = parse(
        {"arguments": {"x": [[1, 2.5], ["nan", "-inf"]], "m": [True], "n": 3, "e": {"shape": [0, 4], "values": []}}}
    )
    assert read.arguments["x"].shape == (2, 2)
    assert read.arguments["x"].values[1] == 2.5
    assert read.arguments["x"].values[3] == -float("inf")
    assert read.arguments["m"] == Numbers((1,), (True,), None)
    assert read.arguments["e"].shape == (0, 4)
    assert read.arguments["n"] == 3


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (None, "input_no_arguments"),
        ([], "input_no_arguments"),
        ({"arguments": []}, "input_no_arguments"),
        ({"arguments": {}, "code": "x"}, "input_unknown_key"),
        ({"arguments": {"\ud800": 1}}, "input_unknown_key"),
        ({"arguments": {"a": "x" * 10}}, "input_value"),
        ({"arguments": {"a": "\0"}}, "input_value"),
        ({"arguments": {"a": 10**400}}, "input_value"),
        ({"arguments": {"a": [10**400]}}, "input_value"),
        ({"arguments": {"a": float("nan")}}, "input_value"),
        ({"arguments": {"a": [[1], [2, 3]]}}, "input_ragged"),
        ({"arguments": {"a": [[1], 2]}}, "input_ragged"),
        ({"arguments": {"a": [1, [2]]}}, "input_ragged"),
        ({"arguments": {"a": [[], [[[[1]]]]]}}, "input_ragged"),
        ({"arguments": {"a": [[], {"b": 1}]}}, "input_ragged"),
        ({"arguments": {"a": {"values": [1], "shape": [1] * 7}}}, "input_value"),
        ({"arguments": {"a": [[[[[[[1]]]]]]]}}, "input_shape"),
        ({"arguments": {"a": [0] * 1025}}, "input_shape"),
        ({"arguments": {"a": [[0] * 100] * 41}}, "input_too_large"),
        ({"arguments": {f"a{n}": [0] * 1000 for n in range(5)}}, "input_too_large"),
        ({"arguments": {str(n): 1 for n in range(40)}}, "input_too_large"),
        ({"arguments": {"a": {"values": [1], "dtype": "__class__"}}}, "input_dtype"),
        ({"arguments": {"a": {"values": [1], "shape": "\ud800"}}}, "input_value"),
        ({"arguments": {"a": {"values": [1], "more": 1}}}, "input_value"),
        ({"arguments": {}, "seed": -1}, "input_value"),
        ({"arguments": {}, "seed": True}, "input_value"),
        ({"arguments": {}, "init": ["os"]}, "input_value"),
        ({"arguments": {}, "weights": [1]}, "input_too_large"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(given: Any, code: str) -> None:
    assert refusal(given) == code


def test_deep_lists_do_not_end_the_reader() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert refusal({"arguments": {"a": deep}}) == "input_shape"


def judged(grader: Grader, problem: Problem, source: bytes, given: dict[str, Any]) -> Any:
    report = grader.grade(problem, source, own_input=parse(given))
    (case,) = report.cases
    assert (case.name, case.sample, report.samples_only) == (OWN_INPUT, True, True)
    return report, case


def test_it_is_judged_as_a_sample_is(grader: Grader, problem: Callable[[str], Problem]) -> None:
    attention = problem("attention")
    mistake = attention.mistake("mask_multiplied")
    assert mistake is not None
    given = {"arguments": QKV | {"mask": [[True, False]]}}
    report, case = judged(grader, attention, b"print('seen')\n" + mistake.source, given)
    assert report.verdict == "WA"
    (shown,) = case.tensors
    assert shown["names"] == ["q", "k", "v", "mask"]
    assert shown["expected"]["values"] == [[[[1.0]]]]
    assert shown["contrast"]["wrong"] == 1
    report, case = judged(grader, attention, (attention.folder / "reference.py").read_bytes(), given)
    assert (report.verdict, case.tensors[0]["got"]["values"]) == ("AC", [[[[1.0]]]])


def test_dtypes_are_those_of_the_problem_or_named(grader: Grader, problem: Callable[[str], Problem]) -> None:
    source = (BANK / "attention" / "reference.py").read_bytes()
    _, case = judged(grader, problem("attention"), source, {"arguments": QKV})
    assert {value["dtype"] for value in case.tensors[0]["inputs"]} == {"float32"}
    half = {name: {"values": values, "dtype": "float16"} for name, values in QKV.items()}
    _, case = judged(grader, problem("attention"), source, {"arguments": half})
    assert case.tensors[0]["expected"]["dtype"] == "float16"


def test_a_module_has_weights_by_seed_or_given(grader: Grader, problem: Callable[[str], Problem]) -> None:
    mha, source = problem("causal-mha"), (BANK / "causal-mha" / "reference.py").read_bytes()
    given: dict[str, Any] = {"init": [2, 1], "arguments": {"x": [[[1, 2], [3, 4]]]}}
    results = [judged(grader, mha, source, given | {"seed": seed})[1].tensors[0]["expected"] for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]
    eye = {f"W_{name}.weight": [[1, 0], [0, 1]] for name in "qkvo"}
    _, case = judged(grader, mha, source, given | {"weights": eye})
    assert case.tensors[0]["expected"]["values"][0][0] == [1.0, 2.0]


@pytest.mark.parametrize(
    ("slug", "given", "code"),
    [
        ("attention", {"arguments": QKV | {"k": [[[[1, 0, 3]]]]}}, "input_refused"),
        ("attention", {"arguments": {"q": [[1]]}}, "input_refused"),
        ("attention", {"arguments": {"z": 1}}, "input_unknown_argument"),
        ("attention", {"arguments": {}, "call": "__class__"}, "input_unknown_call"),
        ("split-heads", {"arguments": {}}, "input_unknown_call"),
        ("kv-offset-mask", {"arguments": {"T": 10**6, "S": 10**6}}, "input_memory"),
        ("kv-offset-mask", {"arguments": {"T": 4000, "S": 4000}}, "input_result_too_large"),
        ("causal-mha", {"init": [3, 2], "arguments": {"x": [[[1, 2, 3]]]}}, "input_refused"),
        (
            "causal-mha",
            {"init": [2, 1], "arguments": {"x": [[[1, 2]]]}, "weights": {"W_q": [1]}},
            "input_weight",
        ),
    ],
)
def test_what_the_reference_cannot_take_is_told(
    slug: str, given: Any, code: str, problem: Callable[[str], Problem]
) -> None:
    with pytest.raises(InputRefused) as refused:
        with_own_input(load_modules(problem(slug)), parse(given))
    assert refused.value.finding["code"] == code


def test_the_reference_is_stopped(problem: Callable[[str], Problem], monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_modules(problem("attention"))

    def forever(*arguments: Any) -> None:
        while True:
            torch.zeros(1)

    monkeypatch.setattr(loaded.reference, "attention", forever)
    monkeypatch.setattr("judge.grading.own_input.SECONDS", 0.1)
    with pytest.raises(InputRefused) as refused:
        with_own_input(loaded, parse({"arguments": QKV}))
    assert refused.value.finding["code"] == "input_too_long"


def test_the_smallest_failing_input_is_one(grader: Grader, problem: Callable[[str], Problem]) -> None:
    for slug, name in (("attention", "zero_taken_for_hidden"), ("causal-mha", "not_causal")):
        mistake = problem(slug).mistake(name)
        assert mistake is not None
        report = grader.grade(problem(slug), mistake.source, seed=1)
        smallest = grader.smallest(problem(slug), mistake.source, report, 20.0)
        assert smallest is not None
        assert smallest.input is not None
        again, case = judged(grader, problem(slug), mistake.source, smallest.input)
        assert again.verdict == "WA"
        assert case.tensors[0]["expected"]["values"] == smallest.expected["values"]


def served(tmp_path: Path, given: dict[str, Any], sandbox: Any) -> Any:
    """What a worker makes of a submission with this input."""
    store = open_store(tmp_path)
    made, _ = store.submit(
        learner="ada", problem="attention", source=(BANK / "attention" / "reference.py").read_bytes(),
        samples_only=True, input=given,
    )  # fmt: skip
    worker = Worker(config.load(problems=BANK, data=tmp_path), store, WorkQueue(store, "w", 60.0, Bell()), Bell())
    worker.grader = Grader(sandbox)
    claim = store.claim("w", 60.0)
    assert claim is not None
    worker.serve(claim)
    view = store.submission(made.submission.id)
    assert view is not None
    assert store.solved("ada") == {"attention": "tried"}
    return view


def test_a_worker_judges_it_and_it_never_counts(tmp_path: Path, sandbox: Any) -> None:
    view = served(tmp_path, {"arguments": QKV}, sandbox)
    assert (view.judging.status, view.judging.verdict, view.judging.diagnosing) == ("done", "AC", False)
    assert [case.name for case in view.cases] == [OWN_INPUT]


def test_a_refused_one_is_no_verdict(tmp_path: Path, sandbox: Any) -> None:
    view = served(tmp_path, {"arguments": {"q": [1]}}, sandbox)
    assert (view.judging.status, view.judging.verdict) == ("cancelled", None)
    assert view.judging.finding["code"] == "input_refused"


def test_the_api_takes_and_bounds_it(tmp_path: Path) -> None:
    judge = WebJudge(tmp_path)
    client, token = judge.learner()
    body: dict[str, Any] = {"problem": "double", "source": SOURCE, "input": {"arguments": {"x": [1, 2]}}}
    made = client.post("/api/v1/submissions", json=body, headers=token)
    assert (made.status_code, made.json["input"], made.json["case_count"]) == (201, body["input"], 1)
    assert made.json["samples_only"] is True
    listed = client.get("/api/v1/submissions").json["submissions"]
    assert [row["own_input"] for row in listed] == [True]
    refused = client.post("/api/v1/submissions", json=body | {"input": {"arguments": {"x": [[1], 2]}}}, headers=token)
    assert (refused.status_code, refused.json["code"]) == (422, "input")
    assert "rows of `x`" in refused.json["detail"]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (json.dumps({"arguments": {"T": 1, "S": 2}}), 0, "Your own input"),
        (json.dumps({"arguments": {"T": 1}}), 2, "the reference cannot take this input"),
        (json.dumps({"arguments": {"T": "x"}}), 2, "`T` must be a number"),
        ("{", 2, "is no JSON"),
    ],
)
def test_the_command_line_runs_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, said: str
) -> None:
    (tmp_path / "mine.json").write_text(text)
    source = str(BANK / "kv-offset-mask" / "reference.py")
    arguments = ["run", "kv-offset-mask", source, "--input", str(tmp_path / "mine.json"), "--sandbox", "local"]
    exit_code = run(arguments)
    output = "".join(capsys.readouterr())
    assert (exit_code, said in output) == (code, True), output
