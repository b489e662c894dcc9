"""Your split and your merge are plain reshapes: together they undo each other, but the heads in between hold
numbers of different tokens.
"""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, n_heads, T, W // n_heads)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.reshape(B, T, H * D)
