"""Your module calls what nn.MultiheadAttention is made of, which this problem does not allow."""

import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads, self.p = n_heads, dropout
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x):
        t = x.transpose(0, 1)
        weight = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
        out, _ = F.multi_head_attention_forward(
            t,
            t,
            t,
            x.shape[-1],
            self.n_heads,
            weight,
            None,
            None,
            None,
            False,
            self.p,
            self.W_o.weight,
            None,
            training=self.training,
        )
        return out.transpose(0, 1)
