"""How long a verdict takes, against doing the same work by hand. One run, medians, one table.

    (a) fresh process    a new Python process imports torch and runs the problem's cases on the plain module
    (b) fork             the same cases in a fork of a process that has everything loaded, no jail: the floor
    (c) watch            `judge run --watch`: from saving the file to the printed result
    (d) server           HTTP POST to the final verdict on a warm `judge serve`, driver local
    (g) docker           the same on the driver docker, in turn with (d); left out where Docker cannot be used
    (e) rate             submissions a second from concurrent clients, against forks a second on the same cores
    (f) late imports     a call that imports torch.func, checkpoint, einops, dataclasses: in the jail, and in a fork

Usage: python benchmarks/latency.py [--runs N] [--seconds S] [--markdown]
"""

from __future__ import annotations

import argparse
import http.client
import importlib.util
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
PROBLEM = "causal-mha"
SOURCE = ROOT / "problems" / PROBLEM / "submissions" / "accepted"
JUDGE = [sys.executable, "-m", "judge"]
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
PORT = 8917
CLIENTS = 6


def submission() -> Path:
    """An accepted answer that is not the reference."""
    return sorted(SOURCE.glob("*.py"))[0]


def import_file(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_cases(reference: Any, tests: Any, source: Path) -> None:
    """All cases on the submission as a plain module: what a test runner would do."""
    import inspect

    from judge.grading.rng import Rng

    solution = import_file(source, "solution")
    for name, test in vars(tests).items():
        if name.startswith("test_"):
            offered = {"solution": solution, "reference": reference, "rng": Rng(1, name)}
            test(**{key: offered[key] for key in inspect.signature(test).parameters})


def preload() -> tuple[Any, Any]:
    import torch

    torch.set_num_threads(1)
    folder = ROOT / "problems" / PROBLEM
    return import_file(folder / "reference.py", "reference"), import_file(folder / "tests.py", "tests")


def in_a_fork(reference: Any, tests: Any) -> float:
    """Milliseconds from fork to the end of the child."""
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        try:
            run_cases(reference, tests, submission())
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    assert status == 0, "the cases failed in the fork"
    return (time.perf_counter() - start) * 1000


def floor_rate(seconds: float, processes: int) -> float:
    """Forks a second with one process per core."""
    context = multiprocessing.get_context("spawn")
    queues = [(context.Queue(), context.Queue()) for _ in range(processes)]
    children = [context.Process(target=fork_worker, args=(seconds, *pair)) for pair in queues]
    for child in children:
        child.start()
    for out, _ in queues:
        out.get()
    for _, back in queues:
        back.put("go")
    total = sum(out.get() for out, _ in queues)
    for child in children:
        child.join()
    return total / seconds


def fork_worker(seconds: float, out: Any, back: Any) -> None:
    reference, tests = preload()
    run_cases(reference, tests, submission())
    out.put("ready")
    back.get()
    count, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        in_a_fork(reference, tests)
        count += 1
    out.put(count)


def timed(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, env=ENVIRONMENT, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1000


def read_result(stream: IO[bytes]) -> Any:
    """The next JSON object of `judge run --json`, which ends with a brace in the first column."""
    text = b""
    while not text.endswith(b"\n}\n"):
        line = stream.readline()
        assert line, "judge run ended"
        text += line
    return json.loads(text)


def watched(runs: int) -> list[float]:
    """Milliseconds from a save to the result of `judge run --watch`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "solution.py"
        path.write_bytes(submission().read_bytes())
        command = [*JUDGE, "run", PROBLEM, str(path), "--watch", "--json", "--sandbox", "local"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT, cwd=ROOT
        )
        assert process.stdout is not None
        assert read_result(process.stdout)["verdict"] == "AC"
        times = []
        for number in range(runs):
            time.sleep(0.3)
            start = time.perf_counter()
            path.write_bytes(submission().read_bytes() + b"#" * number + b"\n")
            assert read_result(process.stdout)["verdict"] == "AC"
            times.append((time.perf_counter() - start) * 1000)
        process.terminate()
        process.wait()
    return times


@contextmanager
def server(driver: str, port: int, url: str = "") -> Any:
    """A `judge serve` with one worker per core, on the database of `url` or one of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**ENVIRONMENT, "JUDGE_DATA": folder, "JUDGE_SANDBOX": driver, "JUDGE_DATABASE_URL": url}
        environment |= {"JUDGE_SUBMISSIONS_PER_MINUTE": "0", "JUDGE_SUBMISSIONS_PER_HOUR": "0"}
        command = [*JUDGE, "serve", "--port", str(port)]
        process = subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            wait_for_server(port)
            yield process.pid
        finally:
            process.terminate()
            process.wait(30)


def wait_for_server(port: int) -> None:
    end = time.perf_counter() + 90
    while time.perf_counter() < end:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                time.sleep(10)  # it answers when the first worker is ready; the others still load
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise SystemExit("judge serve did not come up")


class Client:
    """One learner with one connection that is kept."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers: dict[str, str] = {}
        self.headers = {
            "X-CSRFToken": json.loads(self._request("GET", "/api/v1/session")[1])["csrf"],
            "Cookie": self.cookie,
        }
        self.source = submission().read_text()

    def _request(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        self.connection.request(method, path, body, {"Content-Type": "application/json", **self.headers})
        response = self.connection.getresponse()
        self.cookie = (response.headers.get("Set-Cookie") or "").split(";")[0]
        return response.status, response.read()

    def get(self, path: str) -> tuple[int, bytes]:
        return self._request("GET", path)

    def post(self) -> tuple[int, bytes]:
        """Submits, and leaves it there."""
        body = json.dumps({"problem": PROBLEM, "source": self.source}).encode()
        return self._request("POST", "/api/v1/submissions", body)

    def submit(self) -> float:
        """Milliseconds from POST to the final verdict, by long poll."""
        start = time.perf_counter()
        status, answer = self.post()
        assert status == 201, (status, answer)
        number = json.loads(answer)["id"]
        while True:
            status, answer = self._request("GET", f"/api/v1/submissions/{number}?wait=20")
            result = json.loads(answer)
            if result["status"] == "done":
                assert result["verdict"] == "AC", result["message"]
                return (time.perf_counter() - start) * 1000


def answered(runs: int) -> tuple[list[float], list[float]]:
    """(d) and (g), each sorted: one submission at a time, in turn. A learner alone on a warm server; (e) is busy."""
    with server("docker", PORT + 1) if has_docker() else nullcontext():
        clients = [Client(PORT), *([Client(PORT + 1)] if has_docker() else [])]
        times: list[list[float]] = [[], []]
        for number in range(runs + 5):
            for client, found in zip(clients, times, strict=False):
                time.sleep(0.15)
                taken = client.submit()
                found += [taken] if number >= 5 else []
    return sorted(times[0]), sorted(times[1])


def has_docker() -> bool:
    from sandbox import SandboxUnavailable, resolve

    try:
        return resolve("docker") == "docker"
    except SandboxUnavailable:
        return False


def rate(seconds: float) -> float:
    """Verdicts a second with several clients at once."""
    counts = [0] * CLIENTS
    clients = [Client(PORT) for _ in counts]
    end = time.perf_counter() + seconds

    def work(number: int) -> None:
        while time.perf_counter() < end:
            clients[number].submit()
            counts[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - start)


LATE = ROOT / "tests" / "hostile" / "accepted" / "late_imports.py"


def late_imports(runs: int) -> tuple[float, float]:
    """Milliseconds that the first sample takes, in the jail and in a fork of a process that has imported as much."""
    import torch

    from judge.grading.grader import Grader
    from judge.loader import load_problem
    from sandbox import open_sandbox, warming

    grader = Grader(open_sandbox("local"))
    grader.sandbox.warm()
    problem, source = load_problem(ROOT / "problems", "attention"), LATE.read_bytes()
    jailed = [grader.grade(problem, source, samples_only=True).cases[0].time_ms for _ in range(runs)]
    grader.close()
    warming.slow_imports()
    q = torch.randn(1, 1, 1, 2)
    outside = []
    for _ in range(runs):
        readable, writable = os.pipe()
        if (pid := os.fork()) == 0:
            start = time.perf_counter()
            import_file(LATE, "late").attention(q, q, q)
            os.write(writable, str((time.perf_counter() - start) * 1000).encode())
            os._exit(0)
        os.waitpid(pid, 0)
        outside.append(float(os.read(readable, 100)))
        os.close(readable)
        os.close(writable)
    return statistics.median(jailed), statistics.median(outside)


def resident_mb(pid: int) -> float:
    """Proportional memory of a process and all its descendants: shared pages are counted once."""
    pids, todo = [], [pid]
    while todo:
        current = todo.pop()
        pids.append(current)
        for task in Path(f"/proc/{current}/task").glob("*/children"):
            todo += [int(child) for child in task.read_text().split()]
    total = 0
    for current in pids:
        with suppress(OSError):  # a submission's process may end meanwhile
            lines = Path(f"/proc/{current}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30, help="runs of (b), (c) and (d); (a) takes a fifth of them")
    parser.add_argument("--seconds", type=float, default=20, help="how long (e) lasts")
    parser.add_argument("--markdown", action="store_true", help="print the table for the README")
    options = parser.parse_args()
    slow = max(3, options.runs // 5)
    here = [sys.executable, __file__, "--cases"]

    say = lambda text: print(text, file=sys.stderr, flush=True)  # noqa: E731
    say("(a) fresh processes, and one import of torch")
    imported = statistics.median(timed([sys.executable, "-c", "import torch"]) for _ in range(slow))
    fresh = statistics.median(timed(here) for _ in range(slow))
    cold = statistics.median(
        timed([*JUDGE, "run", PROBLEM, str(submission()), "--json", "--sandbox", "local"]) for _ in range(slow)
    )
    say("(b) forks")
    reference, tests = preload()
    run_cases(reference, tests, submission())
    floor = statistics.median(in_a_fork(reference, tests) for _ in range(options.runs))
    say("(c) judge run --watch")
    watch = statistics.median(watched(options.runs))
    say("(d) server")
    with server("local", PORT) as pid:
        served, contained = answered(options.runs)
        say(f"(e) {CLIENTS} clients for {options.seconds:.0f} s")
        sustained = rate(options.seconds)
        memory = resident_mb(pid)
    cores = os.cpu_count() or 1
    forks = floor_rate(options.seconds, cores)
    say("(f) late imports")
    jailed, outside = late_imports(slow)
    post = statistics.median(served)
    tail = served[int(len(served) * 0.9)]
    rows: list[tuple[str, str, str, Callable[[], bool] | None]] = [
        ("(a) fresh process with torch", f"{fresh:.0f} ms", "", None),
        ("(b) fork of a preloaded process: the floor", f"{floor:.1f} ms", "", None),
        ("(c) rerun under `judge run --watch`", f"{watch:.1f} ms", f"{watch / floor:.1f} x (b)", None),
        ("(d) POST to verdict, warm server", f"{post:.1f} ms", f"{post / floor:.1f} x (b), 1/{fresh / post:.0f} of (a)",
         lambda: post <= 5 * floor and post <= fresh / 15),
        ("    90th percentile", f"{tail:.1f} ms", "", None),
        (f"(e) submissions a second, {cores} workers", f"{sustained:.0f}",
         f"{100 * sustained / forks:.0f} % of {forks:.0f} forks",
         lambda: sustained >= 0.35 * forks),
        ("(f) imports inside the call, in the jail", f"{jailed:.1f} ms", f"outside {outside:.1f} ms",
         lambda: jailed <= outside + 50),
        ("memory of `judge serve`, shared pages once", f"{memory:.0f} MB", "", lambda: memory < 1200),
        ("`judge run` from cold", f"{cold:.0f} ms", f"{cold / imported:.2f} x import torch ({imported:.0f} ms)",
         lambda: cold <= 2.2 * imported),
    ]  # fmt: skip
    if contained:
        docker = statistics.median(contained)
        compared = f"{docker / post:.2f} x (d)"
        rows.insert(
            5, ("(g) POST to verdict, driver docker", f"{docker:.1f} ms", compared, lambda: docker <= 1.5 * post)
        )
    show(rows, options.markdown)


def show(rows: list[tuple[str, str, str, Callable[[], bool] | None]], markdown: bool) -> None:
    if markdown:
        print(f"| {PROBLEM} | median | compared |\n|---|---|---|")
    for name, value, compared, goal in rows:
        mark = "" if goal is None else ("  reached" if goal() else "  MISSED")
        if markdown:
            print(f"| {name.strip()} | {value} | {compared} |")
        else:
            print(f"{name:48} {value:>10}   {compared:34}{mark}")


if __name__ == "__main__":
    if "--cases" in sys.argv:
        run_cases(*preload(), submission())
    else:
        main()
