import torch


def rope_decode(
    q: torch.Tensor,  # (B, H, T, D), the new tokens; D even
    k: torch.Tensor,  # (B, H, T, D)
    cache_len: int,  # tokens in the cache
    base: float = 10000.0,
) -> tuple[torch.Tensor, torch.Tensor]:  # q and k turned, (B, H, T, D) each
    raise NotImplementedError
