"""The explorers compute what torch computes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from golden import explorers
from web_judge import WebJudge

FRONTEND = Path(__file__).resolve().parent.parent / "web" / "frontend"
GOLDEN: dict[str, list[dict[str, Any]]] = json.loads(explorers.FILE.read_text(encoding="utf-8"))


def near(value: Any) -> Any:
    """Floats may differ in their last digits."""
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-9, abs=1e-12)
    if isinstance(value, list):
        return [near(item) for item in value]
    return {key: near(item) for key, item in value.items()} if isinstance(value, dict) else value


@pytest.fixture(scope="module")
def computed() -> Any:
    if not shutil.which("node") or not (FRONTEND / "node_modules" / "esbuild").is_dir():
        pytest.skip("no node, or `npm ci` was not run in web/frontend")
    script = explorers.FILE.with_suffix(".mjs")
    run = subprocess.run(["node", script, FRONTEND, explorers.FILE], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("part", ["masks", "lookup", "spread", "cost"])
def test_the_pages_compute_the_golden_values(computed: Any, part: str) -> None:
    for got, expected in zip(computed[part], GOLDEN[part], strict=True):
        assert got == near(expected)


def test_the_golden_values_are_torchs() -> None:
    assert len(GOLDEN["masks"]) >= 30
    fresh = explorers.golden()
    for part, rows in fresh.items():
        assert GOLDEN[part] == [near(row) for row in rows]


def test_published_figures() -> None:
    """Width and length 4096, eight key heads' worth of cache, the latent of 512 and 64: as their authors count them."""
    first = GOLDEN["cost"][0]
    assert (first["projections"], first["scores"], first["crossover"]) == ("549755813888", "274877906944", 8192)
    assert first["cached"] == {"mha": 8192, "gqa": 2048, "mqa": 256, "mla": 576}


@pytest.mark.parametrize(
    ("path", "status"), [("", 200), ("/masks", 200), ("/lookup", 200), ("/cost", 200), ("/x", 404)]
)
def test_the_explorers_have_pages(tmp_path: Path, path: str, status: int) -> None:
    assert WebJudge(tmp_path).client().get(f"/explore{path}").status_code == status


def test_a_problem_and_its_explorer_link_to_each_other(tmp_path: Path) -> None:
    judge = WebJudge(tmp_path)
    settings = judge.config.problems / "double" / "problem.toml"
    settings.write_text('explorer = "masks?kind=window&w=3"\n' + settings.read_text())
    assert 'href="/explore/masks?kind=window&amp;w=3"' in judge.client().get("/problems/double").text
    page = judge.client().get("/explore/masks").text
    assert 'href="/problems/double"' in page
    assert 'href="/explore/masks?kind=window&amp;w=3"' in page
    assert "/problems/double" not in judge.client().get("/explore/cost").text
