"""Hundreds of files of other tools, changed at random, are read right or refused in two lines."""

import json

import fuzz_files
import numpy as np
import pytest


def test_some_hundred_changed_files():
    tally, wrong = fuzz_files.count(440)
    assert wrong == []
    for name in fuzz_files.FORMATS:  # a reader that refused everything would be of no use
        assert tally[name, "right"] > 5
        assert tally[name, "refused"] > 5


@pytest.mark.slow
def test_ten_thousand_changed_files():
    assert fuzz_files.count(10_000)[1] == []


def test_a_wrong_reading_is_noticed(tmp_path, monkeypatch):
    """The judge itself can fail: a parser that says something else makes a reading wrong."""
    write, say = fuzz_files.FORMATS["lm-eval samples"]
    monkeypatch.setattr(fuzz_files, "change_file", lambda path, rng: None)
    assert fuzz_files.judge("lm-eval samples", np.random.default_rng(1), tmp_path)[0] == "right"

    def lie(paths):
        cells = say(paths)
        return cells | {next(iter(cells)): 0.25}

    monkeypatch.setitem(fuzz_files.FORMATS, "lm-eval samples", (write, lie))
    assert fuzz_files.judge("lm-eval samples", np.random.default_rng(1), tmp_path)[0] == "wrong"

    def add(paths):
        return say(paths) | {("C", "quiz", json.dumps(9)): 0.25}

    monkeypatch.setitem(fuzz_files.FORMATS, "lm-eval samples", (write, add))
    assert fuzz_files.judge("lm-eval samples", np.random.default_rng(1), tmp_path)[0] == "wrong"
