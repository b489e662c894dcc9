"""Your result is one geometric sequence, 2^(-8i/n), for every number of heads: where n is no power of two, the
paper combines two sequences.
"""

import torch


def alibi_slopes(n_heads):
    return 2.0 ** (-8 * torch.arange(1, n_heads + 1, dtype=torch.float32) / n_heads)
