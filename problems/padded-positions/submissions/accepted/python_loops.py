"""Counts in plain Python."""

import torch


def padded_positions(attention_mask):
    rows = []
    for row in attention_mask.tolist():
        position, positions = 0, []
        for real in row:
            positions.append(position if real else 0)
            position += real
        rows.append(positions)
    return torch.tensor(rows, dtype=torch.int64)
