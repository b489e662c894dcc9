"""`judge serve`: the web server and the grading processes on one machine, as children of one light process.

    parent (no torch, no threads) ── python -m web            restarted when it dies
                                  ├─ python -m judge.worker   restarted; what it held goes back to the queue at once
                                  └─ python -m judge.worker   ...

Before the first child: address free, database migrated, judgings of dead workers given back.
SIGTERM, SIGINT, SIGHUP: children are asked to stop, may finish what they do, and are killed after STOP_S.
If the parent is killed, its children get SIGTERM from the kernel (Linux) or notice (workers).
"""

from __future__ import annotations

import errno
import http.client
import os
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

from judge.children import Child, WorkerChild
from judge.config import Config, is_loopback, variable
from judge.loader import slugs
from judge.queue import NEWS, PLACE, WAKE, Bell
from judge.store import Store
from judge.worker import EXIT_DRAINED, EXIT_UNUSABLE, is_dead

STOP_S = 20.0
PORT_WAIT_S = 3.0
BACKLOG = 512
READ_TIMEOUT_S = 10
LISTEN = "JUDGE_LISTEN"
FIRST_STARTS = 3


class ServeError(Exception):
    """The judge cannot be served; the message says why and what to do."""


def serve(settings: Config, *, insecure: bool = False, say: Callable[[str], None] = print) -> None:
    """Serves until a signal comes. Raises ServeError, or StoreError for the database.

    `insecure`: everybody may submit, whatever the address.
    """
    if sys.platform == "win32":
        raise ServeError("`judge serve` needs Linux or macOS; on Windows, start it in WSL")
    if insecure:
        settings = replace(settings, sign_in="optional")
    if not slugs(settings.problems):
        raise ServeError(f"there are no problems in {settings.problems}; set JUDGE_PROBLEMS to their folder")
    with listen(settings.host, settings.port) as listener:
        try:
            settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise ServeError(f"the data folder cannot be made: {error}; set JUDGE_DATA to another") from None
        store = Store.open(settings.database)
        try:
            store.release_dead(is_dead)
            for line in who_may_submit(settings, store):
                say(line)
            Parent(settings, store, listener, say).run()
        finally:
            store.close()


def who_may_submit(settings: Config, store: Store) -> Iterator[str]:
    """What the operator must know about accounts before the first learner comes."""
    reachable = settings.trust_proxy > 0 or not is_loopback(settings.host)
    if settings.sign_in_required:
        yield "accounts: sign-in is required to submit"
        if not store.accounts("administrator"):
            yield "there is no administrator yet: `judge admin create-user NAME --role administrator`"
    elif reachable:
        yield "warning: the judge can be reached by others, and everyone who connects may submit"
    if reachable and not settings.trust_proxy:
        yield "warning: passwords travel unencrypted; put a proxy with TLS in front, and set JUDGE_TRUST_PROXY=1"


def listen(host: str, port: int) -> socket.socket:
    """The listening socket. Raises ServeError; first waits a little, since a server just killed may hold the port.

    It stays open in the parent: a second `judge serve` cannot slip in, and while the web server is started again
    connections wait instead of failing.
    """
    give_up = time.monotonic() + PORT_WAIT_S
    while True:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            listener = socket.socket(family, kind, protocol)
            try:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                # accepted sockets inherit it: a client that stops in the middle of a request holds no thread for ever
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", READ_TIMEOUT_S, 0))
                listener.bind(address)
                listener.listen(BACKLOG)
            except OSError:
                listener.close()
                raise
            return listener
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ServeError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
            if time.monotonic() > give_up:
                raise ServeError(
                    f"port {port} on {host} is in use, perhaps by another `judge serve`; choose another with --port"
                ) from None
        time.sleep(0.1)


