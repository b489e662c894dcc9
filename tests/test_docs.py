"""The README says what there is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from judge.config import Config, variable

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_settings_are_documented() -> None:
    assert [f.name for f in fields(Config) if f"`{variable(f.name)}`" not in README] == []


def test_problems_are_documented() -> None:
    assert [p.parent.name for p in ROOT.glob("problems/*/problem.toml") if f"`{p.parent.name}`" not in README] == []


def test_settings_have_a_help_text() -> None:
    assert all(f.metadata.get("help") for f in fields(Config))
