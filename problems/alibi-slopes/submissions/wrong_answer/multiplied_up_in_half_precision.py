"""Your slopes are multiplied up from the first in float16: the error grows from head to head."""

import torch


def alibi_slopes(n_heads):
    def geometric(n):
        ratio = torch.full((n,), 2 ** (-8 / n), dtype=torch.float16)
        return ratio.cumprod(0).float()

    m = 2 ** (n_heads.bit_length() - 1)
    return torch.cat([geometric(m), geometric(2 * m)[::2][: n_heads - m]])
