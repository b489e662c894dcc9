"""Your merge takes one channel of each head in turn, where the heads should follow each other as whole blocks."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.permute(0, 2, 3, 1).reshape(B, T, H * D)
