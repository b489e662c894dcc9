"""Opens tests, keys and system files by path: guessed, climbed to with .., through /proc and /dev. Seen: codewars/codewars.com#1721, zmievsa/autograder#39."""
import glob
import os
import pathlib
import sys

import torch

SYSTEM = (
    "/etc/passwd", "/etc/shadow", "/etc/hosts", "/root/.bashrc", "/root/.ssh/id_rsa", "/var/log/dpkg.log", "/var/run/docker.sock",
    "/dev/mem", "/dev/sda", "/dev/vda", "/dev/tty", "/dev/ptmx", "/dev/kmsg", "/sys/class/net/lo/address", "/proc/version",
    "/proc/mounts", "/proc/net/tcp", "/proc/sys/kernel/hostname", "/boot", "/home", "/root", "/tmp", "/var/tmp", "/dev/shm", "/",
)


def _open(path):
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return
    print("LEAK opened", path, flush=True)
    os.close(fd)


def _list(path):
    try:
        print("LEAK listed", path, os.listdir(path)[:5], flush=True)
    except OSError:
        pass


def attention(q, k, v, mask=None):
    for path in SYSTEM:
        _open(path)
    places = {*pathlib.Path(torch.__file__).parents, *pathlib.Path(os.__file__).parents, *map(pathlib.Path, sys.path), pathlib.Path(os.getcwd())}
    for place in places:
        for name in ("tests.py", "reference.py", "problem.toml", "submissions/accepted"):
            for base in ("problems/attention", "../problems/attention", "attention", "."):
                _open(str(place / base / name))
        for name in ("judge/grading/grader.py", "pyproject.toml", ".git/HEAD", "README.md", "tests/conftest.py", "var/judge.db"):
            _open(str(place / name))
    for path in ("/", "/root", "/home", "/tmp", "/work", "/srv", "/opt", "/var", "..", "../..", "/dev/shm"):
        _list(path)
    for pattern in ("/*/*/problems/*/tests.py", "/tmp/*", "/home/*/*"):
        for path in glob.glob(pattern):
            print("LEAK globbed", path, flush=True)
    return torch.zeros_like(v)
