def attention_flops(
    T: int,  # tokens
    d: int,  # width of the model
) -> tuple[int, int]:  # FLOPs of the four projections, FLOPs of the two score products
    raise NotImplementedError


def crossover(
    d: int,  # width of the model
) -> int:  # number of tokens at which both are equal
    raise NotImplementedError
