"""Tables, names and uploads that mean harm: they are text, they are refused, or they time out."""

import gzip
import os
import re
import subprocess
import sys
import time
from html.parser import HTMLParser

import pytest
from page_visitors import HOST, SCORES, TOKEN, Visitor, open_client
from test_pages import strip_tags

from twofold.page import answer_workers, page_limits
from twofold.page.do_jobs import do_job
from twofold.page.kept_tables import KeptTables, clean_name
from twofold.processes import describe_process

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`{{7*7}}</template></style>"
NAMES = {
    "markup": MARKUP,
    "long": "a" * 10_000,
    "right to left": "\u202e\u2067gpj.evil\u05d0",
    "control": "a\x1b[31mb\x07",
    "path": "../../../etc/passwd",
    "option": "--help",
    "formula": "=cmd|' /C calc'!A0",
}


class DangerParser(HTMLParser):
    """Collects elements and attributes that could run something or load something."""

    def __init__(self):
        super().__init__()
        self.dangers = []

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "img", "iframe", "object", "embed", "base", "foreignobject"):
            self.dangers.append(tag)
        for name, value in attributes:
            runs = re.match(r"\s*(javascript|data:text)", value or "", re.I)
            if name.startswith("on") or name in ("src", "srcdoc", "formtarget") or runs:
                self.dangers.append(f"{tag} {name}")


def list_dangers(html):
    parser = DangerParser()
    parser.feed(html)
    return parser.dangers


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_in_a_table_are_text(visitor, name):
    quoted = '"' + name.replace('"', '""') + '"'
    rows = "".join(f"{quoted}{i},0.{i + 1},0.{9 - i}\n" for i in range(3))
    table = f"dataset,{quoted},other\n{rows}".encode("utf-8", "replace")
    query = visitor.read(table, "t.csv")
    for page in (f"/read?{query}", f"/answer?{query}"):
        response = visitor.get(page)
        assert response.status_code in (200, 422)
        html = response.text
        assert list_dangers(html) == ["script"]  # ours
        assert "{{7*7}}" in html or "7*7" not in name
        assert "\u202e" not in html
        assert "\x1b" not in html
        assert len(html) < 5_000_000


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_files_are_no_paths_and_no_options(visitor, name):
    safe = clean_name(name)
    assert re.fullmatch(r"[\w .()+@=,-]{1,80}", safe)
    assert not safe.startswith(("-", ".", " "))
    header = {"origin": HOST, "content-type": "multipart/form-data; boundary=x"}
    encoded = name.replace('"', "%22").replace("\r", "").encode("utf-8", "replace")
    body = b'--x\r\nContent-Disposition: form-data; name="files"; filename="' + encoded
    body += b'"\r\n\r\n' + SCORES + b"\r\n--x--\r\n"
    response = visitor.client.post("/tables", content=body, headers=header)
    assert response.status_code in (200, 422)
    assert list_dangers(response.text) == ["script"]


def test_highlight_and_options_in_the_address_are_text(visitor):
    query = visitor.read()
    for name in ("control", "highlight", "metric", "test", "only"):
        html = visitor.get(f"/answer?{query}&{name}=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").text
        assert list_dangers(html) == ["script"]


def test_no_address_reads_a_file(visitor):
    for value in ("/etc/passwd", "../../etc/passwd", "file:///etc/passwd", "-", "scores.csv"):
        for page in ("read", "answer", "download"):
            response = visitor.client.get(f"/{page}", params={"table": value, "as": "json"})
            assert response.status_code in (410, 422)
            assert "root:" not in response.text
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/static/x", "/tables/x"):
        assert visitor.client.get(path).status_code == 404


def test_an_upload_that_is_too_large_is_cut_off_while_it_comes(visitor, monkeypatch):
    monkeypatch.setattr(page_limits, "MOST_UPLOADED", 50_000)
    response = visitor.upload(("large.csv", b"x" * 60_000))
    assert response.status_code == 413
    sent = []

    def trickle():  # without a length in front
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
        for _ in range(1000):
            sent.append(1)
            yield b"1,2,3\n" * 200

    headers = {"origin": HOST, "content-type": "multipart/form-data; boundary=x"}
    response = visitor.client.post("/tables", content=trickle(), headers=headers)
    assert response.status_code == 413
    assert "larger than" in response.text


@pytest.mark.parametrize(
    "body",
    [b"", b"--x\r\n", b"--x\r\nContent-Disposition: form-data\r\n\r\n", b"\x00" * 100],
)
def test_broken_forms_are_refused(visitor, body):
    headers = {"origin": HOST, "content-type": "multipart/form-data; boundary=x"}
    assert visitor.client.post("/tables", content=body, headers=headers).status_code == 422
    headers["content-type"] = "application/json"
    assert visitor.client.post("/tables", content=b"{}", headers=headers).status_code == 422


def test_a_table_with_too_many_cells_is_refused(visitor):
    rows = 1_001
    table = b"d," + b",".join(b"m%d" % i for i in range(1000)) + b"\n"
    table += (b"x" + b",1" * 1000 + b"\n") * rows
    response = visitor.upload(("wide.csv", table))
    assert response.status_code == 422
    assert "at most 1,000,000 are read" in strip_tags(response.text)


def test_a_file_that_unpacks_to_too_much_is_refused(visitor):
    bomb = gzip.compress(b"d,a,b\n" + b"x,1,2\n" * 40_000_000, compresslevel=1)
    assert len(bomb) < page_limits.MOST_UPLOADED
    response = visitor.upload(("bomb.csv.gz", bomb))
    assert response.status_code == 422
    assert "unpacks to" in strip_tags(response.text)


def test_old_uploads_make_room_and_given_tables_stay():
    tables = KeptTables(most=100)
    given = tables.add("given.csv", b"g" * 90, "given")
    first, second, third = (tables.add(f"{i}.csv", b"u" * 45) for i in range(3))
    assert tables.list_tables("uploaded") == [second, third]
    assert tables.list_tables("given") == [given]
    assert first not in tables.list_tables("uploaded")


def misbehave(answer):
    """Stands for what a hostile table might do to its reader; the metric says what."""
    if answer.metric == "sleep":
        time.sleep(600)
    if answer.metric == "die":
        os._exit(1)
    if answer.metric == "fail":
        raise ZeroDivisionError("<b>deep inside</b>")
    return answer


def test_a_worker_that_fails_is_replaced_and_the_page_lives_on(monkeypatch):
    from starlette.testclient import TestClient

    from twofold.page import server

    workers = answer_workers.AnswerWorkers(misbehave, count=1, seconds=600)
    monkeypatch.setattr(server, "AnswerWorkers", lambda *_: workers)
    app = server.make_app(server.ServeOptions(token=TOKEN))
    with TestClient(app, base_url=HOST) as client:
        client.get(f"/?token={TOKEN}")
        visitor = Visitor(client)
        query = visitor.read()
        for metric, status, words in (
            ("fail", 500, "This should not happen: ZeroDivisionError"),
            ("die", 500, "died"),
            ("sleep", 503, "no answer within 0.5 seconds"),
        ):
            # A limit only for what never ends: a busy machine may take long for all else.
            monkeypatch.setattr(workers, "_seconds", 0.5 if metric == "sleep" else 600)
            response = visitor.get(f"/answer?{query}&metric={metric}")
            assert response.status_code == status
            assert words in strip_tags(response.text)
            assert "<b>deep" not in response.text
            assert f"twofold compare scores.csv --metric {metric}" in response.text
        monkeypatch.setattr(workers, "_seconds", 600)
        assert visitor.get(f"/answer?{query}").status_code == 200


def test_workers_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(answer_workers, "MEMORY_FOLDER", str(tmp_path))
    with open_client(count=1) as client:
        client.get(f"/?token={TOKEN}")
        other = Visitor(client)
        assert other.get(f"/answer?{other.read()}").status_code == 200
        (folder,) = tmp_path.iterdir()
        assert not list(folder.iterdir())  # the table was there while it was read, and no longer
        assert folder.stat().st_mode & 0o077 == 0  # nobody else could have looked
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(answer_workers, "MEMORY_FOLDER", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    name = describe_process(ended.pid)
    ended.wait()
    left = tmp_path / f"{answer_workers.PREFIX}{name}_abc"
    mine = tmp_path / f"{answer_workers.PREFIX}{describe_process(os.getpid())}_abc"
    other = tmp_path / "twofold-page-else"
    for folder in (left, mine, other):
        folder.mkdir()
    answer_workers.remove_leftovers(str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([mine.name, other.name])


def test_jobs_never_leave_their_folder(tmp_path, monkeypatch):
    from twofold.page.page_jobs import PageJob

    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "job"
    folder.mkdir()
    do_job(PageJob("answer", (("scores.csv", SCORES),), {}, folder=str(folder)), None)
    assert [path.name for path in tmp_path.iterdir()] == ["job"]
    assert [path.name for path in folder.rglob("*")] == ["tables", "scores.csv"]
