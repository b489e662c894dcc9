"""Names F.scaled_dot_product_attention and nn.MultiheadAttention in text, assigns and inspects them, and calls neither. Seen: common in teaching code."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

library = F.scaled_dot_product_attention
TABLE = {"sdpa": library, "mha": nn.MultiheadAttention, "same": scaled_dot_product_attention}


def attention(q, k, v, mask=None):
    """Does what F.scaled_dot_product_attention(q, k, v) does."""
    assert callable(library) and hasattr(nn, "MultiheadAttention") and library.__name__
    assert not isinstance(q, nn.MultiheadAttention)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
