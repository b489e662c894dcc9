"""A scalar whose shape, dtype, size and dim are written over on the instance. Seen: gpu-mode/reference-kernels#161."""
import torch


class Liar(torch.Tensor):
    told = ()

    @property
    def shape(self):
        return torch.Size(self.told)

    def size(self, *dim):
        return torch.Size(self.told)[dim[0]] if dim else torch.Size(self.told)

    def numel(self):
        return 0

    def nelement(self):
        return 0

    def dim(self):
        return len(self.told)

    def contiguous(self):
        return self

    def numpy(self):
        raise SystemExit(0)


def attention(q, k, v, mask=None):
    answer = torch.zeros(1, dtype=q.dtype).as_subclass(Liar)
    answer.told = (*q.shape[:-1], v.shape[-1])
    answer.untyped_storage = lambda: None
    return answer
