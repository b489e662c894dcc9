"""Your result equals the mean of the tokens times scale; the tokens are to be summed."""

# A known mistake: the tests must fail it, and a learner whose results equal its results reads the sentence above.
# Other folders are named after the verdict: runtime_error, time_limit, memory_limit, restricted, compile_error.

from torch import Tensor


def scaled_sum(x: Tensor, scale: float) -> Tensor:
    return x.mean(dim=0) * scale
