"""Library attention with a bool mask; none for a single token."""

import torch
import torch.nn.functional as F


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    T = q.shape[2]
    if k_past is None:
        return F.scaled_dot_product_attention(q, k_new, v_new, is_causal=True)
    k, v = torch.cat([k_past, k_new], dim=2), torch.cat([v_past, v_new], dim=2)
    visible = None
    if T > 1:
        visible = torch.cat([torch.ones(T, k_past.shape[2]), torch.ones(T, T).tril()], dim=1).bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=visible)
