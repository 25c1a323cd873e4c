"""Would new data sets decide the same? What a prediction must obey, and how often it comes true."""

from itertools import product

import numpy as np
import pytest
from scipy import integrate, special

from twofold import compare
from twofold.comparison import repetition
from twofold.comparison.predicted_shares import WIDEST
from twofold.options import Question
from twofold.seeds import rng
from twofold.stats import entry
from twofold.stats.learner_effects import OVER_DATA_SETS

SIZES = (6, 8, 20, 40)


def shifted(n, k=2, gap=0.5, name="repetition"):
    table = rng(5, name, n, k).standard_normal((n, k)) + gap * np.arange(k)
    return {f"L{i}": column for i, column in enumerate(table.T)}


def closed_form(n, spread):
    """P(n of n again | n of n): Φ^2n against Φ^n under the prior, by numerical integration."""

    def moment(power):
        def weight(d):
            return special.ndtr(d) ** power * np.exp(-0.5 * (d / spread) ** 2)

        return integrate.quad(weight, -4, 4)[0]

    return moment(2 * n) / moment(n)


@pytest.mark.parametrize(("test", "n"), [("wilcoxon", 6), ("sign", 6), ("sign", 7)])
def test_all_wins_repeat_as_the_closed_form_says(test, n):
    """Six wins of six is the one outcome that rejects; it used to be called sure to repeat."""
    a = np.linspace(0.5, 0.6, n)
    predicted = repetition.predict_pair(test, a, a - 0.01 * np.arange(1, n + 1), True, Question())
    ends = closed_form(n, OVER_DATA_SETS.low), closed_form(n, OVER_DATA_SETS.high)
    assert predicted.interval == pytest.approx(ends, abs=0.02)
    assert predicted.predicted is None


@pytest.mark.parametrize(
    "kind", ["wilcoxon", "sign", "paired-t", "relative-t", None, "mean-rank-z"]
)
@pytest.mark.parametrize("tied", [False, True])
def test_predictions_do_not_depend_on_any_order(kind, tied):
    """Tied scores too: data sets that count alike must not be dealt random numbers as they come."""
    table = {name: np.abs(column) for name, column in shifted(14, 4).items()}
    if tied:
        table = {name: np.round(column, 1) for name, column in table.items()}
    first = compare(table, test=kind, rows="datasets")
    rows = rng(6, "rows").permutation(14)
    other = compare(
        {name: table[name][rows] for name in reversed(table)}, test=kind, rows="datasets"
    )
    expected = {frozenset((p.a, p.b)): p.replicability.interval for p in first.pairs}
    for pair in other.pairs:
        assert pair.replicability.interval == pytest.approx(
            expected[frozenset((pair.a, pair.b))], abs=0.002
        )


def test_swapping_two_learners_changes_no_prediction():
    a, b = shifted(12).values()
    for test in ("wilcoxon", "sign", "paired-t"):
        one = repetition.predict_pair(test, a, b, False, Question())
        other = repetition.predict_pair(test, b, a, False, Question())
        assert one.interval == pytest.approx(other.interval, abs=0.01)


def test_more_of_the_same_data_sets_make_a_difference_more_certain():
    a, b = shifted(10, gap=1.5).values()
    few = compare({"a": a, "b": b}, test="paired-t", rows="datasets").pairs[0].replicability
    many = (
        compare({"a": np.tile(a, 5), "b": np.tile(b, 5)}, test="paired-t", rows="datasets")
        .pairs[0]
        .replicability
    )
    assert many.interval[0] > few.interval[0]
    assert many.interval[1] - many.interval[0] < few.interval[1] - few.interval[0]


@pytest.mark.parametrize("test", [None, "wilcoxon", "nemenyi"])
def test_many_learners_tell_which_differences_are_luck(test):
    """Of fifteen learners all the same but one, the range of a finding is lower than among others.

    Far apart: the last learner lies as far from the one before, among learners as far apart.
    """
    noise = rng(9, "luck").standard_normal((30, 15))
    close = noise + 1.1 * (np.arange(15) == 14)
    apart = noise + 1.1 * np.arange(15)
    ranges = []
    for table in (close, apart):
        columns = {f"L{i:02}": column for i, column in enumerate(table.T)}
        pairs = compare(columns, test=test, rows="datasets").pairs
        found = [p.replicability.interval for p in pairs if p.differs and "L14" in (p.a, p.b)]
        ranges.append(np.mean(found, axis=0))
    assert ranges[0][1] < ranges[1][1]
    assert ranges[0][0] < ranges[1][0]


