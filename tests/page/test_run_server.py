"""Experiments of a real server end with it, however it ends; and are run by clicks in a browser."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest
from held_learner import HeldLearner
from test_real_server import serving

from twofold.execution import open_store
from twofold.page.answer_workers import MEMORY_FOLDER
from waits import is_gone, wait_until

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def list_descendants(number):
    """The processes that a process has started, and those that they have started."""
    children = []
    for listed in Path(f"/proc/{number}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
            children += map(int, listed.read_text().split())
    return [*children, *(each for child in children for each in list_descendants(child))]


def start_experiment(served, *pairs):
    headers = {
        "origin": f"http://127.0.0.1:{served.port}",
        "content-type": "application/x-www-form-urlencoded",
    }
    assert served.ask("POST", "/experiment", urlencode(pairs), headers).status == 303


def count_kept(store):
    if not store.exists():
        return 0
    with open_store(store) as opened:
        return len(opened.tasks())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_ctrl_c_stops_the_experiment_and_leaves_nothing(tmp_path):
    held, store = HeldLearner(tmp_path), tmp_path / "runs.sqlite"
    held.allow(4)
    words = ["--run", "--learner", held.text, "--store", str(store)]
    with serving(*words, folder=tmp_path) as served:
        chosen = [("learner", "majority"), ("learner", held.text), ("data", "iris")]
        start_experiment(served, *chosen, ("design", "3x2"))
        held.wait(5)
        processes = list_descendants(served.process.pid)
        assert len(processes) > 3  # workers of the page, the experiment, and its own workers
        code, _, said = served.stop()
        assert (code, said) == (0, "Stopped. Uploaded tables are gone.\n")
        wait_until(lambda: all(map(is_gone, processes)))
    with open_store(store) as opened:
        assert any(record.task.learner == "held" for record in opened.tasks())
    if os.access(MEMORY_FOLDER, os.W_OK):
        mine = f"-{served.process.pid}-"
        assert not [each for each in os.listdir(MEMORY_FOLDER) if mine in each]


@pytest.fixture
def deaf_to_ctrl_c():
    """Have processes started as in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc")
def test_an_experiment_ends_with_a_server_that_was_killed(tmp_path, deaf_to_ctrl_c):
    store = tmp_path / "runs.sqlite"
    with serving("--run", "--store", str(store)) as served:
        chosen = [("learner", "majority"), ("learner", "nb"), ("data", "digits")]
        start_experiment(served, *chosen, ("design", "9999x10"))  # for hours
        wait_until(lambda: count_kept(store))
        processes = list_descendants(served.process.pid)
        assert served.stop(signal.SIGKILL)[0] == -signal.SIGKILL
        wait_until(lambda: all(map(is_gone, processes)))
    assert count_kept(store)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
@pytest.mark.slow
def test_clicks_start_watch_stop_and_go_on(tmp_path):
    from browser_tabs import follow, open_tab, playwright

    held = HeldLearner(tmp_path)
    held.allow(4)
    words = ["--run", "--learner", held.text, "--store", str(tmp_path / "runs.sqlite")]
    script = os.environ.get("TWOFOLD_AXE")
    with serving(*words) as served, playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        context = browser.new_context(
            viewport={"width": 400, "height": 900}, bypass_csp=bool(script)
        )
        tab = open_tab(context)
        complaints = []
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(served.address)

        def check():
            """The page fits a narrow window, and has no faults for screen readers."""
            assert tab.evaluate("document.documentElement.scrollWidth") <= 400
            for scheme in ("light", "dark") if script else ():
                tab.emulate_media(color_scheme=scheme)
                tab.add_script_tag(path=script)
                found = tab.evaluate("axe.run()")["violations"]
                assert not [(each["id"], each["nodes"][0]["html"]) for each in found]

        follow(tab, "nav >> text=Runs", "**/runs")
        follow(tab, "text=Run an experiment", "**/experiment")
        check()
        tab.check("input[value=majority]")
        tab.check(f"input[value='{held.text}']")
        tab.check("input[value=iris]")
        tab.fill("#field-design", "4x2")
        tab.press("#field-design", "Enter")  # the form is sent by a key
        tab.wait_for_url("**/experiment?learner=majority&*")
        tab.wait_for_selector(".going >> text=of 8 runs")
        address = tab.url
        check()
        tab.goto(f"http://127.0.0.1:{served.port}/runs")
        tab.wait_for_selector("text=Running now")
        check()
        follow(tab, "text=Look at it, or stop it", address)
        tab.click("#stop")
        tab.wait_for_selector(".told >> text=It was stopped.")  # by itself
        check()
        held.allow(1000)
        tab.click("#go-on")
        tab.wait_for_selector(".guards")
        assert tab.url == address
        assert "--design 4x2" in tab.inner_text(".lines")
        tab.reload()
        assert "majority" in tab.inner_text(".verdict")
        check()
        assert not complaints
        browser.close()
