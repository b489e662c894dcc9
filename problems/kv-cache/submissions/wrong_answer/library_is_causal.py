"""Your result equals library attention with is_causal for chunks: its diagonal starts at the first key, so the
tokens see only part of the cache.
"""

import torch
import torch.nn.functional as F


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    if k_past is not None:
        k, v = torch.cat([k_past, k], dim=2), torch.cat([v_past, v], dim=2)
    T = q.shape[2]
    return F.scaled_dot_product_attention(q, k, v, is_causal=T > 1)
