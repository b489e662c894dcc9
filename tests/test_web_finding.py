"""Finding one's way: the list with its filters, the learning path, what a problem builds on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from web_judge import WebJudge, add_problem, submit

from web.language import TABLE

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def judge(tmp_path: Path) -> WebJudge:
    made = WebJudge(tmp_path)
    settings = (made.config.problems / "double" / "problem.toml").read_text()
    for slug, title, zh, more in (
        (
            "halve",
            "Halve a mask",
            "掩码减半",
            'stage = "masks"\nbuilds_on = ["double"]\nexplorer = "masks?kind=window&w=3"\n',
        ),
        ("triple", "Triple", "三倍", 'stage = "kernels"\n'),
    ):
        folder = add_problem(made.config.problems, slug)
        text = settings.replace("Double it", title).replace("翻倍", zh).replace('"easy"', '"hard"')
        (folder / "problem.toml").write_text(text.replace('["warm-up"]\n', f'["mask"]\n{more}'), encoding="utf-8")
    return made


def slugs(html: str) -> list[str]:
    return re.findall(r'<tr data-slug="([\w-]+)"', html)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["double", "halve", "triple"]),
        ("q=MASK", ["halve", "triple"]),
        ("q=减半", ["halve"]),
        ("q=ＤＯＵＢＬＥ", ["double", "halve", "triple"]),  # also the name of the function that each asks for
        ("q=mask+halve", ["halve"]),
        ("q=nothing+of+it", []),
        ("tag=mask&stage=kernels", ["triple"]),
        ("tag=mask&tag=warm-up", ["double", "halve", "triple"]),
        ("difficulty=hard", ["halve", "triple"]),
        ("state=solved", []),
        ("state=solved&state=new", ["double", "halve", "triple"]),
        ("state=odd&tag=%3Cscript%3E", ["double", "halve", "triple"]),
    ],
)
def test_the_list_shows_what_the_address_asks_for(judge: WebJudge, query: str, found: list[str]) -> None:
    assert slugs(judge.client().get(f"/?{query}").text) == found


def test_the_state_is_the_learners_own(judge: WebJudge) -> None:
    client, headers = judge.learner()
    submit(client, headers)
    judge.finish("AC")
    submit(client, headers, problem="triple")
    assert slugs(client.get("/?state=solved").text) == ["double"]
    assert slugs(client.get("/?state=tried").text) == ["triple"]
    assert slugs(judge.client().get("/?state=solved&state=tried").text) == []


def test_counts_tell_what_a_choice_would_show(judge: WebJudge) -> None:
    html = judge.client().get("/?tag=mask").text
    counts = dict(re.findall(r'data-live="([\w-]+)">(\d+)</span>', html))
    assert counts["difficulty-easy"] == "0"
    assert counts["difficulty-hard"] == "2"
    assert counts["tag-warm-up"] == "1"
    assert "2 of 3 problems" in html


def test_a_search_is_shown_as_text(judge: WebJudge) -> None:
    html = judge.client().get('/?q="><script>alert(1)</script>').text
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


def test_the_next_problem_follows_what_was_solved(judge: WebJudge) -> None:
    client, headers = judge.learner()
    assert 'Begin with</span> <a href="/problems/triple"' in client.get("/").text
    for slug, following in (("triple", "double"), ("double", "halve")):
        submit(client, headers, problem=slug)
        judge.finish("AC")
        assert f'Next for you</span> <a href="/problems/{following}"' in client.get("/").text
    submit(client, headers, problem="halve")
    judge.finish("AC")
    assert "solved every problem" in client.get("/").text


def test_a_problem_tells_what_it_builds_on_and_leads_to(judge: WebJudge) -> None:
    assert 'Leads to <a href="/problems/halve">Halve a mask</a>' in judge.client().get("/problems/double").text
    assert 'Builds on <a href="/problems/double">Double it</a>' in judge.client().get("/problems/halve").text
    assert 'class="facts place"' not in judge.client().get("/problems/triple").text


def test_the_path_is_in_learning_order_with_a_line_for_each_prerequisite(judge: WebJudge) -> None:
    html = judge.client().get("/path").text
    assert re.findall(r'<li class="card[^"]*" data-slug="(\w+)"', html) == ["halve", "triple", "double"]
    assert re.findall(r'data-start="(\w+)" data-end="(\w+)"', html) == [("double", "halve")]
    assert 'class="card new later" data-slug="halve"' in html


def test_tags_of_the_bank_are_in_both_languages(judge: WebJudge) -> None:
    tags = {
        tag
        for path in ROOT.glob("problems/*/problem.toml")
        for tag in tomllib.loads(path.read_text(encoding="utf-8")).get("tags", [])
    }
    assert {f"tag.{tag}" for tag in tags} <= set(TABLE)
