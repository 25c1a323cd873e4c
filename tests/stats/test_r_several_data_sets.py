"""Against R: two or more learners over several data sets."""

import numpy as np
import pytest
from r_cases import cases, close, close_interval, numbers, the_case

from twofold import stats


@cases("t_test_paired")
def test_paired_t(case):
    result = stats.paired_t(
        case.input["x"],
        case.input["y"],
        alternative=case.side,
        confidence=case.input["conf_level"],
    )
    close(result.statistic, case.value["statistic"])
    assert result.df == case.value["df"]
    close(result.pvalue, case.value["p"])
    close(result.estimate, case.value["estimate"])
    close_interval(result.interval, case.value["interval"])


@cases("sign_test")
def test_sign(case):
    x, y = case.input["x"], case.input["y"]
    result = stats.sign(x, y, ties="drop", alternative=case.side)
    counts = {name: case.value[name] for name in ("wins", "ties", "losses")}
    assert result.details == counts
    assert result.statistic == counts["wins"]
    close(result.pvalue, case.value["p"])
    tally = stats.win_tie_loss(np.round(numbers(x) - numbers(y), 4))
    assert (tally.wins, tally.ties, tally.losses) == tuple(counts.values())


@cases("wilcoxon_exact")
def test_wilcoxon_exact(case):
    result = stats.wilcoxon(
        case.input["x"],
        case.input["y"],
        alternative=case.side,
        confidence=case.input["conf_level"],
    )
    assert result.details["r_plus"] == case.value["w_plus"]
    close(result.pvalue, case.value["p"])
    close(result.estimate, case.value["pseudomedian"])
    close_interval(result.interval, case.value["interval"])


def check_wilcoxon(scores, side, expected):
    exact = stats.wilcoxon(*scores, method="exact", alternative=side)
    close(exact.pvalue, expected["p_exact"])
    close(exact.details["z"], expected["z"])
    close(
        exact.details["r_plus"] - exact.details["r_minus"], expected["w_plus"] - expected["w_minus"]
    )
    approximate = stats.wilcoxon(*scores, method="z", ties="corrected", alternative=side)
    close(approximate.pvalue, expected["p_asymptotic"])
    return exact.details


@cases("wilcoxon_ties")
def test_wilcoxon_ties(case):
    scores, zeros = (case.input["x"], case.input["y"]), case.value["zeros"]
    # Zeros keep their ranks here and are split evenly, which is Pratt's way but that one zero is
    # ignored if their number is odd; a single zero is then dropped, which is Wilcoxon's way.
    assert zeros % 2 == 0 or zeros == 1
    expected = case.value["wilcoxon" if zeros == 1 else "pratt"]
    details = check_wilcoxon(scores, case.side, expected)
    kept = zeros - zeros % 2
    half = kept * (kept + 1) / 4
    assert details["r_plus"] == expected["w_plus"] + half
    assert details["r_minus"] == expected["w_minus"] + half


@cases("wilcoxon_ties")
def test_wilcoxon_ties_without_zeros(case):
    d = numbers(case.input["d"])
    details = check_wilcoxon((d[d != 0],), case.side, case.value["wilcoxon"])
    assert details["r_plus"] == case.value["wilcoxon"]["w_plus"]
    assert details["r_minus"] == case.value["wilcoxon"]["w_minus"]


@cases("wilcoxon_normal")
def test_wilcoxon_normal(case):
    # R drops zeros, so they are dropped here. The file also has p values with a continuity
    # correction, which the library does not offer: it has the exact ones.
    d = numbers(case.input["d"])
    result = stats.wilcoxon(d[d != 0], method="z", alternative=case.side)
    assert result.details["r_plus"] == case.value["w_plus"]
    close(result.pvalue, case.value["p_uncorrected"])


@cases("hodges_lehmann")
def test_hodges_lehmann(case):
    d = numbers(case.input["d"])
    close(stats.hodges_lehmann(case.input["x"], case.input["y"]).estimate, case.value["all"])
    close(stats.hodges_lehmann(d).estimate, case.value["all"])
    close(stats.hodges_lehmann(d[d != 0]).estimate, case.value["without_zeros"])


@cases("hodges_lehmann")
def test_rank_biserial(case):
    # One zero is ignored where their number is odd, which takes 1 off every other rank of Pratt's.
    value = the_case(f"wilcoxon_ties/{case.variant}/two.sided").value
    d, sums, odd = numbers(case.input["d"]), value["pratt"], value["zeros"] % 2
    n = len(d) - odd
    excess = sums["w_plus"] - sums["w_minus"] - odd * ((d > 0).sum() - (d < 0).sum())
    effect = stats.rank_biserial(case.input["x"], case.input["y"])
    close(effect.estimate, excess / (n * (n + 1) / 2))


