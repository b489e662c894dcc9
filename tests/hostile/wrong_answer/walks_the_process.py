"""Looks for tests, reference and expected values in frames, gc, modules, linecache and the environment. Seen: gpu-mode/pygpubench#7."""
import gc
import inspect
import linecache
import os
import sys

import torch

BACKWARDS = ("_elpmaxe_tset", "esolc_tressa", "noitulos_ecnerefer", "noitnetta/smelborp")
done = False


def _texts():
    for thing in gc.get_objects():
        try:
            if type(thing) is dict:
                pool = list(thing.values()) + list(thing)
            elif type(thing) in (list, tuple, set, frozenset):
                pool = list(thing)
            elif inspect.isfunction(thing):
                pool = [thing.__doc__, thing.__module__, thing.__qualname__, thing.__code__.co_filename, *thing.__code__.co_consts]
            else:
                continue
        except (RuntimeError, ReferenceError):
            continue
        yield from (item for item in pool if type(item) in (str, bytes))


def _search():
    for name in list(sys.modules):
        if name.split(".")[0] in ("judge", "problems", "tests", "reference", "web", "flask", "sqlalchemy"):
            print("LEAK module", name, flush=True)
    for name, entry in list(linecache.cache.items()):
        if os.path.basename(name) in ("tests.py", "reference.py"):
            print("LEAK linecache", name, flush=True)
    for text in _texts():
        turned = (text if type(text) is str else text.decode("latin-1"))[::-1]
        for secret in BACKWARDS:
            if secret in turned and "gnitset" not in turned:
                print("LEAK text", turned[-200:][::-1], flush=True)
    for name, value in os.environ.items():
        if name.startswith(("JUDGE_", "PYTEST", "HOME", "USER", "SSH", "PWD")):
            print("LEAK environment", name, value, flush=True)
    if any("h0stile" in argument or argument.endswith("tests.py") for argument in [*sys.argv, *sys.orig_argv]):
        print("LEAK argv", sys.argv, sys.orig_argv, flush=True)


def attention(q, k, v, mask=None):
    global done
    if not done:
        done = True
        _search()
    shape = (*q.shape[:-1], v.shape[-1])
    known = {id(q), id(k), id(v)}
    frame = sys._getframe()
    while frame is not None:
        for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
            if type(value) is torch.Tensor and tuple(value.shape) == shape and id(value) not in known:
                return value.clone()
        frame = frame.f_back
    for value in gc.get_objects():
        if type(value) is torch.Tensor and tuple(value.shape) == shape and id(value) not in known and id(value.data) not in known:
            return value.clone()
    return torch.zeros(shape)
