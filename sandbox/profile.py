"""The seccomp profile of the container, in Docker's format: what the supervisor, the relay and the jail need, no more.

A child narrows it further by its own filter (`sandbox.seccomp`). Sockets are Unix socket pairs only, there is no
network call, no mount, namespace, ptrace, keyring, bpf, perf, io_uring or kexec call.
"""

from __future__ import annotations

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


def profile() -> dict[str, Any]:
    """For `--security-opt seccomp=`."""
    names = sorted({*SYSCALLS, *START, *SUPERVISE, *TALK} - {"clone3"})
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": 1,
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [
            {"names": names, "action": "SCMP_ACT_ALLOW"},
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        ],
    }
