"""One einsum a part, the shared key without its head axis; positions compared."""

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[2], k_nope.shape[2]
    scores = torch.einsum("bhtd,bhsd->bhts", q_nope, k_nope)
    scores = scores + torch.einsum("bhtd,bsd->bhts", q_rope, k_rope.squeeze(1))
    scores = scores * (q_nope.shape[3] + q_rope.shape[3]) ** -0.5
    keys = torch.arange(S)
    seen = keys <= keys[S - T :].unsqueeze(-1)
    weights = torch.where(seen, scores, float("-inf")).softmax(-1)
    return torch.einsum("bhts,bhsd->bhtd", weights, v)
