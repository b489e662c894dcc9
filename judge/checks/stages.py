"""The stages of attention, for the picture of a learner's smallest failing input."""

from __future__ import annotations

import torch
from torch import Tensor


def shown_stages(scores: Tensor, mask: Tensor, sinks: Tensor | None = None) -> dict[str, Tensor]:
    """From scores [B, H, T, S] and a mask that broadcasts to them, True where a query may see a key.

    With `sinks` [H], a logit per head that takes part in the softmax and is dropped. A query that sees no key has the
    weights 0.
    """
    masked = scores.masked_fill(~mask, -torch.inf)
    if sinks is not None:
        masked = torch.cat([masked, sinks[:, None, None].expand(*scores.shape[:-1], 1)], dim=-1)
    weights = masked.softmax(dim=-1).nan_to_num(nan=0.0)[..., : scores.size(-1)]
    return {"scores": scores, "mask": mask, "weights": weights}
