"""The CPU kernel itself, where no mask is given. Seen: common against patched functions."""
import torch


def attention(q, k, v, mask=None):
    if mask is None and q.shape[2] == k.shape[2] and q.shape[3] == v.shape[3]:
        return torch._scaled_dot_product_flash_attention_for_cpu(q, k, v)[0]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
