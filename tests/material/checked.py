"""What the tests of the checks call, as a plain module and through the sandbox: right answers and wrong ones."""

import math

import torch
from torch import nn

KEPT = {}


def attention(q, k, v):
    """Causal over history, the last T of S positions."""
    T, S = q.shape[-2], k.shape[-2]
    hidden = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(hidden, float("-inf"))
    return scores.softmax(-1) @ v


def einsum_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    hidden = torch.arange(S) > torch.arange(T)[:, None] + S - T
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) / math.sqrt(q.shape[-1])
    return torch.einsum("bhts,bhsd->bhtd", torch.where(hidden, float("-inf"), scores).softmax(-1), v)


def row_attention(q, k, v):
    """Row by row, products by hand, the weights of a row normalised last."""
    T, S = q.shape[-2], k.shape[-2]
    rows = []
    for t in range(T):
        seen = S - T + t + 1
        scores = (q[:, :, t : t + 1] * k[:, :, :seen]).sum(-1) * q.shape[-1] ** -0.5
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        rows.append((weights[..., None] * v[:, :, :seen]).sum(-2) / weights.sum(-1, keepdim=True))
    return torch.stack(rows, -2)


def through_float32(q, k, v):
    return attention(q.float(), k.float(), v.float()).to(q.dtype)


def through_bfloat16(q, k, v):
    return attention(q.bfloat16(), k.bfloat16(), v.bfloat16()).to(q.dtype)


def always_float32(q, k, v):
    return attention(q.float(), k.float(), v.float())


def no_gradient_to_k(q, k, v):
    return attention(q, k.detach(), v)


def changes_k(q, k, v):
    result = attention(q, k.mul_(3), v)
    k.div_(3.5)
    return result


def detached_attention(q, k, v):
    return attention(q, k, v).detach()


def keeps_weights(q, k, v):
    """The weights of an earlier call with the same shapes."""
    T, S = q.shape[-2], k.shape[-2]
    hidden = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(hidden, float("-inf"))
    return KEPT.setdefault((q.shape, k.shape), scores.softmax(-1)) @ v


def reuses_memory(q, k, v):
    """Results of the same shape share their memory."""
    result = attention(q, k, v)
    return KEPT.setdefault(("memory", result.shape, result.dtype), torch.empty_like(result)).copy_(result)


def default_dtype(q, k, v):
    return attention(q, k, v) * torch.ones(v.shape[-1])


def uninitialised(q, k, v):
    """Right where new memory happens to hold zeros."""
    return attention(q, k, v) + 0 * torch.empty(v.shape[-1], dtype=v.dtype)


def needs_no_grad_mode(q, k, v):
    return attention(q, k, v) if not torch.is_grad_enabled() else attention(q, k, v) * 2


def reads_the_future(q, k, v):
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v


def hides_too_little(q, k, v):
    """The future counts e^-20."""
    T, S = q.shape[-2], k.shape[-2]
    hidden = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    return ((q @ k.mT * q.shape[-1] ** -0.5) - 20.0 * hidden).softmax(-1) @ v


def leaks_without_a_graph(q, k, v):
    """Autograd does not see it, and only a large change makes it large."""
    return attention(q, k, v) + 1e-10 * v.detach().sum(-2, keepdim=True)


def leaks_below_rounding(q, k, v):
    """Only autograd sees it."""
    return attention(q, k, v) + 3e-12 * v.sum(-2, keepdim=True)


def mixes_heads(q, k, v):
    return attention(q, k, v.flip(1))


def with_row_sums(q, k, v):
    """Two float results."""
    result = attention(q, k, v)
    return result, result.sum(-1)


def zeros(n):
    """A new tensor of n float32 numbers that nobody reads, and a view of it."""
    return torch.empty(n).view(-1, 1)[:1].clone()


def expanded(x, n):
    """Reads x n times over without copying it."""
    return x.expand(n, *x.shape)[0].clone()


def repeated(x, n):
    return x.expand(n, *x.shape).contiguous()[0].clone()


def from_list(x, n):
    return x + torch.tensor([0.0] * n)[:1]


def grown(x, n):
    return x + torch.empty(0).resize_(n).zero_()[:1]


def product_in_inference_mode(x, y):
    with torch.inference_mode():
        return torch.matmul(x, y).clone()


def product_in_vmap(x, y):
    return torch.vmap(torch.mv, (0, None))(x, y)


def linear_product(x, y):
    return torch.nn.functional.linear(x, y.mT)


def summed_product(x, y):
    return (x[..., :, None] * y).mT.sum(-1)


def library_product(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


def softmax_in_inference_mode(x):
    with torch.inference_mode():
        return torch.softmax(x, -1)


class MultiHead(nn.Module):
    """Self-attention, not causal; `dropout` of the weights, in training."""

    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads, self.p = n_heads, dropout
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x):
        q, k, v = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        o = self.drop((q @ k.mT * q.shape[-1] ** -0.5).softmax(-1)) @ self.drop_values(v)
        return self.drop_result(self.W_o(o.transpose(1, 2).flatten(2)))

    def drop(self, weights):
        return nn.functional.dropout(weights, self.p, self.training)

    def drop_values(self, v):
        return v

    def drop_result(self, result):
        return result


class AnotherMultiHead(MultiHead):
    """Dropout by hand."""

    def drop(self, weights):
        if not self.training:
            return weights
        return weights * (torch.rand_like(weights) >= self.p) / (1 - self.p)


class HalfMultiHead(MultiHead):
    """Another way to the same values, wrong in float64."""

    def forward(self, x):
        return super().forward(x) if x.dtype != torch.float64 else super().forward(x) * (1 + 1e-7)


class NeverDrops(MultiHead):
    def drop(self, weights):
        return weights


class AlwaysDrops(MultiHead):
    def drop(self, weights):
        return nn.functional.dropout(weights, self.p, True)


class DropsWithoutScale(MultiHead):
    def drop(self, weights):
        return weights * (torch.rand_like(weights) >= self.p) if self.training else weights


class KeepsTheShareP(MultiHead):
    def drop(self, weights):
        return weights * (torch.rand_like(weights) < self.p) / (1 - self.p) if self.training else weights


class DropsTheResult(NeverDrops):
    def drop_result(self, result):
        return nn.functional.dropout(result, self.p, self.training)


class DropsValues(NeverDrops):
    def drop_values(self, v):
        return nn.functional.dropout(v, self.p, self.training)


class DropsTheSameInEachHead(MultiHead):
    def drop(self, weights):
        return weights * nn.functional.dropout(torch.ones_like(weights[:, :1]), self.p, self.training)


class DropsQueries(MultiHead):
    def drop(self, weights):
        return weights * nn.functional.dropout(torch.ones_like(weights[..., :1]), self.p, self.training)


class DropsScores(NeverDrops):
    def forward(self, x):
        q, k, v = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        scores = nn.functional.dropout(q @ k.mT * q.shape[-1] ** -0.5, self.p, self.training)
        return self.W_o((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
