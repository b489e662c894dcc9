"""Passwords: what is refused, and Argon2id hashes (parameters of OWASP's cheat sheet: 19 MiB, 2 passes, 1 lane)."""

from __future__ import annotations

import threading
import unicodedata
from functools import cache
from typing import Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MIN_LENGTH, MAX_LENGTH = 8, 200
COMMON = frozenset(
    """
    12345678 123456789 1234567890 0123456789 11111111 111111111 1111111111 00000000 000000000 0000000000 88888888
    66666666 87654321 987654321 9876543210 11223344 12341234 123123123 12121212 123321123 147258369 1q2w3e4r
    1q2w3e4r5t 1qaz2wsx qwertyui qwertyuiop qwerty123 qwerty1234 asdfghjk asdfghjkl zxcvbnm1 zxcvbnm123 password
    password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa$$word passwort motdepasse contrasena
    iloveyou iloveyou1 iloveyou2 sunshine princess football baseball basketball superman trustno1 welcome1 welcome123
    letmein1 letmein123 abc12345 abcd1234 abcdefgh abc123456 a1234567 a12345678 a123456789 aa123456 aa12345678
    admin123 admin1234 adminadmin administrator changeme changeme1 secret123 computer internet whatever starwars
    michelle jennifer charlie1 dragon123 monkey123 master123 shadow123 killer123 qazwsxedc 1qazxsw2 zaq12wsx
    woaini1314 woaini520 5201314520 52013145 woaini123 wangyut2 123456789a 123456789q 1234567a 12345678a qq123456
    qq123456789 asd123456 zxc123456 111222333 112233445566 123654789 789456123 147852369 attention pytorch1 pytorch123
    student1 student123 teacher1 teacher123
    """.split()
)

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_turn = threading.BoundedSemaphore(2)  # each hash takes 19 MiB and a core


def problem_with(password: str, name: str) -> Literal["short", "long", "common"] | None:
    """Why it is refused; None: it is fine."""
    plain = _normal(password)
    if len(plain) < MIN_LENGTH:
        return "short"
    if len(password) > MAX_LENGTH or len(plain) > MAX_LENGTH:
        return "long"
    if plain.casefold() in COMMON or len(set(plain)) < 3 or plain.casefold() == name.casefold():
        return "common"
    return None


def hashed(password: str) -> str:
    with _turn:
        return _hasher.hash(_normal(password))


def fits(known: str | None, password: str) -> bool:
    """Whether the password has this hash. None takes as long as a wrong password."""
    decoy = _decoy()
    if len(password) > MAX_LENGTH:
        return False
    with _turn:
        try:
            return _hasher.verify(known or decoy, _normal(password)) and known is not None
        except (VerificationError, InvalidHashError):
            return False


def outdated(known: str) -> bool:
    """Whether the hash was made with other parameters."""
    return _hasher.check_needs_rehash(known)


@cache
def _decoy() -> str:
    return hashed("no account has this hash")


def _normal(password: str) -> str:
    """One form for what keyboards and input methods send in several."""
    return unicodedata.normalize("NFKC", password)
