"""The front end's files: compressed for those who take that, kept for ever at their address."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from web_judge import WebJudge

from web.assets import FOLDER


@pytest.mark.parametrize("name", ["site.js", "style.css", "icon.svg"])
def test_a_file_is_compressed_for_those_who_take_it(tmp_path: Path, name: str) -> None:
    client = WebJudge(tmp_path).client()
    packed = client.get(f"/static/{name}", headers={"Accept-Encoding": "gzip, br"})
    plain = client.get(f"/static/{name}")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data == (FOLDER / name).read_bytes()
    assert "Content-Encoding" not in plain.headers
    assert packed.mimetype == plain.mimetype
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in (packed, plain))


def test_refusing_gzip_and_ranges_are_honoured(tmp_path: Path) -> None:
    client = WebJudge(tmp_path).client()
    refused = client.get("/static/site.js", headers={"Accept-Encoding": "gzip;q=0"})
    part = client.get("/static/site.js", headers={"Accept-Encoding": "gzip", "Range": "bytes=0-3"})
    assert "Content-Encoding" not in refused.headers
    assert (part.status_code, len(part.data)) == (206, 4)


def test_a_known_file_is_not_sent_again(tmp_path: Path) -> None:
    client = WebJudge(tmp_path).client()
    headers = {"Accept-Encoding": "gzip"}
    tag = client.get("/static/site.js", headers=headers).headers["ETag"]
    again = client.get("/static/site.js", headers=headers | {"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


def test_pages_are_not_compressed_and_nothing_outside_is_read(tmp_path: Path) -> None:
    client = WebJudge(tmp_path).client()
    headers = {"Accept-Encoding": "gzip"}
    assert "Content-Encoding" not in client.get("/", headers=headers).headers
    for name in ("../assets.py", "..%2fwords.json", "nothing.js", ".js"):
        assert client.get(f"/static/{name}", headers=headers).status_code == 404
