"""Your split is right; your merge is cut off from autograd: no gradient reaches its input."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.data.transpose(1, 2).reshape(B, T, H * D)