@cases("ranks")
def test_ranks(case):
    table, expected = numbers(case.input["table"]), numbers(case.value["ranks"])
    np.testing.assert_array_equal(stats.ranks(table), expected)
    np.testing.assert_array_equal(stats.ranks(-table, higher_is_better=False), expected)


@pytest.mark.parametrize(("ties", "suffix"), [("corrected", ""), ("plain", "_uncorrected")])
@cases("friedman")
def test_friedman(case, ties, suffix):
    table, are_ranks, value = case.input["table"], case.input["are_ranks"], case.value
    result = stats.friedman(table, are_ranks=are_ranks, ties=ties)
    close(result.details["mean_ranks"], value["mean_ranks"])
    close(result.statistic, value[f"statistic{suffix}"])
    close(result.details[ties], value[f"statistic{suffix}"])
    assert result.df == value["df"]
    close(result.pvalue, value[f"p{suffix}"])
    result = stats.iman_davenport(table, are_ranks=are_ranks, ties=ties)
    close(result.statistic, value[f"f{suffix}"])
    assert result.df == (value["f_df1"], value["f_df2"])
    close(result.pvalue, value[f"f_p{suffix}"])


@cases("kendall_w")
def test_kendalls_w(case):
    table, are_ranks = case.input["table"], case.input["are_ranks"]
    ranked = table if are_ranks else stats.ranks(table)
    close(stats.kendalls_w(ranked).estimate, case.value["w"])
    close(stats.friedman(ranked, are_ranks=True, ties="corrected").pvalue, case.value["p"])


@cases("friedman_exact")
def test_friedman_exact(case):
    result = stats.friedman(case.input["table"], ties="corrected", method="exact")
    close(result.statistic, case.value["statistic"])
    close(result.pvalue, case.value["hits"] / case.value["total"])


@cases("quade")
def test_quade(case):
    table = numbers(case.input["table"])
    result = stats.quade(table)
    close(result.statistic, case.value["statistic"])
    assert result.df == (case.value["df1"], case.value["df2"])
    close(result.pvalue, case.value["p"])
    weights = stats.ranks(np.ptp(table, axis=1), higher_is_better=False)
    np.testing.assert_array_equal(weights, case.value["row_range_ranks"])


@cases("quade")
def test_quade_of_larger_scores(case):
    # The test does not change with a constant added to all scores; ranges that tie must tie still.
    result = stats.quade(np.round(numbers(case.input["table"]) + 100, 4))
    close(result.statistic, case.value["statistic"])


@cases("aligned_friedman")
def test_aligned_friedman(case):
    # The library corrects for ties; without any both forms are the same.
    result = stats.aligned_friedman(case.input["table"])
    close(result.details["mean_aligned_ranks"], case.value["mean_ranks"])
    close(result.statistic, case.value["statistic_tie_corrected"])
    close(result.pvalue, case.value["p_tie_corrected"])
    assert result.df == case.value["df"]
    if not case.value["ties"]:
        close(result.statistic, case.value["statistic"])
        close(result.pvalue, case.value["p"])


@cases("skillings_mack")
def test_skillings_mack(case):
    result = stats.skillings_mack(numbers(case.input["table"]))
    close(result.details["plain"], case.value["statistic"])  # R does not correct for ties
    assert result.df == case.value["df"]
    close(result.details["plain_pvalue"], case.value["p"])


def as_pairs(stored):
    return tuple(tuple(pair) for pair in stored)


def upper_quantile(group, size, **wanted):
    """Look up a stored critical value of the studentized range or of Dunnett's distribution."""
    case = the_case(f"{group}/grid")
    here = numbers(case.input["k" if group == "qtukey" else "comparisons"]) == size
    for name, value in wanted.items():
        stored = case.input[name]
        here &= (
            np.array(stored) == value if value == "two.sided" else numbers(stored, np.inf) == value
        )
    return numbers(case.value["q"])[here].item()


