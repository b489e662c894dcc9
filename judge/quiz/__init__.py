"""Quizzes: folders of the bank with `kind = "quiz"` and a questions.toml; loaded and graded here, without torch.

values    Quiz, Question, Option, Hint, Grade        loading   a folder as a Quiz
grading   an answer's Grade                          numbers   what a learner types for a number
formula   a formula as a tree, and its value
"""

from __future__ import annotations

from judge.quiz.grading import MAX_ANSWER, grade, in_words, shuffled
from judge.quiz.loading import load_quiz, load_quizzes, quiz_slugs
from judge.quiz.values import Grade, Hint, Option, Question, QuestionKind, Quiz

__all__ = [
    "MAX_ANSWER", "Grade", "Hint", "Option", "Question", "QuestionKind", "Quiz", "grade", "in_words", "load_quiz",
    "load_quizzes", "quiz_slugs", "shuffled",
]  # fmt: skip