def test_a_finding_on_two_learners_has_a_number_only_where_the_ends_agree():
    x = rng(7, "two learners").standard_normal(30)
    x = (x - x.mean()) / x.std()
    for shift, single in ((0.4, False), (6.0, True)):
        share = repetition.predict_pair("wilcoxon", x + shift, np.zeros(30), True, Question())
        low, high = share.interval
        assert (share.predicted is not None) == single == (high - low <= WIDEST)
        assert share.between == ((low, high) if not single else ((low + high) / 2,) * 2)


def test_that_nothing_was_found_among_all_is_not_predicted():
    answer = compare(shifted(20, 4, gap=0.0), rows="datasets")
    assert answer.omnibus[-1].pvalue > 0.05
    assert answer.omnibus_replicability is None
    assert "repetition-not-known" in {note.code for note in answer.notes}


@pytest.mark.parametrize("test", ["quade", "aligned-friedman", "rm-anova", "friedman"])
def test_every_test_for_any_difference_is_predicted_where_it_found_one(test):
    answer = compare(shifted(16, 4, gap=0.6), test=test, rows="datasets")
    assert answer.omnibus[-1].pvalue <= 0.05
    low, high = answer.omnibus_replicability.interval
    assert 0.1 < low <= high <= 1


@pytest.mark.parametrize("equal", [0.0, 0.2])
@pytest.mark.parametrize("spread", [0.2, 0.35, 0.5, 1.0])
@pytest.mark.parametrize(
    ("test", "n"),
    [
        ("wilcoxon", 12),
        *(pytest.param(t, n, marks=pytest.mark.slow) for t in ("wilcoxon", "sign") for n in SIZES),
    ],
)
def test_what_comes_true_lies_within_what_is_predicted(test, n, spread, equal):
    """4,000 pairs of tables, normal effects of that spread, some of them zero; by bins, ± .07.

    Where one number is given it comes true as often, where a range is given within it. One number
    for all spreads, as it was before, missed by .3 at .2 and by .15 at .35.
    """
    stream = rng(7, "comes true", test, n, str(spread), str(equal))
    effects = spread * stream.standard_normal(4000) * (stream.random(4000) >= equal)
    now, then = stream.standard_normal((2, 4000, n)) + effects[:, None]
    verdicts, statistics = decide(test, now)
    same = verdicts == decide(test, then)[0]
    seen = {}
    for key, row in zip(zip(verdicts, statistics, strict=True), now, strict=True):
        if key not in seen:
            seen[key] = repetition.predict_pair(test, row, np.zeros(n), key[0] != 0, Question())
    made = [seen[key] for key in zip(verdicts, statistics, strict=True)]
    low, high = np.array([share.between for share in made]).T
    middle = np.clip(np.digitize((low + high) / 2, [0.5, 0.7, 0.9]), 0, 3)
    for found, single, part in product((True, False), (True, False), range(4)):
        rows = ((verdicts != 0) == found) & ((low == high) == single) & (middle == part)
        if rows.sum() >= 60:
            noise = 2.6 * same[rows].std() / np.sqrt(rows.sum())  # 99 %
            assert low[rows].mean() - 0.07 - noise < same[rows].mean()
            assert same[rows].mean() < high[rows].mean() + 0.07 + noise


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.35, 1.0])
def test_pairs_adjusted_together_come_true_within_what_is_predicted(spread):
    """60 pairs of tables of eight learners on 16 data sets; found and not found, ± .1.

    Verdicts of one table belong together, so that 60 tables know a rate to about .08.
    """
    stream = rng(11, "adjusted together", str(spread))
    made, same, found = [], [], []
    for _ in range(60):
        learners = spread / np.sqrt(2) * stream.standard_normal(8)
        tables = stream.standard_normal((2, 16, 8)) / np.sqrt(2) + learners
        now, then = (
            compare(dict(zip("ABCDEFGH", table.T, strict=True)), test="wilcoxon", adjust="holm")
            for table in tables
        )
        made += [pair.repeats_between for pair in now.pairs]
        same += [
            one.outcome == other.outcome for one, other in zip(now.pairs, then.pairs, strict=True)
        ]
        found += [pair.differs for pair in now.pairs]
    made, same, found = np.array(made), np.array(same), np.array(found)
    for which in (found, ~found):
        if which.sum() >= 60:
            low, high = made[which].mean(axis=0)
            assert low - 0.1 < same[which].mean() < high + 0.1


def decide(test, x):
    """Return verdicts and statistics of rows of differences."""
    result = entry(test).load()(x, np.zeros_like(x), confidence=None)
    sides = ("r_plus", "r_minus") if test == "wilcoxon" else ("wins", "losses")
    ahead, behind = (np.asarray(result.details[side]) for side in sides)
    rejected = np.asarray(result.pvalue) <= 0.05
    return np.sign(ahead - behind) * rejected, ahead - behind
