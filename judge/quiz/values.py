"""The values of a quiz."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from judge.model import Finding, Stage, Text

QuestionKind = Literal["number", "choice", "formula"]
KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
Number = int | float


@dataclass(frozen=True)
class Hint:
    """What to say to one wrong answer: a number or a formula; `times` is a number as a multiple of the right one."""

    text: Text
    answer: Number | str | None = None
    times: float | None = None


@dataclass(frozen=True)
class Option:
    """One choice. `id` comes from its English text: it stays when options move, and tells nothing of their order."""

    id: str
    text: Text
    right: bool
    hint: Text | None = None
    """What to say to those who choose it and should not."""


@dataclass(frozen=True)
class Question:
    """Markdown in `prompt`, `explanation` and the texts of options and hints."""

    id: str
    kind: QuestionKind
    prompt: Text
    explanation: Text
    answer: Number | str | None = None
    """The number, or the formula; None for a choice."""
    tolerance: float = 0.0
    """Relative to the answer."""
    unit: Text | None = None
    compute: str | None = None
    """Python that gives the answer; only `judge verify` runs it."""
    names: Mapping[str, tuple[Number, Number]] = field(default_factory=dict)
    """What a formula may use, and between which values they are tried: whole numbers between whole bounds."""
    options: tuple[Option, ...] = ()
    several: bool = False
    hints: tuple[Hint, ...] = ()


@dataclass(frozen=True)
class Quiz:
    """A quiz folder."""

    slug: str
    folder: Path
    title: Text
    stage: Stage
    order: int
    questions: tuple[Question, ...]

    def question(self, name: str) -> Question | None:
        return next((question for question in self.questions if question.id == name), None)


@dataclass(frozen=True)
class Grade:
    """`finding` says what there is to say to the answer: `judge.messages` puts it in words."""

    correct: bool
    finding: Finding
