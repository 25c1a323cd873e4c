"""Learners damaged until they are equally good, and apart again: known rates come out."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import KNeighborsClassifier
from study_fakes import Coins, Cut, SlowCut

import twofold
from twofold import InputError
from twofold.dataset import Attribute, Dataset
from twofold.seeds import rng
from twofold.simulation import FileSource
from twofold.studies import find_rate, spoil_error, spoil_predictions, stretch_columns, study
from twofold.studies.damage_search import _interpolate
from twofold.studies.learning_curves import join_rows, list_training_sets
from twofold.studies.plan import plan_experiments, share_splits

QUIET = {"store": ":memory:", "workers": 0, "progress": False}


class Steps(Coins):
    """The class is 1 above one half, without noise."""

    def __init__(self):
        super().__init__(name="steps")

    def draw(self, rows, rng):
        X = rng.random((rows, 1))
        return Dataset(self.name, self.attributes, X, (X[:, 0] > 0.5).astype(np.intp), ("0", "1"))


# Cut(0.5) never errs, Cut(0.3) where x lies between .3 and .5.
PAIR = {"right": Cut(0.5), "late": Cut(0.3)}


def reject_exactly(only_a, only_b, n, alpha=0.05):
    """The probability that McNemar's test with exact p rejects, by summing the multinomial."""
    total = 0.0
    for m in range(n + 1):
        disagree = stats.binom.pmf(m, n, only_a + only_b)
        wins = np.arange(m + 1)
        pvalue = np.minimum(1, 2 * stats.binom.cdf(np.minimum(wins, m - wins), m, 0.5))
        mass = stats.binom.pmf(wins, m, only_a / (only_a + only_b))
        total += disagree * mass[pvalue <= alpha].sum()
    return total


def test_random_errors_turn_wrong_into_right_now_and_then():
    # By another road: a table of true and predicted classes, every entry moved by hand.
    classes, rate = 4, 0.3
    truth = 2
    predicted = np.array([0.1, 0.05, 0.8, 0.05])
    after = np.zeros(classes)
    for code, mass in enumerate(predicted):
        for other in range(classes):
            after[other] += mass * ((1 - rate) if other == code else rate / (classes - 1))
    assert spoil_error(0.2, rate, classes) == pytest.approx(1 - after[truth])
    assert find_rate(0.2, 1 - after[truth], classes) == pytest.approx(rate)
    assert find_rate(0.2, 0.2, classes) == 0.0
    assert spoil_error(0.2, find_rate(0.2, 0.75, classes), classes) == pytest.approx(0.75)
    assert find_rate(0.2, 0.76, classes) is None  # more than chance
    assert find_rate(0.8, 0.81, classes) is None


def test_a_higher_rate_spoils_more_of_the_same():
    codes = rng(1, "codes").integers(0, 3, (50, 200))
    codes[:, :20] = -1
    low, high = (spoil_predictions(codes, rate, 3, rng(2, "spoil")) for rate in (0.1, 0.3))
    assert (low[:, :20] == -1).all()
    assert ((low == codes) | (low == high)).all()
    assert (low[:, 20:] != codes[:, 20:]).mean() == pytest.approx(0.1, abs=0.01)
    assert (high[:, 20:] != codes[:, 20:]).mean() == pytest.approx(0.3, abs=0.01)
    assert set(np.unique(high)) == {-1, 0, 1, 2}


def test_level_and_power_are_those_of_the_multinomial():
    found = study(
        Steps(),
        PAIR,
        rows=300,
        datasets=400,
        repetitions=2,
        tests="mcnemar-exact",
        damage="errors",
        differences=(0.1, 0),
        stratify=False,
        **QUIET,
    )
    equal, apart = found.rows
    assert (equal.null, apart.null) == (True, False)
    # One class in five is wrong by chance, one in five by x: independent of each other.
    level = reject_exactly(0.2 * 0.8, 0.8 * 0.2, 100)
    power = reject_exactly(0.1 * 0.8, 0.2 * 0.9, 100)
    assert equal.rejected.low < level < equal.rejected.high
    assert apart.rejected.low < power < apart.rejected.high
    assert apart.for_a.value > apart.for_b.value
    assert equal.replicability.value < 1
    assert equal.difference.low < 0 < equal.difference.high
    assert apart.difference.low < 0.1 < apart.difference.high


