"""Your split calls view() on an input whose memory is not laid out that way."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.view(B * T, n_heads, W // n_heads).view(B, T, n_heads, -1).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)
