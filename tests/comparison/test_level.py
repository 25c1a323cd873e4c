"""Notes on the level of a test: where a narrow finding may be chance, and what half samples say."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

import twofold
from twofold.comparison import compare
from twofold.errors import InputError
from twofold.report.methods_text import describe_methods
from twofold.stats.cards import cards

OPTIONS = {"store": ":memory:", "workers": 0, "progress": False}


def codes(answer):
    return [note.code for note in answer.notes]


def with_p(p, runs=10, folds=10, learners=2):
    """A table of folds on which the default test gives this p to the first pair.

    All runs have the same mean, so that the corrected t test gives it too.
    """
    x = np.random.default_rng(0).normal(0, 0.05, (runs, folds))
    x -= x.mean(axis=1, keepdims=True)
    df = runs * folds - 1
    t = scipy_stats.t.isf(p / 2, df)
    x += t * np.sqrt(1 / x.size + 1 / (folds - 1)) * x.std(ddof=1) - x.mean()
    rows = []
    for run in range(runs):
        for fold in range(folds):
            values = {"a": 0.8 + x[run, fold], "b": 0.8, "c": 0.8 - 1e-9 * x[run, fold]}
            for name in list(values)[:learners]:
                rows.append({"learner": name, "run": run, "fold": fold, "accuracy": values[name]})
    return rows


@pytest.mark.parametrize("test", ["corrected-cv-t", "use-all-data", "bayes-correlated-t"])
def test_narrow_findings_of_tests_that_err_with_some_learners(test):
    assert cards().above(test, 0.05)
    answer = compare(with_p(0.012), test=test)
    assert answer.pairs[0].outcome == "a"
    (note,) = [note for note in answer.notes if note.code == "level-above"]
    assert note.severity == "warning"
    worst = cards().above(test, 0.05)[0]
    assert f"{worst.rejected[0]:.2f}".removeprefix("0") in note.detail
    assert worst.learner in note.detail


@pytest.mark.parametrize("p", [0.2, 0.051, 0.0049, 1e-9])
def test_other_findings_carry_no_such_note(p):
    answer = compare(with_p(p), test="corrected-cv-t")
    assert answer.pairs[0].pvalue == pytest.approx(p)
    assert "level-above" not in codes(answer)
    assert "level-known" in codes(answer)


def test_the_margin_goes_with_alpha_and_with_the_adjusted_p():
    corrected = {"test": "corrected-cv-t"}
    assert "level-above" in codes(compare(with_p(0.004), alpha=0.01, **corrected))
    assert "level-above" not in codes(compare(with_p(0.004), alpha=0.05, **corrected))
    assert "level-above" in codes(compare(with_p(0.004, learners=3), alpha=0.05, **corrected))


@pytest.mark.parametrize("runs", [2, 3, 10])
@pytest.mark.parametrize("folds", [2, 5, 10])
def test_several_runs_of_folds_have_one_default(runs, folds):
    """Whatever their number: no design goes with a test that errs more often than it says."""
    assert compare(with_p(0.03, runs=runs, folds=folds)).pairs[0].method == "two-level-cv-t"
    assert not cards().above("two-level-cv-t", 0.05)
    assert cards().find("two-level-cv-t", "none", 0.05).standing != "above"


def known(answer):
    (note,) = [note for note in answer.notes if note.code == "level-known"]
    return note.detail


@pytest.mark.parametrize("p", [0.4, 0.03, 1e-6])
@pytest.mark.parametrize("learners", [2, 3])
def test_every_answer_on_folds_says_what_is_known_of_its_level(p, learners):
    answer = compare(with_p(p, learners=learners), equivalence=0.01)
    text = known(answer)
    rates = [one.rejected[0] for one in cards().levels_of("two-level-cv-t", 0.05)]
    assert f" to {max(rates):.2f} ".replace("0.", ".") in text
    assert text in describe_methods(answer)
    table = [row for row in with_p(p) if row["learner"] in "ab"]
    gate = twofold.gate(table, baseline="b", candidate="a", margin=0.01)
    assert known(gate) == text


def test_one_run_quotes_what_one_run_had():
    answer = compare(with_p(0.03, runs=1))
    assert answer.pairs[0].method == "corrected-cv-t"
    assert "design 1x10" in known(answer)
    assert max(cards().one_run["rates"].values()) < 0.07


def test_few_runs_are_not_predicted_and_say_so():
    answer = compare(with_p(0.03, runs=4))
    assert answer.pairs[0].repeats is None
    (note,) = [note for note in answer.notes if note.code == "not-predicted"]
    assert note.detail == "It needs at least 5 runs of 5 folds; there are 4 of 10."
    assert compare(with_p(0.03, runs=5, folds=5)).pairs[0].repeats is not None
    assert compare(with_p(0.03, runs=10, folds=4)).pairs[0].repeats is None


def test_5x2_has_no_predicted_replicability_anywhere():
    answer = compare(with_p(0.03, runs=5, folds=2), test="5x2cv-f")
    assert answer.pairs[0].method == "5x2cv-f"
    assert answer.pairs[0].replicability is None
    assert "repetition" not in answer.verdict
    assert "not-predicted" in codes(answer)
    assert "repeats" not in str(answer)


def test_half_samples_say_what_level_there_is():
    plain = twofold.compare(["nn", "nb"], "wine", design="4x5", **OPTIONS)
    answer = twofold.compare(["nn", "nb"], "wine", design="4x5", calibrate=True, **OPTIONS)
    assert (answer.verdict, answer.method) == (plain.verdict, plain.method)
    assert answer.notes[0].code == "level-here"
    assert "level-above" not in codes(answer)
    decided = twofold.compare(["nn", "nb"], "wine", design="4x5", test="half-sample-t", **OPTIONS)
    (pair,) = decided.pairs
    assert (pair.method, pair.df, pair.replicability) == ("half-sample-t", (4.0,), None)
    assert answer.pairs[0].beside[-1] == {"method": "half-sample-t", "pvalue": pair.pvalue}
    assert pair.estimate == pytest.approx(plain.pairs[0].estimate)
    again = twofold.compare(["nn", "nb"], "wine", design="4x5", test="half-sample-t", **OPTIONS)
    assert again.to_dict() == decided.to_dict()


def test_half_samples_of_several_pairs_are_adjusted():
    answer = twofold.compare(
        ["nn", "nb", "majority"], "wine", design="3x5", test="half-sample-t", **OPTIONS
    )
    assert answer.method == "half-sample-t, holm"
    assert [pair.outcome for pair in answer.pairs][1:] == ["a", "a"]
    assert all(pair.adjusted["holm"] >= pair.pvalue for pair in answer.pairs)


def test_halves_share_no_row_and_no_group():
    from twofold.dataset import Attribute, Dataset
    from twofold.experiments.halving import draw_halves

    X = np.arange(30.0)[:, None]
    data = Dataset("d", (Attribute("x"),), X, np.arange(30) % 2, ("a", "b"))
    one, other = draw_halves(data, 0, 0)
    assert sorted([*one.X[:, 0], *other.X[:, 0]]) == list(range(30))
    assert one.rows == other.rows == 15
    assert not np.array_equal(one.X, draw_halves(data, 1, 0)[0].X)
    grouped = Dataset(
        "d", (Attribute("x"),), X, np.arange(30) % 2, ("a", "b"), groups=np.arange(30) // 3
    )
    one, other = draw_halves(grouped, 0, 0)
    assert not set(one.X[:, 0] // 3) & set(other.X[:, 0] // 3)
    assert set(one.groups) == set(range(5))


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (["iris", "wine"], {}),
        ("iris", {"design": "1x10"}),
        ("iris", {"design": "holdout:1/3"}),
        ("iris", {"until": 0.95}),
        ("iris", {"test": "sorted-cv-t"}),
        ("iris", {"design": "5x2", "test": "5x2cv-f"}),
    ],
)
def test_where_there_are_no_half_samples(data, options):
    with pytest.raises(InputError):
        twofold.compare(["nn", "nb"], data, calibrate=True, **options, **OPTIONS)


def test_a_table_has_no_half_samples():
    with pytest.raises(InputError, match="calibrate"):
        twofold.compare(with_p(0.03), calibrate=True)
    with pytest.raises(InputError, match="halves of the rows"):
        compare(with_p(0.03), test="half-sample-t")


def sized(rows, n_train, n_test):
    return [row | {"n_train": n_train, "n_test": n_test} for row in rows]


def test_dietterichs_warnings():
    """Training on fewer rows than will be used, small test parts, rates that swing in 5x2cv."""
    wanted = {"fewer-rows", "small-test-parts", "rates-swing"}
    ten = compare(sized(with_p(0.3), 270, 30))
    assert not wanted & set(codes(ten))
    assert "small-test-parts" in codes(compare(sized(with_p(0.3), 261, 29)))
    halves = compare(with_p(0.3, runs=5, folds=2))
    assert wanted & set(codes(halves)) == {"fewer-rows"}
    assert "50% of the rows" in next(n.detail for n in halves.notes if n.code == "fewer-rows")
    wild = with_p(0.3, runs=5, folds=2)
    wild[0] = wild[0] | {"accuracy": 0.3}
    assert "rates-swing" in codes(compare(wild, test="5x2cv-t"))
    assert "rates-swing" not in codes(compare(wild))
    held_out = twofold.compare(["nn", "nb"], "wine", design="holdout:1/2", **OPTIONS)
    assert "fewer-rows" in codes(held_out)
    assert "fewer-rows" not in codes(
        twofold.compare(["nn", "nb"], "wine", design="holdout:1/10", **OPTIONS)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "learners", "rows"),
    [
        ("binary:p=0.5", ["nb", "c45"], 300),
        ("halves:signal=0.5", "nn", 300),
        ("halves:signal=0.3", "c45", 200),
        ("halves:signal=0.7:attributes=6", "c45", 150),
        ("halves:signal=0", ["nn", "c45"], 200),
    ],
)
@pytest.mark.parametrize("design", ["10x10", "10x5"])
def test_the_default_keeps_its_level_where_neither_is_better(source, learners, rows, design):
    """500 data sets: .06, and three standard errors of .011 (docs/levels.md has more)."""
    found = twofold.study(
        source, learners, rows=rows, datasets=500, repetitions=1, null=True, predictions=False,
        tests=f"two-level-cv-t@{design}", seed=48, **OPTIONS,
    )  # fmt: skip
    assert found.rows[0].rejected.value <= 0.06 + 3 * 0.011


@pytest.mark.slow
@pytest.mark.parametrize("design", ["10x10", "5x10", "10x5"])
def test_predictions_of_the_default_come_true(design):
    """On a source that chose no constant; 150 data sets know what came true to about ±.03."""
    found = twofold.study(
        "exp6", ["nb", "c45"], rows=120, datasets=150, repetitions=6,
        tests=f"two-level-cv-t@{design}", seed=48, **OPTIONS,
    )  # fmt: skip
    (row,) = found.rows
    assert row.predicted.value == pytest.approx(row.agreement.value, abs=0.07)
