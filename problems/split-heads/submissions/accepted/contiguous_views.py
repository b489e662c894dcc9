"""Makes the memory contiguous, then only views."""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.contiguous().view(B, T, n_heads, W // n_heads).permute(0, 2, 1, 3).contiguous()


def merge_heads(y):
    B, H, T, D = y.shape
    return y.permute(0, 2, 1, 3).contiguous().view(B, T, H * D)
