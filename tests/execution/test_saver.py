"""Finished work is saved by a thread; what goes wrong there is heard once, where work is added."""

import threading

import numpy as np
import pytest

from twofold.errors import InputError, StoreUnavailable
from twofold.execution import saver as module
from twofold.execution.saver import Saver


class Sheet:
    """Records what it is given, when the gate is open."""

    def __init__(self, error=None):
        self.batches = []
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.error = error

    def put(self, items):
        self.entered.set()
        self.gate.wait()
        if self.error is not None:
            raise self.error
        self.batches.append([label for label, _ in items])


def value(size=1):
    return {"x": np.zeros(size)}


def test_what_gathers_during_a_write_is_written_together(monkeypatch):
    monkeypatch.setattr(module, "GATHER", 0.0)
    sheet = Sheet()
    with Saver(sheet) as saver:
        saver.add(0, value())
        sheet.entered.wait()
        for label in range(1, 5):
            saver.add(label, value())
        sheet.gate.set()
    assert sheet.batches == [[0], [1, 2, 3, 4]]


def test_all_is_saved_whatever_ends_the_work():
    sheet = Sheet()
    sheet.gate.set()

    def stop_in_the_middle():
        with Saver(sheet) as saver:
            saver.add(0, value())
            saver.add(1, value())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop_in_the_middle()
    assert [label for batch in sheet.batches for label in batch] == [0, 1]


def test_an_error_of_the_store_is_raised_once():
    sheet = Sheet(InputError("There is no space left.", "Make space."))
    sheet.gate.set()
    saver = Saver(sheet)
    saver.add(0, value())

    def check_until_it_fails():
        while True:
            saver.check()

    with pytest.raises(InputError, match="no space left"):
        check_until_it_fails()
    saver.close()


def test_an_error_at_the_end_is_raised_too():
    sheet = Sheet(InputError("There is no space left.", "Make space."))
    sheet.gate.set()
    with pytest.raises(InputError, match="no space left"), Saver(sheet) as saver:
        saver.add(0, value())


class Away(Sheet):
    """Does not answer the first few times."""

    def __init__(self, times):
        super().__init__()
        self.gate.set()
        self.times = times

    def put(self, items):
        self.entered.set()
        if self.times > 0:
            self.times -= 1
            raise StoreUnavailable("The database does not answer.", "Start it.")
        super().put(items)


def test_a_store_that_is_away_is_tried_again():
    sheet = Away(2)
    with Saver(sheet) as saver:
        saver.add(0, value())
        saver.add(1, value())
    assert [label for batch in sheet.batches for label in batch] == [0, 1]


def test_who_is_stopped_does_not_wait_for_a_store_that_is_away():
    sheet = Away(10**9)

    def stop_in_the_middle():
        with Saver(sheet) as saver:
            saver.add(0, value())
            sheet.entered.wait()
            raise KeyboardInterrupt

    with pytest.raises(InputError, match="not saved: 1"):
        stop_in_the_middle()


def test_work_waits_where_too_much_is_unsaved(monkeypatch):
    monkeypatch.setattr(module, "MOST_UNSAVED", 100)
    sheet = Sheet()
    with Saver(sheet) as saver:
        saver.add(0, value(5))
        adding = threading.Thread(target=saver.add, args=(1, value(20)))
        adding.start()
        sheet.entered.wait()
        adding.join(0.05)
        assert adding.is_alive()
        sheet.gate.set()
        adding.join()
    assert [label for batch in sheet.batches for label in batch] == [0, 1]
