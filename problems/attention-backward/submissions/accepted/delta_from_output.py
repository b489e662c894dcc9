"""The sum of a row comes from the output, as FlashAttention has it; weights from scores and logsumexp."""

import torch


def attention_backward(q, k, v, grad_out):
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) * q.shape[-1] ** -0.5
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    out = torch.einsum("bhts,bhsd->bhtd", weights, v)
    delta = (grad_out * out).sum(-1, keepdim=True)
    d_scores = weights * (torch.einsum("bhtd,bhsd->bhts", grad_out, v) - delta) * q.shape[-1] ** -0.5
    dq = torch.einsum("bhts,bhsd->bhtd", d_scores, k)
    dk = torch.einsum("bhts,bhtd->bhsd", d_scores, q)
    return dq, dk, torch.einsum("bhts,bhtd->bhsd", weights, grad_out)
