"""The learner's file, as bytes: nothing is decoded here, so that a coding line (PEP 263) reaches Python."""

from __future__ import annotations

import sys
from pathlib import Path

from judge.cli.errors import Refusal

STANDARD_INPUT = "-"
MOST_READ = 16 << 20
"""Far over what is accepted, so that the report can say how long a file is, and short of what hurts."""


def read(file: str) -> bytes:
    """The file's bytes. Raises Refusal where there is no file that can be read."""
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(MOST_READ)
    path = Path(file)
    try:
        with path.open("rb") as stream:
            return stream.read(MOST_READ)
    except FileNotFoundError:
        raise Refusal("file_missing", path=file) from None
    except (OSError, ValueError) as error:
        if path.is_dir():
            raise Refusal("file_directory", path=file) from None
        raise Refusal("file_unreadable", path=file, reason=getattr(error, "strerror", None) or error) from None
