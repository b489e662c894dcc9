"""What open pages cost: a learner's latency beside one viewer and beside many, each with an open event stream.

    viewers    learners whose submission is being graded as far as the records say; each holds its stream open
    latency    one more learner submits again and again: median milliseconds from POST to verdict, with few and many
    readyz     GET /readyz meanwhile: median and worst

Usage: python benchmarks/viewers.py [--viewers N] [--runs N] [--driver local|docker]
"""

from __future__ import annotations

import argparse
import http.client
import statistics
import tempfile
import time

from sqlalchemy import update

from benchmarks.measuring import timed
from benchmarks.serving import Client, server
from judge.store import Store
from judge.store.tables import judging

PORT = 8951
LEASE_S = 300.0


class Viewer:
    """A learner with a submission of their own and a stream that stays open."""

    def __init__(self) -> None:
        self.client = Client(PORT)
        self.submission = self.client.post()["id"]

    def watch(self) -> None:
        """Opens the stream and reads its first event."""
        self.stream = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
        self.stream.request("GET", f"/api/v1/submissions/{self.submission}/events", headers=self.client.headers)
        response = self.stream.getresponse()
        assert response.status == 200, (response.status, response.read())
        assert b"snapshot" in response.readline() + response.readline()
        self.response = response

    def leave(self) -> None:
        self.stream.close()


def still_running(store: Store, viewers: list[Viewer]) -> None:
    """The records say again that somebody grades these."""
    mine = judging.c.submission_id.in_([viewer.submission for viewer in viewers])
    running = {"status": "running", "verdict": None, "worker": "benchmark", "lease_until": time.time() + LEASE_S}
    with store.write() as connection:
        connection.execute(update(judging).where(mine).values(**running))


def measured(runs: int) -> tuple[float, float, float]:
    """Median from POST to verdict; median and worst of /readyz; in milliseconds."""
    client = Client(PORT)
    client.submit()

    def ask() -> None:
        status, answer = client.get("/readyz")
        assert status == 200, answer

    verdicts, ready = [], []
    for _ in range(runs):
        verdicts.append(client.submit())
        ready.append(timed(ask))
    return statistics.median(verdicts), statistics.median(ready), max(ready)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--driver", default="local")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="judge-viewers-") as data:
        url = f"sqlite:///{data}/judge.db"
        with server(options.driver, PORT, url):
            store = Store(url)
            viewers = [Viewer() for _ in range(options.viewers)]
            while store.queue_state().queued + store.queue_state().running:
                time.sleep(0.2)
            still_running(store, viewers)
            viewers[0].watch()
            one = measured(options.runs)
            for viewer in viewers[1:]:
                viewer.watch()
            many = measured(options.runs)
            for viewer in viewers[1:]:
                viewer.leave()
            print(f"{'viewers':>8} {'POST to verdict':>16} {'/readyz':>10} {'worst':>8}")
            for number, (verdict, ready, worst) in ((1, one), (options.viewers, many)):
                print(f"{number:>8} {verdict:13.1f} ms {ready:7.1f} ms {worst:5.0f} ms")
            print(f"with {options.viewers} viewers: {many[0] / one[0]:.2f} x the latency with one")


if __name__ == "__main__":
    main()
