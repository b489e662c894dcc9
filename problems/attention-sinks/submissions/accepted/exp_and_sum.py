"""Exponentials by hand under a maximum that includes the sink; float32 inside for half inputs."""

import torch


def sink_attention(q, k, v, sinks):
    wide = torch.promote_types(q.dtype, torch.float32)
    dtype, (q, k, v, sinks) = q.dtype, (t.to(wide) for t in (q, k, v, sinks))
    T, S = q.shape[-2], k.shape[-2]
    scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
    hidden = ~torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = scores.masked_fill(hidden, torch.finfo(wide).min)
    sink = sinks.reshape(1, -1, 1, 1)
    top = torch.maximum(scores.max(dim=-1, keepdim=True).values, sink).detach()
    weights = torch.exp(scores - top)
    return (weights @ v / (weights.sum(dim=-1, keepdim=True) + torch.exp(sink - top))).to(dtype)
