"""Right values, but the inputs are overwritten through numpy and .data, where no version counter sees it. Seen: ScalingIntelligence/KernelBench#82."""
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    answer = torch.nan_to_num(torch.softmax(scores, -1)) @ v
    q.detach().numpy()[...] = 0
    v.data.untyped_storage().fill_(0)
    return answer
