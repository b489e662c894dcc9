"""Your merge calls view() right after the transpose: heads and channels then do not lie next to each other in
memory.
"""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).view(B, T, H * D)
