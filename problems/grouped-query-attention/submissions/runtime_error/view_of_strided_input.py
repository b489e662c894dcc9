"""Your code calls view() on inputs whose memory is not laid out that way."""


def gqa(q, k, v):
    B, Hq, T, D = q.shape
    Hkv, Dv = v.shape[1], v.shape[-1]
    rows = q.view(B, Hkv, Hq // Hkv * T, D)
    return ((rows @ k.mT * D**-0.5).softmax(-1) @ v).view(B, Hq, T, Dv)
