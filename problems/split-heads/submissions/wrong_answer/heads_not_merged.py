"""Your merge returns [B, T, H, D]: heads and channels are still two axes."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    return y.transpose(1, 2)
