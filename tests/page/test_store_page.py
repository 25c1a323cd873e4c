"""Runs that are kept, to look at."""

import pytest
from page_visitors import HOST, TOKEN, open_client
from test_hostile_tables import MARKUP, list_dangers
from test_pages import strip_tags

import twofold
from twofold.execution import open_store, work_notices
from twofold.execution.work_notices import WorkFacts, list_notices, post_notice
from twofold.learners.majority import Majority
from waits import wait_until


@pytest.fixture
def store(tmp_path):
    return tmp_path / "runs.sqlite"


def test_runs_of_the_store_are_listed_and_nothing_is_changed(store):
    twofold.run({MARKUP: Majority()}, "iris", design="2x2", store=str(store), workers=0)
    with open_client(store=str(store), count=1) as client:
        client.get(f"/?token={TOKEN}")
        response = client.get("/runs")
        text = strip_tags(response.text)
        assert f"iris {' '.join(MARKUP.split())} folds:2 0 2" in text
        assert str(store) in text
        assert list_dangers(response.text) == ["script"]
        twofold.run(["majority"], "wine", design="2x2", store=str(store), workers=0)
        assert "wine majority" in strip_tags(client.get("/runs").text)  # never an old answer
        assert client.get("/runs?store=/etc/passwd").text.count("passwd") == 0
        assert client.post("/runs", headers={"origin": HOST}).status_code == 404


def test_a_store_that_is_not_there_is_said_to_be(tmp_path):
    with open_client(store=str(tmp_path / "none.sqlite"), count=1) as client:
        client.get(f"/?token={TOKEN}")
        response = client.get("/runs")
        assert response.status_code == 422
        assert "There is no store at" in response.text
        assert not list(tmp_path.iterdir())


def test_what_runs_in_the_store_is_shown_whoever_started_it(store, monkeypatch):
    monkeypatch.setattr(work_notices, "FIRST_AFTER", 0.0)
    facts = WorkFacts(MARKUP, "twofold compare …", "runs", 3, 20, 65.0, True, "So far: A.", 5.0)
    with open_store(store) as opened, open_client(store=str(store), count=1) as client:
        client.get(f"/?token={TOKEN}")
        assert "Running now" not in client.get("/runs").text
        notice = post_notice(opened, lambda: facts)
        wait_until(lambda: list_notices(opened))
        response = client.get("/runs")
        text = strip_tags(response.text)
        assert list_dangers(response.text) == ["script"]
        assert "3 of at most 20 runs" in text
        assert "at most about 1:05 min left So far: A." in text
        assert "twofold compare …" in text
        assert 'http-equiv="refresh"' in response.text  # for browsers without scripts
        notice.close()
        assert "Running now" not in client.get("/runs").text
