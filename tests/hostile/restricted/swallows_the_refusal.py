# expect: RF|AC
"""Tries the library, and computes honestly where that is refused. Seen: common learner slip."""
import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    try:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    except Exception:
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return torch.nan_to_num(torch.softmax(scores, -1)) @ v
