"""Your function returns lists of bools: a tensor is asked for."""


def kv_offset_mask(T, S):
    return [[j <= i + S - T for j in range(S)] for i in range(T)]
