"""The source `halves`: an exact null hypothesis with signal."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import twofold
from twofold.errors import InputError
from twofold.learners.half import Half
from twofold.seeds import rng
from twofold.simulation import HalvesSource, read_source


def test_the_name_gives_the_source_again():
    for text in ("halves", "halves:0.8", "halves:signal=0:attributes=4"):
        source = read_source(text)
        assert read_source(source.name) == source
    assert read_source("halves:0.8:4") == HalvesSource(0.8, 4)


@pytest.mark.parametrize("text", ["halves:attributes=5", "halves:attributes=0", "halves:signal=-1"])
def test_what_has_no_halves_is_refused(text):
    with pytest.raises(InputError):
        read_source(text)


@pytest.mark.parametrize("signal", [0.0, 0.5, 2.0])
def test_attributes_are_exchangeable_given_the_class(signal):
    """Means, variances and all covariances are those of any other order of the columns.

    Normal numbers are known by these. 200,000 rows: within five standard errors.
    """
    X, y = HalvesSource(signal, 6).draw_many(1, 200_000, rng(1, "law"))
    assert y.mean() == pytest.approx(0.5, abs=0.006)
    for label in (0, 1):
        part = X[0][y[0] == label]
        error = 1 / np.sqrt(len(part))
        np.testing.assert_allclose(part.mean(axis=0), signal * (label - 0.5), atol=5 * error)
        np.testing.assert_allclose(np.cov(part.T), np.eye(6), atol=8 * error)


def test_no_classifier_exceeds_the_stated_accuracies():
    source = HalvesSource(1.0, 6)
    X, y = source.draw_many(1, 100_000, rng(2, "accuracy"))
    for columns, best in (
        (slice(0, 6), source.bayes_accuracy),
        (slice(3, 6), source.half_accuracy),
    ):
        fitted = LinearDiscriminantAnalysis().fit(X[0][:50_000, columns], y[0][:50_000])
        assert fitted.score(X[0][50_000:, columns], y[0][50_000:]) == pytest.approx(best, abs=0.008)


OPTIONS = {"rows": 60, "datasets": 12, "repetitions": 2, "store": ":memory:", "workers": 0}


def test_one_learner_is_both_and_the_null_is_known():
    found = twofold.study("halves", "majority", tests="cv-t", **OPTIONS)
    assert found.learners == ("majority, first half", "majority, second half")
    assert all(row.null is True for row in found.rows)
    by_hand = {
        name: Half(twofold.learners.read_learner("nb").estimator, part=name)
        for name in ("first", "second")
    }
    same = twofold.study("halves", by_hand, tests="cv-t", **OPTIONS)
    short = twofold.study("halves", ["nb"], tests="cv-t", **OPTIONS)
    assert same.rows[0] == short.rows[0]


def test_two_learners_or_other_sources_are_no_null():
    found = twofold.study("halves", ["nb", "majority"], tests="cv-t", **OPTIONS)
    assert found.rows[0].null is None
    with pytest.raises(InputError, match="two learners, got 1"):
        twofold.study("binary", ["nb"], tests="cv-t", **OPTIONS)
    with pytest.raises(InputError, match="two learners, got 1"):
        twofold.study(["halves", "binary"], ["nb"], tests="cv-t", **OPTIONS)
