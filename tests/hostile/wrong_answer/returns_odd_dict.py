"""A dictionary with keys no format has, NaN, infinities and lone surrogates. Seen: common in JSON protocols."""


class Key(str):
    def __hash__(self):
        return 7

    def __eq__(self, other):
        return False


def attention(q, k, v, mask=None):
    return {Key("dtype"): float("nan"), "\udcff\x00": float("-inf"), 1: 2, None: -0.0, (1, 2): b"\xff", "shape": [-1, 2**70]}
