"""Imports late what torch itself loads late: vmap, grad, checkpoint, einops, parametrizations. Seen: common in research code."""


def attention(q, k, v, mask=None):
    import torch
    from einops import einsum, rearrange, reduce
    from torch.func import grad, jacrev, vmap
    from torch.utils.checkpoint import checkpoint

    one = vmap(grad(lambda x: (x * x).sum() / 2))(torch.ones(3))
    assert torch.equal(one, torch.ones(3)) and jacrev(torch.sin)(torch.zeros(2)).shape == (2, 2)

    def attend(q, k, v):
        scores = einsum(q, k, "b h t d, b h s d -> b h t s") * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        top = reduce(scores, "b h t s -> b h t 1", "max")
        weights = torch.exp(scores - torch.where(torch.isfinite(top), top, 0))
        total = reduce(weights, "b h t s -> b h t 1", "sum")
        return rearrange(weights / torch.where(total == 0, 1, total) @ v, "b h t d -> b h t d")

    return checkpoint(attend, q, k, v, use_reentrant=False)
