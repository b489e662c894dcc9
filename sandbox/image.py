"""The Docker image of the sandbox: its name, and how it is built.

The name's tag is a digest of what goes into the image (the sandbox's own files, the versions of torch and of the
learners' packages), so that a changed judge never runs in an image of another version: it asks for a new build.
"""

from __future__ import annotations

import hashlib
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from sandbox.jail import PACKAGES

REPOSITORY = "attention-judge-sandbox"
OUTSIDE = ("container", "image", "plain", "probe", "profile", "recycling", "relayed")
"""Modules of the host, without which the container runs."""
BUILD_S = 1800
"""Seconds that one step of a build may stay silent."""
HERE = Path(__file__).parent


class BuildFailed(Exception):
    """The image was not built; the text is what Docker said last."""


def default_base() -> str:
    """The public image with this Python version."""
    return f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"


def packages() -> list[str]:
    """What is installed into the image: the versions that are installed here, so that all drivers compute the same."""
    return [f"{name}=={metadata.version(name).split('+')[0]}" for name in PACKAGES]


def files() -> list[Path]:
    """The modules that run in the container."""
    inside = [path for path in sorted(HERE.glob("*.py")) if path.stem not in OUTSIDE]
    return [*inside, HERE / "drivers" / "__init__.py"]


def name() -> str:
    """repository:tag of the image that belongs to this version of the sandbox."""
    digest = hashlib.sha256("\n".join(packages()).encode())
    for path in [*files(), HERE / "Dockerfile"]:
        digest.update(path.relative_to(HERE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{REPOSITORY}:{digest.hexdigest()[:12]}"


def build(client: Any, base: str | None = None, wheels: Path | None = None, index: str = "") -> Iterator[str]:
    """Builds the image and yields Docker's progress line by line. Raises BuildFailed.

    client: docker.DockerClient. base: an image with python3 and venv. wheels: a folder from which everything is
    installed, without network. index: address of another package index for the build.
    """
    tag = name()
    arguments = {"BASE": base or default_base(), "PACKAGES": " ".join(packages()), "INDEX": index}
    with tempfile.TemporaryFile() as context:
        _write_context(context, wheels)
        context.seek(0)
        steps = client.api.build(fileobj=context, custom_context=True, tag=tag, buildargs=arguments, rm=True,
                                 forcerm=True, decode=True)  # fmt: skip
        for step in steps:
            if "error" in step:
                raise BuildFailed(str(step["error"]).strip())
            text = str(step.get("stream") or step.get("status") or "").strip()
            if text:
                yield text


def _write_context(stream: IO[bytes], wheels: Path | None) -> None:
    with tarfile.open(fileobj=stream, mode="w") as context:
        for where in ("Dockerfile", "sandbox/Dockerfile"):
            context.add(HERE / "Dockerfile", where)
        for path in files():
            context.add(path, f"sandbox/{path.relative_to(HERE).as_posix()}")
        found = sorted(wheels.glob("*.whl")) if wheels else []
        for wheel in found:
            context.add(wheel, f"wheels/{wheel.name}")
