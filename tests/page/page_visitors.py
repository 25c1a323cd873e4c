"""Visitors of the page in tests: with real workers, without a network."""

from contextlib import contextmanager
from pathlib import Path

import pytest

for library in ("starlette", "python_multipart", "httpx"):
    pytest.importorskip(library, reason="the extra `page` (and httpx) is not installed")

HOST = "http://127.0.0.1:8723"
TOKEN = "the-token"
SCORES = (Path(__file__).parents[2] / "docs" / "tutorial" / "scores.csv").read_bytes()


class Visitor:
    """A browser without a window: cookies, redirections and the origin of its forms."""

    def __init__(self, client):
        self.client = client

    def get(self, address, **options):
        return self.client.get(address, **options)

    def upload(self, *files, origin=HOST, text="", **headers):
        """Send files, pairs of name and content, as the form of the first page does."""
        parts = [("files", (name, content)) for name, content in files]
        return self.client.post(
            "/tables",
            files=parts or [("files", ("", b""))],  # a form with no file chosen
            data={"pasted": text} if text else None,
            headers={"origin": origin, **headers},
        )

    def read(self, content=SCORES, name="scores.csv"):
        """Upload a table, and return the query of its address."""
        response = self.upload((name, content))
        return response.url.query.decode()


@contextmanager
def open_client(
    files=(), host="127.0.0.1", base_url=HOST, store="", run=False, learners=(), **limits
):
    """A client of a page of its own, which was not let in yet; ``run`` lets it run learners."""
    from starlette.testclient import TestClient

    from twofold.cli.serve_command import phrase_as_compare
    from twofold.page.server import ServeOptions, make_app

    options = ServeOptions(files, host, token=TOKEN, store=store, run=run, learners=learners)
    app = make_app(options, phrase_as_compare, **limits)
    with TestClient(app, base_url=base_url) as client:
        yield client
