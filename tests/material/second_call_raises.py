_right, _calls = attention, []  # noqa: F821  follows a right answer


def attention(*arguments, **keywords):
    _calls.append(1)
    if len(_calls) == 2:
        raise OSError("second call")
    return _right(*arguments, **keywords)
