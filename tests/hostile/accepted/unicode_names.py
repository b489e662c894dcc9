"""Greek, Chinese and combining names, emoji and right-to-left text. Seen: PrairieLearn/PrairieLearn#2873."""
import torch

# 注释：缩放点积注意力 😀 ‮שלום‬
温度 = -0.5
ﬁll = "🙂 \N{SNOWMAN} \u200b"


def attention(q, k, v, mask=None):
    """注意力"""
    σ = q @ k.mT * q.shape[-1] ** 温度
    if mask is not None:
        σ = σ.masked_fill(~mask, -float("inf"))
    é = torch.nan_to_num(torch.softmax(σ, -1))
    assert fill is ﬁll
    return é @ v
