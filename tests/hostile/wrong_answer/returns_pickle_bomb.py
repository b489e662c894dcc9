"""Objects that run code when pickled, unpickled, copied or turned into text. Seen: PrairieLearn/PrairieLearn#5184."""
import torch


class Boom:
    def __reduce_ex__(self, protocol):
        return print, ("LEAK unpickled",)

    def __copy__(self):
        print("LEAK copied", flush=True)
        return self

    def __deepcopy__(self, memo):
        print("LEAK copied", flush=True)
        return self

    def __getstate__(self):
        print("LEAK state asked for", flush=True)
        return {}


Boom.__name__ = Boom.__qualname__ = "<script>alert(1)</script>\x1b[31m{0.__class__}%s" + "x" * 100_000


def attention(q, k, v, mask=None):
    return [torch.zeros_like(v), Boom()]
