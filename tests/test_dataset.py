"""What every data set looks like."""

from dataclasses import replace

import numpy as np

from twofold.dataset import Attribute, Dataset


def small() -> Dataset:
    return Dataset(
        name="small",
        attributes=(Attribute("size"), Attribute("colour", ("red", "blue"))),
        X=np.array([[1.5, 0.0], [np.nan, 1.0], [-0.0, np.nan]]),
        y=np.array([1, 0, 1]),
        classes=("no", "yes"),
    )


def test_labels_are_words():
    assert small().labels.tolist() == ["yes", "no", "yes"]
    assert small().classification
    assert small().attributes[1].nominal


def test_the_fingerprint_sees_content_and_not_the_name():
    one = small()
    assert replace(one, name="other").fingerprint == one.fingerprint
    assert replace(one, X=one.X.copy()).fingerprint == one.fingerprint
    assert replace(one, X=np.asfortranarray(one.X)).fingerprint == one.fingerprint
    assert replace(one, X=one.X + 1).fingerprint != one.fingerprint
    assert replace(one, y=one.y[::-1].copy()[[1, 0, 2]]).fingerprint != one.fingerprint
    assert replace(one, groups=np.array([0, 0, 1])).fingerprint != one.fingerprint
    assert replace(one, classes=("no", "maybe")).fingerprint != one.fingerprint


def test_zero_has_one_sign_and_missing_one_kind():
    one = small()
    other = one.X.copy()
    other[2, 0] = 0.0
    other[1, 0] = -np.nan
    assert replace(one, X=other).fingerprint == one.fingerprint
