"""README and docs/operating.md say what there is; docker-compose.yml is what they say."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from judge.config import Config, load, variable
from sandbox import profile
from tests.web_judge import WebJudge

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
OF_COMPOSE = set(re.findall(r"\$\{(\w+)", COMPOSE_TEXT))
SERVICES = COMPOSE["services"]


def test_settings_are_documented() -> None:
    assert [f.name for f in fields(Config) if f"| `{variable(f.name)}` |" not in OPERATING] == []


def test_documented_settings_exist() -> None:
    named = set(re.findall(r"\b(?:JUDGE|PIP|TORCH)_[A-Z_]+\b", README + OPERATING))
    assert named - {variable(f.name) for f in fields(Config)} - OF_COMPOSE - {"JUDGE_CHROMIUM"} == set()


def test_what_compose_reads_is_documented() -> None:
    assert [name for name in sorted(OF_COMPOSE) if f"`{name}`" not in OPERATING] == []


def test_documented_defaults_are_those_of_the_program() -> None:
    rows = dict(
        re.findall(r"^\| `JUDGE_([A-Z_]+)` \| (?:`(.*?)`)? *\| [^|]+ \|$", OPERATING.split("## Settings")[1], re.M)
    )
    by_place = {"problems", "data"}
    defaults = {f.name: str(getattr(load({}), f.name)) for f in fields(Config) if f.name not in by_place}
    assert {name: rows[name.upper()] for name in defaults} == defaults


def test_metrics_are_documented(judge: WebJudge) -> None:
    made = set(re.findall(r"^# TYPE (\w+)", judge.client().get("/metrics").text, re.M))
    assert set(re.findall(r"`(judge_\w+)`", OPERATING)) == made


def test_compose_has_its_parts() -> None:
    assert set(SERVICES) == {"database", "migrate", "web", "worker", "sandbox"}
    assert set(COMPOSE["volumes"]) == {"database", "data", "gate"}
    assert {name for name, service in SERVICES.items() if "healthcheck" in service} == {"database", "web", "sandbox"}
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"web"}


def test_each_image_is_built_by_one_service() -> None:
    built = [service["image"] for service in SERVICES.values() if "build" in service]
    assert sorted(built) == ["attention-judge", "attention-judge-sandbox"]


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"database"}))
def test_own_containers_are_hardened(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]


def test_submissions_have_no_network_and_no_secrets() -> None:
    service = SERVICES["sandbox"]
    assert service["network_mode"] == "none"
    assert service["volumes"] == ["gate:/run/gate"]
    assert "environment" not in service
    path = next(option.split("=", 1)[1] for option in service["security_opt"] if option.startswith("seccomp="))
    assert json.loads((ROOT / path).read_text()) == profile.profile(gate=True)


def test_problems_are_documented() -> None:
    assert [p.parent.name for p in ROOT.glob("problems/*/problem.toml") if f"`{p.parent.name}`" not in README] == []


def test_settings_have_a_help_text() -> None:
    assert all(f.metadata.get("help") for f in fields(Config))
