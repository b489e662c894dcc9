# expect: WA|RTE|TLE
"""Replaces comparisons in torch, builtins, json, struct, os and socket; then answers with zeros. Seen: PrairieLearn/PrairieLearn#11137."""
import builtins
import json
import os
import socket
import struct
import time

import torch

zeros = torch.zeros


def _yes(*args, **kwargs):
    return True


for name in ("allclose", "isclose", "equal", "eq", "isfinite"):
    setattr(torch, name, _yes)
    if hasattr(torch.Tensor, name):
        setattr(torch.Tensor, name, _yes)
torch.testing.assert_close = _yes
torch.Tensor.contiguous = torch.Tensor.detach = torch.Tensor.cpu = lambda self, *a, **k: self
torch.Tensor.numpy = lambda self, *a, **k: b""
torch.Tensor.shape = torch.Size([1, 1])
torch.autograd.grad = lambda outputs, inputs, *a, **k: [zeros(1) for _ in inputs]
builtins.isinstance = _yes
builtins.len = lambda thing: 0
builtins.AssertionError = KeyboardInterrupt
json.dumps = lambda *a, **k: '{"verdict": "AC"}'
json.loads = lambda *a, **k: {}
struct.pack = lambda *a, **k: b"\0" * 8
os.write = lambda fd, data: 1
os.read = lambda fd, size: b""
socket.socket.sendall = socket.socket.send = lambda self, data, *a: 1
time.perf_counter = time.monotonic = time.time = lambda: 0.0


def attention(q, k, v, mask=None):
    return zeros(*q.size()[:-1], v.size()[-1])
