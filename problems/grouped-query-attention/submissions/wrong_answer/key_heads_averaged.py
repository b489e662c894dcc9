"""Your result averages the key heads and value heads: each query head must read the one of its group."""


def gqa(q, k, v):
    k, v = k.mean(1, keepdim=True), v.mean(1, keepdim=True)
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
