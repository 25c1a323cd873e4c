"""Every file that can be made of every situation, and the line of Python that asks the same."""

import re
from html import unescape
from io import BytesIO
from zipfile import ZipFile

import page_visitors  # noqa: F401 (skips where the extra is missing)
import pytest
from page_situations import SITUATIONS
from test_pages import strip_tags

import twofold

BEGINNINGS = {
    "html": b"<!doctype html>", "json": b"{", "svg": b"<", "pdf": b"%PDF", "png": b"\x89PNG",
    "xlsx": b"PK", "bib": b"@",
}  # fmt: skip


def open_situation(visitor, title):
    """Return the page of the answer."""
    situation = SITUATIONS[title]
    query = visitor.read(situation.text.encode(), situation.name)
    options = "".join(f"&{name}={value}" for name, value in situation.reading.items())
    response = visitor.get(f"/answer?{query}{options}&{'='.join(situation.change)}")
    assert response.status_code == 200
    return response.text


@pytest.mark.slow
@pytest.mark.parametrize("title", SITUATIONS)
def test_every_file_is_made(visitor, title):
    page = open_situation(visitor, title)
    links = [unescape(link) for link in re.findall(r'href="(/download[^"]*)"', page)]
    kinds = {re.search("as=([a-z]+)", link)[1] for link in links}
    assert kinds >= {"html", "tex", "bib", "md", "json", "txt", "xlsx", "svg", "pdf", "png"}
    for link in links:
        made = visitor.get(link)
        assert made.status_code == 200, link
        kind = re.search("as=([a-z]+)", link)[1]
        contents = [made.content]
        if made.headers["content-type"] == "application/zip":  # a picture for each metric
            packed = ZipFile(BytesIO(made.content))
            contents = [packed.read(name) for name in packed.namelist()]
        for content in contents:
            assert content.startswith(BEGINNINGS.get(kind, b"")), link
            assert len(content) > 30, link


@pytest.mark.slow
@pytest.mark.parametrize("title", SITUATIONS)
def test_the_line_of_python_gives_the_same_verdict(visitor, title, tmp_path, monkeypatch):
    situation = SITUATIONS[title]
    page = open_situation(visitor, title)
    (tmp_path / situation.name).write_text(situation.text, "utf-8")
    monkeypatch.chdir(tmp_path)
    call = re.search(r"<code>(twofold\.compare\(.*?\))</code>", page)[1]
    answer = eval(unescape(call), {"twofold": twofold})
    assert " ".join(answer.verdict.split()) in strip_tags(page)
