"""Laws that hold for every test of the catalog, whatever the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import KINDS, experiments, make, options_for, probabilities

from twofold import InputError
from twofold.stats import catalog

ENTRIES = [e for e in catalog() if e.data in KINDS and e.group != "adjustment"]
WITHOUT_A_KIND = {
    "folds-per-data-set",
    "hits",
    "scores",
    "sets-and-examples",
    "truth-and-predictions",
    "truth-and-scores",
}


def these(entries):
    return pytest.mark.parametrize("entry", entries, ids=lambda e: e.name)


def draw(data, entry):
    return data.draw(experiments(entry))


def answer(entry, arrays, **more):
    return entry.load()(*arrays, **options_for(entry), **more)


def close(first, second, tolerance=1e-7):
    np.testing.assert_allclose(first, second, rtol=tolerance, atol=1e-9)


def test_every_entry_is_covered():
    assert {e.data for e in catalog()} <= set(KINDS) | WITHOUT_A_KIND


@these(ENTRIES)
@given(data=st.data())
def test_answers_are_numbers_in_range(entry, data):
    arrays = draw(data, entry)
    before = [a.copy() for a in arrays]
    result = answer(entry, arrays)
    numbers = probabilities(result)
    assert not np.isnan(numbers).any()
    assert ((numbers >= 0) & (numbers <= 1)).all()
    assert not np.isnan(np.asarray(result.statistic)).any()
    if result.estimate is not None and result.interval is not None:
        low, high = np.asarray(result.interval.low), np.asarray(result.interval.high)
        assert not np.isnan([low, high]).any()
        assert (low <= high).all()
    for was, now in zip(before, arrays, strict=True):
        assert np.array_equal(was, now), "the input was changed"
    assert str(result)


@these([e for e in ENTRIES if KINDS[e.data].symmetric])
@given(data=st.data())
def test_swapping_learners_mirrors_the_answer(entry, data):
    a, b = draw(data, entry)
    one, other = answer(entry, (a, b)), answer(entry, (b, a))
    if one.posterior is not None:
        close(probabilities(one), probabilities(other)[::-1])
    else:
        close(one.pvalue, other.pvalue)
    if one.estimate is not None:
        close(one.estimate, -np.asarray(other.estimate))


@these([e for e in ENTRIES if e.one_sided and KINDS[e.data].symmetric])
@given(data=st.data())
def test_one_sided_tests_swap_sides(entry, data):
    a, b = draw(data, entry)
    less = answer(entry, (a, b), alternative="less").pvalue
    greater = answer(entry, (a, b), alternative="greater").pvalue
    close(less, answer(entry, (b, a), alternative="greater").pvalue)
    two = answer(entry, (a, b)).pvalue
    assert min(less, greater) <= two + 1e-12
    if entry.name == "mcnemar":
        return  # the continuity correction makes both sides cautious
    if entry.anytime:
        assert two <= 2 * min(less, greater) + 1e-12  # bets on both sides share the stakes
        return
    close(two, min(1.0, 2 * min(less, greater)), 1e-6)


@these([e for e in ENTRIES if KINDS[e.data].free_axes])
@given(data=st.data(), seed=st.integers(0, 1000))
def test_order_does_not_matter(entry, data, seed):
    arrays = draw(data, entry)
    shuffled = list(arrays)
    for axis in KINDS[entry.data].free_axes:
        order = np.random.default_rng(seed).permutation(arrays[0].shape[axis])
        shuffled = [np.take(a, order, axis=axis) for a in shuffled]
    close(probabilities(answer(entry, arrays)), probabilities(answer(entry, shuffled)))


@these([e for e in ENTRIES if e.data == "runs-and-folds" and not e.name.startswith("mean-runs")])
@given(data=st.data(), seed=st.integers(0, 1000))
def test_order_of_folds_within_a_run_does_not_matter(entry, data, seed):
    arrays = draw(data, entry)
    shuffled = [a.copy() for a in arrays]
    for run in range(arrays[0].shape[0]):
        order = np.random.default_rng([seed, run]).permutation(arrays[0].shape[1])
        for whole, part in zip(arrays, shuffled, strict=True):
            part[run] = whole[run, order]
    close(probabilities(answer(entry, arrays)), probabilities(answer(entry, shuffled)))


@these([e for e in ENTRIES if e.data == "table"])
@given(data=st.data(), seed=st.integers(0, 1000))
def test_order_of_columns_does_not_matter(entry, data, seed):
    (table,) = draw(data, entry)
    order = np.random.default_rng(seed).permutation(table.shape[1])
    more, moved = {}, {}
    if entry.name in ("dunnett", "bonferroni-dunn"):
        more, moved = {"control": 2}, {"control": int(np.flatnonzero(order == 2)[0])}
    one, other = answer(entry, (table,), **more), answer(entry, (table[:, order],), **moved)
    if one.pairs is None:
        close(one.pvalue, other.pvalue)
        return
    by_pair = {frozenset(pair): p for pair, p in zip(one.pairs, one.pvalue, strict=True)}
    for (i, j), p in zip(other.pairs, other.pvalue, strict=True):
        close(p, by_pair[frozenset((order[i], order[j]))])


@these([e for e in ENTRIES if KINDS[e.data].scales and not e.name.startswith("bayes")])
@given(data=st.data(), factor=st.sampled_from([1e-3, 0.37, 100.0, 1e6]))
def test_units_do_not_matter(entry, data, factor):
    arrays = draw(data, entry)
    one, other = answer(entry, arrays), answer(entry, [factor * a for a in arrays])
    close(one.pvalue, other.pvalue, 1e-6)


SHIFTABLE = {"splits", "folds-of-one-run", "five-by-two", "runs-and-folds", "pairs", "table"}


@these([e for e in ENTRIES if e.data in SHIFTABLE and not e.name.startswith("bayes")])
@given(data=st.data(), shift=st.sampled_from([-0.5, 3.0]))
def test_adding_a_constant_to_all_scores_does_not_matter(entry, data, shift):
    arrays = [np.round(a, 6) for a in draw(data, entry)]
    one, other = answer(entry, arrays), answer(entry, [a + shift for a in arrays])
    close(one.pvalue, other.pvalue, 1e-6)


@these(ENTRIES)
@settings(max_examples=8)
@given(data=st.data())
def test_many_at_once_equal_one_at_a_time(entry, data):
    drawn = [draw(data, entry) for _ in range(6)]
    stacked = []
    for place in range(len(drawn[0])):
        whole = np.stack([arrays[place] for arrays in drawn])
        stacked.append(whole.reshape(2, 3, *drawn[0][place].shape))
    together = answer(entry, stacked)
    alone = [answer(entry, arrays) for arrays in drawn]
    for name in ("statistic", "pvalue", "estimate"):
        value = getattr(together, name)
        if value is None:
            assert getattr(alone[0], name) is None
            continue
        flat = np.asarray(value).reshape(6, -1)
        for i, result in enumerate(alone):
            close(flat[i], np.ravel(getattr(result, name)), 1e-9)
    if together.interval is not None:
        for edge in ("low", "high"):
            flat = np.asarray(getattr(together.interval, edge)).reshape(6, -1)
            for i, result in enumerate(alone):
                close(flat[i], np.ravel(getattr(result.interval, edge)), 1e-9)


@these([e for e in ENTRIES if e.data not in ("counts", "error-counts")])
@pytest.mark.parametrize("poison", [np.nan, np.inf, -np.inf])
def test_missing_and_infinite_values_are_refused(entry, poison):
    arrays = make(KINDS[entry.data], 0, "smooth")
    arrays[0][(0,) * arrays[0].ndim] = poison
    if entry.takes_gaps and np.isnan(poison):
        pvalue = np.asarray(answer(entry, arrays).pvalue)
        assert ((pvalue >= 0) & (pvalue <= 1)).all()
        return
    with pytest.raises(InputError) as caught:
        answer(entry, arrays)
    assert len(str(caught.value).splitlines()) == 2


@these(ENTRIES)
@pytest.mark.parametrize("nonsense", ["text", [["a", "b"]], [[1.0, 2.0], [3.0]], None, [], 1j, {}])
def test_nonsense_is_refused_in_two_lines(entry, nonsense):
    arrays = [nonsense] * len(KINDS[entry.data].shapes)
    with pytest.raises(InputError) as caught:
        answer(entry, arrays)
    assert len(str(caught.value).splitlines()) == 2
