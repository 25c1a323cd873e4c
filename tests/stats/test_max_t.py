"""Step-down max-T: against R, against its definition, and what must not matter."""

from itertools import combinations, product

import numpy as np
import pytest

from twofold import InputError
from twofold.stats import holm, max_t, paired_t, rank_sets

TABLE = np.array([
    [8.1, 5.2, 5.0, 6.1], [7.3, 4.1, 5.5, 6.9], [9.2, 5.9, 6.4, 5.8], [8.4, 6.6, 5.1, 7.7],
    [9.9, 4.3, 4.0, 6.2], [9.5, 5.1, 6.5, 8.8], [7.7, 6.2, 5.9, 6.0], [8.8, 5.7, 6.1, 7.4],
])  # fmt: skip


def tell_apart(result, k, alpha=0.05):
    """Return which learner was found to be better than which."""
    found = np.zeros((k, k), dtype=bool)
    for (i, j), p, gap in zip(result.pairs, result.pvalue, result.estimate, strict=True):
        if p <= alpha and gap:
            found[(i, j) if gap > 0 else (j, i)] = True
    return found


def test_multtest_gives_the_same_p_values():
    # R 4.2.2, multtest 2.54.0: mt.maxT(differences as pairs, test="pairt", side="abs", B=0), which
    # tries all 256 exchanges: rows 1 2, 1 3, 1 4, 2 3, 2 4, 3 4 of its answer.
    t = [6.9222335973, 6.7304628693, 3.9960408712, -0.5115000897, -3.0979163105, -3.3173259054]
    adjusted = [0.0078125, 0.0078125, 0.0234375, 0.6718750, 0.0390625, 0.0390625]
    result = max_t(TABLE)
    np.testing.assert_allclose(result.statistic, t, rtol=1e-9)
    np.testing.assert_allclose(result.pvalue, adjusted, rtol=1e-12)


def test_csranks_gives_the_same_sets_of_ranks():
    # csranks 1.2.2.9001 (R-CS-ranks, commit bd4f755): csranks(colMeans(x), cov(x)/300, R=20000),
    # the same with five seeds. It keeps the opposite direction of what it rejects, and is a little
    # more cautious; here no pair is near the border (p = .005 and .070).
    row, column = np.arange(300)[:, None], np.arange(8)
    x = (row**2 * 13 + row * 37 * (column + 1) + column**2 * 101) % 199 / 199
    x = x + 0.05 * (column * 3 % 8)
    sets = rank_sets(tell_apart(max_t(x), 8))
    assert sets[:, 0].tolist() == [7, 4, 2, 6, 4, 1, 5, 2]
    assert sets[:, 1].tolist() == [8, 6, 3, 8, 5, 1, 7, 3]


def reject_step_by_step(x, alpha, units=None):
    """Return which pairs are rejected, by the definition: maxima of what is left, repeatedly."""
    pairs = list(combinations(range(x.shape[1]), 2))
    d = np.nan_to_num(np.stack([x[:, i] - x[:, j] for i, j in pairs], axis=1))
    if units is not None:
        d = np.stack([d[units == unit].sum(axis=0) for unit in np.unique(units)])

    def statistic(values):
        return np.abs(values.sum(axis=0)) / np.sqrt((values**2).sum(axis=0))

    observed = statistic(d)
    flipped = np.array(
        [statistic(d * np.array(s)[:, None]) for s in product((1, -1), repeat=len(d))]
    )
    left = np.ones(len(pairs), dtype=bool)
    while left.any():
        largest = flipped[:, left].max(axis=1)
        reached = (largest[:, None] >= observed - 1e-9).mean(axis=0)
        rejected = left & (reached <= alpha)
        if not rejected.any():
            break
        left &= ~rejected
    return ~left


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_the_decisions_are_those_of_the_definition(seed, alpha):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(8, 4)) + 0.7 * np.arange(4), 2)
    if seed % 2:
        x[rng.random(x.shape) < 0.15] = np.nan
    units = None if seed < 4 else np.repeat(np.arange(6), [1, 1, 1, 1, 2, 2])
    result = max_t(x, clusters=units)
    expected = reject_step_by_step(x, alpha, units)
    assert (result.pvalue <= alpha).tolist() == expected.tolist()


def test_drawn_exchanges_come_close_to_all_of_them():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(14, 5)) + 0.3 * np.arange(5)
    everything = max_t(x, draws=2**14).pvalue
    assert everything.min() >= 2 / 2**14
    for seed in range(3):
        drawn = max_t(x, seed=seed).pvalue
        # Four standard deviations of a share of 4999 draws.
        np.testing.assert_array_less(
            np.abs(drawn - everything), 4 * np.sqrt(everything * (1 - everything) / 5000) + 1e-3
        )