class Parent:
    """Starts, watches and ends the children."""

    def __init__(self, settings: Config, store: Store, listener: socket.socket, say: Callable[[str], None]) -> None:
        self.settings, self.store, self.say = settings, store, say
        self.wake, self.news, self.events = Bell.make(), Bell.make(), Bell.make()
        environment = os.environ | _environment(settings)
        web_ends = Bell(self.news.read_fd, None), Bell(None, self.wake.write_fd), Bell(listener.fileno(), None)
        worker_ends = Bell(self.wake.read_fd, None), Bell(None, self.news.write_fd)
        names = (NEWS, WAKE, LISTEN)
        for_web = [end.environment(name) for end, name in zip(web_ends, names, strict=True)]
        self.web = Child("web", environment | for_web[0] | for_web[1] | for_web[2], web_ends)
        # one thread a grader: the workers share the cores already
        environment = {"OMP_NUM_THREADS": "1"} | environment
        environment |= worker_ends[0].environment(WAKE) | worker_ends[1].environment(NEWS)
        places = [{PLACE: str(place)} for place in range(settings.worker_count)]
        self.workers = [WorkerChild("judge.worker", environment | place, worker_ends) for place in places]
        self.stopping = 0
        self.announced = False

    def run(self) -> None:
        """Until a signal comes. Raises ServeError if the first start fails."""
        with self._signals():
            try:
                while not self.stopping:
                    self._start_due()
                    self._wait()
                    self._look_after_web()
                    for worker in self.workers:
                        self._look_after(worker)
                    if not self.announced:
                        self._announce()
            finally:
                self._stop()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        def stop(number: int, frame: object) -> None:
            self.stopping += 1
            self.events.ring()

        handlers: dict[int, Any] = dict.fromkeys((signal.SIGTERM, signal.SIGINT, signal.SIGHUP), stop)
        handlers[signal.SIGCHLD] = lambda number, frame: self.events.ring()
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start_due(self) -> None:
        if self.web.due():
            self.web.start()
        # the first worker has the cores to itself until it is ready: both importing torch at once takes twice as long
        first, *others = self.workers
        for worker in [first, *others] if any(worker.ready for worker in self.workers) else [first]:
            if worker.due():
                worker.launch()

    def _wait(self) -> None:
        pipes = [worker.pipe for worker in self.workers if worker.pipe is not None]
        if self.events.read_fd is not None:
            pipes.append(self.events.read_fd)
        select.select(pipes, [], [], 0.5 if self.announced else 0.05)
        self.events.drain()

    def _look_after_web(self) -> None:
        code = self.web.ended()
        if code is not None and not self.stopping:
            if not self.announced and self.web.starts >= FIRST_STARTS:
                raise ServeError(f"the web server does not start (exit code {code}); its messages are above")
            self.say(f"the web server ended with exit code {code} and is started again")

    def _look_after(self, worker: WorkerChild) -> None:
        worker.listen()
        code = worker.ended()
        if code is None:
            return
        worker.listen()
        if worker.name and self.store.release_worker(worker.name):
            self.wake.ring()
        worker.sandbox = ""
        if self.stopping:
            return
        if code == EXIT_DRAINED:
            worker.retired = True
            self.say("a grading process stopped, as it was asked to")
            return
        if code == EXIT_UNUSABLE and not self.announced:
            raise ServeError(worker.error or "the grading process cannot start; its messages are above")
        if not self.announced and worker.starts >= FIRST_STARTS:
            raise ServeError(f"the grading process does not start (exit code {code}); its messages are above")
        self.say(f"a grading process ended with exit code {code} and is started again")

    def _announce(self) -> None:
        ready = next((worker for worker in self.workers if worker.ready), None)
        if ready is None or not _answers(self.settings.host, self.settings.port):
            return
        self.announced = True
        count = len(self.workers)
        isolation = "" if ready.sandbox != "none" else " (no isolation: run only code you trust)"
        self.say(f"sandbox: {ready.sandbox}{isolation}; {count} grading process{'es' if count > 1 else ''}")
        host = f"[{self.settings.host}]" if ":" in self.settings.host else self.settings.host
        self.say(f"judge is ready on http://{host}:{self.settings.port}")

    def _stop(self) -> None:
        children = [self.web, *self.workers]
        for child in children:
            child.send(signal.SIGTERM)
        asked, give_up = self.stopping, time.monotonic() + STOP_S
        # a second signal: at once
        while any(child.process for child in children) and time.monotonic() < give_up and self.stopping < asked + 1:
            select.select([fd for fd in (self.events.read_fd,) if fd is not None], [], [], 0.2)
            self.events.drain()
            for child in children:
                child.ended()
        for child in children:
            child.kill()
        for worker in self.workers:
            worker.listen()
            if worker.name:
                self.store.release_worker(worker.name)


def _environment(settings: Config) -> dict[str, str]:
    """Every setting that is not empty, as `judge.config.load` reads it in the children."""
    values = {field.name: getattr(settings, field.name) for field in fields(Config)}
    values["problems"], values["data"] = settings.problems.resolve(), settings.data.resolve()
    return {variable(name): str(value) for name, value in values.items() if value != ""}


def _answers(host: str, port: int) -> bool:
    """Whether the web server answers /readyz, with whatever."""
    connection = http.client.HTTPConnection(_reachable(host), port, timeout=1.0)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _reachable(host: str) -> str:
    """An address to connect to where `host` means all addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
