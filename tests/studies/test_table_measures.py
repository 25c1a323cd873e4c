"""Numbers of a study of a table, by another road: scipy in a loop, definitions, enumeration."""

from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import special, stats

import twofold
from table_examples import QUIET, as_columns, make_table
from twofold.studies.measures import share
from twofold.studies.table_blocks import Condition, DrawBlock, TableWork
from twofold.studies.table_measures import keeps_level, measure_agreement, measure_closeness
from twofold.studies.table_procedures import compute_pvalues, plan_procedures


def make_work(
    table, *, bias=10.0, size=8, control=None, pair=None, alphas=(0.05, 0.01), tests=None
):
    count = table.shape[1]
    return TableWork(
        table=table,
        higher_is_better=True,
        difference=table[:, 1] - table[:, 0],
        conditions=(Condition(size, count, bias),),
        procedures={count: plan_procedures(count, control=control is not None, tests=tests)},
        alphas=alphas,
        seed=3,
        control=control,
        pair=pair,
        fixed=(),
    )


def compute_all(work, draws):
    tables, _ = work.draw(DrawBlock(0, 0, draws))
    procedures = work.procedures[work.table.shape[1]]
    pvalues = compute_pvalues(procedures, tables, higher_is_better=True, control=work.control)
    return tables, {procedure.label: p for procedure, p in pvalues.items()}


def test_tests_of_two_learners_are_those_of_scipy():
    listed = {"wilcoxon", "wilcoxon-pratt", "sign", "paired-t", "relative-t"}
    assert {procedure.label for procedure in plan_procedures(2, control=False)} == listed
    work = make_work(make_table(), tests=[*sorted(listed), "anytime-sign"])
    tables, found = compute_all(work, 60)
    for i, table in enumerate(tables):
        a, b = table.T
        wins = int((a > b).sum())
        expected = {
            "paired-t": stats.ttest_rel(a, b).pvalue,
            "relative-t": stats.ttest_1samp((a - b) / ((a + b) / 2), 0).pvalue,
            "wilcoxon": stats.wilcoxon(a, b, method="exact").pvalue,
            "wilcoxon-pratt": stats.wilcoxon(a, b, method="exact").pvalue,
            "sign": stats.binomtest(wins, len(a)).pvalue,
            # One over the likelihood of these wins, by Beta(½, ½) and by a fair coin.
            "anytime-sign": min(
                1,
                stats.binom.pmf(wins, len(a), 0.5) / stats.betabinom.pmf(wins, len(a), 0.5, 0.5),
            ),
        }
        for test, p in expected.items():
            assert found[test][i] == pytest.approx(p, rel=1e-9), test


def adjust_by_holm(p):
    """Holm (1979), a hypothesis at a time."""
    order = np.argsort(p)
    out, largest = np.empty(len(p)), 0.0
    for step, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - step) * p[i]))
        out[i] = largest
    return out


def test_tests_of_several_learners_are_those_of_scipy():
    tables, found = compute_all(make_work(make_table(learners=4)), 12)
    for i, table in enumerate(tables):
        n, k = table.shape
        assert found["friedman"][i] == pytest.approx(
            stats.friedmanchisquare(*table.T).pvalue, rel=1e-9
        )
        pairs = list(combinations(range(k), 2))
        t = [stats.ttest_rel(table[:, a], table[:, b]).pvalue for a, b in pairs]
        assert found["paired-t, holm"][i] == pytest.approx(adjust_by_holm(t), rel=1e-9)
        ranks = stats.rankdata(-table, axis=1).mean(axis=0)
        z = [abs(ranks[a] - ranks[b]) / np.sqrt(k * (k + 1) / (6 * n)) for a, b in pairs]
        normal = np.array([2 * special.ndtr(-value) for value in z])
        assert found["mean-rank-z, holm"][i] == pytest.approx(adjust_by_holm(normal), rel=1e-9)
        q = np.sqrt(2) * np.array(z)
        assert found["nemenyi"][i] == pytest.approx(
            stats.studentized_range.sf(q, k, np.inf), abs=1e-6
        )
        centred = table - table.mean(axis=1, keepdims=True)
        means = centred.mean(axis=0)
        residual = ((centred - means) ** 2).sum() / ((n - 1) * (k - 1))
        q = np.array([abs(means[a] - means[b]) for a, b in pairs]) / np.sqrt(residual / n)
        assert found["tukey"][i] == pytest.approx(
            stats.studentized_range.sf(q, k, (n - 1) * (k - 1)), abs=1e-6
        )


