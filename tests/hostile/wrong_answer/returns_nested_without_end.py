"""A list that holds itself. Seen: common in serialisers that follow what they are given."""


def attention(q, k, v, mask=None):
    answer = []
    answer.append(answer)
    return answer
