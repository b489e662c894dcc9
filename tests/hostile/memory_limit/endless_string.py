"""A string that doubles. Seen: jupyter/nbgrader#427."""


def attention(q, k, v, mask=None):
    text = "attention"
    while True:
        text += text