def test_replicability_is_agreement_of_all_pairs_of_draws():
    p = np.random.default_rng(1).beta(0.5, 1.5, size=40)
    rejected = (p <= 0.05).astype(float)
    pairs = list(combinations(range(len(p)), 2))
    by_e = np.mean([rejected[i] == rejected[j] for i, j in pairs])
    found = measure_agreement(rejected, share(rejected, 0.95))
    assert found.value == pytest.approx(by_e)
    assert found.low <= found.value <= found.high
    # The variance is half the mean square of differences over all pairs.
    by_p = 1 - np.mean([(p[i] - p[j]) ** 2 for i, j in pairs])
    assert measure_closeness(p, 0.95).value == pytest.approx(by_p)


@pytest.mark.parametrize("rate", [0.05, 0.5, 0.8])
def test_intervals_of_replicability_cover(rate):
    # Draws are independent given the table: so are these. The truth of R(e) is 1 − 2q(1 − q).
    random = np.random.default_rng(7)
    hits_e, hits_p, trials = 0, 0, 400
    for _ in range(trials):
        p = random.beta(1.0, 2.0, size=150)
        rejected = (random.random(150) < rate).astype(float)
        found = measure_agreement(rejected, share(rejected, 0.95))
        hits_e += found.low <= 1 - 2 * rate * (1 - rate) <= found.high
        variance = 1.0 * 2.0 / (3**2 * 4)  # of a beta variable
        found = measure_closeness(p, 0.95)
        hits_p += found.low <= 1 - 2 * variance <= found.high
    assert hits_e / trials > 0.92
    assert hits_p / trials > 0.92


def test_rows_are_what_the_p_values_say():
    table = make_table(learners=4)
    found = twofold.study_table(
        as_columns(table), sizes=8, draws=80, bias=10, towards=["L1", "L0"], seed=3, **QUIET
    )
    work = make_work(table)
    work.alphas = (0.05,)
    _, pvalues = compute_all(work, 80)
    pairs = list(combinations(range(4), 2))
    for label, p in pvalues.items():
        row = found.find(label)
        if row.kind == "pairs":
            assert row.any_rejected.value == pytest.approx((p <= 0.05).any(axis=1).mean())
            p = p[:, pairs.index((0, 1))]
        assert row.rejected.value == pytest.approx((p <= 0.05).mean()), label
        assert row.mean_p.value == pytest.approx(p.mean()), label
        assert row.replicability_p.value == pytest.approx(1 - 2 * p.var(ddof=1)), label


def test_all_pairs_are_averaged():
    table = make_table(learners=4)
    found = twofold.study_table(
        as_columns(table), sizes=8, draws=80, bias=0, seed=3, towards="L1", **QUIET
    )
    _, pvalues = compute_all(make_work(table, bias=0.0), 80)
    for label in ("tukey", "wilcoxon, holm", "mean-rank-z, shaffer"):
        p, row = pvalues[label], found.find(label)
        rejected = p <= 0.05
        k = rejected.sum(axis=0)
        by_e = ((k * (k - 1) + (80 - k) * (79 - k)) / (80 * 79)).mean()
        assert row.rejected.value == pytest.approx(rejected.mean())
        assert row.mean_p.value == pytest.approx(p.mean())
        assert row.replicability.value == pytest.approx(by_e)
        assert row.replicability_p.value == pytest.approx(1 - 2 * p.var(axis=0, ddof=1).mean())
        for estimate in (row.rejected, row.mean_p, row.replicability, row.replicability_p):
            assert estimate.low <= estimate.value <= estimate.high


