"""What every built-in learner must do, whatever the table looks like."""

import warnings

import numpy as np
import pytest

from twofold.dataset import Attribute, Dataset
from twofold.errors import InputError
from twofold.learners import BUILTIN, prepare, read_learner, select_rows, set_states

CLASSIFIERS = [name for name, entry in BUILTIN.items() if entry.classifier]
FOR_TWO = {"perceptron"}  # learners of two classes only
FOR_MANY = [name for name in CLASSIFIERS if name not in FOR_TWO]
REGRESSORS = [name for name, entry in BUILTIN.items() if entry.regressor]
TRAIN, TEST = np.arange(0, 60), np.arange(60, 80)


def mixed(classes: int | None) -> Dataset:
    """Eighty rows: numbers of two scales, words, a constant; missing values of both kinds.

    The word "rare" and a missing word stand in the test rows only. The first number decides the
    target.
    """
    rng = np.random.default_rng(5)
    size = rng.normal(size=80)
    large = 1e6 * rng.normal(size=80)
    colour = rng.integers(0, 3, size=80).astype(float)
    shape = rng.integers(0, 2, size=80).astype(float)
    if classes is None:
        y = 3.0 * size + rng.normal(scale=0.1, size=80)
    else:
        y = np.digitize(size, np.quantile(size, np.arange(1, classes) / classes))
    size[[3, 65]] = np.nan
    colour[[61, 62]] = 3.0
    colour[[5, 9]] = np.nan
    shape[70] = np.nan
    return Dataset(
        name="mixed",
        attributes=(
            Attribute("size"),
            Attribute("large"),
            Attribute("colour", ("red", "green", "blue", "rare")),
            Attribute("shape", ("round", "flat")),
            Attribute("always"),
        ),
        X=np.column_stack([size, large, colour, shape, np.full(80, 7.0)]),
        y=y,
        classes=None if classes is None else tuple("class " + "abcd"[i] for i in range(classes)),
    )


def fitted(name, dataset, *, seed=1):
    learner = read_learner(name, regression=not dataset.classification)
    estimator = set_states(prepare(learner, dataset), dataset.name, 0, seed=seed)
    X = select_rows(learner, dataset)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimator.fit(X[TRAIN], dataset.y[TRAIN])
        return estimator, estimator.predict(X[TEST])


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_mixed_table_just_runs(name, classes):
    dataset = mixed(classes)
    if name in FOR_TWO and classes > 2:
        with pytest.raises(InputError, match="two classes"):
            fitted(name, dataset)
        return
    _, predictions = fitted(name, dataset)
    assert predictions.shape == (20,)
    assert set(predictions.tolist()) <= set(range(classes))
    # Guessing is right in one of `classes` cases; whoever uses the first column does better.
    # Some may be drowned by the large column, and the majority does not look at all.
    if name not in ("majority", "nb", "nn", "knn", "knn-gauss", "perceptron"):
        assert (predictions == dataset.y[TEST]).mean() > 1 / classes + 0.1


@pytest.mark.parametrize("name", REGRESSORS)
def test_a_mixed_table_just_runs_for_numbers(name):
    dataset = mixed(None)
    _, predictions = fitted(name, dataset)
    assert predictions.shape == (20,)
    assert np.isfinite(predictions).all()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_same_call_gives_the_same_predictions(name):
    classes = 2 if name in FOR_TWO else 4
    first, second = fitted(name, mixed(classes))[1], fitted(name, mixed(classes))[1]
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_what_is_learned_from_rows_is_learned_from_training_rows(name):
    """Test rows must not reach medians, scales or levels: their values change nothing else."""
    dataset = mixed(2)
    learner = read_learner(name)
    estimator = set_states(prepare(learner, dataset), seed=1).fit(
        dataset.X[TRAIN], dataset.y[TRAIN]
    )
    before = estimator.predict(dataset.X[TRAIN])
    dataset.X[TEST, :2] *= 1000
    again = set_states(prepare(learner, dataset), seed=1).fit(dataset.X[TRAIN], dataset.y[TRAIN])
    assert np.array_equal(before, again.predict(dataset.X[TRAIN]))


@pytest.mark.parametrize("name", FOR_MANY)
def test_a_class_that_is_missing_from_the_training_rows_is_no_error(name):
    dataset = mixed(4)
    learner = read_learner(name)
    train = TRAIN[dataset.y[TRAIN] != 1]
    estimator = set_states(prepare(learner, dataset), seed=1).fit(
        dataset.X[train], dataset.y[train]
    )
    assert 1 not in estimator.predict(dataset.X[TEST])


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_name_has_words(name):
    assert BUILTIN[name].words
    assert len(read_learner(name).key) > 20
