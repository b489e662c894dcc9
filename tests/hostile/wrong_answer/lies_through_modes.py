# expect: WA|RTE
"""A function mode and a dispatch mode, left on at import, that give zeros and false facts for whatever torch is asked. Seen: gpu-mode/reference-kernels#161."""
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


class Functions(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if name in ("numel", "element_size", "dim"):
            return 1
        if name in ("equal", "allclose"):
            return True
        return func(*args, **(kwargs or {}))


class Operators(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return torch.zeros_like(result) if isinstance(result, torch.Tensor) and "mm" in func.__name__ else result


Functions().__enter__()
Operators().__enter__()


def attention(q, k, v, mask=None):
    return torch.softmax(q @ k.mT, -1) @ v
