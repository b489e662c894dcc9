import torch


def attention_backward(
    q: torch.Tensor,  # (B, H, T, D)
    k: torch.Tensor,  # (B, H, S, D)
    v: torch.Tensor,  # (B, H, S, Dv)
    grad_out: torch.Tensor,  # (B, H, T, Dv), the gradient of the loss with respect to the output
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:  # dq, dk, dv, shaped as q, k, v
    raise NotImplementedError
