"""What is written to a terminal or a pipe: the same text, with colours and wrapping in a terminal only.

`visible` stands between everything a submission produced and the terminal: an escape sequence is shown, not obeyed.
"""

from __future__ import annotations

import sys
import unicodedata
from typing import IO, TYPE_CHECKING

from judge.cli.layout import lines
from judge.model import VERDICTS

if TYPE_CHECKING:
    from rich.text import Text

Part = str | tuple[str, str]
"""A text, or a text with a rich style."""

ICONS = dict(zip((*VERDICTS, ""), "✓✗⧗⊞»!✎⊘?·", strict=True))
PLAIN_ICONS = dict(zip((*VERDICTS, ""), "+xtm>!cr?-", strict=True))
STYLES = {"AC": "green", "WA": "red", "JE": "magenta", "": "dim"}
HIDDEN_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")


def prepare_streams() -> None:
    """A character that the terminal's encoding lacks is escaped; it must not end the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def visible(text: str) -> str:
    """The text with control, formatting and bidirectional characters as escapes; newlines stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text.expandtabs(4))


def _shown(character: str) -> str:
    if character == "\n" or unicodedata.category(character) not in HIDDEN_CATEGORIES:
        return character
    return character.encode("unicode_escape").decode()


class Screen:
    """Prints lines. In a terminal long ones are wrapped below their own beginning."""

    def __init__(self, file: IO[str] | None = None) -> None:
        from rich.console import Console

        self.console = Console(file=file, highlight=False, markup=False, emoji=False)
        self.wraps = self.console.is_terminal

    @property
    def icons(self) -> dict[str, str]:
        return ICONS if self.console.encoding.lower().startswith("utf") else PLAIN_ICONS

    def line(self, *parts: Part, indent: int = 0, hang: int = 0) -> None:
        """One paragraph; a newline in it begins another with the same indent. `hang`: extra indent of what wraps."""
        from rich.text import Text

        whole = Text.assemble(*[_made_visible(part) for part in parts])
        for paragraph in whole.split("\n", allow_blank=True):
            self._paragraph(paragraph, indent, hang)

    def _paragraph(self, text: Text, indent: int, hang: int) -> None:
        from rich.text import Text

        if not self.wraps:
            self.console.print(Text(" " * indent) + text, soft_wrap=True)
            return
        width = max(self.console.width - indent, hang + 20)
        for number, (start, end) in enumerate(lines(text.plain, width, hang)):
            self.console.print(Text(" " * (indent + hang * (number > 0))) + text[start:end], soft_wrap=True)

    def blank(self) -> None:
        self.console.print()


def style_of(verdict: str | None) -> str:
    return STYLES.get(verdict or "", "yellow")


def _made_visible(part: Part) -> Part:
    return visible(part) if isinstance(part, str) else (visible(part[0]), part[1])
