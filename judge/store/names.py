"""Names of accounts: how they look, and when two are the same."""

from __future__ import annotations

import unicodedata

MIN_LENGTH, MAX_LENGTH = 2, 32
INSIDE = "-_."
UNSEEN = "\u115f\u1160"
"""Letters by their category that show nothing; NFKC makes the other two fillers of Hangul one of these."""
ALIKE = {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "COPTIC", "CHEROKEE", "LISU", "DESERET"}
"""Alphabets with letters that look the same."""


def cleaned(name: str) -> str | None:
    """The name as it is kept (NFKC, trimmed); None for one that is refused.

    2 to 32 letters and digits of any script; - _ . between them. Of alphabets that look alike only one, so that
    nobody takes a name that reads as another's.
    """
    name = unicodedata.normalize("NFKC", name).strip()
    marks = all(c.isalnum() or c in INSIDE or unicodedata.combining(c) for c in name)
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH or not marks or not name[0].isalnum() or name[-1] in INSIDE:
        return None
    if any(c in UNSEEN for c in name) or len(ALIKE.intersection(map(_script, name))) > 1:
        return None
    return name


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def key_of(name: str) -> str:
    """Equal for names that count as the same: whatever the case or the width of the letters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())
    return folded.replace("\0", "")[:128]
