"""Your merge adds the heads up: they are to stand side by side, H * D channels for each token."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    return y.sum(dim=1)
