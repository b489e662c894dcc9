"""Modules: the reference's weights by name."""

from __future__ import annotations

import torch
from torch import nn

from judge.compare import CheckFailed, compare_parameters, type_name


def load_weights(module: nn.Module, reference: nn.Module) -> nn.Module:
    """Copies the reference's parameters into `module` by name; missing, extra or misshapen ones are the finding."""
    if not isinstance(module, nn.Module):
        raise CheckFailed("type", got=type_name(module), expected="nn.Module", of="result")
    mine, theirs = dict(module.named_parameters()), dict(reference.named_parameters())
    compare_parameters({n: tuple(p.shape) for n, p in mine.items()}, {n: tuple(p.shape) for n, p in theirs.items()})
    with torch.no_grad():
        for name, parameter in mine.items():
            parameter.data = theirs[name].detach().to(theirs[name].dtype).clone()
    return module
