"""Your result measures the weight of each query on itself: key 0 is asked for."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights.diagonal(dim1=1, dim2=2)[:, T // 2 :].mean().item()
