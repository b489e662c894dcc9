"""A socket of each family and kind, and a connection where one opens. Seen: judge0/judge0#564."""
import ctypes
import itertools
import socket

import torch

FAMILIES = {"INET": 2, "INET6": 10, "UNIX": 1, "NETLINK": 16, "PACKET": 17, "ALG": 38, "VSOCK": 40, "BLUETOOTH": 31, "CAN": 29, "XDP": 44, "RDS": 21, "TIPC": 30, "QIPCRTR": 42}
KINDS = {"STREAM": 1, "DGRAM": 2, "RAW": 3, "SEQPACKET": 5}


def attention(q, k, v, mask=None):
    for (family, number), (kind, how) in itertools.product(FAMILIES.items(), KINDS.items()):
        try:
            made = socket.socket(number, how)
        except PermissionError:
            continue
        except OSError as error:
            print("LEAK the kernel looked at", family, kind, error.errno, flush=True)
            continue
        print("LEAK socket", family, kind, flush=True)
        made.close()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.socket(2, 1, 0) != -1:
        print("LEAK socket by libc", flush=True)
    return torch.zeros_like(v)
