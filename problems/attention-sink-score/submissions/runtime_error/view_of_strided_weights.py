"""Your code calls view() on weights whose memory is not laid out that way."""


def sink_score(weights):
    T = weights.shape[-1]
    return weights.view(-1, T * T)[:, T // 2 * T :: T].mean().item()
