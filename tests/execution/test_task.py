"""Tasks, their keys, and outcomes as bytes."""

import hashlib
import json
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from twofold.errors import InputError, TwofoldError
from twofold.execution.task import Outcome, Task, splits_digest

TASK = Task("iris", "f", "nb", "k", "10x10 cv", 1, 2, "s")


def test_the_key_is_a_digest_of_what_decides_the_predictions():
    expected = hashlib.sha256(json.dumps([2, "f", "k", "10x10 cv", 1, 2, "s"]).encode())
    assert TASK.key == expected.hexdigest()


@pytest.mark.parametrize("name", [field.name for field in fields(Task)])
def test_every_part_but_names_changes_the_key(name):
    value = getattr(TASK, name)
    other = replace(TASK, **{name: value + (1 if isinstance(value, int) else "x")})
    assert (other.key == TASK.key) == (name in ("dataset", "learner"))


def test_whole_numbers_of_numpy_make_the_same_key():
    assert replace(TASK, seed=np.int64(1), run=np.int32(2)).key == TASK.key


def test_other_splits_have_another_digest():
    folds = [([0, 1], [2, 3]), ([2, 3], [0, 1])]
    assert splits_digest(folds) == splits_digest([(np.array(a), np.array(b)) for a, b in folds])
    others = [
        folds[::-1],
        [([0, 1], [3, 2]), folds[1]],
        [([0], [2, 3]), folds[1]],
        [([0, 1], [2]), ([3, 2, 3], [0, 1])],
        folds[:1],
    ]
    assert len({splits_digest(one) for one in [folds, *others]}) == 6


@given(
    arrays(np.float64, array_shapes(min_dims=1, max_dims=2, min_side=1)),
    st.sampled_from([1, 100, 40_000, 2**31, 2**40]),
)
def test_packing_keeps_every_bit(values, largest):
    codes = np.arange(len(values)) * largest
    one = Outcome({"predict": codes, "predict_proba": values}, [len(values)], [0.25])
    two = Outcome.unpack(one.pack())
    assert np.array_equal(two.responses["predict"], codes)
    for name in one.responses:
        assert two.responses[name].dtype == one.responses[name].dtype
        assert two.responses[name].tobytes() == one.responses[name].tobytes()
        assert two.responses[name].shape == one.responses[name].shape
    assert two.seconds.tolist() == [0.25]
    assert two.sizes.tolist() == [len(values)]


def test_codes_take_one_byte_each():
    assert Outcome({"predict": np.array([0, 127])}, [2], [0.0]).responses["predict"].itemsize == 1
    assert Outcome({"predict": np.array([0, 128])}, [2], [0.0]).responses["predict"].itemsize == 2
    assert Outcome({"predict": np.array([True, False])}, [2], [0.0]).responses["predict"].sum() == 1


def test_any_changed_byte_is_noticed():
    data = Outcome({"predict": np.arange(20)}, [20], [1.0]).pack()
    for place in range(len(data)):
        broken = data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]
        with pytest.raises(InputError):
            Outcome.unpack(broken)
    for length in range(len(data)):
        with pytest.raises(InputError):
            Outcome.unpack(data[:length])


def test_a_newer_form_says_so():
    data = bytearray(Outcome({"predict": np.arange(3)}, [3], [1.0]).pack())
    data[2] = 9
    with pytest.raises(InputError, match="it has form 9"):
        Outcome.unpack(bytes(data))


def test_folds():
    one = Outcome({"predict": np.arange(6)}, [1, 2, 3], [0, 0, 0])
    assert [fold.tolist() for fold in one.folds()] == [[0], [1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("responses", "sizes", "seconds"),
    [
        ({}, [1], [1]),
        ({"predict": [1, 2]}, [1], [1]),
        ({"predict": [1, 2]}, [1, 1], [1]),
        ({"predict": ["a", "b"]}, [1, 1], [1, 1]),
        ({"predict": [1, 2], "predict_proba": [[1, 0]]}, [1, 1], [1, 1]),
    ],
)
def test_outcomes_that_do_not_fit_together(responses, sizes, seconds):
    with pytest.raises(TwofoldError):
        Outcome(responses, sizes, seconds)


def test_responses_of_one_fit_stay_together():
    old = Outcome({"predict": np.array([0, 1])}, [2], [1.0])
    new = Outcome({"predict": np.array([1, 1]), "predict_proba": np.eye(2)}, [2], [2.0])
    assert old.merge(new) is new
    assert new.merge(old) is old  # they predict differently: the last one counts
    same = replace(old, responses={"predict": np.array([1, 1])})
    assert new.merge(same) is new
    assert old.merge(replace(old, seconds=np.array([9.0]))) is old
