"""Your code multiplies Hq query heads with Hkv key heads: they broadcast only if Hkv is 1 or Hq."""


def gqa(q, k, v):
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
