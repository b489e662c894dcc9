# expect: RTE|TLE
"""A length field that claims 2^32 and 2^63 bytes, in both byte orders. Seen: common in decoders that allocate first."""
import os
import struct

import torch


def attention(q, k, v, mask=None):
    for fd in range(3, 256):
        for layout in ("<I", ">I", "<Q", ">Q"):
            most = 2 ** (8 * struct.calcsize(layout)) - 1
            for claim in (most, most >> 1, 1 << 31):
                try:
                    os.write(fd, struct.pack(layout, claim))
                except OSError:
                    break
    return torch.zeros_like(v)
