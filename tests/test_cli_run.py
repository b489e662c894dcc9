"""`judge run`: verdicts, exit codes, JSON, and the order of things; one warm session for all that is graded here."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_judge import OPEN_BRACKET, RIGHT, SLUG, WRONG, Here, Said, make

from judge import config
from judge.cli import language
from judge.cli.commands.run import Run
from judge.cli.grading import Session, precheck
from judge.cli.results import print_json
from judge.loader import load_problem

CASE_KEYS = {"name", "title", "sample", "verdict", "time_ms", "message", "finding"}
CASE_KEYS |= {"stdout", "stderr", "traceback", "tensors"}
KEYS = {
    "problem",
    "verdict",
    "cases",
    "time_ms",
    "memory_kb",
    "sandbox",
    "seed",
    "diagnosis",
    "smallest",
    "source_sha256",
}
DOES_NOT_LOAD = {
    "open bracket": (OPEN_BRACKET, "line 1, column 15: '(' was never closed"),
    "full-width comma": ("def scaled_sum(x，scale):\n    pass\n".encode(), "full-width character '，', write ','"),
    "not UTF-8": (b"def scaled_sum(x, scale):\n    s = '\xff'\n", "line 2, column 10: byte 0xff is not"),
    "NUL": (b"def scaled_sum(x, scale):\n    return x\0\n", "line 2, column 13: the file holds a NUL byte"),
    "too long": (b"#" * (1 << 16) + b"\n", "the file has 65537 bytes, the limit is 65536"),
    "unknown coding": (b"# coding: martian\n", "martian"),
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    return make(tmp_path, monkeypatch, capsys)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session("local") as opened:
        yield opened


def run(here: Here, session: Session, source: bytes, *, samples: bool = False, as_json: bool = False,
        seed: int | None = 1, lang: str = "en") -> Said:  # fmt: skip
    here.capsys.readouterr()
    token = language.spoken.set("zh" if lang == "zh" else "en")
    try:
        code = Run(config.load(sandbox="local"), session, SLUG, samples, as_json, seed, None).once(source)
    finally:
        language.spoken.reset(token)
    return Said(code, *here.capsys.readouterr())


def test_accepted_is_exit_0_with_one_line_a_case(here: Here, session: Session) -> None:
    said = run(here, session, RIGHT)
    lines = said.out.splitlines()
    assert said.code == 0
    assert [line.split("  ")[-1] for line in lines[:3]] == [
        "Two tokens, by hand · sample", "Random values, one feature and several", "The gradient of x",
    ]  # fmt: skip
    assert all(line.startswith("✓ Accepted") and " ms " in line for line in lines[:3])
    assert lines[-1].startswith("✓ Accepted · 3 of 3 cases passed · ")
    assert lines[-1].endswith("sandbox local · seed 1")


def test_wrong_answer_is_exit_1_with_the_known_mistake_first(here: Here, session: Session) -> None:
    said = run(here, session, WRONG)
    assert said.code == 1
    details = said.out.split("\n\n")[1:]
    assert details[0].startswith("Known mistake: Your result equals the mean of the tokens")
    whole = [line for line in said.out.splitlines() if line.startswith("  2 of 2 elements of the result are wrong")]
    assert whole[0].endswith("(tolerance 1e-05, float32)")  # in a pipe no line is wrapped
    assert said.out.splitlines()[-1].startswith("✗ Wrong answer · 0 of 3 cases passed")


def test_the_smallest_failing_input_is_shown_whole(here: Here, session: Session) -> None:
    out = run(here, session, WRONG).out
    shown = out[out.index("Smallest input that fails: scaled_sum(x, scale)\n") :].split("\n\n✗")[0]
    assert "  x         float32 [2, 1]\n" in shown
    assert "  expected  float32 [1]  " in shown
    assert "  got       float32 [1]  *" in shown
    assert "    print(scaled_sum(x, scale))\n    # expected: [" in shown
    assert out.index("Known mistake") < out.index("Smallest input") < out.index("✗ Two tokens, by hand\n")


def test_equal_failures_are_told_once(here: Here, session: Session) -> None:
    out = run(here, session, b"def scaled_sum(x, scale):\n    raise NotImplementedError\n").out
    assert out.count("NotImplementedError (line 2)") == 1
    assert "The same in 2 more cases." in out
    assert "Smallest input" not in out


def test_sample_shows_inputs_expected_and_got_with_wrong_elements_marked(here: Here, session: Session) -> None:
    out = run(here, session, RIGHT.replace(b"* scale", b"* scale + x.new_tensor([0.0, 2.0])"), samples=True).out
    assert "  x: float32 [2, 2]\n      1  2\n      3  4\n" in out
    assert "  expected: float32 [2]\n      2  3\n  got: float32 [2]\n      2 *5\n" in out


def test_samples_runs_no_hidden_case(here: Here, session: Session) -> None:
    said = run(here, session, RIGHT, samples=True)
    assert "1 of 1 sample cases passed" in said.out
    assert "Random values" not in said.out


def test_output_of_a_sample_is_shown_without_its_escape_sequences(here: Here, session: Session) -> None:
    said = run(here, session, RIGHT.replace(b"    return", b"    print('\\x1b[2Jgone', len(x))\n    return"))
    assert "Printed:\n    \\x1b[2Jgone 2\n" in said.out
    assert "\x1b" not in said.out
    assert said.out.count("gone") == 1


def test_exception_shows_the_learners_own_frames_once(here: Here, session: Session) -> None:
    said = run(here, session, b"def scaled_sum(x, scale):\n    return x.nothing\n")
    assert said.code == 1
    assert said.out.count('File "solution.py", line 2, in scaled_sum') == 1
    assert "The same in 2 more cases." in said.out
    assert "judge/" not in said.out


def test_results_speak_chinese(here: Here, session: Session) -> None:
    out = run(here, session, WRONG, lang="zh").out
    assert "✗ 答案错误" in out
    assert "常见错误：你的结果等于词元的平均值" in out
    assert "通过 0/3 个用例" in out


@pytest.mark.parametrize("name", DOES_NOT_LOAD)
def test_file_that_does_not_load_is_ce_with_the_graders_own_words(here: Here, session: Session, name: str) -> None:
    source, sentence = DOES_NOT_LOAD[name]
    problem = load_problem(here.folder / "problems", SLUG)
    early = precheck(problem, source, driver="local", seed=1, samples_only=False)
    graded = session.open().grade(problem, source, seed=1)
    assert early is not None
    assert early.verdict == graded.verdict == "CE"
    assert early.finding == {key: value for key, value in (graded.finding or {}).items() if key != "traceback"}
    assert (early.source_sha256, early.sandbox) == (graded.source_sha256, graded.sandbox)
    said = run(here, session, source)
    assert said.code == 1
    assert sentence in said.out
    assert "✎ Does not load · no case was run" in said.out


def test_coding_line_reaches_python(here: Here, session: Session) -> None:
    source = "# coding: gbk\ndef scaled_sum(x, scale):\n    assert len('注意') == 2\n    return x.sum(0) * scale\n"
    assert run(here, session, source.encode("gbk")).code == 0


@pytest.mark.parametrize("source", [RIGHT, WRONG, OPEN_BRACKET, b"", b"raise SystemExit(0)\n"])
def test_json_is_one_object_with_the_keys_of_the_contract(here: Here, session: Session, source: bytes) -> None:
    said = run(here, session, source, as_json=True)
    assert said.json.keys() >= KEYS
    assert all(case.keys() >= CASE_KEYS for case in said.json["cases"])
    assert said.code == (0 if said.json["verdict"] == "AC" else 1)
    assert said.json["seed"] == 1


def test_json_has_no_number_that_json_does_not_know(here: Here) -> None:
    print_json({"max_error": math.inf, "cases": [{"got": (math.nan, 1.5)}]})
    assert json.loads(here.capsys.readouterr().out) == {"max_error": "inf", "cases": [{"got": ["nan", 1.5]}]}


def test_same_seed_gives_the_same_findings(here: Here, session: Session) -> None:
    first, again, other = (run(here, session, WRONG, as_json=True, seed=seed).json for seed in (7, 7, 8))
    findings = [[case["finding"] for case in result["cases"]] for result in (first, again, other)]
    assert findings[0] == findings[1] != findings[2]


def test_broken_test_is_the_judges_error_and_exit_3(here: Here, session: Session) -> None:
    path = here.folder / "problems" / SLUG / "tests.py"
    path.write_text(path.read_text().replace("(x, 0.5))", "(x, 0.5), (no_such_name,))"))
    said = run(here, session, RIGHT)
    assert said.code == 3
    assert "the judge failed, not your code" in said.out
    assert "no_such_name" not in said.out
    assert "JUDGE_DEBUG=1" in said.err


def test_broken_folder_is_the_judges_error_and_one_object(here: Here) -> None:
    (here.folder / "problems" / SLUG / "problem.toml").write_text("title = 3\n")
    here.write("mine.py", RIGHT)
    said = here("run", SLUG, "mine.py", "--json")
    assert said.code == 3
    assert said.json["verdict"] == "JE"
    assert said.json.keys() >= KEYS
    assert "scaled-sum/problem.toml: key `title` is 3, expected a string" in said.err


def test_sandbox_that_is_not_there_says_what_to_use_instead(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_SANDBOX", "moon")
    here.write("mine.py", RIGHT)
    said = here("run", SLUG, "mine.py")
    assert said.code == 3
    assert "there is no sandbox named 'moon'" in said.err
    assert "Choose one of" in said.err


def test_syntax_is_checked_before_torch_is_imported(here: Here) -> None:
    here.write("mine.py", OPEN_BRACKET)
    assert here.probe("run", SLUG, "mine.py").out.endswith("exit code: 1\nimported: []\n")


def test_supervisor_is_started_before_torch_is_imported(here: Here) -> None:
    here.write("mine.py", RIGHT)
    said = here.probe("run", SLUG, "mine.py", "--sandbox", "local")
    assert "children when torch is imported: 1\n" in said.out
    assert "3 of 3 cases passed" in said.out


def test_in_a_pipe_there_is_no_colour_and_in_a_terminal_there_is(here: Here) -> None:
    here.write("mine.py", OPEN_BRACKET)
    plain = here.process("run", SLUG, "mine.py", "--seed", "1")
    coloured = here.process("run", SLUG, "mine.py", "--seed", "1", FORCE_COLOR="1", COLUMNS="200")
    refused = here.process("run", SLUG, "mine.py", "--seed", "1", FORCE_COLOR="1", NO_COLOR="1", COLUMNS="200")
    assert "\x1b[" not in plain.out
    assert "\x1b[1;33m✎ Does not load\x1b[0m" in coloured.out
    assert "33m" not in refused.out


def test_source_from_standard_input(here: Here) -> None:
    done = subprocess.run([sys.executable, "-m", "judge", "run", SLUG, "-", "--json"], input=OPEN_BRACKET,
                          capture_output=True, cwd=here.folder)  # fmt: skip
    assert json.loads(done.stdout)["verdict"] == "CE"


def test_watch_judges_each_save_and_ends_with_the_last_exit_code(here: Here) -> None:
    path = here.folder / here.write("mine.py", RIGHT)
    command = [sys.executable, "-m", "judge", "run", SLUG, "mine.py", "--watch", "--json", "--sandbox", "local"]
    with subprocess.Popen(
        command, cwd=here.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        patience = threading.Timer(60, process.kill)  # else a save that is not seen would wait for ever
        patience.start()
        objects = _objects(process.stdout)
        assert next(objects)["verdict"] == "AC"
        assert "Watching mine.py" in process.stderr.readline()
        path.write_bytes(RIGHT.replace(b"0", b"1"))  # of the same size
        assert next(objects)["verdict"] == "WA"
        fresh = here.folder / here.write("mine.py~", RIGHT)
        os.replace(fresh, path)
        assert next(objects)["verdict"] == "AC"
        path.write_bytes(OPEN_BRACKET)
        assert next(objects)["verdict"] == "CE"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 1
        patience.cancel()
        assert "Traceback" not in process.stderr.read()


def _objects(lines: Iterator[str]) -> Iterator[dict[str, object]]:
    text = ""
    for line in lines:
        text += line
        if line == "}\n":
            yield json.loads(text)
            text = ""
