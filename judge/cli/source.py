"""The learner's file, as bytes: nothing is decoded here, so that a coding line (PEP 263) reaches Python.

And the file of an input of their own, which is JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from judge.cli.errors import Refusal
from judge.own_input import OwnInput, parse

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


def read_input(file: str) -> OwnInput:
    """The file's object. Raises Refusal where it is no JSON, InputRefused where it is no input."""
    try:
        return parse(json.loads(read(file)))
    except (ValueError, RecursionError) as error:
        raise Refusal("input_not_json", path=file, reason=error) from None
