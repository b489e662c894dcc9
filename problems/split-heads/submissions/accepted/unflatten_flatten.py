"""Names the axes by unflatten and flatten."""


def split_heads(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).movedim(2, 1)


def merge_heads(y):
    return y.movedim(1, 2).flatten(-2)
