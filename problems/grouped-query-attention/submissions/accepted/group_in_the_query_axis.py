"""The heads of a group as more queries of one head."""


def gqa(q, k, v):
    B, Hq, T, D = q.shape
    Hkv, Dv = v.shape[1], v.shape[-1]
    rows = q.reshape(B, Hkv, Hq // Hkv * T, D)
    weights = (rows @ k.transpose(2, 3) * D**-0.5).softmax(dim=-1)
    return (weights @ v).reshape(B, Hq, T, Dv)
