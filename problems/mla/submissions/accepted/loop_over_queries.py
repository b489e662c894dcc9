"""One head and one query at a time over the keys that it sees."""

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    H, T = q_nope.shape[1:3]
    past = k_nope.shape[2] - T
    heads = []
    for h in range(H):
        rows = []
        for t in range(T):
            stop = past + t + 1
            key = torch.cat([k_nope[:, h, :stop], k_rope[:, 0, :stop]], dim=-1)
            query = torch.cat([q_nope[:, h, t], q_rope[:, h, t]], dim=-1)
            scores = (key @ query.unsqueeze(-1)).squeeze(-1) / key.shape[-1] ** 0.5
            rows.append((scores.softmax(-1).unsqueeze(1) @ v[:, h, :stop]).squeeze(1))
        heads.append(torch.stack(rows, dim=1))
    return torch.stack(heads, dim=1)
