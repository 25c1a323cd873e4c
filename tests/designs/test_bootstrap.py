"""Bootstrap samples and the .632+ estimate of error."""

import numpy as np
import pytest

import twofold
from twofold.dataset import Attribute, Dataset
from twofold.designs import parse_design
from twofold.designs.kinds.bootstrap_samples import estimate_error
from twofold.errors import InputError
from twofold.report.methods_text import describe_methods


def dataset(y, groups=None):
    y = np.asarray(y)
    X = np.arange(len(y), dtype=float)[:, None]
    classes = tuple(f"c{i}" for i in range(int(y.max()) + 1))
    return Dataset("small", (Attribute("row"),), X, y, classes, groups=groups)


def test_rows_are_drawn_with_replacement_and_the_others_tested():
    data = dataset([0, 1] * 50)
    design = parse_design("bootstrap:200")
    assert design.repeatable
    shares = []
    for number in range(200):
        run = design.split(data, number, seed=3)
        ((train, test),) = run.splits()
        assert len(train) == 100
        assert sorted({*train.tolist(), *test.tolist()}) == list(range(100))
        assert not set(train.tolist()) & set(test.tolist())
        assert run.sizes()[0].tolist() == [len(set(train.tolist()))]
        shares.append(len(test) / 100)
    # (1 − 1/n)^n of the rows are not drawn; the standard deviation of the share is about .031.
    assert abs(np.mean(shares) - 0.99**100) < 5 * 0.031 / np.sqrt(200)


def test_whole_groups_are_drawn():
    groups = np.arange(60) // 5
    data = dataset([0, 1, 2] * 20, groups)
    ((train, test),) = parse_design("bootstrap:5").split(data, 2, seed=1).splits()
    times = np.bincount(train, minlength=60)
    assert all(len(set(times[groups == group].tolist())) == 1 for group in range(12))
    assert times.max() > 1
    assert not set(groups[train].tolist()) & set(groups[test].tolist())


def test_small_samples_are_drawn_until_they_can_be_used():
    data = dataset([0, 0, 0, 1])
    for number in range(50):
        ((train, test),) = parse_design("bootstrap:50").split(data, number, seed=1).splits()
        assert len(test)
        assert set(data.y[train].tolist()) == {0, 1}


@pytest.mark.parametrize("text", ["bootstrap:0", "bootstrap", "bootstrap:a", "bootstrap:10:2"])
def test_bad_text_is_refused(text):
    with pytest.raises(InputError) as caught:
        parse_design(text)
    assert len(str(caught.value).splitlines()) == 2


