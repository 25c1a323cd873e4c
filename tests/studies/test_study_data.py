"""Studies on data sets of one's own: the protocol of Bouckaert & Frank (2004) for everyone."""

import csv
import io
import json
import tomllib
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest
import scipy.stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeRegressor

import twofold
import twofold_papers
from twofold import InputError, LearnerError
from twofold.designs import parse_design
from twofold.studies.data_summary import CellDecisions, summarize_cells
from twofold.studies.measures import share_of_few
from twofold.studies.plan import plan_experiments

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
HERE = {"workers": 0, "store": ":memory:", "progress": False}
LEARNERS = {"nb": GaussianNB(), "knn": KNeighborsClassifier(7)}


def make_data(seed, rows=60, classes=2):
    """Rows in which the first column tells something of the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    X = rng.normal(size=(rows, 3))
    X[:, 0] += 0.8 * y
    X[:, 1] = X[:, 0] ** 2 + 0.3 * X[:, 1]
    return X, y


@pytest.fixture
def folder(tmp_path):
    """A folder with three data sets."""
    for number in range(3):
        X, y = make_data(number)
        lines = [
            "a,b,c,class",
            *(",".join([*map(str, x), "no yes".split()[k]]) for x, k in zip(X, y, strict=True)),
        ]
        (tmp_path / f"set{number}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


@cache
def study_iris(**options):
    return twofold.study_data(
        "iris",
        LEARNERS,
        repetitions=3,
        tests=["cv-t@1x5", "corrected-cv-t@2x5", "corrected-resampled-t@resample:6:0.2", "mcnemar"],
        **HERE | options,
    )


def one_run(scores, runs, folds, column):
    """The scores of a learner as (runs, folds), from the table of `twofold.run`."""
    chosen = scores.learner == scores.learners.index(column)
    order = np.lexsort((scores.fold[chosen], scores.run[chosen]))
    return scores.value[chosen][order].reshape(runs, folds)


def test_p_values_are_those_of_scipy_on_the_scores_of_run():
    """Repetition n of a design of r runs has runs (n−1)·r+1 to n·r of `twofold.run`."""
    found = study_iris()
    scores = twofold.run(LEARNERS, "iris", design="6x5", **HERE)
    x = (one_run(scores, 6, 5, "nb") - one_run(scores, 6, 5, "knn")).reshape(3, 2, 5)
    by_test = {row.test: row for row in found.datasets}
    # Corrected repeated cross-validation (Bouckaert & Frank 2004, 3.3): n₂/n₁ = 30/120.
    t = x.mean(axis=(1, 2)) / np.sqrt((1 / 10 + 30 / 120) * x.reshape(3, -1).var(axis=1, ddof=1))
    expected = 2 * scipy.stats.t.sf(np.abs(t), 9)
    assert np.allclose(by_test["corrected-cv-t"].pvalues, expected, atol=1e-12)
    # The t test on the first run of each repetition.
    expected = [scipy.stats.ttest_1samp(folds, 0).pvalue for folds in x[:, 0]]
    assert np.allclose(by_test["cv-t"].pvalues, expected, atol=1e-12)
    assert np.isclose(by_test["corrected-cv-t"].difference, x.mean())
    # Corrected resampling: six random splits, 30 rows for testing.
    scores = twofold.run(LEARNERS, "iris", design="resample:18:0.2", **HERE)
    a, b = (scores.value[scores.learner == i] for i in (0, 1))
    x = (a - b).reshape(3, 6)
    t = x.mean(axis=1) / np.sqrt((1 / 6 + 30 / 120) * x.var(axis=1, ddof=1))
    expected = 2 * scipy.stats.t.sf(np.abs(t), 5)
    assert np.allclose(by_test["corrected-resampled-t"].pvalues, expected, atol=1e-12)


def test_mcnemar_counts_predictions_of_the_same_splits():
    (row,) = (row for row in study_iris().datasets if row.test == "mcnemar")
    data, iris = twofold.read_dataset("iris"), load_iris()
    for repetition, pvalue in enumerate(row.pvalues):
        (split,) = parse_design("holdout:1/3").split(data, repetition, seed=0).splits()
        wrong = [
            learner.fit(iris.data[split.train], iris.target[split.train]).predict(
                iris.data[split.test]
            )
            != iris.target[split.test]
            for learner in LEARNERS.values()
        ]
        only_a, only_b = int((wrong[0] & ~wrong[1]).sum()), int((wrong[1] & ~wrong[0]).sum())
        total = only_a + only_b
        statistic = max(abs(only_a - only_b) - 1, 0) ** 2 / total if total else 0.0
        assert pvalue == pytest.approx(scipy.stats.chi2.sf(statistic, 1) if total else 1.0)


@pytest.mark.parametrize(
    ("test", "design", "planned"),
    [
        ("corrected-cv-t", "3x5", "corrected-cv-t@3x5"),
        ("5x2cv-f", "5x2", "5x2cv-f@5x2"),
        ("half-sample-t", "2x5", "half-sample-t@halves:2x5"),
    ],
)
def test_the_first_repetition_is_what_compare_says(test, design, planned):
    (row,) = twofold.study_data("wine", LEARNERS, repetitions=2, tests=planned, **HERE).datasets
    answer = twofold.compare(LEARNERS, "wine", design=design, test=test, **HERE)
    assert row.pvalues[0] == pytest.approx(answer.pairs[0].pvalue, rel=1e-9)


def test_predictions_are_those_of_compare_and_stand_beside_what_came_true():
    """Repetitions 1, 2, … predict what `compare` says on their runs; cv-t has no prediction."""
    options = {"repetitions": 3, "tests": ["corrected-cv-t@3x5", "cv-t@1x5"], **HERE}
    found = twofold.study_data(["wine", "iris"], LEARNERS, alpha=[0.05, 0.2], **options)
    rows = [row for row in found.datasets if row.test == "corrected-cv-t" and row.alpha == 0.05]
    for row in rows:
        frame = twofold.run(LEARNERS, row.dataset, design="9x5", **HERE).to_frame()
        parts = (frame[frame.run // 3 == n] for n in range(3))
        answers = [twofold.compare(part, test="corrected-cv-t") for part in parts]
        said = [answer.pairs[0].repeats for answer in answers]
        assert row.predicted == pytest.approx(np.mean(said), rel=1e-9)
    over = found.find("corrected-cv-t", alpha=0.05)
    gaps = np.array([row.predicted - row.agreement for row in rows])
    reach = scipy.stats.t.ppf(0.975, 1) * scipy.stats.sem(gaps)
    assert over.predicted.value == pytest.approx(np.mean([row.predicted for row in rows]))
    assert over.prediction_error.value == pytest.approx(gaps.mean())
    assert over.prediction_error.low == pytest.approx(gaps.mean() - reach)
    assert found.find("corrected-cv-t", alpha=0.2).predicted != over.predicted
    assert found.find("cv-t", alpha=0.05).predicted is None
    assert " pred. " in str(found)
    without = twofold.study_data(["wine", "iris"], LEARNERS, predictions=False, **options)
    assert {row.predicted for row in (*without.rows, *without.datasets)} == {None}
    assert " pred. " not in str(without)


def read_table_1():
    file = Path(twofold_papers.__file__).parent / "bouckaertfrank2004" / "printed.toml"
    table = tomllib.loads(file.read_text("utf-8"))["table1"]
    return np.array(list(table["draws"].values())), list(table["measures"].values())


def test_the_counts_of_table_1_give_its_last_rows():
    """Bouckaert & Frank (2004), Table 1: draws of ten on 27 data sets, for three pairs."""
    draws, measures = read_table_1()
    pairs = [(0, 1), (0, 2), (1, 2)]
    pvalue = np.where(np.arange(10) < draws.T.reshape(-1, 1), 0.5, 0.01)
    cells = [(d, pair) for pair in pairs for d in range(27)]
    decisions = CellDecisions(cells, pvalue, np.ones_like(pvalue), np.ones(81), 5.0)
    learners = [SimpleNamespace(label=name) for name in ("NB", "C4.5", "NN")]
    runs = SimpleNamespace(learners=learners, repetitions=10)
    (plan,) = plan_experiments("5x2cv-t", None)
    rows = [summarize_cells(runs, plan, decisions, False, pair, 0.05, 0.95) for pair in pairs]
    for row, printed in zip(rows, measures, strict=True):
        assert row.datasets == row.cells == 27
        measured = row.consistent_cells, row.almost_consistent_cells, row.replicability.value
        assert tuple(measured[:2]) == tuple(map(int, printed[:2]))
        assert round(measured[2], 3) == float(printed[2])
        assert row.consistent.value == row.consistent_cells / 27
        assert row.replicability.low < row.replicability.value < row.replicability.high
    every = summarize_cells(runs, plan, decisions, False, None, 0.05, 0.95)
    assert (every.datasets, every.cells, every.a) == (27, 81, None)
    assert every.consistent_cells == 9 + 12 + 13
    assert every.replicability.value == pytest.approx(
        np.mean([row.replicability.value for row in rows])
    )
    # Pairs on one data set are not independent: three of them do not narrow it by √3.
    assert every.replicability.half_width > rows[0].replicability.half_width / np.sqrt(3)


def test_directions_and_flips_are_counted():
    pvalue = np.array([[0.01, 0.01, 0.5, 0.01], [0.01, 0.5, 0.5, 0.5]])
    direction = np.array([[1.0, -1, 1, 1], [-1, 1, 1, 1]])
    decisions = CellDecisions([(0, (0, 1)), (1, (0, 1))], pvalue, direction, np.ones(2), None)
    learners = [SimpleNamespace(label=name) for name in "ab"]
    runs = SimpleNamespace(learners=learners, repetitions=4)
    (plan,) = plan_experiments("cv-t", None)
    row = summarize_cells(runs, plan, decisions, False, (0, 1), 0.05, 0.95)
    assert row.flipped_cells == 1
    assert (row.for_a.value, row.for_b.value) == (0.25, 0.25)
    # Three of four reject, and one: R(3, 4) = R(1, 4) = 1/2; with directions (2·1+1·0+1·0)/12.
    assert row.replicability.value == 0.5
    assert row.agreement.value == pytest.approx((2 / 12 + 6 / 12) / 2)


def test_intervals_over_few_data_sets_hold():
    """Shares of data sets drawn from a beta distribution; the mean of all of them is 0.75."""
    rng = np.random.default_rng(1)
    for count in (2, 5, 12, 30):
        held = 0
        for values in rng.beta(3, 1, size=(1000, count)):
            estimate = share_of_few(values, 0.95)
            held += estimate.low <= 0.75 <= estimate.high
        assert held >= 920, count
    assert share_of_few(np.ones(4), 0.95).high == 1


def test_three_learners_on_a_folder(folder):
    learners = [
        "majority",
        "sklearn.naive_bayes.GaussianNB",
        "nn=sklearn.neighbors.KNeighborsClassifier(1)",
    ]
    found = twofold.study_data(
        folder, learners, repetitions=3, tests=["cv-t@1x3", "5x2cv-t"], alpha=[0.05, 0.2], **HERE
    )
    assert found.names == ["set0", "set1", "set2"]
    assert len(found.pairs) == 3
    assert len(found.rows) == 2 * 2 * (1 + 3)
    assert len(found.datasets) == 2 * 2 * 3 * 3
    assert found.find("cv-t", alpha=0.05).cells == 9
    assert found.find("cv-t", alpha=0.05, a="majority", b="nn").cells == 3
    # What is found at a lower level is found at a higher one.
    by_level = {alpha: found.find("cv-t", alpha=alpha).rejected.value for alpha in found.levels}
    assert by_level[0.05] <= by_level[0.2]
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "All 3 pairs, α = 0.2" in text
    assert "few-data-sets" in {note.code for note in found.notes}
    # All lines of the CSV: rows and data sets.
    lines = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(lines) == len(found.rows) + len(found.datasets)
    for line, row in zip(lines[len(found.rows) :], found.datasets, strict=True):
        assert (line["dataset"], int(line["rejections"])) == (row.dataset, row.rejections)


@pytest.mark.parametrize(("metric", "sign"), [("r2", 1), ("rmse", -1), (None, 1)])
def test_regression(metric, sign):
    """A line does better than the mean, whichever way the metric points."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = 3 * X[:, 0] + rng.normal(size=80)
    learners = {"line": LinearRegression(), "mean": DummyRegressor()}
    tests = ["corrected-cv-t@2x5", "5x2cv-f"]
    found = twofold.study_data(X, learners, y, metric=metric, tests=tests, repetitions=3, **HERE)
    assert found.metric == (metric or "r2")
    for row in found.datasets:
        assert (row.for_a, row.for_b, row.rejections) == (3, 0, 3)
        assert np.sign(row.difference) == sign
    scores = twofold.run(learners, X, y, metric=metric, design="6x5", **HERE)
    x = one_run(scores, 6, 5, "line") - one_run(scores, 6, 5, "mean")
    t = x[:2].mean() / np.sqrt((1 / 10 + 1 / 4) * x[:2].var(ddof=1))
    row = found.datasets[0]
    assert row.pvalues[0] == pytest.approx(2 * scipy.stats.t.sf(abs(t), 9), rel=1e-9)


