"""Naive Bayes by LOESS against R's lowess, numpy's weighted lines, and a plain reckoning."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.kernels.loess import loess_curve
from twofold.learners.loess_naive_bayes import LoessNaiveBayes, bend

R = Path(__file__).parents[1] / "reference" / "loess.csv"


@parametrize_with_checks([LoessNaiveBayes()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def curve(x, y, share, classes=2):
    value, place = np.unique(x, return_inverse=True)
    count = np.zeros((len(value), classes), dtype=np.int64)
    np.add.at(count, (place, y), 1)
    heights = np.empty((len(value), classes))
    loess_curve(value, count, share, heights)
    return value, heights, place


@pytest.mark.parametrize(("column", "share"), [("half", 0.5), ("fifth", 0.2)])
def test_curve_as_lowess_of_r(column, share):
    table = np.genfromtxt(R, delimiter=",", names=True)
    _, heights, place = curve(table["x"], table["y"].astype(int), share)
    np.testing.assert_allclose(heights[place, 1], table[column], atol=1e-11)


@given(st.integers(0, 1000), st.integers(5, 60), st.sampled_from([0.3, 0.5, 1.0]))
def test_curve_as_weighted_lines_of_numpy(seed, rows, share):
    rng = np.random.default_rng(seed)
    x, y = np.round(rng.normal(size=rows), 1), rng.integers(0, 3, rows)
    value, heights, _ = curve(x, y, share, 3)
    need = max(3, int(np.ceil(rows * share - 1e-9)))
    for at, got in zip(value, heights, strict=True):
        away = np.abs(x - at)
        width = np.sort(away)[min(need, rows) - 1]
        inside = away < width
        weight = (1 - (away[inside] / width) ** 3) ** 3 if width else np.ones(inside.sum())
        if len(set(x[inside])) < 2:  # no line is determined: the mean
            inside = away < width if width else away == 0
            want = [np.average(y[inside] == c, weights=weight) for c in range(3)]
            np.testing.assert_allclose(got, want, atol=1e-9)
            continue
        for c in range(3):
            line = np.polyfit(x[inside] - at, y[inside] == c, 1, w=np.sqrt(weight))
            assert got[c] == pytest.approx(line[1], abs=1e-7)


def test_bending_by_hand():
    # From Orange: 1 / (1 + 9 · 9^(10 (0.1 − p))) below 0.1, and the same from the other end.
    np.testing.assert_allclose(bend(np.array([0.1, 0.5, 0.9])), [0.1, 0.5, 0.9])
    np.testing.assert_allclose(bend(np.array([0.0, 1.0, -0.1])), [1 / 82, 81 / 82, 1 / 730])
    ends = bend(np.array([-1e9, 1e9]))
    assert 0 < ends[0] < 1e-300
    assert ends[1] == 1.0


@given(datasets())
def test_chances_as_reckoned_by_hand(dataset):
    learner = LoessNaiveBayes(**LoessNaiveBayes.parameters_of(dataset))
    learner.fit(dataset.X[3:], dataset.y[3:])
    y = dataset.y[3:]
    classes = len(dataset.classes)
    prior = np.bincount(y, minlength=classes) / len(y)
    for row, got in zip(dataset.X[:3], learner.predict_proba(dataset.X[:3]), strict=True):
        chance = prior.copy()
        for a, attribute in enumerate(dataset.attributes):
            column = dataset.X[3:, a]
            known = ~np.isnan(column)
            if np.isnan(row[a]) or len(set(column[known])) < (1 if attribute.nominal else 2):
                continue
            if attribute.nominal:
                if not (column == row[a]).any():
                    continue
                n = np.bincount(y[column == row[a]], minlength=classes)
                here = (n + 2 * prior) / (n.sum() + 2)
            else:
                value, heights, _ = curve(column[known], y[known], 0.5, classes)
                heights = bend(heights)
                heights /= heights.sum(axis=1, keepdims=True)
                above = np.searchsorted(value, row[a])
                if above == 0 or above == len(value):
                    here = heights[min(above, len(value) - 1)]
                else:
                    t = (row[a] - value[above - 1]) / (value[above] - value[above - 1])
                    here = (1 - t) * heights[above - 1] + t * heights[above]
            chance = np.divide(chance * here, prior, out=np.zeros(classes), where=prior > 0)
        np.testing.assert_allclose(got, chance / chance.sum(), atol=1e-9)


@given(datasets(), st.integers(0, 100), st.sampled_from([0.3, 0.5, 1.0]))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, share):
    learner = LoessNaiveBayes(share=share, **LoessNaiveBayes.parameters_of(dataset))
    fold_of_row = folds(seed, dataset.rows)
    expected = by_fitting(learner, dataset, fold_of_row)
    np.testing.assert_array_equal(learner.predict_folds(dataset, fold_of_row), expected)


def test_whole_cross_validation_of_more_rows():
    dataset = mixed(6, 300, [0, 4, 0, 2], 3, missing=0.1)
    learner = LoessNaiveBayes(**LoessNaiveBayes.parameters_of(dataset))
    fold_of_row = folds(3, dataset.rows, runs=4, k=10)
    fold_of_row[1, :40] = -1  # always learnt from, never tested
    expected = by_fitting(learner, dataset, fold_of_row)
    for threads in (1, 3):
        said = learner.predict_folds(dataset, fold_of_row, threads=threads)
        np.testing.assert_array_equal(said, expected)
    assert (expected[1, :40] == -1).all()
    assert len(np.unique(expected)) == 4


def test_whole_cross_validation_of_nothing_but_nominal_values():
    dataset = mixed(8, 120, [3, 2, 4], 2)
    learner = LoessNaiveBayes(**LoessNaiveBayes.parameters_of(dataset))
    fold_of_row = folds(5, dataset.rows, runs=2, k=5)
    expected = by_fitting(learner, dataset, fold_of_row)
    np.testing.assert_array_equal(learner.predict_folds(dataset, fold_of_row), expected)


@given(datasets(), st.integers(0, 100))
def test_order_of_rows_does_not_matter(dataset, seed):
    order = np.random.default_rng(seed).permutation(dataset.rows)
    learner = LoessNaiveBayes(**LoessNaiveBayes.parameters_of(dataset))
    one = learner.fit(dataset.X, dataset.y).predict_proba(dataset.X)
    other = learner.fit(dataset.X[order], dataset.y[order]).predict_proba(dataset.X)
    np.testing.assert_array_equal(one, other)


@given(datasets())
def test_attributes_that_say_nothing_change_nothing(dataset):
    values = [len(a.values or ()) for a in dataset.attributes]
    rows = dataset.rows
    nothing = np.column_stack([np.full(rows, 7.0), np.full(rows, np.nan), np.full(rows, np.nan)])
    more = made(
        np.hstack([dataset.X, nothing]), [*values, 0, 0, 3], dataset.y, len(dataset.classes)
    )
    said = [
        LoessNaiveBayes(**LoessNaiveBayes.parameters_of(one)).fit(one.X, one.y).predict_proba(one.X)
        for one in (dataset, more)
    ]
    np.testing.assert_array_equal(*said)


def test_doubled_rows_keep_the_curve():
    dataset = mixed(4, 60, [0, 0], 3)
    X, y = np.repeat(dataset.X, 2, axis=0), np.repeat(dataset.y, 2)
    np.testing.assert_allclose(
        LoessNaiveBayes().fit(dataset.X, dataset.y).predict_proba(dataset.X),
        LoessNaiveBayes().fit(X, y).predict_proba(dataset.X),
        rtol=1e-9,
    )


def test_a_value_never_seen_counts_as_missing():
    learner = LoessNaiveBayes(nominal=[True, False])
    learner.fit([[0, 1.0], [1, 2.0], [1, 3.5]], [0, 1, 1])
    np.testing.assert_array_equal(
        learner.predict_proba([[5, 2.0]]), learner.predict_proba([[np.nan, 2.0]])
    )


@pytest.mark.parametrize(
    ("options", "word"), [({"share": 0}, "share"), ({"share": 2}, "share"), ({"m": 0}, "`m`")]
)
def test_options_are_checked(options, word):
    with pytest.raises(InputError, match=word):
        LoessNaiveBayes(**options).fit([[0.0], [1.0]], [0, 1])
    dataset = mixed(1, 20, [0], 2)
    with pytest.raises(InputError, match=word):
        LoessNaiveBayes(**options).predict_folds(dataset, np.arange(20) % 2)
