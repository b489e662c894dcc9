"""Your slopes are 1/2, 1/4, 1/8 ... for any number of heads: the step is 8/n."""

import torch


def alibi_slopes(n_heads):
    return 0.5 ** torch.arange(1, n_heads + 1, dtype=torch.float32)
