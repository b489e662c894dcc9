"""Expand and reshape, as many libraries do it."""


def gqa(q, k, v):
    def shared(x):
        B, H, S, D = x.shape
        return x[:, :, None].expand(B, H, q.shape[1] // H, S, D).reshape(B, q.shape[1], S, D)

    k, v = shared(k), shared(v)
    return (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1) @ v
