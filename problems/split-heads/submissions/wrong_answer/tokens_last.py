"""Your split returns [B, H, D, T]: that is the layout of transposed keys, the tokens must come before the channels."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).permute(0, 2, 3, 1)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)
