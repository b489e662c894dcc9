"""The default where a Docker daemon answers and the image is built: a supervisor in a hardened, warm container.

Containers are recycled as `sandbox.recycling` says; those whose judge is gone are removed at the start.

The option is an OCI runtime known to the daemon: `docker:runsc`.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from sandbox import image
from sandbox.container import LABEL, Container, is_stale
from sandbox.limits import SandboxFault, SandboxUnavailable
from sandbox.recycling import Recycling

NAME = "docker"
TAKES_OPTION = True
DAEMON_S = 30
SOCKET = Path("/var/run/docker.sock")


def connect(seconds: float = DAEMON_S) -> Any:
    """A client of the daemon that waits so long for an answer. Raises SandboxUnavailable where none answers."""
    advice = "Start Docker, or use --sandbox local"
    if not os.environ.get("DOCKER_HOST") and not SOCKET.exists() and os.name == "posix":
        raise SandboxUnavailable(f"no Docker daemon: there is no {SOCKET}", advice)
    import docker

    try:
        client = docker.from_env(timeout=seconds)
        client.ping()
    except Exception as error:  # docker-py lets what requests and urllib3 raise come through
        raise SandboxUnavailable(f"no Docker daemon answers ({_short(error)})", advice) from None
    return client


def check(option: str = "") -> None:
    """Raises SandboxUnavailable where no daemon answers, the image is not built or the runtime is unknown."""
    client = connect()
    try:
        _check(client, option)
    finally:
        client.close()


def _check(client: Any, runtime: str) -> None:
    import docker

    try:
        client.images.get(image.name())
    except docker.errors.ImageNotFound:
        reason = f"Docker runs, but the image {image.name()} is not built"
        raise SandboxUnavailable(reason, "Build it once: judge sandbox build") from None
    info = client.info()
    if runtime and runtime not in info.get("Runtimes", {}):
        known = ", ".join(info.get("Runtimes", {}))
        raise SandboxUnavailable(f"Docker knows no runtime {runtime!r} (it has {known})", "Use --sandbox docker")
    for key, what in (("MemoryLimit", "memory"), ("PidsLimit", "pids"), ("CpuCfsQuota", "cpu")):
        if not info.get(key, True):
            raise SandboxUnavailable(f"the kernel gives Docker no {what} controller", "Switch the cgroup on")
    if not any(option.startswith("name=seccomp") for option in info.get("SecurityOptions", [])):
        raise SandboxUnavailable("Docker runs without seccomp", "Use a kernel and a Docker with seccomp")


def open_sandbox(option: str = "") -> DockerSandbox:
    """Starts a container, where `check` found nothing amiss; torch is imported in it while the caller goes on."""
    client = connect()
    try:
        return DockerSandbox(client, option)
    except SandboxFault as error:
        reason = f"the container does not start: {error}"
        raise SandboxUnavailable(reason, "`judge doctor` looks for the cause") from None


class DockerSandbox(Recycling):
    """Containers of one client."""

    name = NAME
    current: Container

    def __init__(self, client: Any, runtime: str = "", arguments: tuple[str, ...] = ()) -> None:
        self.client, self.arguments = client, ("--optional", "landlock", *arguments)
        self.image = image.name()
        self.runtime = runtime or None
        remove_stale(client)
        super().__init__()

    def start(self) -> Container:
        return Container(self.client, self.image, self.runtime, self.arguments, warming=self.warmed)

    def close(self) -> None:
        """Ends the containers."""
        super().close()
        self.client.close()


def remove_stale(client: Any) -> None:
    """Removes containers whose judge is gone, as far as Docker lets it."""
    import docker

    try:
        for container in client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
            if is_stale(container.labels.get(LABEL, "")):
                with contextlib.suppress(docker.errors.APIError):
                    container.remove(force=True)
    except Exception as error:
        raise SandboxFault(f"Docker failed: {_short(error)}") from None


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
