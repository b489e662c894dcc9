"""What the explorers must compute, by torch: `python tests/golden/explorers.py` writes `explorers.json` anew.

masks    an address -> rows of 0 and 1, counts of pairs and tiles, queries that see no key
lookup   a query and a temperature -> scores, weights, output, entropy
spread   a width and a seed -> spread of the scores, largest weight and entropy, raw and divided by its root
cost     a model -> FLOPs, crossover, bytes
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import torch

FILE = Path(__file__).with_suffix(".json")
KEYS = [[2.2, 0.6], [1, 2.2], [-1.2, 1.6], [-2.3, -0.4], [-0.6, -2.1], [1.7, -1.6]]
TRIALS, DRAWN_KEYS = 64, 8
CAUSAL: dict[str, Any] = {"kind": "causal"}
MASKS: list[tuple[int, int, int, list[dict[str, Any]]]] = [
    (1, 1, 0, [CAUSAL]),
    (4, 4, 0, [{"kind": "full"}]),
    (4, 4, 2, [CAUSAL]),
    (2, 5, 0, [CAUSAL]),
    (5, 2, 0, [CAUSAL]),
    (32, 32, 5, [CAUSAL]),
    (7, 32, 8, [CAUSAL]),
    (2, 5, 0, [{"kind": "topleft"}]),
    (6, 4, 3, [{"kind": "topleft"}]),
    (6, 6, 2, [{"kind": "window", "w": 1}]),
    (6, 6, 0, [{"kind": "window", "w": 3}]),
    (3, 9, 3, [{"kind": "window", "w": 4}]),
    (8, 3, 0, [{"kind": "window", "w": 2}]),
    (5, 5, 0, [{"kind": "window", "w": 32}]),
    (8, 8, 4, [{"kind": "sinks", "sinks": 1, "w": 2}]),
    (4, 12, 3, [{"kind": "sinks", "sinks": 2, "w": 3}]),
    (6, 6, 0, [{"kind": "sinks", "sinks": 0, "w": 2}]),
    (6, 6, 0, [{"kind": "prefix", "prefix": 3}]),
    (4, 9, 2, [{"kind": "prefix", "prefix": 7}]),
    (5, 5, 0, [{"kind": "prefix", "prefix": 0}]),
    (9, 9, 3, [{"kind": "documents", "docs": [3, 2, 4]}]),
    (8, 8, 0, [{"kind": "documents", "docs": [3]}]),
    (4, 9, 0, [{"kind": "documents", "docs": [5, 4]}]),
    (9, 4, 0, [{"kind": "documents", "docs": [2, 2]}]),
    (4, 6, 2, [{"kind": "padding", "left": 2, "right": 0}]),
    (4, 6, 0, [{"kind": "padding", "left": 0, "right": 3}]),
    (3, 4, 2, [{"kind": "padding", "left": 2, "right": 2}]),
    (9, 9, 0, [{"kind": "documents", "docs": [3, 2, 4]}, {"op": "and", **CAUSAL}]),
    (6, 6, 2, [CAUSAL, {"op": "and", "kind": "padding", "left": 2, "right": 0}]),
    (6, 6, 0, [{"kind": "topleft"}, {"op": "and", "kind": "padding", "left": 1, "right": 1}]),
    (6, 9, 3, [{"kind": "window", "w": 2}, {"op": "or", "kind": "documents", "docs": [4, 5]}]),
    (8, 8, 2, [{"kind": "window", "w": 2}, {"op": "or", "kind": "prefix", "prefix": 2}, {"op": "and", **CAUSAL}]),
    (
        8,
        8,
        0,
        [CAUSAL, {"op": "and", "kind": "window", "w": 4}, {"op": "or", "kind": "padding", "left": 7, "right": 0}],
    ),
    (32, 32, 16, [{"kind": "documents", "docs": [9, 17]}, {"op": "and", "kind": "sinks", "sinks": 2, "w": 5}]),
]
LOOKUPS = [([1.0, 1.0], math.sqrt(2)), ([0.0, 0.0], 1.0), ([-2.5, 0.3], 0.05), ([3.0, -3.0], 20.0), ([0.1, 2.9], 1.0)]
SPREADS = [(2, 1), (8, 1), (32, 1), (128, 7), (512, 1)]
MODEL: dict[str, Any] = {
    "kind": "mha",
    "T": 4096,
    "d": 4096,
    "heads": 32,
    "kv": 8,
    "dh": 128,
    "layers": 32,
    "rank": 512,
    "rope": 64,
    "bytes": 2,
}
COSTS = [
    MODEL,
    MODEL | {"T": 1},
    MODEL | {"T": 2**20, "d": 8192, "heads": 64},
    MODEL | {"T": 32768, "kind": "gqa", "d": 1024, "heads": 16, "layers": 28},
    MODEL | {"kind": "mqa", "bytes": 4},
    MODEL | {"kind": "mla", "d": 7168, "heads": 128, "layers": 61, "bytes": 1},
]


def golden() -> dict[str, list[dict[str, Any]]]:
    return {
        "masks": [_mask(*row) for row in MASKS],
        "lookup": [_lookup(*row) for row in LOOKUPS],
        "spread": [_spread(*row) for row in SPREADS],
        "cost": [_cost(model) for model in COSTS],
    }


def _mask(T: int, S: int, block: int, rules: list[dict[str, Any]]) -> dict[str, Any]:
    seen = torch.zeros(T, S, dtype=torch.bool)
    address: dict[str, Any] = {"T": T, "S": S, "block": block}
    for i, rule in enumerate(rules):
        own = _rule(T, S, rule)
        seen = own if not i else seen & own if rule["op"] == "and" else seen | own
        suffix = str(i + 1) if i else ""
        address |= {k + suffix: ".".join(map(str, v)) if k == "docs" else v for k, v in rule.items()}
    counts = {"whole": 0, "partial": 0, "skipped": 0}
    for tile in (part for row in seen.split(block or T) for part in row.split(block or S, dim=1)) if block else ():
        counts["whole" if tile.all() else "partial" if tile.any() else "skipped"] += 1
    return {
        "address": urlencode(address),
        "rows": ["".join("01"[int(cell)] for cell in row) for row in seen],
        "seen": int(seen.sum()),
        "empty": torch.nonzero(~seen.any(1)).flatten().tolist(),
        **counts,
    }


def _rule(T: int, S: int, rule: dict[str, Any]) -> torch.Tensor:
    """[T, S], True where the rule lets a query see a key."""
    ones = torch.ones(T, S, dtype=torch.bool)
    q = torch.arange(S - T, S)[:, None]  # positions of the queries
    k = torch.arange(S)[None, :]
    causal = ones.tril(S - T)
    match rule["kind"]:
        case "full":
            return ones
        case "causal":
            return causal
        case "topleft":
            return ones.tril()
        case "window":
            return causal & ones.triu(S - T - rule["w"] + 1)
        case "sinks":
            return causal & (ones.triu(S - T - rule["w"] + 1) | (k < rule["sinks"]))
        case "prefix":
            return causal | (k < rule["prefix"])
        case "documents":
            ends = torch.tensor(rule["docs"]).cumsum(0)
            number = torch.searchsorted(ends, torch.arange(-T, S), right=True)  # of each position from -T on
            number[:T] = -1
            return number[T + q.flatten()][:, None] == number[T:][None, :]
        case "padding":
            return ones & (k >= rule["left"]) & (k < S - rule["right"])
        case kind:
            raise ValueError(kind)


def _lookup(query: list[float], temperature: float) -> dict[str, Any]:
    keys = torch.tensor(KEYS, dtype=torch.float64)
    scores = keys @ torch.tensor(query, dtype=torch.float64)
    weights = torch.softmax(scores / temperature, 0)
    return {
        "query": query,
        "temperature": temperature,
        "scores": scores.tolist(),
        "weights": weights.tolist(),
        "output": (weights @ keys).tolist(),
        "entropy": float(_entropy(weights)),
    }


def _entropy(weights: torch.Tensor) -> torch.Tensor:
    return -torch.special.xlogy(weights, weights).sum(-1) / math.log(2)


def _spread(d: int, seed: int) -> dict[str, Any]:
    next_normal = _normals(seed)
    drawn = [next(next_normal) for _ in range(TRIALS * (1 + DRAWN_KEYS) * d)]
    vectors = torch.tensor(drawn, dtype=torch.float64).view(TRIALS, 1 + DRAWN_KEYS, d)
    scores = (vectors[:, 1:] * vectors[:, :1]).sum(-1)  # (TRIALS, DRAWN_KEYS)
    both = [torch.softmax(scores / scale, -1) for scale in (1, math.sqrt(d))]
    spread = float(scores.square().mean().sqrt())
    return {
        "d": d,
        "seed": seed,
        "spread": [spread, spread / math.sqrt(d)],
        "largest": [float(weights.amax(-1).mean()) for weights in both],
        "entropy": [float(_entropy(weights).mean()) for weights in both],
    }


def _normals(seed: int) -> Iterator[float]:
    """Standard normal numbers as the page draws them: mulberry32, then Box-Muller."""
    word = 0xFFFFFFFF
    state = seed & word

    def uniform() -> float:
        nonlocal state
        state = (state + 0x6D2B79F5) & word
        mixed = ((state ^ (state >> 15)) * (state | 1)) & word
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & word)) & word
        return (mixed ^ (mixed >> 14)) / 2**32

    while True:
        radius, angle = math.sqrt(-2 * math.log(1 - uniform())), 2 * math.pi * uniform()
        yield radius * math.cos(angle)
        yield radius * math.sin(angle)


def _cost(model: dict[str, Any]) -> dict[str, Any]:
    """Counted from the shapes of the products, 2 FLOPs a multiply-add."""
    T, d, heads, dh = (model[key] for key in ("T", "d", "heads", "dh"))
    kv = {"mqa": 1, "gqa": model["kv"]}.get(model["kind"], heads)
    products = [(T, d, heads * dh), (T, d, kv * dh), (T, d, kv * dh), (T, heads * dh, d)]
    cached = {"mha": 2 * heads * dh, "gqa": 2 * model["kv"] * dh, "mqa": 2 * dh, "mla": model["rank"] + model["rope"]}
    return {
        "model": model,
        "projections": str(sum(2 * m * n * p for m, n, p in products)),
        "scores": str(2 * heads * (T * dh * T + T * T * dh)),
        "crossover": d * (heads + kv) / heads,
        "score_bytes": str(heads * T * T * model["bytes"]),
        "cached": cached,
        "cache_bytes": {kind: str(n * model["layers"] * model["bytes"]) for kind, n in cached.items()},
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(golden(), indent=1) + "\n", encoding="utf-8")
