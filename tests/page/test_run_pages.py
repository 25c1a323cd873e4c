"""Experiments that are run from the page: what is allowed, one at a time, stopped and gone on."""

import os
import re
import signal
import subprocess
import sys
from urllib.parse import urlencode

import pytest
from held_learner import HeldLearner
from page_visitors import HOST, TOKEN, open_client
from test_hostile_tables import MARKUP, list_dangers
from test_pages import strip_tags

import twofold
from twofold.cli import main
from twofold.execution import open_store
from twofold.page import page_limits, run_queue
from twofold.page.run_address import NOT_CHOSEN_HERE
from twofold.page.run_process import RunJob
from waits import is_gone, wait_until

SMALL = [("learner", "majority"), ("learner", "nb"), ("data", "iris"), ("design", "3x2")]


class Runner:
    """A visitor of a page that may run learners."""

    def __init__(self, client, held=None, store=""):
        self.client, self.held, self.store = client, held, store
        client.get(f"/?token={TOKEN}")

    def post(self, path, pairs, origin=HOST, **options):
        headers = {"origin": origin, "content-type": "application/x-www-form-urlencoded"}
        return self.client.post(path, content=urlencode(pairs), headers=headers, **options)

    def start(self, pairs):
        return self.post("/experiment", pairs)

    def stop(self, pairs):
        return self.post("/experiment/stop", pairs)

    def show(self, pairs):
        return self.client.get(f"/experiment?{urlencode(pairs)}")

    def wait_for(self, pairs, words):
        """Look at an experiment when it has ended: its page says something."""
        runs = [run for run in self.queue.list_runs() if run.query == urlencode(pairs)]
        wait_until(lambda: not runs[0].is_going)
        text = strip_tags(self.show(pairs).text)
        assert words in text
        return text

    @property
    def queue(self):
        return self.client.app._app.state.queue

    def hold(self, **options):
        """An experiment that waits for the held learner."""
        pairs = {"design": "4x2"} | options
        return [
            ("learner", "majority"),
            ("learner", self.held.text),
            ("data", "iris"),
            *pairs.items(),
        ]


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """A page that may run learners, with a store of its own."""
    folder = tmp_path_factory.mktemp("runs")
    held, store = HeldLearner(folder), str(folder / "runs.sqlite")
    learners = (held.text, f"{MARKUP}=svm")
    with open_client(store=store, run=True, learners=learners, count=1) as client:
        yield Runner(client, held, store)


def test_without_permission_nothing_starts(visitor, monkeypatch):
    monkeypatch.setattr(run_queue, "_start_process", None)  # would fail
    reader = Runner(visitor.client)
    for response in (
        reader.show(SMALL),
        reader.start(SMALL),
        reader.stop(SMALL),
        visitor.get("/experiment/file?as=json"),
    ):
        assert response.status_code == 403
        assert "twofold serve --run" in response.text
    assert reader.queue is None
    assert "/experiment" not in visitor.get("/").text


@pytest.mark.parametrize(
    "learner",
    [
        "sklearn.svm.SVC",
        "os:system",
        "held_code.py:Held",
        "../held_code.py:Held",
        "file:///tmp/x.py",
        "nb(k=3)",
        "a=nb",
        " nb",
        "NB",
        "svm",
        "nb\x00",
        MARKUP,
    ],
)
def test_only_learners_that_are_offered_are_run(runner, learner):
    if learner == "svm":  # built in, and beside it the same under a label
        assert runner.show([("learner", "svm"), ("data", "iris")]).status_code == 200
        return
    for response in (
        runner.start([("learner", learner), ("data", "iris")]),
        runner.stop([("learner", learner), ("data", "iris")]),
        runner.show([("learner", learner), ("data", "iris")]),
    ):
        assert response.status_code == 422
        assert "is not offered here" in response.text
        assert list_dangers(response.text) == ["script"]
    assert runner.queue.list_runs() == []


