"""Adjustments: definitions by brute force, and the laws they share."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from twofold import InputError
from twofold.stats import (
    adjust,
    bergmann_hommel,
    bonferroni,
    catalog,
    finner,
    hochberg,
    holm,
    hommel,
    li,
    shaffer,
)
from twofold.stats.adjust import reject
from twofold.stats.pair_adjustments import partitions

NAMES = [e.name for e in catalog() if e.group == "adjustment"]
P10 = hnp.arrays(float, 10, elements=st.one_of(st.floats(0, 1), st.floats(0, 0.01)))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(p=P10, seed=st.integers(0, 99))
def test_laws(name, p, seed):
    adjusted = adjust(p, name)
    assert (adjusted >= p - 1e-12).all()
    assert (adjusted <= 1).all()
    assert (adjusted >= 0).all()
    if name != "bergmann-hommel":  # there the place of a p value tells which pair it belongs to
        order = np.random.default_rng(seed).permutation(10)
        np.testing.assert_allclose(adjust(p[order], name), adjusted[order], rtol=1e-9)
        ranked = np.argsort(p, kind="stable")
        assert (np.diff(adjusted[ranked]) >= -1e-12).all()
    np.testing.assert_allclose(adjust(np.stack([p, p[::-1]]), name)[0], adjusted, rtol=1e-12)


@settings(max_examples=100)
@given(p=P10)
def test_more_powerful_ones_never_give_larger_p(p):
    slack = 1e-12
    assert (bonferroni(p) + slack >= holm(p)).all()
    assert (holm(p) + slack >= hochberg(p)).all()
    assert (hochberg(p) + slack >= hommel(p)).all()
    assert (holm(p) + slack >= shaffer(p)).all()
    assert (shaffer(p) + slack >= bergmann_hommel(p)).all()
    assert (holm(p) + slack >= finner(p)).all()


@settings(max_examples=100)
@given(
    p=hnp.arrays(float, (2, 12), elements=st.one_of(st.floats(0, 1), st.sampled_from([0.01, 0.1]))),
    alpha=st.sampled_from([0.01, 0.05, 0.1, 0.4]),
)
def test_what_hommel_rejects_needs_no_adjusted_p(p, alpha):
    adjusted = hommel(p)
    clear = np.abs(adjusted - alpha) > 1e-12  # 12 · .1 / 12 is .1 but for rounding
    np.testing.assert_array_equal(reject(p, alpha, "hommel")[clear], (adjusted <= alpha)[clear])


@settings(max_examples=40)
@given(p=hnp.arrays(float, 5, elements=st.floats(0, 1)))
def test_hommel_is_the_closure_of_simes(p):
    """Brute force: the largest Simes p value of all sets that contain the hypothesis."""

    def simes(chosen):
        ordered = np.sort(p[list(chosen)])
        return (len(ordered) * ordered / np.arange(1, len(ordered) + 1)).min()

    sets = [s for size in range(1, 6) for s in combinations(range(5), size)]
    expected = [max(simes(s) for s in sets if i in s) for i in range(5)]
    np.testing.assert_allclose(hommel(p), np.minimum(expected, 1), rtol=1e-9)


def exhaustive_sets(k):
    """By definition: sets of pairs that are exactly the true ones for some values of k means."""
    pairs = list(combinations(range(k), 2))
    found = set()
    for code in np.ndindex(*(k,) * k):  # every way to give the learners values
        found.add(frozenset(i for i, (a, b) in enumerate(pairs) if code[a] == code[b]))
    return [s for s in found if s]


@pytest.mark.parametrize("k", [3, 4, 5])
@settings(max_examples=25)
@given(data=st.data())
def test_bergmann_hommel_by_definition(k, data):
    m = k * (k - 1) // 2
    p = data.draw(hnp.arrays(float, m, elements=st.floats(0, 1)))
    sets = exhaustive_sets(k)
    expected = [max(len(s) * min(p[j] for j in s) for s in sets if i in s) for i in range(m)]
    np.testing.assert_allclose(bergmann_hommel(p), np.minimum(expected, 1), rtol=1e-9)


@pytest.mark.parametrize("k", [3, 4, 5])
@settings(max_examples=25)
@given(data=st.data())
def test_shaffer_by_definition(k, data):
    """t_i: the largest number of hypotheses that can be true when i − 1 are false."""
    m = k * (k - 1) // 2
    p = data.draw(hnp.arrays(float, m, elements=st.floats(0, 1)))
    sizes = sorted({0, *map(len, exhaustive_sets(k))})
    order = np.argsort(p)
    expected, worst = np.empty(m), 0.0
    for i, place in enumerate(order):
        worst = max(worst, max(s for s in sizes if s <= m - i) * p[place])
        expected[place] = min(1, worst)
    np.testing.assert_allclose(shaffer(p), expected, rtol=1e-9)


def test_numbers_of_partitions_are_bells():
    # Bell numbers: OEIS A000110.
    assert [partitions(k).shape[1] for k in range(1, 11)] == [
        1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975,
    ]  # fmt: skip


def test_li_and_finner_by_hand():
    # p / (p + 1 − p_max) and 1 − (1 − p)^(m/i), worked by hand.
    np.testing.assert_allclose(li([0.02, 0.1, 0.4]), [0.02 / 0.62, 0.1 / 0.7, 0.4], rtol=1e-12)
    np.testing.assert_allclose(
        finner([0.02, 0.1, 0.4]), [1 - 0.98**3, 1 - 0.9**1.5, 0.4], rtol=1e-12
    )
    assert li([0.0, 1.0]).tolist() == [0.0, 1.0] or li([0.0, 1.0])[0] >= 0


def test_refusals():
    with pytest.raises(InputError, match="12 learners"):
        bergmann_hommel(np.full(13 * 12 // 2, 0.5))
    with pytest.raises(InputError, match="pair"):
        shaffer([0.1, 0.2])
    with pytest.raises(InputError, match="between 0 and 1"):
        holm([1.5])
    with pytest.raises(InputError, match="Did you mean 'holm'"):
        adjust([0.1], "hollm")


def test_one_hypothesis_is_left_alone():
    for name in NAMES:
        assert adjust([0.03], name).tolist() == [0.03]