def test_the_damage_is_written_down():
    found = study(
        Steps(), PAIR, rows=90, datasets=30, repetitions=1, tests="mcnemar,cv-t", damage="errors",
        **QUIET,
    )  # fmt: skip
    assert [step.fraction for step in found.damage] == [0.0, 0.25, 0.5, 0.75, 1.0]
    first, last = found.damage[0], found.damage[-1]
    assert [size.rows for size in first.sizes] == [90, 81, 60]
    for size in first.sizes:
        assert size.undamaged_a.value == 0
        assert size.undamaged_b.value == pytest.approx(0.2, abs=0.02)
        assert size.difference.value == pytest.approx(0, abs=1e-12)
        assert size.amount_b == 0
        # What never errs errs as often as it is made to.
        assert size.amount_a == pytest.approx(size.undamaged_b.value)
    assert all(size.amount_a == size.amount_b == 0 for size in last.sizes)
    assert last.difference.value == pytest.approx(last.target)
    note = next(note for note in found.notes if note.code == "damage")
    assert "right gets random errors" in note.detail
    assert "late gets" not in note.detail
    as_json = json.loads(json.dumps(found.to_dict()))
    assert as_json["damage"][0]["sizes"][0]["rows"] == 90
    assert found.rows[0].source == "steps, equally good"
    assert max(map(len, str(found).splitlines())) <= 80


def test_the_worse_learner_is_damaged_where_they_are_to_be_further_apart():
    found = study(
        Steps(), PAIR, rows=60, datasets=20, repetitions=1, tests="mcnemar", damage="errors",
        differences=0.25, **QUIET,
    )  # fmt: skip
    (step,) = found.damage
    assert step.fraction is None
    for size in step.sizes:
        assert size.amount_a == 0 < size.amount_b
        assert size.difference.value == pytest.approx(0.25)


def test_learners_that_are_equally_good_are_opened_by_default_steps():
    found = study(
        Steps(), {"low": Cut(0.45), "high": Cut(0.55)}, rows=100, datasets=20, repetitions=1,
        tests="mcnemar", damage="errors", **QUIET,
    )  # fmt: skip
    assert [step.target for step in found.damage] == [0.0, 0.025, 0.05, 0.075, 0.1]


def test_whole_runs_and_fold_by_fold_tell_the_same():
    options = {"rows": 40, "datasets": 6, "repetitions": 2, "damage": "errors", **QUIET}
    options["tests"] = "cv-t@1x4,half-sample-t@halves:2x2"
    whole = study(Steps(), {"a": Cut(0.5), "b": Cut(0.2)}, **options)
    single = study(Steps(), {"a": SlowCut(0.5), "b": SlowCut(0.2)}, **options)
    assert whole.rows == single.rows
    assert whole.damage == single.damage
    # Trained on all, on three of four folds, on halves by two folds, on halves of halves.
    assert [size.rows for size in whole.damage[0].sizes] == [40, 30, 20, 10]


