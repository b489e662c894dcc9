"""Your code calls the library's backward pass of attention as an operator."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    if v.shape[-1] != q.shape[-1] or q.dtype != torch.float32:
        scale = 1 / math.sqrt(q.shape[-1])
        p = (q @ k.mT * scale).softmax(-1)
        dp = grad_out @ v.mT
        ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
        return ds @ k, ds.mT @ q, p.mT @ grad_out
    q, k, v, grad_out = (t.contiguous() for t in (q, k, v, grad_out))
    out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v)
    backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward
    return backward(grad_out, q, k, v, out, lse, 0.0, False)
