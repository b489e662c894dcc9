"""Results of every kind."""
import torch


def attention(q, k):
    print("seen")
    return {"a": (q * 2, [1, 2.5, None, "text", True]), "b": object(), "c": torch.ones(2, dtype=torch.int64)}


class Attention:
    def __init__(self, width, heads):
        self.width = width