def test_the_same_on_any_workers_and_after_a_stop(tmp_path, monkeypatch):
    options = {
        "rows": 60, "repetitions": 2, "tests": "cv-t@1x5", "damage": "errors",
        "differences": (0, 0.1), "progress": False,
    }  # fmt: skip
    learners = ["nb", "majority"]
    source = twofold.read_source("bayesnet:structure=nb:seed=3:strength=2")
    kept = tmp_path / "kept.sqlite"
    here = study(source, learners, datasets=12, workers=0, store=":memory:", **options)
    study(source, learners, datasets=5, workers=0, store=kept, **options)
    there = study(source, learners, datasets=12, workers=2, store=kept, **options)
    assert json.dumps(here.to_dict()) == json.dumps(there.to_dict())

    def refuse(*args, **options):
        raise AssertionError("all of it was kept")

    monkeypatch.setattr("twofold.studies.damaged_blocks.predict_runs", refuse)
    monkeypatch.setattr("twofold.studies.learning_curves.predict_runs", refuse)
    again = study(source, learners, datasets=12, workers=0, store=kept, **options)
    assert json.dumps(here.to_dict()) == json.dumps(again.to_dict())
    # Another level is read off the same counts; another difference is not.
    study(source, learners, datasets=12, workers=0, store=kept, alpha=0.1, **options)
    with pytest.raises(AssertionError, match="all of it was kept"):
        study(
            source, learners, datasets=12, workers=0, store=kept,
            **{**options, "differences": (0, 0.05)},
        )  # fmt: skip


class LastColumn(Coins):
    """Two classes, one standard deviation and a half apart in the last of three columns."""

    def __init__(self):
        super().__init__(name="last column")
        self.attributes = tuple(Attribute(f"x{i}") for i in range(3))

    def draw(self, rows, rng):
        y = (rng.random(rows) < 0.5).astype(np.intp)
        X = rng.standard_normal((rows, 3))
        X[:, 2] += 2.5 * y
        return Dataset(self.name, self.attributes, X, y, ("0", "1"))


