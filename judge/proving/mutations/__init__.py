"""How people get attention wrong: operators that change one place of a reference.

    code         Code: the source with its tree; Edit; the decorator `operator`
    arithmetic   comparisons, signs, dropped and swapped operands, roots
    values       numbers by one, infinities, flags, dtypes, other sizes and other weights
    calls        transposes, reshapes, repeats, casts, arguments left out or swapped
    steps        statements left out, branches, masks before and after, autograd

An operator is a function `(node, code) -> changes` in one of these modules; a new one is one function.
"""

from judge.proving.mutations import arithmetic, calls, steps, values
from judge.proving.mutations.code import OPERATORS, Change, Code, Edit

__all__ = ["OPERATORS", "Change", "Code", "Edit", "arithmetic", "calls", "steps", "values"]
