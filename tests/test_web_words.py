"""The table of sentences, and the committed front end."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from web.language import TABLE

WEB = Path(__file__).resolve().parent.parent / "web"
FRONTEND = WEB / "frontend"
USED = re.compile(r"""\bt\(\s*['"]([a-z_.]+)['"]""")


def test_every_sentence_exists_in_both_languages_with_the_same_fields() -> None:
    for key, texts in TABLE.items():
        assert len(texts) == 2, key
        assert all(texts), key
        fields = [sorted(set(re.findall(r"{(\w+)}", text))) for text in texts]
        assert fields[0] == fields[1], key


def test_every_key_that_is_used_exists() -> None:
    files = [*WEB.glob("templates/*.html"), *FRONTEND.glob("src/**/*.ts")]
    used = {key for file in files for key in USED.findall(file.read_text(encoding="utf-8"))}
    codes = {key for file in WEB.rglob("*.py") for key in re.findall(r'Refused\(\d+, "(\w+)"', file.read_text())}
    assert len(used) > 50
    beginnings = {key for key in used if key.endswith(".") and any(known.startswith(key) for known in TABLE)}
    assert used - beginnings | {f"error.{code}" for code in codes} <= set(TABLE)


def test_only_the_explorers_use_their_sentences() -> None:
    """The other scripts are built without them."""
    for file in FRONTEND.glob("src/*.ts"):
        assert "explore." not in "".join(USED.findall(file.read_text(encoding="utf-8"))), file.name


def test_the_lock_file_names_no_host() -> None:
    lock = (FRONTEND / "package-lock.json").read_text()
    assert '"integrity"' in lock
    assert "://" not in re.sub(r'"(url|funding)": "[^"]*"', "", lock)


def test_versions_are_exact() -> None:
    package = (FRONTEND / "package.json").read_text()
    versions = re.findall(r'"[@\w/-]+": "([^"]*\d[^"]*)"', package)
    assert len(versions) > 8
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)


def test_the_committed_bundle_is_what_the_sources_give(tmp_path: Path) -> None:
    if not shutil.which("node") or not (FRONTEND / "node_modules" / "esbuild").is_dir():
        pytest.skip("no node, or `npm ci` was not run in web/frontend")
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=FRONTEND, check=True)
    for built in tmp_path.iterdir():
        assert built.read_bytes() == (WEB / "static" / built.name).read_bytes(), built.name
    assert len(list(tmp_path.iterdir())) == 5
