"""Your values are right, but the result is cut off from autograd: no gradient reaches the input."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.detach().reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.detach().transpose(1, 2).reshape(B, T, H * D)
