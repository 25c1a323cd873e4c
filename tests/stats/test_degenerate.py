"""Identical learners, no variance, no discordant pair, one data set, all ties, two learners."""

import numpy as np
import pytest
from kinds import KINDS, make, options_for

from twofold import InputError, stats

ENTRIES = [
    e
    for e in stats.catalog()
    if e.data in KINDS and e.group != "adjustment" and not e.name.startswith("bayes")
]


def codes(result):
    return {note.code for note in result.notes}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_identical_learners_have_p_1_and_a_note(entry):
    arrays = make(KINDS[entry.data], 0, "equal")
    if entry.data == "crossed":
        arrays = [np.repeat(arrays[0][:1], 2, axis=0)]
    result = entry.load()(*arrays, **options_for(entry))
    assert np.all(np.asarray(result.pvalue) == 1)
    if entry.name not in ("nemenyi", "bonferroni-dunn", "mean-rank-z", "quasi-f", "skillings-mack"):
        assert result.notes
    sides = ("less", "greater") if entry.one_sided else ()
    for side in sides:
        again = entry.load()(*arrays, alternative=side, **options_for(entry))
        assert np.all(np.asarray(again.pvalue) == 1)


T_TESTS = [e for e in ENTRIES if e.data in ("splits", "folds-of-one-run", "runs-and-folds")]


@pytest.mark.parametrize("entry", T_TESTS, ids=lambda e: e.name)
@pytest.mark.parametrize("gap", [0.1, -0.3])
def test_a_constant_difference_has_p_0_and_a_warning(entry, gap):
    shape = KINDS[entry.data].shapes[0]
    base = np.random.default_rng(0).random(shape)
    result = entry.load()(base + gap, base, **options_for(entry))  # with rounding noise
    assert result.pvalue == 0
    assert result.statistic == np.sign(gap) * np.inf
    assert "zero-variance" in codes(result)
    assert result.estimate == pytest.approx(gap)
    if result.interval is not None:
        assert result.interval.low == pytest.approx(gap)
    against = "less" if gap > 0 else "greater"
    other = entry.load()(base + gap, base, alternative=against, **options_for(entry))
    assert other.pvalue == 1


def test_five_by_two_without_variance():
    flat = np.full((5, 2), 0.1)
    assert stats.five_by_two_cv_t(flat).pvalue == 0
    assert stats.five_by_two_cv_f(flat).pvalue == 0
    assert stats.five_by_two_cv_f(np.zeros((5, 2))).pvalue == 1


def test_mcnemar_without_discordant_pairs():
    for method in ("chi2", "exact", "midp"):
        result = stats.mcnemar(0, 0, 100, method=method)
        assert result.pvalue == 1
        assert "no-discordant-pair" in codes(result)
    # As many of each: R's mcnemar.test gives 0 and p = 1; (0 − 1)²/10 would be wrong.
    assert stats.mcnemar(5, 5).statistic == 0
    assert stats.mcnemar(5, 5).pvalue == 1


def test_proportions_when_all_are_right_or_wrong():
    for errors in (0, 50):
        assert stats.proportions(errors, errors, 50).pvalue == 1


def test_cochran_with_no_disagreement():
    assert stats.cochran_q(np.ones((10, 3))).pvalue == 1
    assert stats.cochran_q(np.zeros((10, 3))).statistic == 0


def test_one_data_set():
    assert stats.wilcoxon([0.3]).pvalue == 1
    assert stats.sign([0.3]).pvalue == 1
    assert "too-few" in codes(stats.wilcoxon([0.3]))
    row = [[0.5, 0.7, 0.6]]
    assert 0 < stats.friedman(row).pvalue <= 1
    assert stats.friedman(row, method="exact").pvalue == 1
    assert "too-few" in codes(stats.friedman(row))
    assert stats.iman_davenport(row).pvalue == 1
    assert stats.quade(row).pvalue == 1
    assert stats.nemenyi(row).pvalue.shape == (3,)
    for test in (stats.paired_t, stats.rm_anova):
        with pytest.raises(InputError, match="at least 2"):
            test(row if test is stats.rm_anova else [0.3])