def test_learners_see_rows_as_often_as_they_were_drawn():
    from sklearn.base import BaseEstimator, ClassifierMixin

    class Counter(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            assert len(X) == 60
            assert len(np.unique(X[:, 0])) in (60, *range(20, 50))
            return self

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    X = np.arange(60.0)[:, None]
    scores = twofold.run(
        {"counter": Counter()}, X, np.arange(60) % 2, design="bootstrap:5", workers=0,
        store=":memory:",
    )  # fmt: skip
    assert len(scores.value) == 5


@pytest.mark.parametrize(
    ("out_of_bag", "accuracy"),
    [([8, 1, 10, 6], 0.775330396475771), ([2, 5, 6, 7, 8], 0.634698275862069)],
)
def test_estimate_of_a_fixed_rule(out_of_bag, accuracy):
    # mlxtend 0.25.0: bootstrap_point632_score(rule, X, y, n_splits=1, method=".632+") with random
    # seeds 0 and 6, for the rule x > 5.5 on x = 0, …, 11. It fits the rule on the sample where
    # Efron & Tibshirani fit it on all rows, which for a fixed rule is the same.
    y = np.array([0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1])
    predicted = (np.arange(12) > 5.5).astype(int)
    rows = np.array(out_of_bag)
    error = estimate_error(y, predicted, [rows], [predicted[rows]])
    assert error.estimate == pytest.approx(1 - accuracy, abs=1e-12)


def test_estimate_where_nothing_can_be_learned():
    # Efron & Tibshirani (1997), section 3: nearest neighbours where classes are coin tosses have
    # no error on their training rows and .5 out of bag. The .632 estimate says .316, .632+ .5.
    y = np.array([0, 1] * 10)
    rows = np.arange(20)
    error = estimate_error(y, y, [rows], [np.where(rows < 10, y, 1 - y)])
    assert (error.resubstitution, error.out_of_bag, error.no_information) == (0, 0.5, 0.5)
    assert error.overfitting == 1
    assert error.estimate == pytest.approx(0.5)


def test_out_of_bag_errors_are_averaged_over_rows_first():
    # Row 0 is left out twice, once wrong; row 1 once, wrong; row 2 once, right; row 3 never.
    y = np.array([0, 0, 1, 1])
    tests = [np.array([0, 1]), np.array([0, 2])]
    predictions = [np.array([1, 1]), np.array([0, 1])]
    error = estimate_error(y, y, tests, predictions)
    assert error.out_of_bag == pytest.approx((0.5 + 1 + 0) / 3)


def test_worse_than_chance_counts_as_chance():
    y = np.array([0, 1] * 4)
    error = estimate_error(y, y, [np.arange(8)], [1 - y])
    assert error.out_of_bag == 1
    assert error.estimate == pytest.approx(0.5)
    blind = estimate_error(y, np.zeros(8, dtype=int), [np.arange(8)], [np.zeros(8, dtype=int)])
    assert (blind.overfitting, blind.estimate) == (0, 0.5)


def test_comparisons_carry_the_estimates():
    options = {"workers": 0, "store": ":memory:", "design": "bootstrap:10"}
    answer = twofold.compare(["nn", "majority"], "iris", **options)
    nearest, majority = answer.bootstrap_errors
    assert (nearest["learner"], nearest["dataset"]) == ("nn", "iris")
    assert nearest["resubstitution"] == 0
    assert nearest["resubstitution"] < nearest["estimate"] < nearest["out_of_bag"]
    assert majority["resubstitution"] == pytest.approx(2 / 3)
    assert answer.to_dict()["bootstrap_errors"][0]["estimate"] == nearest["estimate"]
    notes = {note.code: note for note in answer.notes}
    assert f"nn {nearest['estimate']:.3f}" in notes["bootstrap-632"].detail
    assert notes["bootstrap-splits"].severity == "warning"
    assert answer.method == "corrected-resampled-t"
    assert "in 10 bootstrap samples" in describe_methods(answer)
    scores = twofold.run(["nn"], "iris", metric=["accuracy", "f1_macro"], **options)
    words = [
        next(note.title for note in table.notes if note.code == "bootstrap-632")
        for table in scores.values()
    ]
    assert words == ["Error by the .632+ bootstrap", "No .632+ estimate"]


def test_over_data_sets_every_learner_is_named_on_each():
    options = {"workers": 0, "store": ":memory:", "design": "bootstrap:3"}
    answer = twofold.compare(["nb", "majority"], ["iris", "wine"], **options)
    notes = {note.code: note.detail for note in answer.notes}
    assert len(answer.bootstrap_errors) == 4
    assert "majority on wine" in notes["bootstrap-632"]
    assert "bootstrap-splits" not in notes  # no test on splits was used


def test_workers_do_not_change_samples(monkeypatch):
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0)
    options = {"store": ":memory:", "design": "bootstrap:4"}
    alone, shared = (twofold.run(["tree"], "iris", workers=w, **options) for w in (1, 2))
    assert np.array_equal(alone.value, shared.value)


def test_other_designs_have_no_such_field():
    answer = twofold.compare(["nb", "majority"], "iris", design="2x2", workers=0, store=":memory:")
    assert answer.bootstrap_errors == ()
    assert "bootstrap_errors" not in answer.to_dict()
