"""Right values through numpy: no gradient arrives. Seen: common learner slip."""
import numpy as np
import torch


def attention(q, k, v, mask=None):
    q, k, v = (t.detach().double().numpy() for t in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask.numpy(), scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = weights.sum(-1, keepdims=True)
    return torch.from_numpy(weights / np.where(total == 0, 1, total) @ v)
