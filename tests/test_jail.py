"""The rules of the jail: what they allow, on both machines they know."""

from __future__ import annotations

import ctypes
import struct
from pathlib import Path

import pytest

from sandbox import jail, seccomp

ROOT = Path(__file__).resolve().parent.parent
SCMP_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


@pytest.mark.parametrize("machine", seccomp.ARCHES)
def test_numbers_are_those_of_libseccomp(machine: str) -> None:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.fail("this test needs libseccomp (Debian: libseccomp2)")
    column = seccomp.ARCHES[machine][1]
    for name, numbers in seccomp.SYSCALLS.items():
        resolved = library.seccomp_syscall_resolve_name_arch(SCMP_ARCH[machine], name.encode())
        assert numbers[column] == (resolved if resolved >= 0 else None), name


def run_filter(machine: str, number: int, arguments: tuple[int, ...] = (), arch: int | None = None) -> int:
    """Interprets the program for one call, as the kernel would."""
    data = struct.pack(
        "<iIQ6Q", number, arch or seccomp.ARCHES[machine][0], 0, *arguments, *(0,) * (6 - len(arguments))
    )
    code = seccomp.program(machine)
    accumulator, place = 0, 0
    while True:
        operation, yes, no, value = struct.unpack_from("<HBBI", code, 8 * place)
        place += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif operation == 0x54:
            accumulator &= value
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: accumulator == value, 0x45: bool(accumulator & value), 0x35: accumulator >= value}[operation]
            place += yes if holds else no


ALLOW, EPERM = 0x7FFF0000, 0x00050001
REFUSED = {
    "x86_64": {"execve": 59, "fork": 57, "socket": 41, "ptrace": 101, "kill": 62, "tgkill": 234, "chmod": 90,
               "memfd_create": 319, "io_uring_setup": 425, "bpf": 321, "unshare": 272, "mount": 165, "rename": 82},
    "aarch64": {"execve": 221, "socket": 198, "ptrace": 117, "kill": 129, "tgkill": 131, "fchmodat": 53,
                "memfd_create": 279, "io_uring_setup": 425, "bpf": 280, "unshare": 97, "mount": 40, "renameat2": 276},
}  # fmt: skip


@pytest.mark.parametrize(("machine", "name"), [(m, n) for m, names in REFUSED.items() for n in names])
def test_dangerous_calls_are_refused(machine: str, name: str) -> None:
    assert run_filter(machine, REFUSED[machine][name]) == EPERM


@pytest.mark.parametrize("machine", seccomp.ARCHES)
@pytest.mark.parametrize(
    ("name", "arguments", "verdict"),
    [
        ("clone", (0x003D0F00,), ALLOW),  # as pthread_create asks
        ("clone", (17,), EPERM),  # as fork asks
        ("clone3", (0, 88), 0x00050000 | 38),
        ("mmap", (0, 4096, 3, 0x22), ALLOW),
        ("mmap", (0, 4096, 3, 0x21), EPERM),
        ("mmap", (0, 4096, 3, 0x03), EPERM),
        ("mmap", (0, 4096, 3, 0x0122), EPERM),  # MAP_GROWSDOWN
        ("prctl", (15,), ALLOW),
        ("prctl", (38,), EPERM),
        ("fcntl", (3, 1), ALLOW),
        ("fcntl", (3, 8), EPERM),  # F_SETOWN
        ("prlimit64", (0, 7, 0), ALLOW),
        ("prlimit64", (0, 7, 4096), EPERM),
        ("prlimit64", (0, 7, 1 << 40), EPERM),
        ("prlimit64", (1, 7, 0), EPERM),
        ("ioctl", (1, 0x5401), 0x00050000 | 25),
        ("read", (), ALLOW),
    ],
)
def test_some_calls_depend_on_their_arguments(
    machine: str, name: str, arguments: tuple[int, ...], verdict: int
) -> None:
    number = seccomp.SYSCALLS[name][seccomp.ARCHES[machine][1]]
    assert number is not None
    assert run_filter(machine, number, arguments) == verdict


DEPENDS = {"clone", "clone3", "mmap", "prctl", "fcntl", "prlimit64", "ioctl"}


@pytest.mark.parametrize("machine", seccomp.ARCHES)
def test_nothing_but_the_list_is_allowed(machine: str) -> None:
    column = seccomp.ARCHES[machine][1]
    listed = {numbers[column] for name, numbers in seccomp.SYSCALLS.items() if name not in DEPENDS} - {None}
    arguments = (0xFFFF_FFFF_FFFF_FFFF,) * 6
    allowed = {number for number in range(1200) if run_filter(machine, number, arguments) == ALLOW}
    assert allowed - {seccomp.SYSCALLS["clone"][column]} == listed


@pytest.mark.parametrize(
    ("old", "new"),
    [("open", "openat"), ("stat", "newfstatat"), ("lstat", "newfstatat"), ("access", "faccessat"), ("poll", "ppoll"),
     ("readlink", "readlinkat"), ("getpgrp", "getpgid"), ("select", "pselect6"), ("time", "clock_gettime")],
)  # fmt: skip
def test_what_aarch64_lacks_it_has_by_another_name(old: str, new: str) -> None:
    assert seccomp.SYSCALLS[old][1] is None
    assert run_filter("aarch64", seccomp.SYSCALLS[new][1] or 0) == ALLOW
    missing = {name for name, numbers in seccomp.SYSCALLS.items() if numbers[1] is None}
    assert missing == {"open", "stat", "lstat", "access", "poll", "readlink", "getpgrp", "select", "time"}


def test_another_architecture_is_killed() -> None:
    assert run_filter("x86_64", 0, arch=0x40000003) == 0x80000000
    assert run_filter("x86_64", 0x40000000) == 0x00050000 | 38


def test_nothing_of_the_project_is_readable() -> None:
    import judge

    ours = [ROOT / "problems", ROOT / "tests", Path(judge.__file__).parent, Path.home()]
    for path in jail.readable_paths():
        for mine in ours:
            assert not mine.is_relative_to(path), path


def test_learners_packages_are_importable_and_ours_are_not() -> None:
    names = jail.importable_names()
    assert {"torch", "numpy", "einops", "math", "dataclasses"} <= names
    assert not {"judge", "sandbox", "web", "problems", "flask", "sqlalchemy"} & names
