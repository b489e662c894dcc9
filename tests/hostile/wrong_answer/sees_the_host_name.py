# driver: docker
"""Asks which machine it is on. Seen: common in jails without namespaces."""
import os

import torch


def attention(q, k, v, mask=None):
    if os.uname().nodename != "sandbox":
        print("LEAK host name", os.uname().nodename)
    return torch.zeros_like(v)
