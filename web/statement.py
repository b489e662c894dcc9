"""Markdown of a problem as safe HTML, kept by content.

markdown-it (no raw HTML) ─▶ maths to MathML, code coloured by Pygments, hints folded ─▶ nh3 with a closed list of tags

A heading `## Hint 1` or `## 提示 1` and what follows it, up to the next heading, is a hint, apart from the rest.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight as paint
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

UPRIGHT = re.compile(r'(?:<mi mathvariant="normal">[^<]*</mi>){2,}')
"""`\\mathrm{softmax}` comes letter by letter; as one identifier it is spaced and read out as a word."""
INFINITY = re.compile("<mo>(?:∞|&#x0*221E;)</mo>")
HINT = re.compile(r"(hint|提示)\s*\d+", re.IGNORECASE)
MATHML = frozenset(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover mtable mtr mtd "
    "mstyle mpadded mphantom menclose mmultiscripts mprescripts none semantics".split()
)
TAGS = MATHML | frozenset(
    "p h1 h2 h3 h4 ul ol li dl dt dd blockquote pre code span div em strong s sub sup br hr a "
    "table thead tbody tr th td details summary".split()
)
MATH_ATTRIBUTES = {
    "accent", "accentunder", "columnalign", "columnlines", "columnspacing", "depth", "displaystyle", "fence", "form",
    "height", "largeop", "linethickness", "lspace", "mathvariant", "maxsize", "minsize", "movablelimits", "notation",
    "rowlines", "rowspacing", "rspace", "scriptlevel", "separator", "stretchy", "symmetric", "voffset", "width",
}  # fmt: skip
ATTRIBUTES: dict[str, set[str]] = {
    **dict.fromkeys(MATHML, MATH_ATTRIBUTES),
    "math": {"display", "xmlns"},
    "a": {"href", "title"},
    "code": {"class"},
    "div": {"class", "tabindex"},
    "details": {"class"},
    "ol": {"start"},
    "pre": {"class", "tabindex"},
    "span": {"class", "tabindex"},
    "td": {"class"},
    "th": {"class"},
}


@lru_cache(maxsize=512)
def render(markdown: str) -> str:
    """Safe HTML for a statement without its hints, or for an explanation."""
    return _safe(_split(markdown)[0])


@lru_cache(maxsize=512)
def hints(markdown: str) -> tuple[str, ...]:
    """Safe HTML for each hint of a statement, folded."""
    return tuple(_safe(tokens) for tokens in _split(markdown)[1])


def _safe(tokens: list[Token]) -> str:
    return nh3.clean(
        str(_markdown.renderer.render(tokens, _markdown.options, {})),
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )


@lru_cache(maxsize=256)
def highlight(code: str, language: str = "python") -> str:
    """Code as spans with Pygments' short classes; safe HTML."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return html.escape(code)
    return str(paint(code, lexer, HtmlFormatter(nowrap=True))).removesuffix("\n") + "\n" * code.endswith("\n")


def _math(content: str, options: dict[str, Any]) -> str:
    display = bool(options["display_mode"])
    try:
        made = str(convert(content, display="block" if display else "inline"))
    except Exception:
        # latex2mathml raises all sorts of things for input that it does not understand
        return f"<code>{html.escape(content)}</code>"
    made = INFINITY.sub("<mi>∞</mi>", made)  # an operator would be spaced like one
    return UPRIGHT.sub(lambda run: f"<mi>{re.sub(r'<[^>]*>', '', run.group())}</mi>", made)


def _table_cell_class(tokens: Sequence[Token]) -> None:
    """markdown-it aligns cells by a style attribute, which the content security policy forbids."""
    for token in tokens:
        style = token.attrs.pop("style", None) if token.type in ("th_open", "td_open") else None
        if isinstance(style, str):
            token.attrSet("class", style.replace("text-align:", "align-"))


def _split(markdown: str) -> tuple[list[Token], list[list[Token]]]:
    """The tokens outside hints, and those of each hint."""
    tokens = _markdown.parse(markdown)
    _table_cell_class(tokens)
    body: list[Token] = []
    found: list[list[Token]] = []
    level = 0
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type == "heading_open":
            if level and int(token.tag[1]) <= level:
                level = 0
            title = tokens[at + 1].content.strip()
            if HINT.match(title):
                level = int(token.tag[1])
                found.append([_raw(f'<details class="hint"><summary>{html.escape(title)}</summary>\n')])
                at += 3
                continue
        (found[-1] if level else body).append(token)
        at += 1
    return body, [[*hint, _raw("</details>\n")] for hint in found]


def _raw(text: str) -> Token:
    return Token("html_block", "", 0, content=text)


def _build() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": lambda code, name, _: highlight(code, name)})
    markdown.enable("table").enable("strikethrough")
    markdown.use(dollarmath_plugin, allow_space=False, double_inline=True, renderer=_math)
    rules: Any = cast(RendererHTML, markdown.renderer).rules
    rules["table_open"] = lambda *_: '<div class="scroll" tabindex="0"><table>\n'
    rules["table_close"] = lambda *_: "</table></div>\n"
    rules["math_inline"] = lambda tokens, i, *_: _math(tokens[i].content, {"display_mode": False})
    rules["math_inline_double"] = rules["math_block"] = lambda tokens, i, *_: (
        f'<span class="maths" tabindex="0">{_math(tokens[i].content, {"display_mode": True})}</span>'
    )
    return markdown


_markdown = _build()
