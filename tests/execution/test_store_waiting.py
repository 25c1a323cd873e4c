"""Waiting for a store, with a clock that only pauses move."""

import itertools

import pytest

from twofold.errors import InputError, StoreUnavailable
from twofold.execution import store_waiting
from twofold.execution.store_waiting import keep_trying


class Clock:
    def __init__(self, monkeypatch):
        self.now = 0.0
        self.pauses = []
        monkeypatch.setattr(store_waiting.time, "monotonic", lambda: self.now)

    def pause(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def fail_until(clock, moment):
    def call():
        if clock.now < moment:
            raise StoreUnavailable("The store does not answer.", "Look for it.")
        return "done"

    return call


def test_what_works_is_called_once(clock):
    calls = itertools.count(1)
    assert keep_trying(lambda: next(calls), pause=clock.pause) == 1
    assert clock.pauses == []


def test_pauses_grow_and_a_line_now_and_then_tells_of_them(clock):
    lines = []
    call = fail_until(clock, 300)
    assert keep_trying(call, tell=lines.append, pause=clock.pause) == "done"
    assert 0.05 <= clock.pauses[0] <= 0.15
    assert all(5 <= pause <= 15 for pause in clock.pauses[7:])
    assert lines[0].startswith("The store does not answer. Trying again for 9:5")
    assert lines[-1] == "The store answers again."
    assert 5 < len(lines) < 22


def test_a_short_outage_is_not_worth_a_line(clock):
    lines = []
    assert keep_trying(fail_until(clock, 1), tell=lines.append, pause=clock.pause) == "done"
    assert lines == []


def test_patience_ends_in_two_lines(clock):
    with pytest.raises(StoreUnavailable) as caught:
        keep_trying(fail_until(clock, 1e9), patience=60, tell=lambda _: None, pause=clock.pause)
    assert str(caught.value) == "The store does not answer.\nTried for 1:00 min. Look for it."
    assert clock.now == 60


def test_other_errors_are_not_waited_for(clock):
    def refuse():
        raise InputError("No.", "Not.")

    with pytest.raises(InputError, match=r"^No\.\nNot\.$"):
        keep_trying(refuse, pause=clock.pause)
    assert clock.pauses == []


def test_the_variable_says_how_long(clock, monkeypatch):
    monkeypatch.setenv("TWOFOLD_STORE_WAIT", "0")
    with pytest.raises(StoreUnavailable, match="Look"):
        keep_trying(fail_until(clock, 1), pause=clock.pause)
    for text in ("soon", "-1", "inf", "nan"):
        monkeypatch.setenv("TWOFOLD_STORE_WAIT", text)
        with pytest.raises(InputError, match="number of seconds"):
            keep_trying(fail_until(clock, 1), pause=clock.pause)


def test_by_default_it_is_told_on_standard_error(clock, capsys):
    assert keep_trying(fail_until(clock, 20), pause=clock.pause) == "done"
    assert capsys.readouterr().err.splitlines()[-1] == "The store answers again."