def test_two_learners():
    rng = np.random.default_rng(0)
    table = rng.random((12, 2))
    sign = stats.sign(table[:, 0], table[:, 1], confidence=None)
    # For k = 2 the exact Friedman test is the two-sided sign test.
    assert stats.friedman(table, method="exact").pvalue == pytest.approx(sign.pvalue)
    z = stats.mean_rank_z(table)
    assert stats.nemenyi(table).pvalue == pytest.approx(z.pvalue)
    assert stats.bonferroni_dunn(table).pvalue == pytest.approx(z.pvalue)
    t = stats.paired_t(table[:, 0], table[:, 1])
    anova = stats.rm_anova(table)
    assert anova.statistic == pytest.approx(t.statistic**2)
    assert anova.pvalue == pytest.approx(t.pvalue)
    assert stats.tukey(table).pvalue[0] == pytest.approx(t.pvalue)
    assert stats.dunnett(table).pvalue[0] == pytest.approx(t.pvalue)
    assert stats.dunnett(table).interval.high[0] == pytest.approx(t.interval.high)
    one_sided = stats.dunnett(table, alternative="greater")
    expected = stats.paired_t(table[:, 0], table[:, 1], alternative="greater")
    assert one_sided.pvalue[0] == pytest.approx(expected.pvalue)
    assert one_sided.interval.low[0] == pytest.approx(expected.interval.low)
    assert one_sided.interval.high[0] == np.inf


def test_two_classifiers_in_cochrans_q_are_mcnemar():
    rng = np.random.default_rng(1)
    correct = rng.integers(0, 2, (60, 2))
    n01, n10, _ = stats.disagreements(np.ones(60), correct[:, 0], correct[:, 1])
    assert stats.cochran_q(correct).statistic == pytest.approx(
        stats.mcnemar(n01, n10, continuity=False).statistic
    )


def test_perfect_agreement():
    table = np.tile([0.9, 0.8, 0.7], (8, 1)) + np.arange(8)[:, None] / 100
    expected = (1 / 6) ** 7  # R's quade.test gives 3.572e-06
    assert stats.iman_davenport(table).pvalue == pytest.approx(expected)
    assert stats.quade(table).pvalue == pytest.approx(expected)
    assert stats.friedman(table, method="exact").pvalue == pytest.approx(expected)
    assert stats.iman_davenport(table).statistic == np.inf


def test_extreme_units():
    x = np.random.default_rng(0).normal(0.1, 1, (4, 5))
    expected = stats.corrected_cv_t(x).pvalue
    for scale in (1e-300, 1e-200, 1e-100, 1e100, 1e149):
        assert stats.corrected_cv_t(x * scale).pvalue == pytest.approx(expected)
    for test in (stats.corrected_cv_t, stats.use_all_data, stats.rm_anova, stats.friedman):
        with pytest.raises(InputError, match="must not exceed"):
            test(x * 1e200)


def test_sizes_belong_to_their_experiment():
    """Each experiment of a batch is corrected by its own sizes."""
    a = np.random.default_rng(0).normal(0.01, 0.02, (2, 10))
    sizes = {"n_train": [[90] * 10, [50] * 10], "n_test": [[10] * 10, [50] * 10]}
    together = stats.corrected_resampled_t(a, **sizes).pvalue
    both = stats.predict_replicability(a, test="corrected-resampled-t", **sizes)
    for i in range(2):
        own = {name: value[i] for name, value in sizes.items()}
        assert together[i] == pytest.approx(stats.corrected_resampled_t(a[i], **own).pvalue)
        one = stats.predict_replicability(a[i], test="corrected-resampled-t", **own)
        assert both.limit_agreement[i] == pytest.approx(one.limit_agreement)
    with pytest.raises(InputError, match="fit the scores"):
        stats.corrected_resampled_t(a[0], n_train=[90] * 7, n_test=10)
    result = stats.corrected_resampled_t(a[0], n_train=[90] * 9 + [80], n_test=[10] * 9 + [20])
    assert "unequal-folds" in codes(result)
    assert result.details["test_train_ratio"] == pytest.approx((9 * 10 / 90 + 20 / 80) / 10)


def test_equal_but_for_rounding_is_equal():
    assert stats.paired_t([0.3] * 5, [0.1 + 0.2] * 5).pvalue == 1
    assert stats.win_tie_loss([0.3], [0.1 + 0.2]).ties == 1
    # One-point differences are within a rope of one point.
    assert stats.bayes_sign([0.81, 0.71, 0.91], [0.80, 0.70, 0.90], rope=0.01).statistic == 0
    assert stats.win_tie_loss([0.81, 0.71], [0.80, 0.70], rope=0.01).ties == 2