class LooksAtLast(ClassifierMixin, BaseEstimator):
    """Decides by the last column, a little off the best place."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return (np.asarray(X)[:, -1] > 2.2).astype(int)


def test_weights_weigh_the_first_column_most():
    data = LastColumn().draw(40, rng(1, "rows"))
    wide = stretch_columns(data, np.log(9.0))
    # Squared distances weigh columns by 9, 3 and 1.
    scale = np.array([9.0, 3.0, 1.0])
    far = ((data.X[:, None] - data.X[None]) ** 2 * scale).sum(axis=2)
    assert ((wide.X[:, None] - wide.X[None]) ** 2).sum(axis=2) == pytest.approx(far)
    assert stretch_columns(data, 0.0) is data
    nominal = replace(data, attributes=(Attribute("word", ("a", "b")), *data.attributes[1:]))
    half = stretch_columns(nominal, np.log(4.0))
    assert pytest.approx(data.X * [1.0, 2.0, 1.0]) == half.X


def test_weights_bring_a_neighbour_to_the_error_of_another_learner():
    found = study(
        LastColumn(),
        {"neighbour": KNeighborsClassifier(5), "last": LooksAtLast()},
        rows=80,
        datasets=10,
        repetitions=1,
        tests="mcnemar",
        damage="weights",
        differences=0,
        **QUIET,
    )
    (step,) = found.damage
    for size in step.sizes:
        assert size.undamaged_a.value < size.undamaged_b.value
        assert size.amount_b == 0 < size.amount_a
        assert size.difference.value == pytest.approx(0, abs=0.003)
    assert "to 1 at 80" in next(note.detail for note in found.notes if note.code == "damage")


def test_no_more_weight_than_is_needed():
    logs = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    rising = np.array([[0.1], [0.1], [0.2], [0.3], [0.3]])
    aims = np.array([[0.05], [0.1], [0.15], [0.3], [0.3005]])
    assert _interpolate(aims, rising, logs).ravel() == pytest.approx([0, 0, 1.5, 3, 3])


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"damage": "error"}, "There is no damage 'error'"),
        ({"damage": True}, "There is no damage True"),
        ({"damage": "errors", "differences": -0.1}, "between 0 and 1, got -0.1"),
        ({"damage": "errors", "differences": float("nan")}, "between 0 and 1, got nan"),
        ({"damage": "errors", "differences": "much"}, "between 0 and 1, got 'much'"),
        ({"damage": "errors", "differences": []}, "No difference is named"),
        ({"damage": "errors", "differences": 0.9}, "wrong on .9"),
        ({"damage": "errors", "null": True}, "`null` says whether"),
        ({"differences": 0.1}, "`differences` go with `damage`"),
        ({"damage": "weights"}, "has one column; weights need two"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, rule):
    with pytest.raises(InputError) as refused:
        study(Steps(), PAIR, rows=50, datasets=5, tests="mcnemar", **options, **QUIET)
    assert rule in refused.value.rule
    assert refused.value.remedy


def test_other_refusals():
    with pytest.raises(InputError, match="brings its own"):
        study("task1:q=0.25", damage="errors", tests="cv-t", **QUIET)
    with pytest.raises(InputError, match="two learners, got 3"):
        study(Steps(), {**PAIR, "more": Cut(0.4)}, damage="errors", tests="cv-t", **QUIET)
    # A learner of the last column is as good as ever, whatever the weight of the first.
    learners = {"a": LooksAtLast(), "b": LooksAtLast()}
    with pytest.raises(InputError, match="Bad weights of the columns cannot make 'b' wrong"):
        study(
            LastColumn(), learners, rows=60, datasets=3, damage="weights", differences=0.3,
            tests="mcnemar", **QUIET,
        )  # fmt: skip


def test_rows_of_a_file_and_the_rest(tmp_path):
    data = Steps().draw(80, rng(4, "file"))
    source = FileSource(data, "file:steps.csv")
    found = study(
        source, PAIR, rows=60, datasets=20, repetitions=1, tests="mcnemar", damage="errors",
        differences=0, **QUIET,
    )  # fmt: skip
    assert found.rows[0].source == "file:steps.csv, equally good"
    assert [note.code for note in found.notes] == ["damage", "rows-shared"]
    with pytest.raises(InputError, match="80 rows; 80 cannot be drawn"):
        study(source, PAIR, rows=80, datasets=2, tests="mcnemar", damage="errors", **QUIET)


def test_training_sizes_of_designs():
    experiments = plan_experiments(
        "cv-t@1x10,5x2cv-t,mcnemar,corrected-resampled-t@resample:5:0.1,half-sample-t@halves:2x5",
        None,
    )
    sizes = list_training_sets(share_splits(experiments), 300)
    # The paper's 270, 200 and 150; 240 of 300 and 120 of 150 for halves.
    assert [each.size for each in sizes] == [300, 270, 240, 200, 150, 120]
    data = Coins().draw(300, rng(1, "data"))
    for each in sizes:
        assert len(each.choose(data, rng(2, "split"), None)) == each.size


def test_rows_of_two_data_sets_have_the_classes_of_both():
    attributes = (Attribute("x"),)
    first = Dataset("a", attributes, np.zeros((2, 1)), np.array([0, 1]), ("red", "blue"))
    second = Dataset("b", attributes, np.ones((2, 1)), np.array([1, 0]), ("blue", "green"))
    joint = join_rows(first, second)
    assert joint.labels.tolist() == ["red", "blue", "green", "blue"]
    assert joint.classes == ("red", "blue", "green")


def test_pictures_are_drawn_against_the_difference_that_was_opened():
    from twofold.plots import study_chart

    found = study(
        Steps(), PAIR, rows=[60, 90], datasets=10, repetitions=2, tests="mcnemar,cv-t@1x5",
        damage="errors", differences=(0, 0.1), **QUIET,
    )  # fmt: skip
    chart = study_chart(found, "power")
    assert len(chart.panels) == 2  # sizes
    assert all(list(line.x) == pytest.approx([0, 0.1]) for line in chart.panels[0].series)
    assert "right − late" in chart.panels[0].x_label
    from twofold.report import findings_html

    page = findings_html(found)
    assert "random errors (Dietterich 1998)" in page
    assert "equally good" in page
