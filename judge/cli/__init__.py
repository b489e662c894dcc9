"""The command line: `judge`, or `python -m judge`.

language, words, helps   what is said, in English and Chinese
app                      the click group; a command's module is imported when the command is used
commands/                one module a command
errors                   the one place that turns exceptions into a sentence and an exit code
terminal, results, tensors   what a judging looks like
grading                  a sandbox and a grader kept together; the syntax check that comes first
skeleton/                the problem that `judge new` copies

Exit codes: 0 accepted (or fine), 1 any other verdict, 2 wrong usage, 3 judge error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from judge.cli import language


def main(arguments: Sequence[str] | None = None) -> None:
    """The console script."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code; every failure becomes one sentence on stderr."""
    from judge.cli.app import judge
    from judge.cli.errors import explain
    from judge.cli.terminal import prepare_streams

    language.spoken.set(language.choose(arguments, os.environ))
    prepare_streams()
    try:
        code = judge.main(args=list(arguments), prog_name="judge", standalone_mode=False)
    except Exception as error:
        return explain(error)
    except KeyboardInterrupt:
        return 130
    return code if isinstance(code, int) else 0
