"""Causal attention by tiles of queries and keys, with the log of each query's sum; hidden tiles are skipped."""

import math

import torch
from torch import Tensor


def flash_attention_causal(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> tuple[Tensor, Tensor]:
    T, S = q.size(-2), k.size(-2)
    position = torch.arange(S, device=q.device)  # (S,), of the keys; the queries have the last T of them
    outs, lses = [], []
    for first in range(0, T, block_size):
        here = position[S - T :][first : first + block_size]  # (t,), t <= block_size queries in this row of tiles
        out, lse = _row(q[..., first : first + block_size, :], k, v, here, position, block_size)
        outs.append(out)
        lses.append(lse)
    return torch.cat(outs, dim=-2), torch.cat(lses, dim=-1)  # (B, H, T, Dv), (B, H, T)


def _row(q: Tensor, k: Tensor, v: Tensor, here: Tensor, position: Tensor, block_size: int) -> tuple[Tensor, Tensor]:
    """One row of tiles: `q` is (B, H, t, D), its queries stand at the positions `here`."""
    wide = torch.promote_types(q.dtype, torch.float32)  # sums over many tiles need more digits than half has
    q_scaled = q.to(wide) / math.sqrt(q.size(-1))
    top = torch.full_like(q_scaled[..., :1], float("-inf"))  # (B, H, t, 1), highest score so far
    total = torch.zeros_like(top)  # (B, H, t, 1), sum of exp(score - top)
    out = torch.zeros(*q.shape[:-1], v.size(-1), dtype=wide, device=q.device)  # (B, H, t, Dv), sum of exp * value
    # The newest query of the row sees no tile that starts beyond it. Key 0 is seen by all, so `top` is finite after
    # the first tile: the other way round, a query without a visible key in its first tile would give inf - inf.
    for start in range(0, int(here[-1]) + 1, block_size):
        tile = slice(start, start + block_size)
        scores = q_scaled @ k[..., tile, :].to(wide).transpose(-2, -1)  # (B, H, t, n), n <= block_size
        scores = scores.masked_fill(position[tile] > here[:, None], float("-inf"))
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))  # (B, H, t, 1)
        shrink = torch.exp(top - new_top)  # what was summed relative to `top` is now relative to `new_top`
        parts = torch.exp(scores - new_top)  # (B, H, t, n), zero where hidden
        total = total * shrink + parts.sum(dim=-1, keepdim=True)
        out = out * shrink + parts @ v[..., tile, :].to(wide)
        top = new_top
    return (out / total).to(q.dtype), (top + total.log()).squeeze(-1).to(q.dtype)  # (B, H, t, Dv), (B, H, t)
