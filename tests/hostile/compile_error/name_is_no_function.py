"""The name is there but holds a tensor. Seen: common learner slip."""
import torch

attention = torch.zeros(2, 2)
