"""Records that someone else wrote: with a checksum that fits, and anything behind it."""

import json
import math
import tracemalloc
import zlib

import numpy as np
import pytest

import twofold
from twofold.errors import InputError
from twofold.execution.packing import _HEAD, FORM, MAGIC, pack_arrays, unpack_arrays
from twofold.execution.store import open_store
from twofold.execution.stored_values import fits_task
from twofold.execution.task import Outcome


def forge(header, numbers=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return forge_content(len(text).to_bytes(4, "little") + text + numbers)


def forge_content(content):
    packed = zlib.compress(content)
    return _HEAD.pack(MAGIC, FORM, zlib.crc32(packed)) + packed


FORGED = {
    "nothing": forge_content(b""),
    "no header": forge_content(b"\xff\xff\xff\xff"),
    "a long header": forge(b"[" + b" " * 10**6 + b"]"),
    "a deep header": forge(b"[" * 20_000),
    "a number": forge(3),
    "an entry of nothing": forge([[]]),
    "names that are none": forge([[3, "<i4", 1]], bytes(4)),
    "objects": forge([["a", "|O8", 1]], bytes(8)),
    "records": forge([["a", "<i4,<i4", 1]], bytes(8)),
    "complex numbers": forge([["a", "<c8", 1]], bytes(8)),
    "a type that is none": forge([["a", "<q", 1]], bytes(8)),
    "a negative size": forge([["a", "<i4", -1]], bytes(4)),
    "half a row": forge([["a", "<i4", 0.5]], bytes(4)),
    "too little": forge([["a", "<i4", 3]], bytes(8)),
    "too much": forge([["a", "<i4", 3]], bytes(16)),
    "more than memory": forge([["a", "<i8", 10**6, 10**6, 10**6]], bytes(8)),
    "many digits": forge(b'[["a", "<i8", 1' + b"0" * 5000 + b"]]"),
    "many axes": forge([["a", "|i1", *[1] * 100]], bytes(1)),
    "zero of many": forge([["a", "|i1", 0, 10**30]]),
    "a number as bytes": 10**12,
    "text": "text",
    "none": None,
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_records_are_damaged(name):
    with pytest.raises(InputError, match="damaged"):
        unpack_arrays(FORGED[name])


def test_records_of_version_1_know_no_key():
    data = pack_arrays({"a": np.arange(3)})
    old = _HEAD.pack(MAGIC, 1, zlib.crc32(data[_HEAD.size :])) + data[_HEAD.size :]
    assert unpack_arrays(old, "any key")["a"].tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="damaged"):
        unpack_arrays(data, "any key")


def test_a_bomb_is_not_unpacked():
    bomb = forge([["a", "|i1", 100]], bytes(50_000_000))
    assert len(bomb) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="damaged"):
            unpack_arrays(bomb)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def packed(**changes):
    arrays = {
        "": np.array([2, 2], dtype=np.int32),
        " ": np.array([0.5, 0.25]),
        "predict": np.array([0, 1, 0, 1], dtype=np.int8),
    }
    arrays |= {{"sizes": "", "seconds": " "}.get(name, name): v for name, v in changes.items()}
    return pack_arrays({name: np.asarray(v) for name, v in arrays.items() if v is not None})


@pytest.mark.parametrize(
    "changes",
    [
        {"sizes": None},
        {"seconds": None},
        {"predict": None},
        {"sizes": [-2, 6]},
        {"sizes": [2.0, 2.0]},
        {"sizes": 4, "seconds": 1.0},
        {"sizes": [[2, 2]], "seconds": [[1.0, 1.0]]},
        {"sizes": [2**62, 2**62, 4], "seconds": [1.0, 1.0, 1.0]},
        {"sizes": [2, 1]},
        {"seconds": [math.nan, 1]},
        {"seconds": [math.inf, 1]},
        {"seconds": [-1.0, 1]},
        {"seconds": [1.0]},
        {"predict": 3},
        {"extra": [1.0]},
    ],
)
def test_outcomes_that_cannot_be(changes):
    with pytest.raises(InputError, match="damaged"):
        Outcome.unpack(packed(**changes))
    assert Outcome.unpack(packed()).folds()[1].tolist() == [0, 1]


PROBA = [[0.5, 0.25, 0.25]] * 4


@pytest.mark.parametrize(
    ("responses", "fits"),
    [
        ({}, True),
        ({"predict": [0, 1, 2, 2]}, True),
        ({"predict": [0, 1, 2, 3]}, False),
        ({"predict": [0, 1, 2, -1]}, False),
        ({"predict": [0.0, 1, 2, 1]}, False),
        ({"predict": [[0], [1], [2], [2]]}, False),
        ({"predict_proba": PROBA}, True),
        ({"predict_proba": np.array(PROBA)[:, :2]}, False),
        ({"predict_proba": -np.array(PROBA)}, False),
        ({"predict_proba": 2 * np.array(PROBA)}, False),
        ({"predict_proba": [0.5] * 4}, False),
        ({"decision_function": [0.5, math.nan, 1, 1]}, False),
        ({"decision_function": np.zeros((4, 3))}, True),
        ({"decision_function": np.zeros((4, 9))}, False),
        ({"decision_function": np.zeros((4, 3, 1))}, False),
    ],
)
def test_outcomes_that_do_not_fit_the_data(responses, fits):
    data = twofold.read_dataset("iris")
    outcome = Outcome.unpack(packed(**responses))
    assert fits_task(outcome, np.array([2, 2]), data) is fits
    assert not fits_task(outcome, np.array([3, 1]), data)


def test_a_run_does_not_believe_a_store_and_mends_it(tmp_path):
    """Whatever is wrong with a record, the scores are those of a run without a store."""
    file = tmp_path / "runs.sqlite"
    options = {"design": "2x3", "workers": 0}
    right = twofold.run(["nb"], "iris", store=file, **options)
    with open_store(file) as store:
        keys = [record.task.key for record in store.tasks()]
        tasks = {record.task.key: record.task for record in store.tasks()}
        good = dict(store.get(keys))
        one, other = keys
        wrong_folds = Outcome({"predict": np.zeros(150, int)}, np.full(2, 75), np.zeros(2))
        predict = good[other].responses["predict"].copy()
        predict[0] = 77
        wrong_class = Outcome({"predict": predict}, good[other].sizes, good[other].seconds)
        store.put([(tasks[one], wrong_folds), (tasks[other], wrong_class)])
    again = twofold.run(["nb"], "iris", store=file, **options)
    assert np.array_equal(again.value, right.value)
    with open_store(file) as store:
        for key in keys:
            healed = store.get([key])[key]
            assert np.array_equal(healed.responses["predict"], good[key].responses["predict"])


def test_a_study_does_not_believe_a_store(tmp_path):
    file = tmp_path / "runs.sqlite"
    options = {"rows": 50, "datasets": 20, "tests": "cv-t@1x10", "store": file, "workers": 0}
    right = twofold.study("task1", **options).rows
    with open_store(file) as store:
        parts = [record.part for record in store.arrays.parts()]
        for part in parts:
            good = dict(store.arrays.get([part.key])[part.key])
        for change in (
            {},
            {"only_a": good["only_a"]},
            {**good, "size": np.zeros_like(good["size"])},
            {**good, "both": good["both"][:, :, :, :3]},
            {**good, "only_b": good["only_b"] + 1000},
        ):
            store.arrays.put([(part, change) for part in parts])
            assert twofold.study("task1", **options).rows == right