def test_coarse_floats_mean_what_they_show():
    low = np.array([0.56, 0.86, 0.31, 0.43, 0.91, 0.12, 0.77, 0.65, 0.24, 0.58])
    high = np.round(low + np.array([1] * 8 + [-1] * 2) / 100, 2)
    expected = stats.wilcoxon(high, low).pvalue
    assert stats.wilcoxon(high.astype(np.float32), low.astype(np.float32)).pvalue == expected


def test_masked_arrays_are_refused():
    with pytest.raises(InputError, match="masked"):
        stats.wilcoxon(np.ma.masked_greater([1.0, 2.0, 1e9], 10))


def test_perfect_agreement_with_ties():
    tied = [[1.5, 1.5, 3]] * 5
    exact = stats.friedman(tied, are_ranks=True, method="exact").pvalue
    assert exact == pytest.approx((1 / 3) ** 4)
    result = stats.iman_davenport(tied, are_ranks=True, ties="corrected")
    assert result.pvalue == pytest.approx(exact)
    assert stats.quade([[1.0, 1.0, 0.0]] * 5).pvalue == pytest.approx(exact)


def test_missing_cells_do_not_make_ties():
    rows = [[0.1, 0.2, np.nan], [0.1, 0.2, 0.3], [0.1, np.nan, 0.3]]
    large = stats.skillings_mack([[1e12, 2e12, 3e12], *rows])
    small = stats.skillings_mack([[1.0, 2.0, 3.0], *rows])
    assert large.pvalue == small.pvalue


def test_calibrated_tests_without_df_say_so():
    x = np.random.default_rng(0).normal(0, 1, (4, 5))
    assert "uncalibrated" in codes(stats.use_all_data(x))
    assert "uncalibrated" not in codes(stats.use_all_data(x, df=10))
    assert "uncalibrated" not in codes(stats.sorted_cv_t(x))


def test_ropes_in_the_wrong_unit_are_noticed():
    percent = np.random.default_rng(0).normal(1, 2, (4, 5))
    assert "rope-units" in codes(stats.bayes_correlated_t(percent))
    assert "rope-units" not in codes(stats.bayes_correlated_t(percent, rope=1))


def test_skillings_mack_special_cases():
    rng = np.random.default_rng(0)
    table = rng.random((9, 4))
    complete = stats.skillings_mack(table)
    assert complete.statistic == pytest.approx(stats.friedman(table).statistic)
    table[0, 1:] = np.nan  # a data set with one score
    assert "single-score" in codes(stats.skillings_mack(table))
    with pytest.raises(InputError, match="Every learner"):
        stats.skillings_mack([[1.0, 2.0, np.nan]] * 4)
    apart = np.full((8, 4), np.nan)
    apart[:4, :2], apart[4:, 2:] = rng.random((4, 2)), rng.random((4, 2))
    result = stats.skillings_mack(apart)
    assert result.df == 2
    assert "disconnected" in codes(result)


