"""Your slopes are computed in torch's default dtype and made float32 afterwards: the caller's may be float16, and the
digits are gone.
"""

import torch


def geometric(n):
    return 2.0 ** (-8 * torch.arange(1, n + 1) / n)


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    return torch.cat([geometric(m), geometric(2 * m)[::2][: n_heads - m]]).float()
