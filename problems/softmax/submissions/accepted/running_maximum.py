"""One pass along the axis with a running maximum and a rescaled sum, then the quotient."""

import torch


def softmax(x, dim=-1):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    low = torch.finfo(wide.dtype).min
    top, total = None, None
    for part in wide.unbind(dim):
        finite = part.clamp(min=low)
        if top is None:
            top, total = finite, torch.exp(part - finite)
            continue
        higher = torch.maximum(top, finite)
        total = total * torch.exp(top - higher) + torch.exp(part - higher)
        top = higher
    top, total = top.unsqueeze(dim), total.unsqueeze(dim)
    return (torch.exp(wide - top) / total.masked_fill(total == 0, 1.0)).to(x.dtype)
