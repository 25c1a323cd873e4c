"""Against R: null distributions, their quantiles, and adjustments of p values."""

import numpy as np
import pytest
from r_cases import cases, close, close_interval, numbers

from twofold import stats
from twofold.stats.ranges import (
    dunnett_pvalue,
    dunnett_quantile,
    range_pvalue,
    range_quantile,
)
from twofold.stats.signed_rank import cdf_without_ties, rank_sum_cdf, rank_sum_quantile


@cases("signrank")
def test_signed_rank_distribution(case):
    n, q = case.input["n"], np.array(case.input["q"])
    cdf = cdf_without_ties(n)
    assert len(cdf) == n * (n + 1) // 2 + 1
    close(cdf[q], case.value["lower"])
    # P(W > q) is P(W < total − q): the distribution is symmetric.
    close(np.append(cdf[::-1][1:], 0.0)[q], case.value["upper"])
    quantiles = [rank_sum_quantile(p, n) for p in case.input["prob"]]
    assert quantiles == case.value["quantile"]


@cases("signflip_mean")
def test_sign_flips_of_any_weights(case):
    # The library has no permutation test of the mean. But its dynamic programming works with any
    # whole-number weights, so that with |d| instead of ranks it gives the sign flips of the sum.
    d = np.rint(1e4 * numbers(case.input["d"])).astype(int)
    cdf = rank_sum_cdf(tuple(abs(d[d != 0]).tolist()))
    observed = d[d > 0].sum()
    less, greater = cdf[observed], cdf[len(cdf) - 1 - observed]
    close(less, case.value["less"])
    close(greater, case.value["greater"])
    close(min(1, 2 * min(less, greater)), case.value["two.sided"])


@cases("cohen_d_interval")
def test_cohens_d(case):
    d, n = case.input["d"], case.input["n"]
    spread = np.arange(n) - (n - 1) / 2
    x = d + spread / spread.std(ddof=1)
    effect = stats.cohens_d(x, confidence=case.input["conf_level"])
    close(effect.estimate, d, atol=1e-14)
    close(effect.estimate * np.sqrt(n), case.value["t"], atol=1e-14)
    close_interval(effect.interval, case.value["interval"])


# R's ptukey is good to about 1e-7 only (1e-4 at df = 2); the file has the same by quadrature.


def grid(case, *names):
    """Split a grid by (number of means or comparisons, df)."""
    size, df = (numbers(case.input[name], np.inf) for name in names)
    for k, v in sorted(set(zip(size.tolist(), df.tolist(), strict=True))):
        yield int(k), v, (size == k) & (df == v)


@cases("ptukey")
def test_range_pvalue(case):
    q, expected = numbers(case.input["q"]), numbers(case.value["integrated"])
    for k, df, here in grid(case, "k", "df"):
        close(range_pvalue(q[here], k, df), expected[here], err_msg=f"k={k} df={df}")
        close(expected[here], numbers(case.value["upper"])[here], atol=1.2e-4 if df == 2 else 1e-7)


@pytest.mark.parametrize(("many_k", "many_df"), [(20, 2.0), (3, 22.0), (5, np.inf)])
@cases("ptukey")
def test_range_pvalue_of_many(case, many_k, many_df):
    # Beyond 192 values the library interpolates between a few of them.
    q, expected = numbers(case.input["q"]), numbers(case.value["integrated"])
    for k, df, here in grid(case, "k", "df"):
        if (k, df) == (many_k, many_df):
            close(range_pvalue(np.tile(q[here], 20), k, df), np.tile(expected[here], 20))


@cases("qtukey")
def test_range_quantile(case):
    alpha, q = numbers(case.input["upper"]), numbers(case.value["q"])
    for k, df, here in grid(case, "k", "df"):
        close(range_pvalue(q[here], k, df), alpha[here], atol=1e-12, err_msg=f"k={k} df={df}")
        for a, expected in zip(alpha[here], q[here], strict=True):
            if np.isinf(df) or a == 0.05:  # with finite df each takes a tenth of a second
                close(range_quantile(a, k, df), expected, err_msg=f"{a} k={k} df={df}")


@cases("dunnett_p")
def test_dunnett_pvalue(case):
    c, p = numbers(case.input["c"]), numbers(case.value["p"])
    sides = 2 if case.side == "two-sided" else 1
    for m, df, here in grid(case, "comparisons", "df"):
        actual = dunnett_pvalue(c[here], m, df, sides=sides)
        close(actual, p[here], atol=1e-12, err_msg=f"{m} comparisons, df={df}")


@cases("dunnett_quantile")
def test_dunnett_quantile(case):
    alpha, q = numbers(case.input["alpha"]), numbers(case.value["q"])
    two_sided = np.array(case.input["alternative"]) == "two.sided"
    for m, df, here in grid(case, "comparisons", "df"):
        for sides, those in ((2, here & two_sided), (1, here & ~two_sided)):
            actual = dunnett_pvalue(q[those], m, df, sides=sides)
            close(actual, alpha[those], atol=1e-10, err_msg=f"{m} comparisons, df={df}")
        # The library has quantiles of two sides only.
        for a, expected in zip(alpha[here & two_sided], q[here & two_sided], strict=True):
            close(dunnett_quantile(a, m, df), expected, err_msg=f"{a} m={m} df={df}")


# The file also has Benjamini and Hochberg's, which the library leaves out: it does not keep the
# family-wise error.
@pytest.mark.parametrize("method", ["bonferroni", "holm", "hochberg", "hommel"])
@cases("p_adjust")
def test_adjust(case, method):
    close(stats.adjust(case.input["p"], method), case.value[method])
    close(getattr(stats, method)(case.input["p"]), case.value[method])
