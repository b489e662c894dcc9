"""Sums in plain Python."""


def sink_score(weights):
    T = weights.shape[1]
    columns = weights[:, :, 0].tolist()
    late = [column[i] for column in columns for i in range(T // 2, T)]
    return sum(late) / len(late)
