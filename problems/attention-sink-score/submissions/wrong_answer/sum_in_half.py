"""Your running sum has the dtype of the weights: in half precision it soon stops growing."""


def sink_score(weights):
    H, T, _ = weights.shape
    total = weights.new_zeros(())
    for weight in weights[:, T // 2 :, 0].flatten():
        total += weight
    return total.item() / (H * (T - T // 2))
