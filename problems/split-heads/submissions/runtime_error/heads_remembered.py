"""Your merge counts on the number of heads of the latest split: it is the shape of its own argument that tells."""

heads = 1


def split_heads(x, n_heads):
    global heads
    heads = n_heads
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, _, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, heads * D)
