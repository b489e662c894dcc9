"""Your merge is a reshape straight to [B, T, H * D]: the shape is right, but the numbers of a token are
scattered over several.
"""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.reshape(B, T, H * D)
