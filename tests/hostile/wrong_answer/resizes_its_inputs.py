# expect: WA|RTE
"""Right values, but the inputs are resized and moved to other storage. Seen: ScalingIntelligence/KernelBench#82."""
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    answer = torch.nan_to_num(torch.softmax(scores, -1)) @ v
    q.data = torch.zeros(3)
    k.data.resize_(0)
    v.data.set_(torch.zeros(1, dtype=v.dtype))
    return answer
