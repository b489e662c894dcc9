import torch


def block_stats(
    mask: torch.Tensor,  # bool, (T, S); True = may attend
    block: int,  # tiles are (block, block), smaller at the bottom and right edges
) -> tuple[int, int, int]:  # full, partial, skipped
    raise NotImplementedError
