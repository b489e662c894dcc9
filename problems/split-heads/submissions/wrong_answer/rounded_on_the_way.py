"""Your numbers pass through float32 on the way: they must stay exactly what they are."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.float().reshape(B, T, n_heads, W // n_heads).transpose(1, 2).to(x.dtype)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.float().transpose(1, 2).reshape(B, T, H * D).to(y.dtype)