def test_normal_numbers_stand_for_the_signs_of_many_units():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(1100, 6)) + 0.02 * np.arange(6)
    names = np.arange(1100)
    names[:200] = np.arange(200) // 2  # 1,000 clusters: signs are drawn
    by_signs, by_normal = max_t(x, clusters=names).pvalue, max_t(x).pvalue
    np.testing.assert_allclose(by_signs, by_normal, atol=0.05)


def test_neither_order_nor_names_of_clusters_matter():
    rng = np.random.default_rng(5)
    for n in (30, 1200):
        x = rng.normal(size=(n, 5)) + 0.1 * np.arange(5)
        units = rng.integers(0, n // 2, n)
        rows, columns = rng.permutation(n), rng.permutation(5)
        for clusters, moved in ((None, None), (units, (1000 - units)[rows])):
            one, other = max_t(x, clusters=clusters), max_t(x[rows][:, columns], clusters=moved)
            by_pair = {frozenset(pair): p for pair, p in zip(one.pairs, one.pvalue, strict=True)}
            for (i, j), p in zip(other.pairs, other.pvalue, strict=True):
                assert p == by_pair[frozenset((columns[i], columns[j]))]


def test_without_clusters_each_row_is_one():
    assert max_t(TABLE, clusters=list("abcdefgh")).pvalue.tolist() == max_t(TABLE).pvalue.tolist()
    # Doubled rows in clusters of two tell no more than the rows themselves.
    doubled = max_t(np.repeat(TABLE, 2, axis=0), clusters=np.repeat(np.arange(8), 2))
    np.testing.assert_allclose(doubled.pvalue, max_t(TABLE).pvalue)
    np.testing.assert_allclose(doubled.statistic, max_t(TABLE).statistic)


def test_two_learners_are_compared_by_all_flips():
    gaps = np.array([2.0, -1.0, 3.0, 4.0, 0.5])
    sums = [abs(np.dot(gaps, signs)) for signs in product((1, -1), repeat=5)]
    expected = np.mean(np.array(sums) >= gaps.sum() - 1e-9)
    assert max_t(np.stack([gaps, np.zeros(5)], axis=1)).pvalue.item() == expected


def test_a_pair_with_few_rows_decides_nothing_for_the_others():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(40, 4)) + np.array([0, 1.0, 0, 0])
    x[3:, 3] = np.nan  # on three rows any exchange of three can be as large as the table
    x[:3, 3] = 9.0
    result = max_t(x)
    by_pair = dict(zip(result.pairs, result.pvalue.tolist(), strict=True))
    assert by_pair[0, 1] <= 0.01
    assert by_pair[0, 3] > 0.05
    assert result.details["shared"].tolist() == [40, 40, 3, 40, 3, 3]


def test_pairs_that_share_nothing_or_are_equal_have_p_one():
    x = np.arange(24.0).reshape(8, 3) % 7
    x[:4, 0], x[4:, 1] = np.nan, np.nan
    result = max_t(x)
    assert result.pvalue[0] == 1
    assert np.isinf(result.interval.low[0])
    assert "no-shared-data" in {note.code for note in result.notes}
    equal = max_t(np.ones((6, 3)))
    assert equal.pvalue.tolist() == [1, 1, 1]
    assert "identical" in {note.code for note in equal.notes}


@pytest.mark.parametrize("seed", range(5))
def test_intervals_agree_with_decisions(seed):
    x = np.random.default_rng(seed).normal(size=(15, 6)) + 0.4 * np.arange(6)
    for confidence in (0.9, 0.95):
        result = max_t(x, confidence=confidence)
        outside = (result.interval.low > 0) | (result.interval.high < 0)
        assert (outside == (result.pvalue <= 1 - confidence)).all()
        assert (result.details["interval_confidence"] > confidence).all()


def test_it_rejects_what_holm_rejects_and_more():
    more = 0
    for seed in range(40):
        x = np.random.default_rng(seed).normal(size=(30, 8)) + 0.2 * np.arange(8)
        first, second = np.triu_indices(8, 1)
        by_holm = holm(paired_t(x.T[first] - x.T[second]).pvalue) <= 0.05
        by_max_t = max_t(x, confidence=None).pvalue <= 0.05
        more += int(by_max_t.sum()) - int(by_holm.sum())
    assert more > 0


def test_control():
    all_pairs, with_control = max_t(TABLE), max_t(TABLE, control=2)
    assert with_control.pairs == ((2, 0), (2, 1), (2, 3))
    assert with_control.statistic[0] == -all_pairs.statistic[1]
    assert (with_control.pvalue <= all_pairs.pvalue[[1, 3, 5]]).all()


def test_bad_arguments_are_refused():
    for arguments in (
        {"clusters": [1, 2]}, {"clusters": [1] * 8}, {"draws": 0}, {"seed": -1}, {"control": 9},
        {"confidence": 2},
    ):  # fmt: skip
        with pytest.raises(InputError):
            max_t(TABLE, **arguments)
