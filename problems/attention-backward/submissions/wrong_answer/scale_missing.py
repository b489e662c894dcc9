"""Your gradients are those of attention without the scale: the scores are divided by sqrt(D)."""


def attention_backward(q, k, v, grad_out):
    scale = 1
    p = (q @ k.mT * scale).softmax(-1)
    dp = grad_out @ v.mT
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return ds @ k, ds.mT @ q, p.mT @ grad_out
