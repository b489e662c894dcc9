"""What `judge doctor` knows of this machine, and the attacks that it can try."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge import attacks
from judge.grading.grader import Grader
from judge.model import Problem
from sandbox import probe


@pytest.mark.parametrize(
    ("runc", "count"),
    [("1.0.0-rc5", 2), ("1.1.5+ds1", 2), ("1.1.12", 1), ("1.2.8", 0), ("1.3.3", 0), ("", 0), ("unknown", 0)],
)
def test_escapes_known_for_a_release(runc: str, count: int) -> None:
    assert len(probe.known_escapes(runc)) == count


def test_every_driver_has_a_verdict() -> None:
    facts = {fact.name: fact for fact in probe.driver_facts()}
    assert set(facts) == {"docker", "local"}
    assert all(fact.usable or (fact.reason and fact.advice) for fact in facts.values())


def test_selection_is_in_the_corpus() -> None:
    assert [name for name in attacks.SELECTION if not (attacks.CORPUS / f"{name}.py").exists()] == []


def test_attack_that_leaks_is_told(
    each_grader: Grader, problem: Callable[[str], Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wrong_answer").mkdir()
    leaky = (
        '"""Prints. Seen: nowhere."""\nprint("LEAK")\ndef attention(q, k, v, mask=None):\n    raise OSError("LEAK")\n'
    )
    for name, source in (("leaks", f"# expect: RTE\n{leaky}"), ("wrong", leaky), ("held", "attention = print\n")):
        (tmp_path / "wrong_answer" / f"{name}.py").write_text(source)
    monkeypatch.setattr(attacks, "CORPUS", tmp_path)
    monkeypatch.setattr(attacks, "SELECTION", ["wrong_answer/leaks", "wrong_answer/wrong", "wrong_answer/held"])
    outcomes = {outcome.name: outcome.held for outcome in attacks.attack(each_grader, problem("attention"))}
    assert outcomes == {"leaks": False, "wrong": False, "held": True}
