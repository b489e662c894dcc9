"""Leaves torch.py, sitecustomize.py, conftest.py and .pth files for whoever imports next. Seen: SWE-bench/SWE-bench#631."""
import os
import sys

import torch

TEXT = "print('LEAK planted module runs')\n"


def _drop(place):
    for name in ("torch.py", "conftest.py", "sitecustomize.py", "usercustomize.py", "h0stile.pth", "reference.py", "runner.py"):
        path = os.path.join(place, name)
        if os.path.exists(path):
            continue
        try:
            with open(path, "x") as file:
                file.write(TEXT)
        except (OSError, ValueError):
            continue
        print("LEAK dropped", path, flush=True)
        os.unlink(path)


for place in {os.getcwd(), os.path.dirname(os.path.abspath(__file__)), *sys.path, *(os.path.dirname(p) for p in sys.path), "/tmp"}:
    _drop(place)
sys.dont_write_bytecode = False
sys.pycache_prefix = "/tmp/h0stile-pycache"


def attention(q, k, v, mask=None):
    for place in {os.getcwd(), *sys.path, "/tmp"}:
        _drop(place)
    return torch.zeros_like(v)
