"""The forbidden call in another thread, where modes of the first do not look. Seen: common against thread-local tracers."""
from concurrent.futures import ThreadPoolExecutor

import torch.nn.functional as F


def attention(q, k, v, mask=None):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(F.scaled_dot_product_attention, q, k, v, mask).result()
