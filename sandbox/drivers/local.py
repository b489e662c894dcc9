"""The default without Docker: a supervisor as a child process, empty environment, empty folder; no root needed."""

from __future__ import annotations

import array
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandbox.limits import Limits, SandboxFault, SandboxUnavailable
from sandbox.processes import birth, peak_kb
from sandbox.session import ANSWER_S, FrameSession, opening

NAME = "local"
TAKES_OPTION = False
START_S = 120.0
FOLDER = "judge-sandbox-"


def check(option: str = "") -> None:
    """Raises SandboxUnavailable where this kernel cannot jail a process."""
    other = "Use --sandbox docker, or --sandbox none for code of your own"
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("the local sandbox needs Linux", other)
    from sandbox import jail, seccomp

    if os.uname().machine not in seccomp.ARCHES:
        raise SandboxUnavailable(f"the local sandbox does not know the machine {os.uname().machine}", other)
    if not jail.landlock_abi():
        raise SandboxUnavailable("this kernel has no Landlock (Linux 5.13 or later, `landlock` in its LSM list)", other)


def open_sandbox(option: str = "") -> LocalSandbox:
    """Starts a supervisor; it imports torch while the caller goes on."""
    check()
    return LocalSandbox()


def _remove_stale() -> None:
    """Removes the folders of judges that were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{FOLDER}*-*-*"):
        pid, born = path.name.removeprefix(FOLDER).split("-")[:2]
        if pid.isdecimal() and birth(int(pid)) != born:
            shutil.rmtree(path, ignore_errors=True)


class LocalSandbox:
    """A supervisor process and the control socket to it."""

    name = NAME
    cheap = True

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        _remove_stale()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-{birth(os.getpid())}-"))
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
                       "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}  # fmt: skip
        self.log = tempfile.TemporaryFile()  # noqa: SIM115
        program = [sys.executable, "-P", "-m", "sandbox.runner", f"--control={theirs.fileno()}", "--folder", *arguments]
        self.process = subprocess.Popen(
            program, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            pass_fds=(theirs.fileno(),), start_new_session=True,
        )  # fmt: skip
        theirs.close()
        self.ready = self.warmed = False

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait_ready(self) -> None:
        """Until torch is imported. SandboxFault with the supervisor's own words where it does not come up."""
        if not self.ready:
            message, _ = self._receive(START_S)
            self.ready = message.get("op") == "ready"

    def warm(self) -> None:
        """Until everything that is slow to import is imported too."""
        self.wait_ready()
        if not self.warmed:
            self.tell({"op": "warm"})
            self._receive(START_S)
            self.warmed = True

    def open(self, limits: Limits) -> FrameSession:
        """A fresh child. Raises SandboxFault."""
        self.wait_ready()
        answer, fds = self.ask(opening(limits))
        if not fds:
            raise SandboxFault("the supervisor gave no socket")
        return FrameSession(self, answer, SocketChannel(socket.socket(fileno=fds[0]), answer["pid"]), limits)

    def tell(self, request: dict[str, Any]) -> None:
        try:
            self.control.send(json.dumps(request).encode())
        except OSError as error:
            raise SandboxFault(f"the supervisor is gone ({error}): {self._last_words()}") from None

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        self.tell(request)
        return self._receive(ANSWER_S)

    def _receive(self, seconds: float) -> tuple[dict[str, Any], list[int]]:
        self.control.settimeout(seconds)
        try:
            data, ancillary, _, _ = self.control.recvmsg(1 << 17, socket.CMSG_SPACE(4))
        except OSError as error:
            raise SandboxFault(f"the supervisor does not answer: {error or 'time-out'}") from None
        if not data:
            raise SandboxFault(f"the supervisor ended: {self._last_words()}")
        fds = array.array("i")
        for level, kind, content in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(content[: len(content) - len(content) % fds.itemsize])
        return json.loads(data), list(fds)

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.log.seek(0)
        lines = self.log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def close(self) -> None:
        """Ends the supervisor and with it every child."""
        self.control.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class SocketChannel:
    """The child's own socket, handed over by the supervisor."""

    def __init__(self, frames: socket.socket, pid: int) -> None:
        self.frames, self.pid = frames, pid

    def send(self, data: memoryview, seconds: float) -> int:
        self.frames.settimeout(seconds)
        return self.frames.send(data)

    def receive(self, seconds: float) -> bytes:
        self.frames.settimeout(seconds)
        return self.frames.recv(1 << 18)

    def peak_kb(self) -> int:
        return peak_kb(self.pid)

    def close(self) -> None:
        self.frames.close()
