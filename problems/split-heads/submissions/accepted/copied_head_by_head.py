"""Copies each head into a new tensor."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    D = W // n_heads
    out = x.new_empty(B, n_heads, T, D)
    for h in range(n_heads):
        out[:, h] = x[:, :, h * D : (h + 1) * D]
    return out


def merge_heads(y):
    B, H, T, D = y.shape
    out = y.new_zeros(B, T, H * D)
    for h in range(H):
        out[..., h * D : (h + 1) * D] = y[:, h]
    return out
