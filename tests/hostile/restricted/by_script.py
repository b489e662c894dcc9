"""A TorchScript function that names the operator. Seen: common against patched Python functions."""
import warnings

import torch

warnings.simplefilter("ignore")
UNIT = torch.jit.CompilationUnit("""
def mix(q, k, v, mask: Optional[Tensor]):
    return torch.ops.aten.scaled_dot_product_attention(q, k, v, mask)
""")


def attention(q, k, v, mask=None):
    mask = mask[None] if mask is not None and mask.dim() == 1 else mask
    return UNIT.mix(q, k, v, mask)
