"""What scikit-learn gives back is read for what it is."""

import numpy as np
import pytest

from twofold import InputError, compare, read_scores
from twofold.scores.sklearn_results import candidate_names
from twofold.scores.splits import describe_indices


def result(values, **more):
    return {"fit_time": [0.1] * len(values), "test_score": np.array(values), **more}


def codes(scores):
    return {note.code for note in scores.notes}


def test_one_model_alone_is_refused():
    import pandas as pd

    result = {"fit_time": np.ones(3), "score_time": np.ones(3), "test_score": np.ones(3)}
    for table in (result, pd.DataFrame(result), {"nb": result}, [result]):
        with pytest.raises(InputError, match="one model"):
            read_scores(table)


def test_folds_are_assumed_aloud():
    table = {"nb": result([0.1, 0.2, 0.3]), "tree": result([0.3, 0.2, 0.1])}
    assert "assumed-folds" in codes(read_scores(table))
    assert read_scores(table).folds(0).has_folds
    splits = read_scores(table, rows="splits", test_share=0.1)
    assert "assumed-folds" not in codes(splits)
    assert not splits.folds(0).has_folds
    many = {name: result(np.arange(30) / (40 + len(name))) for name in ("nb", "tree")}
    with pytest.raises(InputError, match="rows='folds'"):
        read_scores(many)
    assert read_scores(many, rows="folds").folds(0).values.shape == (2, 1, 30)


def test_by_data_set():
    table = {
        d: {"nb": result([0.1, 0.2]), "tree": result([0.3, 0.2])} for d in ("iris", "wine", "zoo")
    }
    scores = read_scores(table)
    assert scores.datasets == ("iris", "wine", "zoo")
    np.testing.assert_allclose(scores.means(), [[0.15, 0.25]] * 3)
    lists = {d: {k: v["test_score"] for k, v in row.items()} for d, row in table.items()}
    np.testing.assert_allclose(read_scores(lists).means(), scores.means())


def test_results_that_do_not_fit_together():
    with pytest.raises(InputError, match="nb 3, tree 2"):
        read_scores({"nb": result([1, 2, 3]), "tree": result([1, 2])})
    parts = [
        {"test": [[0, 1], [2, 3]], "train": [[2, 3], [0, 1]]},
        {"test": [[0, 2], [1, 3]], "train": [[1, 3], [0, 2]]},
    ]
    with pytest.raises(InputError, match="different splits"):
        read_scores({k: result([1, 2], indices=i) for k, i in zip("ab", parts, strict=True)})
    with pytest.raises(InputError, match="which learner is which"):
        read_scores([result([1, 2]), result([2, 1])])


def test_kinds_of_splits():
    # A time series of six: disjoint test parts, but training sets are not what they leave.
    series = {"train": [[0, 1], [0, 1, 2, 3]], "test": [[2, 3], [4, 5]]}
    splits, notes = describe_indices(series)
    assert [split["run"] for split in splits] == [0, 1]
    assert all("fold" not in split for split in splits)
    assert notes[0].code == "time-series-splits"
    assert "from 2 to 4" in notes[0].detail
    # Random splits of four, the second and third of which share no example by chance.
    shuffled = {"train": [[0, 1, 2], [0, 1, 2], [1, 2, 3]], "test": [[3], [3], [0]]}
    with pytest.raises(InputError, match="leaves one example out"):
        describe_indices(shuffled)
    shuffled = {
        "train": [[0, 1, 2, 3], [0, 1, 2, 3], [2, 3, 4, 5]],
        "test": [[4, 5], [4, 5], [0, 1]],
    }
    splits, notes = describe_indices(shuffled)
    assert [split["run"] for split in splits] == [0, 1, 2]
    assert all("fold" not in split for split in splits)


def test_short_names_of_candidates():
    assert candidate_names([{"a__C": 1}, {"b__C": 1}]) == ["a__C=1", "b__C=1"]
    assert candidate_names([{"C": 1 / 3, "k": "x"}, {"C": 2, "k": "x"}]) == ["C=0.3333", "C=2"]
    assert candidate_names([{"C": 0.1 + 0.2}, {"C": 0.3}, {"C": 1}])[0] == "C=0.3"
    assert len(set(candidate_names([{"C": 0.30000001}, {"C": 0.3}, {"C": 1}]))) == 3
    assert candidate_names([{}, {}]) == ["default", "default #2"]


