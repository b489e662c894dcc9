"""Joins the parts to one query and one key, and calls the library with a mask."""

import torch
import torch.nn.functional as F


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    q = torch.cat([q_nope, q_rope], dim=-1)
    k = torch.cat([k_nope, k_rope.expand(-1, k_nope.shape[1], -1, -1)], dim=-1)
    seen = torch.ones(T, S, dtype=torch.bool, device=q.device).tril(S - T)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
