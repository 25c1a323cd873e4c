"""Progress: nothing for two seconds, then how far, how long still, and the answer so far."""

import pytest

from twofold.execution import progress
from twofold.execution.progress import Progress
from twofold.studies import calibrate, study


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 0.0

    monkeypatch.setattr(progress.time, "monotonic", lambda: Clock.now)
    return Clock


def test_lines_say_how_far_and_how_long_still(clock, capsys):
    with Progress(True, "data sets", lambda: ". So far: nothing") as watch:
        watch.begin(40, 100)
        for second in range(1, 21):
            clock.now = float(second)
            watch.add()
    lines = capsys.readouterr().err.splitlines()
    # From the third second on, and not more often than every fifteen.
    assert lines == [
        "42 of 100 data sets, about 58 s left. So far: nothing",
        "58 of 100 data sets, about 42 s left. So far: nothing",
    ]


def test_what_was_done_before_does_not_make_it_look_quick(clock, capsys):
    with Progress(True, "runs") as watch:
        clock.now = 100.0  # the store was read for that long
        watch.begin(90, 100)
        clock.now = 110.0
        watch.add()
    assert capsys.readouterr().err == "91 of 100 runs, about 1:30 min left\n"


def test_nobody_watches(clock, capsys):
    looks = []
    with Progress(None, "runs", lambda: looks.append(1) or "") as watch:
        watch.begin(0, 10)
        clock.now = 60.0
        watch.add()
    assert capsys.readouterr().err == ""
    assert looks == []


def test_looks_take_a_small_part_of_the_time(clock):
    looks = []

    def look():
        looks.append(clock.now)
        clock.now += 3.0
        return ""

    with Progress(False, "runs", look, always=True) as watch:
        watch.begin(0, 1000)
        while clock.now < 150:
            clock.now += 1.0
            watch.add()
    assert looks == [1.0, 64.0, 127.0]


@pytest.mark.parametrize(
    ("function", "options", "words"),
    [
        (
            study,
            {"datasets": 20, "repetitions": 5, "tests": "cv-t@1x3"},
            " of 20 data sets, about ",
        ),
        (calibrate, {"datasets": 20, "design": "1x3"}, "20 of 20 data sets, about 0 s left"),
    ],
)
def test_studies_and_calibrations_show_it(function, options, words, monkeypatch, capsys):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "LINE_EVERY", -1.0)
    monkeypatch.setattr("twofold.studies.study_blocks.RUNS_IN_A_BLOCK", 20)
    learners = {"source": "binary:p=0.5", "learners": ["majority", "tree"], "rows": 30}
    function(**learners, **options, store=":memory:", workers=0, progress=True)
    assert words in capsys.readouterr().err
