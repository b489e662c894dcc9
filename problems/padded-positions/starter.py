import torch


def padded_positions(
    attention_mask: torch.Tensor,  # int64, (B, T): 1 = real token, 0 = padding
) -> torch.Tensor:  # int64, (B, T)
    raise NotImplementedError
