"""Your result mixes heads and tokens when it unfolds the group again: what was folded as head times token must be
unfolded as that.
"""


def gqa(q, k, v):
    B, Hq, T, D = q.shape
    Hkv, Dv = v.shape[1], v.shape[-1]
    rows = q.reshape(B, Hkv, Hq // Hkv * T, D)
    out = (rows @ k.mT * D**-0.5).softmax(-1) @ v
    return out.reshape(B, Hkv, T, Hq // Hkv, Dv).transpose(2, 3).reshape(B, Hq, T, Dv)
