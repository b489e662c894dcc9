"""A pattern with exponential backtracking while the file loads: one native call. Seen: common in code that validates by regular expression."""
import re

re.match(r"(a|aa)+$", "a" * 200 + "b")


def attention(q, k, v, mask=None):
    return v
