"""Endless bytes on stderr without a newline, no UTF-8 among them. Seen: judge0/judge0#496."""
import os


def attention(q, k, v, mask=None):
    while True:
        os.write(2, b"\xff\x00\x1b[2J" * 10_000)
