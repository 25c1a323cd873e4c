"""Tree-augmented naive Bayes against a plain reckoning, scipy's spanning tree, and itself.

Weka's predictions, row for row, are in test_weka_more.py.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import gammaln
from sklearn.metrics import mutual_info_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.tan import TreeAugmentedNaiveBayes


@parametrize_with_checks([TreeAugmentedNaiveBayes(), TreeAugmentedNaiveBayes(worth="information")])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def fitted(dataset, **options):
    learner = TreeAugmentedNaiveBayes(**options, **TreeAugmentedNaiveBayes.parameters_of(dataset))
    return learner.fit(dataset.X, dataset.y)


def information(x, z, y):
    """Mutual information given the class, by scikit-learn, in nats."""
    return sum((y == c).mean() * mutual_info_score(x[y == c], z[y == c]) for c in np.unique(y))


@given(datasets(missing=False, numeric=False))
def test_the_tree_has_the_largest_information(dataset):
    parents = fitted(dataset, worth="information").parents_
    n = len(parents)
    worth = np.array(
        [
            [information(dataset.X[:, a], dataset.X[:, b], dataset.y) for b in range(n)]
            for a in range(n)
        ]
    )
    # Zeros are no links to scipy; a constant on every link changes no order.
    best = -minimum_spanning_tree(-(worth + 1)).sum() - (n - 1) if n > 1 else 0.0
    linked = [a for a in range(n) if parents[a] >= 0]
    assert len(linked) == n - 1
    assert sum(worth[a, parents[a]] for a in linked) == pytest.approx(best, abs=1e-9)
    for a in range(n):  # following parents ends somewhere
        seen = set()
        while a >= 0:
            assert a not in seen
            seen.add(a)
            a = parents[a]


def bayesian(x, z, y, values):
    """Log chance of a column given class and another column, half a count on every value."""
    score = 0.0
    for group in {(c, w) for c, w in zip(y, z, strict=True)}:
        n = np.bincount(x[(y == group[0]) & (z == group[1])].astype(int), minlength=values)
        score += (gammaln(n + 0.5) - gammaln(0.5)).sum()
        score += gammaln(values / 2) - gammaln(n.sum() + values / 2)
    return score


@given(datasets(missing=False, numeric=False))
def test_the_first_link_has_the_largest_bayesian_gain(dataset):
    parents = fitted(dataset).parents_
    n = len(parents)
    values = [len(a.values) for a in dataset.attributes]
    nothing = np.zeros(dataset.rows)
    gain = np.full((n, n), -np.inf)
    for a in range(n):
        for b in range(n):
            if a != b:
                gain[a, b] = bayesian(
                    dataset.X[:, a], dataset.X[:, b], dataset.y, values[a]
                ) - bayesian(dataset.X[:, a], nothing, dataset.y, values[a])
    linked = [max(gain[a, p], gain[p, a]) for a, p in enumerate(parents) if p >= 0]
    if n > 1:
        assert max(linked) == pytest.approx(gain.max(), abs=1e-9)


@pytest.mark.parametrize("worth", ["bayes", "information"])
@given(dataset=datasets(missing=False, numeric=False), alpha=st.sampled_from([0.5, 1.0]))
def test_chances_as_reckoned_by_hand(dataset, worth, alpha):
    learner = fitted(dataset, worth=worth, alpha=alpha)
    X, y = dataset.X, dataset.y
    for row, got in zip(X[:5], learner.predict_proba(X[:5]), strict=True):
        chances = []
        for c in range(len(dataset.classes)):
            chance = ((y == c).sum() + alpha) / (len(y) + alpha * len(dataset.classes))
            for a, parent in enumerate(learner.parents_):
                like = (y == c) & ((X[:, parent] == row[parent]) if parent >= 0 else True)
                values = len(dataset.attributes[a].values)
                chance *= ((X[like, a] == row[a]).sum() + alpha) / (like.sum() + alpha * values)
            chances.append(chance)
        np.testing.assert_allclose(got, np.array(chances) / sum(chances), rtol=1e-9)


@pytest.mark.parametrize("worth", ["bayes", "information"])
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, worth):
    fold_of_row = folds(seed, dataset.rows)
    learner = TreeAugmentedNaiveBayes(worth=worth)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row, threads=2),
        by_fitting(learner, dataset, fold_of_row),
    )


def test_rows_never_tested_are_learnt_from():
    for values in ([2, 3, 2], [0, 3, 2]):
        dataset = mixed(3, 60, values, 2)
        fold = folds(3, 60, runs=1, k=5)
        fold[fold > 0] = -1
        learner = TreeAugmentedNaiveBayes()
        said = learner.predict_folds(dataset, fold)
        assert (said[fold == -1] == -1).all()
        np.testing.assert_array_equal(said, by_fitting(learner, dataset, fold))


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_order_of_rows_does_not_matter(dataset, seed):
    fold_of_row = folds(seed, dataset.rows)
    order = np.random.default_rng(seed).permutation(dataset.rows)
    values = [len(a.values or ()) for a in dataset.attributes]
    other = made(dataset.X[order], values, dataset.y[order], len(dataset.classes))
    learner = TreeAugmentedNaiveBayes()
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row)[:, order],
        learner.predict_folds(other, fold_of_row[:, order]),
    )


def test_two_copies_lean_on_each_other():
    dataset = mixed(8, 100, [2, 2, 2], 2)
    X = np.column_stack([dataset.X, dataset.X[:, 0]])
    learner = fitted(made(X, [2] * 4, dataset.y))
    assert learner.parents_[3] == 0 or learner.parents_[0] == 3


def test_missing_and_unknown_values_are_the_commonest():
    X = np.array([[0, 1], [1, 1], [1, 0], [1, 1]], dtype=float)
    learner = TreeAugmentedNaiveBayes(nominal=[True, True]).fit(X, [0, 1, 0, 1])
    common = learner.predict_proba([[1, 1]])
    np.testing.assert_array_equal(learner.predict_proba([[np.nan, np.nan]]), common)
    np.testing.assert_array_equal(learner.predict_proba([[7, 1]]), common)


def test_where_all_is_missing_classes_decide():
    dataset = made(np.full((9, 2), np.nan), [0, 3], [0, 1, 1] * 3)
    fold_of_row = np.arange(9)[None, :] // 3
    said = TreeAugmentedNaiveBayes().predict_folds(dataset, fold_of_row)
    np.testing.assert_array_equal(said, np.ones((1, 9)))


@pytest.mark.parametrize(
    ("options", "word"), [({"worth": "mdl"}, "worth"), ({"alpha": 0}, "alpha")]
)
def test_options_are_checked(options, word):
    with pytest.raises(InputError, match=word):
        TreeAugmentedNaiveBayes(**options).fit([[0.0], [1.0]], [0, 1])
