"""The key that signs cookies: `<data>/cookie.key`, made once, mode 600."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

KEY_BYTES = 32


def load_key(data: Path) -> str:
    """The key in the data folder; made when there is none. Two processes that start at once get the same key."""
    data.mkdir(parents=True, exist_ok=True)
    path = data / "cookie.key"
    if not path.exists():
        fresh = data / f".cookie.key.{os.getpid()}.{secrets.token_hex(4)}"
        with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_hex(KEY_BYTES))
        try:
            os.link(fresh, path)  # fails where another process was first: a half-written key is never seen
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    key = path.read_text().strip()
    if len(key) < 2 * KEY_BYTES:
        raise RuntimeError(f"{path} holds no key; remove it to have one made (learners then get new cookies)")
    return key
