"""Your result looks at the size of differences of ids: one of 2 ** 63 does not fit into int64, and abs() leaves it
negative.
"""

import torch


def document_mask(doc_ids):
    begins = doc_ids.diff(dim=1).abs() > 0
    number = torch.nn.functional.pad(begins.cumsum(1), (1, 0))
    return (number[:, :, None] == number[:, None, :]).tril()
