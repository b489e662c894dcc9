import torch


def document_mask(
    doc_ids: torch.Tensor,  # int64, (B, T), the document of each token
) -> torch.Tensor:  # bool, (B, T, T); True = may attend
    raise NotImplementedError
