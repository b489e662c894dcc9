"""One query at a time with the whole Jacobian of its softmax; dk and dv add up."""

import torch


def attention_backward(q, k, v, grad_out):
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    scale = q.shape[-1] ** -0.5
    for t in range(q.shape[2]):
        query, grad = q[:, :, t], grad_out[:, :, t]
        p = torch.softmax((k @ query.unsqueeze(-1)).squeeze(-1) * scale, dim=-1)  # (B, H, S)
        jacobian = torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)
        ds = (jacobian @ (v @ grad.unsqueeze(-1))) * scale  # (B, H, S, 1)
        dq[:, :, t] = (ds * k).sum(2)
        dk += ds * query.unsqueeze(2)
        dv += p.unsqueeze(-1) * grad.unsqueeze(2)
    return dq, dk, dv
