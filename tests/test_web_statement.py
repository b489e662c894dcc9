"""Statements become safe HTML: maths, code and folded hints in, scripts and styles out."""

from __future__ import annotations

import re

import pytest

from web.statement import highlight, hints, render


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("$x^2$", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("$$\\mathrm{softmax}(x)$$", "<mi>softmax</mi>"),
        ("| a | b |\n|---|--:|\n| 1 | 2 |", '<td class="align-right">2</td>'),
        ("```python\ndef f(): pass\n```", '<span class="k">def</span>'),
        ("~~x~~ `y` **z**", "<s>x</s> <code>y</code> <strong>z</strong>"),
        ("[x](https://example.org/)", 'href="https://example.org/" rel="noopener noreferrer nofollow"'),
    ],
)
def test_markdown_is_rendered(markdown: str, html: str) -> None:
    assert html in render(markdown)


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "$\\href{javascript:alert(1)}{x}$",
        "$x \\text{<img src=x onerror=alert(1)>}$",
        "```<script>\nx\n```",
        "```html\n<script>alert(1)</script>\n```",
        "## Hint 1 <img src=x onerror=alert(1)>\n\nx",
        '<a href="x" style="color:red" onclick="x()">',
    ],
)
def test_nothing_that_runs_or_styles_comes_through(markdown: str) -> None:
    tags = re.findall("<[^>]*>", (render(markdown) + "".join(hints(markdown))).lower())
    assert not [tag for tag in tags if re.match(r"<(script|img|a)\b|<.*(javascript:|style=|\bon\w+=)", tag)]


@pytest.mark.parametrize("title", ["Hint 1", "提示 1", "提示1", "hint 2"])
def test_a_hint_is_folded_and_ends_at_the_next_heading(title: str) -> None:
    statement = f"## Rules\n\na\n\n## {title}\n\nb\n\n### More\n\nc\n\n## After\n\nd"
    (hint,) = hints(statement)
    assert hint.startswith(f'<details class="hint"><summary>{title}</summary>')
    assert "b" in hint
    assert "<h3>More</h3>" in hint
    assert "Rules" not in hint
    assert "After" not in hint
    assert [part in render(statement) for part in ("Rules", "After", "More", title)] == [True, True, False, False]


def test_two_hints_are_two_folds() -> None:
    folds = hints("## Hint 1\n\na\n\n## Hint 2\n\nb")
    assert [fold.count("<details") == fold.count("</details>") == 1 for fold in folds] == [True, True]


def test_maths_that_cannot_be_read_is_shown_as_it_is_written() -> None:
    assert "<code>\\frac{</code>" in render("$\\frac{$") or "frac" in render("$\\frac{$")


def test_highlighted_lines_are_whole() -> None:
    lines = highlight('"""a\nb"""\n').split("\n")
    assert all(line.count("<span") == line.count("</span>") for line in lines)
