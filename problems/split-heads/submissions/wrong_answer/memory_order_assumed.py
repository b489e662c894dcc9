"""Your code takes the numbers in the order in which they lie in memory: for an input that is transposed or cut
out of another tensor that is not the order of its axes.
"""


def split_heads(x, n_heads):
    B, T, W = x.shape
    D = W // n_heads
    return x.as_strided((B, n_heads, T, D), (T * W, D, W, 1))


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)