class TestRealResults:
    @pytest.fixture
    def sk(self):
        return pytest.importorskip("sklearn.model_selection")

    @pytest.fixture
    def both(self, sk):
        from sklearn.datasets import load_iris
        from sklearn.naive_bayes import GaussianNB
        from sklearn.tree import DecisionTreeClassifier

        x, y = load_iris(return_X_y=True)
        learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}

        def results(cv, **options):
            return {
                name: sk.cross_validate(learner, x, y, cv=cv, **options)
                for name, learner in learners.items()
            }

        return results

    def test_cross_validation(self, sk, both):
        cv = sk.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
        results = both(cv, return_indices=True)
        folds = read_scores(results).folds(0)
        assert folds.values.shape == (2, 3, 5)
        np.testing.assert_array_equal(folds.values[0].ravel(), results["nb"]["test_score"])
        assert set(folds.n_train.ravel()) == {120}
        assert compare(results).method == "two-level-cv-t"

    def test_random_splits(self, sk, both):
        results = both(sk.ShuffleSplit(12, test_size=0.2, random_state=0), return_indices=True)
        assert compare(results).method == "corrected-resampled-t"
        with pytest.raises(InputError, match="different splits"):
            read_scores(both(sk.ShuffleSplit(12, test_size=0.2), return_indices=True))

    def test_time_series(self, sk, both):
        cv = sk.TimeSeriesSplit(4)
        results = both(cv, return_indices=True)
        assert "time-series-splits" in codes(read_scores(results))
        assert not read_scores(results).folds(0).has_folds

    def test_leave_one_out(self, sk, both):
        for more in ({}, {"return_indices": True}):
            with pytest.raises(InputError, match="leaves one example out"):
                read_scores(both(sk.LeaveOneOut(), **more))

    def test_several_metrics_and_estimators(self, sk, both):
        results = both(5, scoring=["accuracy", "f1_macro"], return_estimator=True)
        scores = read_scores(results)
        assert (scores.metric, scores.metrics) == ("accuracy", ("accuracy", "f1_macro"))
        assert read_scores(list(results.values())).learners == (
            "GaussianNB",
            "DecisionTreeClassifier",
        )

    def test_searches(self, sk, tmp_path):
        import pandas as pd
        from sklearn.datasets import load_iris
        from sklearn.tree import DecisionTreeClassifier

        x, y = load_iris(return_X_y=True)
        tree = DecisionTreeClassifier(random_state=0)
        grid = {"max_depth": [1, 3], "criterion": ["gini"]}
        search = sk.GridSearchCV(tree, grid, cv=4)
        with pytest.raises(InputError, match="not fitted"):
            read_scores(search)
        search.fit(x, y)
        frame = pd.DataFrame(search.cv_results_)
        frame.to_csv(tmp_path / "search.csv")
        for table in (search, search.cv_results_, frame, tmp_path / "search.csv"):
            scores = read_scores(table)
            assert scores.learners == ("max_depth=1", "max_depth=3")
            np.testing.assert_allclose(scores.means()[0], search.cv_results_["mean_test_score"])
        assert read_scores(search).metric == "accuracy"
        by_loss = sk.GridSearchCV(tree, grid, cv=4, scoring="neg_log_loss").fit(x, y)
        assert read_scores(by_loss).metric == "neg_log_loss"
        by_function = sk.GridSearchCV(tree, grid, cv=4, scoring=lambda *_: 0.5).fit(x, y)
        assert read_scores(by_function).metric == "score"
        assert "assumed-folds" not in codes(read_scores(search))
        assert "assumed-folds" in codes(read_scores(frame))
        cv = sk.RepeatedKFold(n_splits=3, n_repeats=5, random_state=0)
        repeated = sk.GridSearchCV(tree, grid, cv=cv).fit(x, y)
        assert read_scores(repeated).folds(0).values.shape == (2, 5, 3)
        for table in ({"a": search, "b": repeated}, tree):
            with pytest.raises(InputError, match="cross_validate"):
                read_scores(table)

    def test_halving_compares_one_round(self, sk):
        from sklearn.datasets import load_iris
        from sklearn.experimental import enable_halving_search_cv  # noqa: F401
        from sklearn.tree import DecisionTreeClassifier

        x, y = load_iris(return_X_y=True)
        search = sk.HalvingGridSearchCV(
            DecisionTreeClassifier(random_state=0),
            {"max_depth": [1, 2, 3, 4, 5, 6]},
            cv=4,
            min_resources=32,
            factor=2,
            random_state=0,
        ).fit(x, y)
        table = search.cv_results_
        last = max(i for i in set(table["iter"]) if (table["iter"] == i).sum() > 1)
        scores = read_scores(search)
        assert len(scores.learners) == (table["iter"] == last).sum()
        np.testing.assert_allclose(
            scores.means()[0], table["mean_test_score"][table["iter"] == last]
        )
        assert {"last-round", "search-candidates"} <= codes(scores)


def test_a_last_round_of_one_candidate_is_no_comparison():
    table = {
        "params": [{"C": 1}, {"C": 2}, {"C": 3}, {"C": 2}],
        "iter": [0, 0, 0, 1],
        "n_resources": [20, 20, 20, 60],
        "split0_test_score": [0.1, 0.2, 0.3, 0.9],
        "split1_test_score": [0.2, 0.3, 0.3, 0.8],
    }
    scores = read_scores(table)
    assert scores.learners == ("C=1", "C=2", "C=3")
    (note,) = (note for note in scores.notes if note.code == "last-round")
    assert "the 3 of round 1 of 2, with 20 resources" in note.detail
    assert "Later rounds had one candidate" in note.detail