@pytest.mark.parametrize(
    "pair",
    [
        ("data", "/etc/passwd"),
        ("data", "../iris"),
        ("data", "file:iris.csv"),
        ("data", "iris.csv"),
        ("data", "https://example.org/x.csv"),
        ("table", "../../etc/passwd"),
        ("df", "/etc/passwd"),
        ("path", "/etc/passwd"),
        *((name, "x") for name in NOT_CHOSEN_HERE),
    ],
)
def test_no_path_and_no_place_of_this_machine_comes_from_the_page(runner, pair):
    response = runner.start([("learner", "nb"), ("data", "iris"), pair])
    assert response.status_code in (410, 422)
    assert "passwd" not in response.text or "/etc/passwd" in pair[1]
    assert runner.queue.list_runs() == []


def test_writes_need_the_cookie_the_origin_and_a_short_form(runner):
    assert runner.post("/experiment", SMALL, origin="http://evil.example").status_code == 403
    assert runner.post("/experiment/stop", SMALL, origin="null").status_code == 403
    runner.client.cookies.clear()
    assert runner.start(SMALL).status_code == 403
    runner.client.get(f"/?token={TOKEN}")
    assert runner.start([*SMALL, ("metric", "x" * 30_000)]).status_code == 413
    assert runner.client.put("/experiment", headers={"origin": HOST}).status_code == 404
    files = {"learner": (None, "nb"), "data": (None, "iris")}
    response = runner.client.post("/experiment", files=files, headers={"origin": HOST})
    assert response.status_code == 422
    assert runner.start([("learner", "nb")]).status_code == 422  # on what?
    assert runner.queue.list_runs() == []


def test_the_form_offers_what_may_be_run_and_hostile_names_do_no_harm(runner):
    response = runner.client.get("/experiment")
    assert list_dangers(response.text) == ["script"]
    assert "Nothing is kept yet" in runner.client.get("/runs").text
    text = strip_tags(response.text)
    assert "c45 C4.5 as Weka's J48" in text
    assert "breast_cancer" in text
    assert "alert(1)" in text
    upload = runner.client.post(
        "/tables",
        files=[("files", ("<img src=x>.csv", b"a,b,class\n1,2,x\n2,1,y\n"))],
        headers={"origin": HOST},
    )
    key = re.search("table=([0-9a-f]+)", str(upload.url))[1]
    assert "run learners on it" in upload.text
    response = runner.show([("learner", f"{MARKUP}=svm"), ("table", key)])
    assert list_dangers(response.text) == ["script"]
    assert f'value="{key}" checked' in response.text


def test_an_experiment_is_run_kept_and_answered_as_on_the_command_line(runner):
    response = runner.start(SMALL)
    assert str(response.url).endswith(
        "/experiment?learner=majority&learner=nb&data=iris&design=3x2"
    )
    runner.wait_for(SMALL, "Can you trust it?")
    page = runner.show(SMALL).text
    answer = twofold.compare(["majority", "nb"], "iris", design="3x2", store=":memory:")
    assert " ".join(answer.verdict.split()) in strip_tags(page)
    line = f"twofold compare majority nb --data iris --design 3x2 --store {runner.store}"
    assert line in page
    assert "twofold.compare([" in page
    with open_store(runner.store) as opened:
        assert len(opened.tasks()) == 6
    address = re.search(r'/experiment/file\?[^"]*as=json', page)[0].replace("&amp;", "&")
    made = runner.client.get(address)
    assert made.headers["content-disposition"].startswith('attachment; filename="experiment.json"')
    assert made.json()["pairs"][0]["estimate"] == answer.pairs[0].estimate
    assert made.json()["provenance"]["command"] == line
    (run,) = runner.queue.list_runs()
    runner.start(SMALL)
    assert runner.queue.list_runs() == [run]  # it has its answer
    runner.stop(SMALL)
    assert runner.show(SMALL).text == page


def test_dropped_data_is_run_on_under_its_own_name(runner):
    rows = b"a,b,class\n" + b"".join(
        b"%d,%d,%s\n" % (i, i % 3, b"xy"[i % 2 :][:1]) for i in range(40)
    )
    files = [("files", ("mine.csv", rows))]
    upload = runner.client.post("/tables", files=files, headers={"origin": HOST})
    key = re.search("table=([0-9a-f]+)", str(upload.url))[1]
    pairs = [("learner", "majority"), ("learner", "nb"), ("table", key), ("design", "2x2")]
    runner.start(pairs)
    text = runner.wait_for(pairs, "Can you trust it?")
    assert "--data mine.csv" in text
    assert "data set mine by accuracy" in text


