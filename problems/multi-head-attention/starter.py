"""Multi-head self-attention with dropout on the weights, as a module."""

from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        # W_q, W_k, W_v, W_o: nn.Linear(d_model, d_model, bias=False)
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        # x: [B, T, d_model]
        raise NotImplementedError  # [B, T, d_model]
