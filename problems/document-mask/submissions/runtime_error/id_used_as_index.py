"""Your code uses ids as indices: they may be negative or very large."""

import torch


def document_mask(doc_ids):
    rows = []
    for ids in doc_ids:
        seen = [[] for _ in range(int(ids.max()) + 1)]
        mask = torch.zeros(len(ids), len(ids), dtype=torch.bool)
        for i, name in enumerate(ids.tolist()):
            if i and ids[i - 1] != name:
                seen[name].clear()
            seen[name].append(i)
            mask[i, seen[name]] = True
        rows.append(mask)
    return torch.stack(rows)