def test_learners_that_all_fail_are_told_as_on_the_command_line(runner):
    pairs = [("learner", "perceptron"), ("data", "iris"), ("design", "1x2")]
    runner.start(pairs)
    text = runner.wait_for(pairs, "A learner failed: perceptron on iris")
    assert "This should not happen" not in text
    assert "Start again" in text
    assert runner.show(pairs).status_code == 422


@pytest.fixture
def deaf_run(tmp_path, monkeypatch):
    """An experiment whose process does nothing, and does not stop; and the queue that runs it."""

    def start_deaf(folder):
        return subprocess.Popen([sys.executable, "-c", "while True: pass"], stdin=subprocess.PIPE)

    monkeypatch.setattr(run_queue, "_start_process", start_deaf)
    monkeypatch.setattr(page_limits, "STOPPING_SECONDS", 0.0)
    queue = run_queue.RunQueue()
    queue.open(str(tmp_path))
    run = queue.start(run_queue.PageRun("key", "", "", RunJob((), (), (), {}, "", "")))
    wait_until(lambda: run.status == "running")
    yield queue, run
    queue.close()
    assert is_gone(int(run.process.partition("-")[0]))
    assert not list(tmp_path.iterdir())


def test_a_process_that_does_not_stop_is_killed(deaf_run):
    queue, run = deaf_run
    queue.close()
    assert (run.status, run.problem) == ("stopped", None)


def test_a_process_that_is_killed_by_others_is_told(deaf_run):
    _, run = deaf_run
    os.kill(int(run.process.partition("-")[0]), signal.SIGKILL)
    wait_until(lambda: not run.is_going)
    assert run.status == "failed"
    assert "ended before its time, by signal 9" in run.problem[0]


def test_one_runs_at_a_time_and_each_is_started_once_stopped_and_gone_on(runner, monkeypatch):
    held, first, second = runner.held, runner.hold(), runner.hold(seed=1)
    held.allow(4)
    runner.start(first)
    runner.start(first)
    held.wait(5)
    runner.start(second)
    runner.start(first)
    waiting, running, *_ = runner.queue.list_runs()
    assert [waiting.status, running.status] == ["waiting", "running"]
    assert "It waits for 1 other experiment" in strip_tags(runner.show(second).text)
    monkeypatch.setattr(page_limits, "MOST_WAITING", 1)
    assert runner.start(runner.hold(seed=2)).status_code == 422
    wait_until(lambda: "of 8 runs" in strip_tags(runner.show(first).text))
    assert 'http-equiv="refresh"' in runner.show(first).text
    listed = strip_tags(runner.client.get("/runs").text)
    assert "Look at it, or stop it" in listed
    assert "waiting" in listed
    # An answer that takes too long is given up; the experiment is not.
    workers = runner.client.app._app.state.workers
    monkeypatch.setattr(workers, "_seconds", 0.0)
    assert runner.client.get("/plan?what=items&difference=0.051&discordant=0.2").status_code == 503
    monkeypatch.undo()
    assert running.status == "running"
    process = int(running.process.partition("-")[0])
    for each in (second, second, first, first):
        runner.stop(each)
    assert waiting.status == "stopped"
    assert "Go on" in runner.wait_for(first, "It was stopped.")
    assert is_gone(process)
    with open_store(runner.store) as opened:
        kept = sum(record.task.learner == "held" for record in opened.tasks())
    assert kept > 0
    ended = held.count("ended")
    held.allow(1000)
    runner.start(first)
    runner.wait_for(first, "Can you trust it?")
    assert held.count("ended") - ended == 2 * (4 - kept)  # nothing is done twice


def test_modules_are_never_looked_for_among_uploaded_files(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", "relative", "/absolute"])
    assert run_queue.list_path() == [str(tmp_path), str(tmp_path / "relative"), "/absolute"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--learner", "nb"], "Add --run"),
        (["--run", "--bundle", "x"], "Static files run nothing"),
        (["--run", "--store", ":memory:"], "keeps nothing"),
    ],
)
def test_flags_that_do_not_fit_are_refused(capsys, words, said):
    assert main(["serve", "--no-browser", *words]) == 2
    assert said in capsys.readouterr().err
