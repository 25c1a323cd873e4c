"""The worked examples of the papers, to the printed digits; and where exactness differs."""

import numpy as np
import pytest
from scipy.integrate import trapezoid

from demsar import (
    C45,
    C45M,
    DUNN_05,
    DUNN_10,
    NEMENYI_05,
    NEMENYI_10,
    RANKS6,
    TABLE6,
    WINS_05,
    WINS_10,
)
from twofold import stats


def printed(value, text):
    """The value, rounded as the paper prints it, is what the paper prints."""
    digits = len(text.split(".")[1])
    return f"{value:.{digits}f}" == text


class TestDemsarTable2:
    def test_wilcoxon(self):
        result = stats.wilcoxon(C45M, C45)
        assert result.details["r_plus"] == 93
        assert result.details["r_minus"] == 12
        assert result.statistic == 12
        # All 2^12 sign flips of the ranks as they are, ties and zeros kept (brute force below).
        assert printed(result.pvalue, "0.0078")

    def test_wilcoxon_ranks(self):
        from twofold.stats.signed_rank import rank_differences, tie_tolerance

        d = C45M - C45
        ranked = rank_differences(d[None, :].copy(), tie_tolerance(C45M, C45, d)[None])
        # 3.5, 3.5, 5, …, 14 for the twelve that differ; the two zeros have 1.5 each.
        assert ranked.ranks[0].tolist() == [0, 0, 3.5, 3.5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
        assert ranked.zero_share[0] == 1.5

    def test_wilcoxon_z_by_the_papers_formula(self):
        # (12 − 14·15/4) / √(14·15·29/24), worked by hand: −40.5/√253.75
        result = stats.wilcoxon(C45M, C45, method="z", ties="plain")
        assert result.details["z"] == pytest.approx(40.5 / 253.75**0.5, rel=1e-12)

    def test_zeros_dropped_by_hand(self):
        d = np.round(C45M - C45, 3)
        assert printed(stats.wilcoxon(d[d != 0]).pvalue, "0.0073")

    def test_sign(self):
        result = stats.sign(C45M, C45)
        assert result.statistic == 11  # "counting also one of the two data sets … tied"
        assert printed(result.pvalue, "0.0574")  # exact; the paper says p < 0.05
        assert result.details == {"wins": 10.0, "ties": 2.0, "losses": 2.0}
        paper = stats.sign(C45M, C45, rule="paper")
        assert paper.pvalue < 0.05
        assert any(note.code == "one-sided-table" for note in paper.notes)

    def test_paired_t(self):
        # R: t.test(paired = TRUE), in r.json; scipy gives p = .0138 too.
        assert printed(stats.paired_t(C45M, C45).pvalue, "0.0138")


class TestDemsarTable3:
    def test_the_table_is_one_sided(self):
        rule = [stats.critical_wins(n, alpha=0.10, rule="paper") for n in range(5, 26)]
        assert rule == WINS_10
        rule = [stats.critical_wins(n, alpha=0.05, rule="paper") for n in range(5, 26)]
        off = [n for n, w, p in zip(range(5, 26), rule, WINS_05, strict=True) if w != p]
        assert off == [23, 24]  # misprints: 17 and 18 for 16 and 17

    def test_exact_two_sided_needs_more_wins(self):
        # 10 of 21 entries at .05 have an exact two-sided p above .05.
        above = [
            w
            for n, w in zip(range(5, 26), WINS_05, strict=True)
            if stats.sign([1.0] * w + [-1.0] * (n - w)).pvalue > 0.05
        ]
        assert len(above) == 10
        assert stats.critical_wins(5) is None
        assert stats.critical_wins(6) == 6


class TestDemsarTable5:
    @pytest.mark.parametrize("k", range(2, 11))
    def test_nemenyi(self, k):
        for alpha, table in ((0.05, NEMENYI_05), (0.10, NEMENYI_10)):
            q = stats.critical_value(k, alpha=alpha)
            # The paper's last digit is off by one at k = 3 and 7, .05 (2.3437, 2.9483), and others
            # are truncated; three digits hold.
            assert abs(q - table[k - 2]) < 1.1e-3

    @pytest.mark.parametrize("k", range(2, 11))
    def test_bonferroni_dunn(self, k):
        for alpha, table in ((0.05, DUNN_05), (0.10, DUNN_10)):
            q = stats.critical_value(k, alpha=alpha, method="bonferroni-dunn")
            if (k, alpha) == (9, 0.05):
                assert printed(q, "2.734")  # printed 2.724
            else:
                assert abs(q - table[k - 2]) < 6e-4

    def test_any_number_of_learners_and_any_level(self):
        assert stats.critical_value(200) > stats.critical_value(100)
        assert stats.critical_value(4, alpha=0.0123) > stats.critical_value(4)


class TestDemsarTable6:
    def test_ranks(self):
        assert np.array_equal(np.delete(stats.ranks(TABLE6), 12, 0), np.delete(RANKS6, 12, 0))
        assert stats.ranks(TABLE6)[12].tolist() == [4, 1, 2.5, 2.5]

    def test_friedman_and_iman_davenport_from_the_papers_ranks(self):
        friedman = stats.friedman(RANKS6, are_ranks=True, ties="plain")
        assert [f"{r:.3f}" for r in friedman.details["mean_ranks"]] == [
            "3.143", "2.000", "2.893", "1.964",
        ]  # fmt: skip
        assert printed(friedman.statistic, "9.28")
        assert printed(friedman.statistic, "9.279")
        assert printed(friedman.details["corrected"], "10.228")
        f = stats.iman_davenport(RANKS6, are_ranks=True, ties="plain")
        assert printed(f.statistic, "3.69")
        assert printed(f.statistic, "3.686")
        assert f.df == (3.0, 39.0)
        from scipy.special import fdtri

        assert printed(fdtri(3, 39, 0.95), "2.85")

    def test_friedman_from_the_printed_scores(self):
        """The paper's formula beside the one corrected for ties, which decides."""
        friedman = stats.friedman(TABLE6)
        assert printed(friedman.details["plain"], "9.857")
        assert printed(friedman.statistic, "10.952")  # scipy's and R's
        f = stats.iman_davenport(TABLE6)
        assert printed(f.details["plain"], "3.987")
        assert f.details["plain_pvalue"] == stats.iman_davenport(TABLE6, ties="plain").pvalue
        assert any(note.code == "ties" for note in friedman.notes)

    def test_nemenyi(self):
        assert printed(stats.critical_difference(4, 14, alpha=0.05), "1.25")
        assert printed(stats.critical_difference(4, 14, alpha=0.10), "1.12")
        result = stats.nemenyi(RANKS6, are_ranks=True)
        assert (result.pvalue > 0.05).all()
        differ = {pair for pair, p in zip(result.pairs, result.pvalue, strict=True) if p <= 0.10}
        assert differ == {(0, 1), (0, 3)}
        means = result.details["mean_ranks"]
        assert stats.groups(means, stats.critical_difference(4, 14)) == ((3, 1, 2, 0),)
        cd = stats.critical_difference(4, 14, alpha=0.10)
        assert stats.groups(means, cd) == ((3, 1, 2), (2, 0))

    def test_bonferroni_dunn(self):
        cd = stats.critical_difference(4, 14, method="bonferroni-dunn")
        assert printed(cd, "1.168")  # printed 1.16, truncated
        result = stats.bonferroni_dunn(RANKS6, are_ranks=True, control=0)
        assert [f"{gap:.3f}" for gap in result.estimate] == ["1.143", "0.250", "1.179"]
        assert result.reject(0.05).tolist() == [False, False, True]

    def test_holm_hochberg_hommel(self):
        result = stats.mean_rank_z(RANKS6, are_ranks=True, control=0)
        m, cf, both = result.statistic
        # Exact: 2.3422, .5123, 2.4154; the paper's 2.416 comes from an SE rounded to .488.
        assert printed(m, "2.342")
        assert printed(cf, "0.512")
        assert printed((3.143 - 1.964) / 0.488, "2.416")
        assert printed(both, "2.4154")
        assert [f"{p:.3f}" for p in result.pvalue] == ["0.019", "0.608", "0.016"]
        for method in ("holm", "hochberg", "hommel"):
            rejected = stats.adjust(result.pvalue, method) <= 0.05
            assert rejected.tolist() == [True, False, True]
        assert (stats.adjust(result.pvalue, "bonferroni") <= 0.05).tolist() == [False, False, True]

    def test_other_tools_that_are_right_agree(self):
        # statds 1.1.7 on the table with voting untied (.9751, .9749): Quade 4.52.
        untied = TABLE6.copy()
        untied[12, 2:] = 0.9751, 0.9749
        assert printed(stats.quade(untied).statistic, "4.52")


# Bouckaert & Frank 2004, Table 1: draws of the 5x2cv test in ten repetitions.
TABLE1 = {
    "NB vs C4.5": (
        [4, 9, 5, 10, 1, 10, 6, 7, 9, 6, 4, 9, 8, 10, 10, 10, 8, 9, 10, 7, 10, 8, 0, 4, 4, 8, 10],
        (9, 14, "0.737"),
    ),
    "NB vs NN": (
        [4, 9, 10, 7, 4, 9, 8, 10, 6, 6, 5, 10, 10, 10, 10, 10, 10, 10, 6, 3, 9, 8, 0, 9, 0, 9, 10],
        (12, 17, "0.783"),
    ),
    "C4.5 vs NN": (
        [
            10,
            2,
            8,
            10,
            7,
            8,
            10,
            10,
            10,
            9,
            9,
            10,
            7,
            10,
            8,
            10,
            10,
            10,
            7,
            10,
            6,
            9,
            9,
            7,
            0,
            10,
            8,
        ],
        (13, 17, "0.816"),
    ),
}


@pytest.mark.parametrize("pair", TABLE1)
def test_bouckaert_frank_table_1(pair):
    draws, (consistent, almost, r) = TABLE1[pair]
    result = stats.replicability(draws, 10)
    assert (result.consistent, result.almost_consistent) == (consistent, almost)
    assert printed(result.replicability, r)
    # Counting rejections instead of draws gives the same.
    assert stats.replicability(10 - np.array(draws), 10).replicability == result.replicability


def test_bouckaert_2005_closed_forms():
    assert printed(stats.type_one_bound(0.05), "0.905")
    # Appendix: ½ + ∫₀^{t/√(2π)} N(0, ½) dx does not contain n; by numeric integration, t = .1.
    grid = np.linspace(0, 0.1 / np.sqrt(2 * np.pi), 20001)
    density = np.exp(-(grid**2) / (2 * 0.25)) / np.sqrt(2 * np.pi * 0.25)
    paper = 0.5 + trapezoid(density, grid)
    assert stats.mcnemar_worst_case(0.1, method="paper") == pytest.approx(paper, abs=1e-9)
    # Exact for two repetitions: P(both sides of the mean) of a bivariate normal, ½ + arcsin(t)/π.
    for share in (0.1, 1 / 3, 0.5, 0.99, 0.999):
        expected = 0.5 + np.arcsin(share) / np.pi
        assert stats.mcnemar_worst_case(share) == pytest.approx(expected, abs=1e-12)
        # Of three, either all agree or two of the three pairs differ: 1 − 3/2 · P(two differ).
        three = 1 - 1.5 * (1 - expected)
        assert stats.mcnemar_worst_case(share, repetitions=3) == pytest.approx(three, abs=1e-6)


def test_dietterich_critical_values():
    # Printed in sections 3.1 to 3.3: χ² 3.841459, Z 1.96, t(29) 2.04523; each at p = .05.
    from twofold.stats.distributions import chi2_pvalue, normal_pvalue, student_pvalue

    assert chi2_pvalue(np.array(3.841459), 1) == pytest.approx(0.05, abs=1e-7)
    assert normal_pvalue(np.array(1.96), "two-sided") == pytest.approx(0.05, abs=1e-4)
    assert student_pvalue(np.array(2.04523), 29.0, "two-sided") == pytest.approx(0.05, abs=1e-6)


def test_bouckaert_2003_reductions():
    """With the theoretical df each calibrated test is the usual one."""
    x = np.random.default_rng(1).normal(0.01, 0.05, (10, 10))
    flat = x.reshape(-1)
    assert stats.use_all_data(x, df=99).pvalue == pytest.approx(stats.resampled_t(flat).pvalue)
    assert stats.mean_folds(x, df=9).pvalue == pytest.approx(stats.paired_t(x.mean(1)).pvalue)
    assert stats.mean_runs(x, df=9).pvalue == pytest.approx(stats.paired_t(x.mean(0)).pvalue)
    ordered = np.sort(x, axis=1).mean(0)
    assert stats.mean_sorted_runs(x, df=9).pvalue == pytest.approx(stats.paired_t(ordered).pvalue)
    assert stats.sorted_cv_t(x).pvalue == stats.mean_sorted_runs(x, df=9).pvalue
    one_run = stats.cv_t(x[0])
    for variance in ("averaged-var", "averaged-t"):
        assert stats.mean_folds(x[:1], variance=variance).pvalue == pytest.approx(one_run.pvalue)


def test_bouckaert_2003_figure_1_by_hand():
    """Three runs of three folds; every kind of sample worked out by hand."""
    x = np.array([[3.0, 0.0, 6.0], [1.0, 4.0, 1.0], [2.0, 2.0, 8.0]]) / 100
    m = 3.0 / 100
    assert stats.mean_folds(x).estimate == pytest.approx(m)
    # run means 3, 2, 4: s² = 1; fold means 2, 2, 5: s² = 3; sorted: 1, 2, 6: s² = 7
    for test, s2 in ((stats.mean_folds, 1), (stats.mean_runs, 3), (stats.mean_sorted_runs, 7)):
        assert test(x).statistic == pytest.approx(3 / np.sqrt(s2 / 3))
        assert test(x, df=5).statistic == pytest.approx(3 / np.sqrt(s2 / 6))
    # variances of the runs 9, 3, 12; of the folds 1, 4, 13; of the sorted places
    # (0, 1, 2), (3, 1, 2), (6, 4, 8): 1, 1, 4
    for test, s2 in ((stats.mean_folds, 8), (stats.mean_runs, 6), (stats.mean_sorted_runs, 2)):
        result = test(x, variance="averaged-var")
        assert result.statistic == pytest.approx(3 / np.sqrt(s2 / 3))
    by_runs = np.mean([3 / np.sqrt(9 / 3), 2 / np.sqrt(3 / 3), 4 / np.sqrt(12 / 3)])
    assert stats.mean_folds(x, variance="averaged-t").statistic == pytest.approx(by_runs)
    by_folds = np.mean([2 / np.sqrt(1 / 3), 2 / np.sqrt(4 / 3), 5 / np.sqrt(13 / 3)])
    assert stats.mean_runs(x, variance="averaged-t").statistic == pytest.approx(by_folds)
