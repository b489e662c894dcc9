"""Your split and your merge deal the channels out in turn: together they undo each other, but head 0 gets
channels 0, H, 2H ... instead of the first D.
"""


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, W // n_heads, n_heads).permute(0, 3, 1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    return y.permute(0, 2, 3, 1).reshape(B, T, H * D)
