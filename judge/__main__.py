"""`python -m judge` is the console script `judge`."""

from __future__ import annotations

from judge.cli import main

if __name__ == "__main__":
    main()
