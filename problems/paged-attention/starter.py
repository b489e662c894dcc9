import torch


def paged_attention(
    q: torch.Tensor,  # (B, H, D), one new query a sequence
    k_cache: torch.Tensor,  # (N, block, H, D), blocks of all sequences
    v_cache: torch.Tensor,  # (N, block, H, D)
    block_table: torch.Tensor,  # int64, (B, M); blocks of each sequence in order, then -1
    context_lens: torch.Tensor,  # int64, (B,); tokens of each sequence
) -> torch.Tensor:  # (B, H, D)
    raise NotImplementedError
