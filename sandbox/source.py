"""From the bytes of a submission to code, with line and column where that fails. No torch.

The bytes are handed to Python as they are, so that a PEP 263 coding line and a byte order mark are honoured.
"""

from __future__ import annotations

import codecs
import io
import tokenize
import warnings
from types import CodeType

FILENAME = "solution.py"
"""What the submission's file is called in tracebacks."""

PLAIN = dict(
    zip(
        "，。：；（）［］｛｝“”‘’！？＋－＊／＝＜＞｜＆％＠，、　【】",
        ",.:;()[]{}\"\"''!?+-*/=<>|&%@,, []",
        strict=True,
    )
)


_UNDECODABLE = "byte 0x{:02x} is not {}; save the file as UTF-8 or add a coding line"


class SourceError(Exception):
    """The source does not compile. `line` and `column` count from 1; `text` is the line itself."""

    def __init__(self, line: int, column: int, message: str, text: str = "", character: str = "") -> None:
        self.line, self.column, self.message, self.text, self.character = line, column, message, text, character
        super().__init__(f"line {line}, column {column}: {message}")

    def finding(self) -> dict[str, str | int]:
        """As data; names the plain character for a full-width one."""
        found: dict[str, str | int] = {"code": "syntax", "line": self.line, "column": self.column,
                                       "message": self.message, "text": self.text[:200]}  # fmt: skip
        if self.character in PLAIN:
            found |= {"code": "full_width", "character": self.character, "plain": PLAIN[self.character]}
        return found


def compile_source(source: bytes) -> CodeType:
    """Compiles `source`. Raises SourceError; RecursionError and MemoryError of the compiler become one too."""
    if b"\0" in source:
        raise _at_byte(source, source.index(b"\0"), "the file holds a NUL byte")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        source.decode(encoding)  # `compile` lets bytes pass in comments that do not fit the encoding
    except UnicodeDecodeError as error:
        raise _at_byte(source, error.start, _UNDECODABLE.format(source[error.start], encoding)) from None
    except SyntaxError as error:
        raise _undecodable(source, error) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(source, FILENAME, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise _explain(error) from None
    except (RecursionError, MemoryError):
        raise SourceError(1, 1, "the code is nested too deeply for Python to compile") from None
    except ValueError as error:
        raise SourceError(1, 1, str(error)) from None


def _undecodable(source: bytes, error: SyntaxError) -> SourceError:
    """The first two lines name an unknown encoding, or hold bytes that are not UTF-8."""
    try:
        source.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        return _at_byte(source, bad.start, _UNDECODABLE.format(source[bad.start], "utf-8"))
    return SourceError(1, 1, error.msg or "the coding line names an unknown encoding")


def _explain(error: SyntaxError) -> SourceError:
    line, column, text = max(error.lineno or 1, 1), max(error.offset or 1, 1), error.text or ""
    character = text[column - 1 : column]
    return SourceError(
        line, column, error.msg or "invalid syntax", text.rstrip("\n"), character if character in PLAIN else ""
    )


def _at_byte(source: bytes, position: int, message: str) -> SourceError:
    before = source[:position].removeprefix(codecs.BOM_UTF8)
    start = before.rfind(b"\n") + 1
    text = source.splitlines()[before.count(b"\n")] if source.splitlines() else b""
    return SourceError(before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1, message,
                       text.decode("utf-8", "replace"))  # fmt: skip