@cases("nemenyi")
def test_nemenyi(case):
    options, value = {"are_ranks": case.input["are_ranks"]}, case.value
    result = stats.nemenyi(case.input["table"], **options)
    assert result.pairs == as_pairs(value["pairs"])
    close(result.details["mean_ranks"], value["mean_ranks"])
    close(result.statistic, value["z"])
    close(result.estimate, np.multiply(value["z"], value["se"]))
    # R's own ptukey is good to about 1e-7 only.
    close(result.pvalue, value["p_integrated"])
    close(result.pvalue, value["p"], atol=1e-7)
    z = stats.mean_rank_z(case.input["table"], **options)
    assert z.pairs == result.pairs
    close(z.statistic, value["z"])
    close(z.pvalue, value["p_unadjusted"])
    k = len(value["mean_ranks"])
    critical = upper_quantile("qtukey", k, upper=0.05, df=np.inf) / np.sqrt(2) * value["se"]
    close(stats.critical_difference(k, result.n), critical)
    close_interval(result.interval, (result.estimate - critical, result.estimate + critical))


@cases("bonferroni_dunn")
def test_bonferroni_dunn(case):
    options = {"are_ranks": case.input["are_ranks"], "control": case.input["control"]}
    z = stats.mean_rank_z(case.input["table"], **options)
    close(z.statistic, case.value["z"])
    close(z.pvalue, case.value["p"])
    for method in ("bonferroni", "holm", "hochberg", "hommel"):
        close(stats.adjust(z.pvalue, method), case.value[method])
    result = stats.bonferroni_dunn(case.input["table"], **options)
    close(result.statistic, case.value["z"])
    close(result.pvalue, case.value["bonferroni"])


@cases("rm_anova")
def test_rm_anova(case):
    result, value = stats.rm_anova(case.input["table"]), case.value
    close(result.statistic, value["f"])
    assert result.df == (value["df1"], value["df2"])
    close(result.pvalue, value["p"])
    details = result.details
    close(details["greenhouse_geisser"], value["epsilon_gg"])
    close(details["pvalue_greenhouse_geisser"], value["p_gg"])
    # Huynh and Feldt's ε can be above 1; the library, and R in its p value, take 1 then.
    close(details["huynh_feldt"], min(1.0, value["epsilon_hf"]))
    close(details["pvalue_huynh_feldt"], value["p_hf"])
    close(details["mauchly"], value["mauchly_w"])
    # R's second-order term has 3k where Anderson (2003, section 10.7) has 3m, m = k − 1 being the
    # number of contrasts (mauchly.test.SSD writes p for pp). It is put right here.
    k = len(case.input["table"][0])
    m, first = k - 1, value["mauchly_p_chisq"]
    ratio = (2 * m**3 + 6 * m**2 + 3 * m + 2) / (2 * m**3 + 6 * m**2 + 3 * k + 2)
    close(details["pvalue_mauchly"], first + ratio * (value["mauchly_p"] - first))


@cases("tukey")
def test_tukey(case):
    value = case.value
    result = stats.tukey(case.input["table"], confidence=None)
    assert result.pairs == as_pairs(value["pairs"])
    assert result.df == value["df"]
    close(result.estimate, value["difference"])
    # The library's statistic has the sign of the difference.
    close(result.statistic, np.copysign(value["q"], value["difference"]))
    close(result.pvalue, value["p_integrated"])
    close(result.pvalue, value["p"], atol=1e-7)


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
@cases("dunnett")
def test_dunnett(case, side):
    control = case.input["control"]
    result = stats.dunnett(case.input["table"], control=control, alternative=side, confidence=None)
    others = (i for i in range(len(case.value["t"]) + 1) if i != control)
    assert result.pairs == tuple((control, other) for other in others)
    assert result.df == case.value["df"]
    close(result.statistic, -numbers(case.value["t"]))  # R's t is learner − control
    mirrored = {"less": "greater", "greater": "less", "two-sided": "two.sided"}[side]
    close(result.pvalue, case.value[f"p_{mirrored}"], atol=1e-12)


def test_simultaneous_intervals():
    # R's critical values for T6: four learners, 39 degrees of freedom.
    anova, table = the_case("rm_anova/T6").value, the_case("tukey/T6").input["table"]
    error = np.sqrt(anova["ms_residual"] / len(table))
    tukey, dunnett = stats.tukey(table), stats.dunnett(table)
    reach = upper_quantile("qtukey", 4, upper=0.05, df=39) * error
    close_interval(tukey.interval, (tukey.estimate - reach, tukey.estimate + reach))
    wanted = {"alpha": 0.05, "df": 39, "alternative": "two.sided"}
    reach = upper_quantile("dunnett_quantile", 3, **wanted) * np.sqrt(2) * error
    close_interval(dunnett.interval, (dunnett.estimate - reach, dunnett.estimate + reach))
