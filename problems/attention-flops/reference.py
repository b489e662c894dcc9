"""What one layer of self-attention costs, in floating-point operations."""


def matmul_flops(m: int, n: int, p: int) -> int:
    return 2 * m * n * p  # (m, n) x (n, p): m * p dot products of n multiply-adds, 2 FLOPs each


def attention_flops(T: int, d: int) -> tuple[int, int]:
    projections = 4 * matmul_flops(T, d, d)  # q, k, v and the output: (T, d) x (d, d)
    scores = matmul_flops(T, d, T) + matmul_flops(T, T, d)  # q k^T: (T, d) x (d, T), weights v: (T, T) x (T, d)
    return projections, scores


def crossover(d: int) -> int:
    return 2 * d  # 8 T d^2 = 4 T^2 d
