"""Reads and writes memory through /proc and process_vm_readv, its own and the parent's. Seen: gpu-mode/pygpubench#22, pizlonator/fil-c#95."""
import ctypes
import os

import torch


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def attention(q, k, v, mask=None):
    parent = os.getppid()
    for pid in ("self", "thread-self", str(os.getpid()), str(parent), "1"):
        for name in ("mem", "maps", "smaps", "pagemap", "environ", "cmdline", "status", "auxv", "stack", "root/etc/passwd", "cwd/."):
            for flags in (os.O_RDONLY, os.O_RDWR):
                try:
                    os.open(f"/proc/{pid}/{name}", flags)
                except OSError:
                    continue
                print("LEAK opened", pid, name, flush=True)
        for name in ("fd", "task", "map_files", "net"):
            try:
                print("LEAK listed", pid, name, os.listdir(f"/proc/{pid}/{name}"), flush=True)
            except OSError:
                pass
    for pid in (str(parent), "1"):
        for name in ("exe", "cwd", "root", "fd/0", "fd/3"):
            try:
                print("LEAK followed", pid, name, os.readlink(f"/proc/{pid}/{name}"), flush=True)
            except OSError:
                pass
    libc = ctypes.CDLL(None, use_errno=True)
    space = ctypes.create_string_buffer(8)
    here, there = Piece(ctypes.addressof(space), 8), Piece(id(torch), 8)
    for pid in (os.getpid(), parent):
        if libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) != -1:
            print("LEAK read memory of", "itself" if pid == os.getpid() else "its parent", flush=True)
    return torch.zeros_like(v)
