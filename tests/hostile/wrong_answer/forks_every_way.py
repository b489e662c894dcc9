"""Starts a second process by each way Python has, many times over. Seen: pushkar8723/aurora#11, ngsankha/judgev2#27."""
import multiprocessing
import os
import subprocess

import torch


def _forked(start):
    try:
        pid = start()
    except (OSError, ValueError, RuntimeError):
        return
    pid = pid[0] if isinstance(pid, tuple) else pid
    if pid == 0:
        os.write(1, b"LEAK a forked child runs\n")
        os._exit(0)
    print("LEAK forked", start.__name__, pid, flush=True)


def _started(start):
    try:
        print("LEAK started", start(), flush=True)
    except (OSError, subprocess.SubprocessError, RuntimeError, AttributeError):
        pass


def attention(q, k, v, mask=None):
    for _ in range(50):
        _forked(os.fork)
    _forked(os.forkpty)
    shell = ["/bin/sh", "-c", "echo LEAK shell; : h0stile"]
    _started(lambda: os.posix_spawn(shell[0], shell, {}))
    _started(lambda: os.posix_spawnp("sh", shell, {}))
    _started(lambda: os.spawnv(os.P_NOWAIT, shell[0], shell))
    _started(lambda: subprocess.run(shell, check=True))
    _started(lambda: subprocess.Popen(shell, close_fds=False))
    _started(lambda: subprocess.check_output("echo LEAK; : h0stile", shell=True))
    for method in ("fork", "spawn", "forkserver"):
        _started(lambda method=method: multiprocessing.get_context(method).Process(target=print).start())
    return torch.zeros_like(v)
