"""What a child does to itself before it runs a submission. Linux, no privilege needed, no way back.

In this order:
    1. dies with its parent                    PR_SET_PDEATHSIG
    2. closes every descriptor but its own     0 null, 1 and 2 pipes, 3 frames, and the ruleset
    3. resource limits                         files, file size, core; CPU and memory are set by the supervisor
    4. no new privileges                       PR_SET_NO_NEW_PRIVS
    5. capabilities dropped                    where it runs as root
    6. Landlock                                read-only on the interpreter, its packages and shared libraries
    7. seccomp                                 the allow-list of `sandbox.seccomp`

`prepare` does in the supervisor, once, what all children share; `enter` is what each of them calls. A layer may be left
out to see what the others stop: see LAYERS.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import struct
import sys
import sysconfig
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from sandbox import seccomp

LAYERS = ("descriptors", "rlimits", "capabilities", "landlock", "seccomp")
"""What `without` may name: 2, 3, 5, 6 and 7 of the above. For tests and the table of what each layer stops."""
PACKAGES = ("torch", "numpy", "einops")
"""What a submission may import beside the standard library; with what they need themselves."""

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 1, 22, 24, 38, 47
_SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on both architectures
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_FS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_SIGKILL = 9
FRAMES_FD = 3

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Jail:
    """What all children of one supervisor share: the Landlock ruleset, the BPF program, and what is left out.

    `landlock`: the kernel's Landlock version; 0, and no ruleset, where there is none or it is left out.
    """

    ruleset: int | None
    program: bytes
    landlock: int
    without: frozenset[str]


def landlock_abi() -> int:
    """The kernel's Landlock version, 0 where there is none."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, 0, 1)))


def learner_distributions() -> list[metadata.Distribution]:
    """The packages a submission may import, and everything they require that is installed."""
    found: dict[str, metadata.Distribution] = {}
    wanted = list(PACKAGES)
    while wanted:
        name = wanted.pop().lower().replace("_", "-")
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        for requirement in found[name].requires or []:
            if "extra ==" not in requirement:
                head = requirement.split(";")[0]
                wanted.append("".join(c if c.isalnum() or c in "-_." else " " for c in head).split()[0])
    return list(found.values())


def _package_roots(distributions: Iterable[metadata.Distribution]) -> set[Path]:
    """Files and folders that the distributions put directly into site-packages."""
    roots: set[Path] = set()
    for distribution in distributions:
        record = distribution.read_text("RECORD") or ""  # its parsed form takes 0.4 s for torch
        tops = {line.split("/", 1)[0].split(",", 1)[0] for line in record.splitlines()}
        roots |= {Path(str(distribution.locate_file(top))) for top in tops if top not in ("", "..", "__pycache__")}
    return {root for root in roots if root.suffix != ".pth"}


def importable_names() -> frozenset[str]:
    """Top-level module names that exist for a submission."""
    tops = {root.name.split(".")[0] for root in _package_roots(learner_distributions())}
    return frozenset(tops | set(sys.stdlib_module_names))


def readable_paths() -> list[Path]:
    """The standard library without its site-packages, the learners' packages, shared libraries and little else."""
    paths: set[Path] = set(_package_roots(learner_distributions()))
    for key in ("stdlib", "platstdlib"):
        library = Path(sysconfig.get_path(key))
        paths |= {p for p in library.glob("*") if p.name not in ("site-packages", "dist-packages")}
    paths |= {Path(p) for p in sys.path if p.endswith("lib-dynload")}
    for triple in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
        paths |= {Path(f"/lib/{triple}"), Path(f"/usr/lib/{triple}")}
    paths |= {Path(p) for p in ("/lib64", "/usr/lib64", "/usr/lib/locale", "/usr/share/zoneinfo", "/etc/ld.so.cache")}
    paths |= {Path(p) for p in ("/dev/null", "/dev/urandom", "/dev/zero")}
    library_folder = Path(sysconfig.get_config_var("LIBDIR") or "/usr/lib")
    paths |= set(library_folder.glob("libpython*.so*"))
    return sorted(p for p in paths if p.exists())


def prepare(*, without: Collection[str] = (), optional: Collection[str] = ()) -> Jail:
    """Opens the Landlock ruleset and assembles the filter.

    OSError where the kernel has no Landlock, unless `optional` names it. `without`: layers to leave out.
    """
    abi = 0 if "landlock" in without else landlock_abi()
    if not abi and "landlock" not in without and "landlock" not in optional:
        raise OSError("the kernel has no Landlock")
    return Jail(_ruleset(abi) if abi else None, seccomp.program(), abi, frozenset(without))


def _ruleset(abi: int) -> int:
    """A Landlock ruleset that denies all this kernel's version can deny, but for reading `readable_paths`."""
    filesystem = (1 << _FS_RIGHTS.get(abi, 16)) - 1
    network = 3 if abi >= 4 else 0  # bind and connect TCP
    scoped = 3 if abi >= 6 else 0  # abstract Unix sockets and signals
    attributes = struct.pack("<QQQ", filesystem, network, scoped)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _check(_libc.syscall(_CREATE_RULESET, attributes, size, 0))
    for path in readable_paths():
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rights = _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
        rights |= _WRITE_FILE if path == Path(os.devnull) else 0
        _check(_libc.syscall(_ADD_RULE, ruleset, 1, struct.pack("<Qi", rights, handle), 0))
        os.close(handle)
    return ruleset


def enter(jail: Jail) -> None:
    """Steps 1 to 7 for this process. OSError where one of them fails: then it must not run anything."""
    parent = os.getppid()
    _check(_libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0))
    if os.getppid() != parent:
        os._exit(1)
    if "descriptors" not in jail.without:
        _close_all_but(jail.ruleset)
    if "rlimits" not in jail.without:
        _limit_resources()
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if "capabilities" not in jail.without:
        _drop_capabilities()
    if jail.ruleset is not None:
        _check(_libc.syscall(_RESTRICT_SELF, jail.ruleset, 0))
        os.close(jail.ruleset)
    if "seccomp" not in jail.without:
        code = ctypes.create_string_buffer(jail.program, len(jail.program))
        filter_ = struct.pack("<HxxxxxxQ", len(jail.program) // 8, ctypes.addressof(code))
        _check(_libc.prctl(_PR_SET_SECCOMP, 2, filter_, 0, 0))


def _limit_resources() -> None:
    for which, limit in (
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        with contextlib.suppress(ValueError):  # a lower hard limit is in force already
            resource.setrlimit(which, (limit, limit))


def _close_all_but(ruleset: int | None) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) > FRAMES_FD and int(name) != ruleset:
            with contextlib.suppress(OSError):  # the listing's own descriptor is closed already
                os.close(int(name))


def _drop_capabilities() -> None:
    """Empties the bounding, ambient, effective, permitted and inheritable sets."""
    for capability in range(64):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # not privileged, or past the last capability
    _libc.prctl(_PR_CAP_AMBIENT, 4, 0, 0, 0)
    header, nothing = struct.pack("<Ii", 0x20080522, 0), bytes(24)
    _check(_libc.syscall(_SYS_CAPSET[os.uname().machine], header, nothing))


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
