"""Turns over what is global: dtype, seed, threads, deterministic mode, anomaly mode, warnings as errors, numpy errors, recursion, gc. Seen: ScalingIntelligence/KernelBench#82."""
import decimal
import gc
import locale
import os
import random
import sys
import warnings

import numpy as np
import torch

warnings.simplefilter("error")
np.seterr(all="raise")
torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
random.seed(0)
torch.set_num_threads(2)
torch.use_deterministic_algorithms(True)
torch.autograd.set_detect_anomaly(True)
torch.set_printoptions(precision=1, sci_mode=True)
torch.set_float32_matmul_precision("high")
torch.set_flush_denormal(True)
sys.setrecursionlimit(5000)
sys.set_int_max_str_digits(0)
decimal.getcontext().prec = 2
locale.setlocale(locale.LC_ALL, "C")
os.environ.clear()
os.environ["OMP_NUM_THREADS"] = "64"
gc.disable()
gc.set_threshold(1)


def attention(q, k, v, mask=None):
    torch.set_default_dtype(torch.float16)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
