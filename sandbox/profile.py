"""The seccomp profile of the container, in Docker's format: what the supervisor, the relay and the jail need, no more.

A child narrows it further by its own filter (`sandbox.seccomp`). Sockets are Unix socket pairs only, there is no
network call, no mount, namespace, ptrace, keyring, bpf, perf, io_uring or kexec call.
"""

from __future__ import annotations

import json
from typing import Any

from sandbox.seccomp import SYSCALLS

START = """arch_prctl capget capset chdir close_range execve exit_group fchdir fstatfs getdents getegid getgroups
mkdir pipe pipe2 prctl setgid setgroups setuid statfs umask unlink unlinkat rmdir dup2 dup3 fadvise64 sched_getparam
sched_getscheduler getresuid getresgid get_robust_list""".split()
"""Starting a process, and Python's imports."""
SUPERVISE = """fork vfork clone wait4 waitid kill tkill tgkill setsid setpgid setrlimit prlimit64 seccomp
landlock_create_ruleset landlock_add_rule landlock_restrict_self""".split()
"""Forking, jailing and burying children."""
TALK = """socketpair sendmsg recvmsg sendto recvfrom shutdown getsockopt setsockopt getsockname epoll_create1 epoll_ctl
epoll_wait epoll_pwait eventfd2 sched_setaffinity set_mempolicy get_mempolicy mbind""".split()
"""Carrying frames; what torch's libraries ask for once."""


LISTEN = "bind listen accept accept4 chmod".split()
"""A gate's, which also makes a Unix socket."""
AF_UNIX = 1


def profile(*, gate: bool = False) -> dict[str, Any]:
    """For `--security-opt seccomp=`; with `gate` for the container of `sandbox.gate`.

    `python -m sandbox.profile` prints the gate's, as `sandbox/gate.json` has it for docker-compose.yml.
    """
    names = sorted({*SYSCALLS, *START, *SUPERVISE, *TALK, *(LISTEN if gate else ())} - {"clone3"})
    only_unix = {"index": 0, "value": AF_UNIX, "op": "SCMP_CMP_EQ"}
    sockets = [{"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [only_unix]}] if gate else []
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": 1,
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            {"names": names, "action": "SCMP_ACT_ALLOW"},
            *sockets,
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        ],
    }


if __name__ == "__main__":
    print(json.dumps(profile(gate=True), indent=1))