def enumerate_type_one(table, size, test, alpha):
    """Share of all draws with all exchanges of A and B that reject."""
    decisions = []
    for chosen in combinations(range(len(table)), size):
        difference = table[list(chosen), 0] - table[list(chosen), 1]
        signs = np.array(list(product((-1, 1), repeat=size)))
        flipped = signs * difference
        if test == "sign":
            wins = (flipped > 0).sum(axis=1)
            p = np.array([stats.binomtest(int(w), size).pvalue for w in range(size + 1)])[wins]
        else:
            ranks = stats.rankdata(np.abs(difference))
            plus = (signs > 0) @ ranks
            least = np.minimum(plus, ranks.sum() - plus)
            p = np.array([(least <= value).mean() for value in least])
        decisions.append(p <= alpha)
    return np.mean(decisions)


@pytest.mark.parametrize(("alpha", "size"), [(0.05, 6), (0.1, 7)])
def test_type_one_error_is_that_of_all_exchanges(alpha, size):
    table = make_table(datasets=8)
    found = twofold.study_table(
        as_columns(table), sizes=size, draws=4000, bias=0, alpha=alpha, **QUIET
    )
    for test in ("sign", "wilcoxon"):
        exact = enumerate_type_one(table, size, test, alpha)
        assert 0 < exact <= alpha
        rate = found.find(test).type_one
        error = np.sqrt(exact * (1 - exact) / 4000)
        assert abs(rate.value - exact) < 4 * error, test
        assert found.find(test).keeps_level


@pytest.mark.parametrize(
    ("errors", "draws", "tests", "keeps"),
    [
        # P(X ≥ 5) = .0156, P(X ≥ 7) = .0006 of 30 at .05 (scipy.stats.binom), against .025 / 12.
        (5, 30, 12, True),
        (7, 30, 12, False),
        # P(X ≥ 65) = .0207, P(X ≥ 63) = .0384 of 1000, against .025.
        (63, 1000, 1, True),
        (65, 1000, 1, False),
        (0, 30, 1, True),
    ],
)
def test_a_level_is_kept_unless_so_many_errors_are_unlikely(errors, draws, tests, keeps):
    procedure = SimpleNamespace(kind="two")
    p = np.where(np.arange(draws) < errors, 0.05, 0.5)
    confidence = 1 - 0.05 / tests
    assert keeps_level(procedure, 0, [{"p0": p[:9]}, {"p0": p[9:]}], 0.05, confidence) == keeps
    tail = stats.binom.sf(errors - 1, draws, 0.05)
    assert (tail > 0.025 / tests) == keeps


def test_a_test_that_errs_is_not_among_the_best():
    # With four data sets and seven learners Iman and Davenport's F errs about .06 of the time.
    found = twofold.study_table(
        as_columns(make_table(learners=7)),
        sizes=4,
        draws=4000,
        bias=0,
        tests=["friedman", "iman-davenport"],
        **QUIET,
    )
    (best,) = found.best
    assert best.erring == ("iman-davenport",)
    assert best.strongest == ("friedman",)
    rejected = {row.test: row.rejected.value for row in found.rows}
    assert rejected["iman-davenport"] > rejected["friedman"]
    assert "rejections by it are no evidence" in str(found)
    assert "↑" in str(found)


def test_the_strongest_is_compared_draw_by_draw():
    found = twofold.study_table(as_columns(make_table()), draws=500, bias=10, **QUIET)
    (best,) = found.best
    rates = {row.label: row.rejected.value for row in found.rows if row.keeps_level}
    assert rates[best.strongest[0]] == max(rates.values()) == best.rejected.value
    assert best.strongest == ("paired-t",)
    # Without ties and zeros these are one test.
    twins = twofold.study_table(
        as_columns(make_table()), draws=300, tests=["wilcoxon", "wilcoxon-pratt"], **QUIET
    )
    assert twins.best[0].strongest == ("wilcoxon", "wilcoxon-pratt")
    assert "it cannot be told from wilcoxon-pratt" in twins.verdict