BAD = [
    (lambda: stats.corrected_cv_t([[0.1, 0.2]], alternative="bigger"), "must be one of"),
    (lambda: stats.corrected_cv_t([[0.1, 0.2]], confidence=95), "Did you mean 0.95"),
    (lambda: stats.corrected_cv_t([[0.1, 0.2]], df=0), "larger than zero"),
    (lambda: stats.corrected_cv_t([[0.1, 0.2]], n_train=90), "together"),
    (lambda: stats.corrected_cv_t([[0.1], [0.2]]), "2 folds"),
    (lambda: stats.corrected_cv_t([0.1, 0.2, 0.3]), "2 axes"),
    (lambda: stats.corrected_resampled_t([0.1, 0.2], n_train=0, n_test=10), "larger than zero"),
    (lambda: stats.corrected_resampled_t([0.1], n_train=9, n_test=1), "at least 2"),
    (lambda: stats.five_by_two_cv_t(np.zeros((5, 3))), "5 runs of 2 folds"),
    (lambda: stats.wilcoxon([0.1, 0.2], [0.1]), "same shape"),
    (lambda: stats.mcnemar(-1, 3), "counts"),
    (lambda: stats.mcnemar(1.5, 3), "counts"),
    (lambda: stats.mcnemar(5, 6, 10), "at least n01"),
    (lambda: stats.mcnemar([1, 2], [1, 2, 3]), "matching shapes"),
    (lambda: stats.proportions(5, 6, 5), "outnumber"),
    (lambda: stats.cochran_q([[0, 2], [1, 1]]), "0 and 1"),
    (lambda: stats.relative_t([-0.1, 0.2], [0.1, 0.2]), "not negative"),
    (lambda: stats.friedman([[1.0], [2.0]]), "2 learners"),
    (lambda: stats.friedman([[1, 1, 3]], are_ranks=True), "sum to 6"),
    (lambda: stats.friedman([[0.5, 0.6]], higher_is_better="yes"), "True or False"),
    (lambda: stats.nemenyi([[0.5, 0.6]], confidence=0), "between 0 and 1"),
    (lambda: stats.bonferroni_dunn([[0.5, 0.6]], control=2), "column from 0 to 1"),
    (lambda: stats.dunnett([[0.5, 0.6]] * 3, control=-1), "whole number"),
    (lambda: stats.critical_difference(1, 10), "from 2 up"),
    (lambda: stats.critical_difference(3, 10, alpha=5), "Did you mean 0.05"),
    (lambda: stats.bayes_correlated_t([[0.1, 0.2]], rope=-1), "zero or larger"),
    (lambda: stats.bayes_sign([0.1, 0.2], samples=3), "whole number"),
    (lambda: stats.wilson(5, 4), "larger than"),
    (lambda: stats.wilson(0, 0), "at least 1"),
    (lambda: stats.agreement(11, 10), "repetitions"),
    (lambda: stats.replicability(3, 10), "each data set"),
    (lambda: stats.predict_replicability([[0.1, 0.2]] * 3, test="cv-t"), "must be one of"),
    (lambda: stats.predict_replicability([[0.1, 0.2]]), "2 runs"),
    (lambda: stats.mcnemar_worst_case(0.1, repetitions=3, method="paper"), "two repetitions"),
    (lambda: stats.entry("friedmann"), "Did you mean 'friedman'"),
    (lambda: stats.disagreements([1, 2], [1], [1, 2]), "same shape"),
    (lambda: stats.disagreements(["1", "2"], [1, 2], [1, 1]), "one kind"),
    (lambda: stats.disagreements(None, None, None), "same shape"),
    (lambda: stats.mcnemar(3, 5, confidence=7), "between 0 and 1"),
    (lambda: stats.mcnemar([3, 4], [5, 6], [10, 20, 30]), "matching shapes"),
    (lambda: stats.wilson([1, 2], [3, 4, 5]), "matching shapes"),
    (lambda: stats.critical_wins(float("nan")), "whole number"),
    (lambda: stats.critical_wins(float("inf")), "whole number"),
    (lambda: stats.critical_difference(5, 10, alpha=1e-320), "at least 1e-100"),
    (lambda: stats.critical_difference(10**30, 10), "up to a billion"),
    (lambda: stats.wilcoxon([0.1, 0.2], alternative=np.array(["less"])), "must be one of"),
    (lambda: stats.wilcoxon([0.1, 0.2]).reject(5), "Did you mean 0.05"),
    (lambda: stats.bayes_sign([0.1, 0.2]).reject(), "Bayesian"),
    (lambda: stats.friedman(np.arange(24.0).reshape(2, 12), method="exact"), "too large"),
    (lambda: stats.friedman([[1.3, 1.7]] * 3, are_ranks=True, method="exact"), "one half"),
    (lambda: stats.kendalls_w([[0.2, 0.5, 0.3]] * 3), "sum to 6"),
    (lambda: stats.learner_accuracy(np.ones((2, 3, 4))), "two axes"),
    (lambda: stats.cohens_d([1.0, 2.0], unbiased=True), "at least 3"),
    (lambda: stats.hodges_lehmann(np.ones(5000)), "at most 4000"),
    (
        lambda: stats.predict_replicability(
            [0.01, 0.02], test="corrected-resampled-t", n_train=90, n_test=10
        ),
        "3 splits",
    ),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_impossible_input_is_refused_in_two_lines(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    lines = str(caught.value).splitlines()
    assert len(lines) == 2
    assert all(line.endswith((".", "?")) for line in lines)
