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
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from benchmarks import floor
from benchmarks.measuring import ENVIRONMENT, PROBLEM, ROOT, resident_mb, say, submission, timed
from benchmarks.serving import Client, at_once, server

JUDGE = [sys.executable, "-m", "judge"]
PORT = 8917
CLIENTS = 6
LATE = ROOT / "tests" / "hostile" / "accepted" / "late_imports.py"


def run_ms(*command: str) -> float:
    """Milliseconds that a program takes."""

    def run() -> None:
        null = subprocess.DEVNULL
        subprocess.run(command, check=True, env=ENVIRONMENT, cwd=ROOT, stdout=null, stderr=null)

    return timed(run)


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
            floor.import_file(LATE, "late").attention(q, q, q)
            os.write(writable, str((time.perf_counter() - start) * 1000).encode())
            os._exit(0)
        os.waitpid(pid, 0)
        outside.append(float(os.read(readable, 100)))
        os.close(readable)
        os.close(writable)
    return statistics.median(jailed), statistics.median(outside)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30, help="runs of (b), (c) and (d); (a) takes a fifth of them")
    parser.add_argument("--seconds", type=float, default=20, help="how long (e) lasts")
    parser.add_argument("--markdown", action="store_true", help="print the table for the README")
    options = parser.parse_args()
    slow = max(3, options.runs // 5)

    say("(a) fresh processes, and one import of torch")
    imported = statistics.median(run_ms(sys.executable, "-c", "import torch") for _ in range(slow))
    fresh = statistics.median(run_ms(sys.executable, floor.__file__) for _ in range(slow))
    cold = statistics.median(
        run_ms(*JUDGE, "run", PROBLEM, str(submission()), "--json", "--sandbox", "local") for _ in range(slow)
    )
    say("(b) forks")
    fork = floor.median_ms(options.runs)
    say("(c) judge run --watch")
    watch = statistics.median(watched(options.runs))
    say("(d) server")
    with server("local", PORT) as pid:
        served, contained = answered(options.runs)
        say(f"(e) {CLIENTS} clients for {options.seconds:.0f} s")
        sustained = at_once(PORT, CLIENTS, options.seconds).rate
        memory = resident_mb(pid)
    cores = os.cpu_count() or 1
    forks = floor.rate(options.seconds, cores)
    say("(f) late imports")
    jailed, outside = late_imports(slow)
    post = statistics.median(served)
    tail = served[int(len(served) * 0.9)]
    rows: list[tuple[str, str, str, Callable[[], bool] | None]] = [
        ("(a) fresh process with torch", f"{fresh:.0f} ms", "", None),
        ("(b) fork of a preloaded process: the floor", f"{fork:.1f} ms", "", None),
        ("(c) rerun under `judge run --watch`", f"{watch:.1f} ms", f"{watch / fork:.1f} x (b)", None),
        ("(d) POST to verdict, warm server", f"{post:.1f} ms", f"{post / fork:.1f} x (b), 1/{fresh / post:.0f} of (a)",
         lambda: post <= 5 * fork and post <= fresh / 15),
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
    main()
