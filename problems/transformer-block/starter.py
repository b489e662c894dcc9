from torch import Tensor, nn


class TransformerBlock(nn.Module):
    def __init__(self, d_model: int, n_heads: int, d_ff: int) -> None:
        super().__init__()
        # norm1.weight, norm2.weight: (d_model,)
        # attn.W_q, attn.W_k, attn.W_v, attn.W_o: nn.Linear(d_model, d_model, bias=False)
        # mlp.w_gate, mlp.w_up: nn.Linear(d_model, d_ff, bias=False)
        # mlp.w_down: nn.Linear(d_ff, d_model, bias=False)
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        # x: (B, T, d_model)
        raise NotImplementedError  # (B, T, d_model)
