"""Your code calls view() on the weights, which needs contiguous memory: slice them."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights.view(-1, T * T)[:, T // 2 * T :: T].mean().item()
