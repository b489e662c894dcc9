"""The Chinese texts keep to the terms of docs/glossary.md, and sentences of mistakes to what went wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXTS = [
    *ROOT.glob("problems/*/*.zh.md"),
    *ROOT.glob("problems/*/problem.toml"),
    *ROOT.glob("problems/*/questions.toml"),
    *ROOT.glob("judge/cli/skeleton/*.zh.md"),
    ROOT / "web" / "words.json",
    ROOT / "judge" / "messages.py",
]


@pytest.mark.parametrize(
    "given_up",
    [
        "跨步",
        "遮罩",
        "遮[蔽挡]",
        "注意力汇",
        "可学习的 sink",
        "泄露",
        "原地",
        "(?<!值)(?<!查询)键头",
        "隐向量",
        "提示词",
        "平均值",
        "流量",
        "门控",
        "库里的",
        "完整分块",
    ],
)
def test_a_term_that_was_given_up_is_not_used(given_up: str) -> None:
    assert TEXTS
    assert [f"{path.parent.name}/{path.name}" for path in TEXTS if re.search(given_up, path.read_text("utf-8"))] == []


def test_no_english_term_has_two_rows() -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.M)[1:]
    terms = [term.strip() for row in rows for term in row.split(",")]
    assert len(terms) > 60
    assert sorted(terms) == sorted(set(terms))


@pytest.mark.parametrize("settings", sorted(ROOT.glob("problems/*/problem.toml")), ids=lambda path: path.parent.name)
def test_sentences_of_mistakes_do_not_say_how_to_mend_them(settings: Path) -> None:
    sentences = tomllib.loads(settings.read_text("utf-8"))["zh"].get("mistakes", {}).values()
    assert [sentence for sentence in sentences if "请" in sentence] == []