def test_all_tests_but_those_that_compare_rows():
    X, y = make_data(1)
    found = twofold.study_data(
        X, LEARNERS, y, metric="auc", tests="all", design="2x3", repetitions=2, **HERE
    )
    assert "mcnemar" not in {row.test for row in found.rows}
    assert "corrected-cv-t" in {row.test for row in found.rows}
    every = twofold.study_data(X, LEARNERS, y, tests="all", design="2x3", repetitions=2, **HERE)
    assert {row.test for row in every.rows} == {row.test for row in found.rows}
    assert max(map(len, str(every).splitlines())) <= 80
    rmse = twofold.study_data(
        X[:, :2],
        {"line": LinearRegression(), "tree": DecisionTreeRegressor()},
        X[:, 2],
        tests=["all"],
        design=["2x3", "holdout:1/3"],
        repetitions=2,
        metric="mae",
        **HERE,
    )
    assert {"tests-left-out", "rope-of-a-study"} <= {note.code for note in rmse.notes}
    (note,) = (note for note in rmse.notes if note.code == "tests-left-out")
    assert "mcnemar" in note.detail


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (
            {"metric": "f1_macro", "tests": "mcnemar"},
            "compares predictions row by row, by accuracy",
        ),
        ({"metric": "rmse"}, "is for numbers"),
        ({"metric": ["accuracy", "f1_macro"]}, "by one metric"),
        ({"repetitions": 1}, "`repetitions` must be a whole number from 2"),
        ({"tests": "5x2cv-t@10x2"}, "takes five runs of 2-fold cross-validation"),
        ({"design": "loo"}, "No test that can be studied fits"),
        ({"alpha": 2}, "alpha"),
        ({"alpha": []}, "No level"),
        ({"confidence": 1.5}, "confidence"),
        ({"tests": "cv-t@1x400"}, "too few for 400 folds"),
        ({"target": "nothing"}, "nothing"),
    ],
)
def test_refused_before_the_first_fit(options, rule):
    class Never(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            raise AssertionError("fitted")

        def predict(self, X):
            return X

    with pytest.raises(InputError) as caught:
        twofold.study_data("iris", {"a": Never(), "b": GaussianNB()}, **HERE | options)
    assert rule in caught.value.rule
    assert len(str(caught.value).split("\n")) == 2


def test_one_learner_is_too_few():
    with pytest.raises(InputError, match="two learners or more, got 1"):
        twofold.study_data("iris", "nb", **HERE)


class FailsOnMany(ClassifierMixin, BaseEstimator):
    """Cannot take more than so many rows."""

    def __init__(self, most=10):
        self.most = most

    def fit(self, X, y):
        if len(X) > self.most:
            raise ValueError(f"{len(X)} rows are too many")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_learner_that_fails_is_left_out_where_it_does():
    data = [make_data(1, 40), make_data(2, 80)]
    learners = {**LEARNERS, "weak": FailsOnMany(50)}
    frames = [twofold.read_dataset(each, name=f"set{i}") for i, each in enumerate(data)]
    found = twofold.study_data(frames, learners, tests="cv-t@1x4", repetitions=2, **HERE)
    cells = {(row.a, row.b, row.dataset) for row in found.datasets}
    assert cells == {
        ("nb", "knn", "set0"),
        ("nb", "knn", "set1"),
        ("nb", "weak", "set0"),
        ("knn", "weak", "set0"),
    }
    row = found.find("cv-t")
    assert (row.cells, row.datasets) == (4, 2)
    assert found.find("cv-t", a="nb", b="weak").datasets == 1
    (note,) = (note for note in found.notes if note.code == "learner-failed")
    assert "weak on set1, run 1, fold 1: ValueError: 60 rows are too many" in note.detail
    # The table and the CSV have what is there.
    assert "–" not in str(found).split("knn (B), α = 0.05:")[1].split("weak (B)")[0]
    assert "knn (A) against weak (B), α = 0.05, 1 data set\n" in str(found)
    # Data sets on which no pair was compared do not count.
    found = twofold.study_data(
        frames, {"nb": LEARNERS["nb"], "weak": FailsOnMany(50)}, tests="cv-t@1x4", **HERE
    )
    assert {note.code: note.title for note in found.notes}["few-data-sets"] == "One data set"


def test_one_pair_that_is_left_of_three_is_not_said_twice():
    learners = {**LEARNERS, "weak": FailsOnMany(10)}
    found = twofold.study_data("iris", learners, tests="cv-t@1x4", repetitions=2, **HERE)
    (row,) = found.rows
    assert row.pair == ("nb", "knn")
    assert found.find("cv-t") == row
    assert "All 1 pairs" not in str(found)


class NeedsMany(FailsOnMany):
    """Cannot take fewer than so many rows."""

    def fit(self, X, y):
        if len(X) < self.most:
            raise ValueError(f"{len(X)} rows are too few")
        self.classes_ = np.unique(y)
        return self


def test_a_data_set_that_cannot_be_halved_has_no_answer_there():
    X, y = make_data(1, 60)
    learners = {"nb": GaussianNB(), "much": NeedsMany(40)}
    tests = ["half-sample-t@halves:2x3", "cv-t@1x3"]
    found = twofold.study_data(X, learners, y, tests=tests, repetitions=2, **HERE)
    assert {row.test for row in found.datasets} == {"cv-t"}
    (note,) = (note for note in found.notes if note.code == "not-halved")
    assert "rows are too few" in note.detail
    assert "20 rows are too few" in note.detail


def test_learners_that_all_fail():
    with pytest.raises(LearnerError, match="rows are too many"):
        twofold.study_data(
            "iris", {"a": FailsOnMany(3), "b": GaussianNB()}, tests="cv-t@1x4", **HERE
        )


def test_one_data_set_and_learners_that_never_differ():
    learners = {"a": GaussianNB(), "b": GaussianNB(priors=[1 / 3] * 3), "blind": FailsOnMany(1000)}
    found = twofold.study_data("iris", learners, tests="cv-t@1x5", repetitions=3, **HERE)
    notes = {note.code: note for note in found.notes}
    assert notes["few-data-sets"].title == "One data set"
    assert "a and b on iris did not differ" in notes["never-differ"].detail
    assert "blind" in notes["constant-predictions"].detail
    assert found.find("cv-t", a="a", b="b").replicability.value == 1


def test_stopped_and_gone_on(tmp_path, monkeypatch):
    """What a study finished before it was stopped is not done again, and the bytes are the same."""
    from twofold.execution.fit_task import TaskContext

    options = {"repetitions": 3, "tests": ["cv-t@1x5", "5x2cv-t"], "workers": 0}
    store = tmp_path / "kept.sqlite"
    fitted = []
    do = TaskContext.do

    def count(context, jobs):
        fitted.extend(jobs)
        if len(fitted) == 11:
            raise KeyboardInterrupt
        return do(context, jobs)

    monkeypatch.setattr(TaskContext, "do", count)
    with pytest.raises(KeyboardInterrupt):
        twofold.study_data("iris", LEARNERS, store=store, **options)
    fitted += [None]
    found = twofold.study_data("iris", LEARNERS, store=store, **options)
    total = 2 * 3 * (1 + 5)
    assert len([job for job in fitted if job is not None]) == total + 1
    whole = twofold.study_data("iris", LEARNERS, store=":memory:", **options)
    assert json.dumps(found.to_dict()) == json.dumps(whole.to_dict())
    # A further level, test and repetition need what is missing only.
    before = len(fitted)
    twofold.study_data(
        "iris", LEARNERS, store=store, **options | {"repetitions": 4, "alpha": [0.1, 0.01]}
    )
    assert len(fitted) - before == 2 * (1 + 5)


def test_the_json_is_what_the_schema_and_the_page_promise():
    schema = json.loads((REFERENCE / "data-findings.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    page = (REFERENCE / "findings.md").read_text("utf-8")
    for found in (study_iris(), study_iris(alpha=(0.05, 0.01), confidence=0.9)):
        plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        validator.validate(plain)
        for keys in (plain, plain["made"], plain["rows"][0], plain["datasets"][0]):
            assert all(f"`{key}`" in page for key in keys)
        for spoil in (
            lambda x: x.update(more=1),
            lambda x: x["rows"][0].pop("replicability"),
            lambda x: x["datasets"][0].update(more=1),
        ):
            copy = json.loads(json.dumps(plain))
            spoil(copy)
            assert not validator.is_valid(copy)


class TakesTime(GaussianNB):
    """A second of a clock that the test looks after."""

    clock = 0.0

    def fit(self, X, y):
        TakesTime.clock += 1.0
        return super().fit(X, y)


def test_the_clock_stops_a_study_between_repetitions(monkeypatch):
    monkeypatch.setattr("time.monotonic", lambda: TakesTime.clock)
    learners = {"nb": TakesTime(), "other": TakesTime(var_smoothing=0.1)}
    options = {"tests": ["cv-t@1x4", "corrected-cv-t@2x5"], "repetitions": 5, **HERE}
    # One repetition is 2 · (4 + 10) fits: in 75 seconds there are two, and part of the third.
    found = twofold.study_data("iris", learners, budget=75, **options)
    assert found.repetitions == found.made["repetitions"] == found.rows[0].repetitions == 2
    (note,) = (note for note in found.notes if note.code == "out-of-time")
    assert note.detail == "The time was up after 2 of 5 repetitions."
    monkeypatch.undo()
    whole = twofold.study_data("iris", learners, **options | {"repetitions": 2})
    assert found.rows == whole.rows
    assert found.datasets == whole.datasets
    enough = twofold.study_data("iris", learners, budget="1h", **options)
    assert enough.repetitions == 5


def test_a_budget_that_is_too_small_is_refused(monkeypatch):
    monkeypatch.setattr("time.monotonic", lambda: TakesTime.clock)
    learners = {"nb": TakesTime(), "other": TakesTime(var_smoothing=0.1)}
    with pytest.raises(InputError, match="one repetition was finished, and two are needed"):
        twofold.study_data("iris", learners, tests="cv-t@1x4", budget=9, **HERE)
    with pytest.raises(InputError, match="Half samples need a fixed number of runs"):
        twofold.study_data("iris", learners, tests="half-sample-t", budget=12, **HERE)
