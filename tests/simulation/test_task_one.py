"""Task I: closed forms against the paper and against rows, counts against shuffled rows."""

import numpy as np
import pytest
from scipy import stats

from twofold.errors import InputError
from twofold.seeds import rng
from twofold.simulation import (
    Task1,
    fold_counts,
    predict_one,
    predict_x,
    read_source,
    resample_counts,
)


def test_closed_forms_of_the_paper():
    task = read_source("task1:q=0.3")
    assert task == Task1(0.3)
    assert task.accuracies == (0.5, 0.6)  # ½ and 2q
    assert task.difference == pytest.approx(0.1)  # 2q − ½
    assert task.outcomes.sum() == pytest.approx(1)
    assert Task1.from_step(0) == Task1(0.25)
    assert Task1.from_step(100) == Task1(0.5)
    assert Task1.with_difference(0.03).q == pytest.approx(0.265)
    assert Task1.from_step(6).difference == pytest.approx(0.03)


def test_closed_forms_against_drawn_rows():
    task, rows = Task1(0.31), 400_000
    X, y = task.draw_many(1, rows, rng(1, "task"))
    a, b = predict_one(X) == y, predict_x(X) == y
    close = 4 * np.sqrt(0.25 / rows)
    assert a.mean() == pytest.approx(task.accuracies[0], abs=close)
    assert b.mean() == pytest.approx(task.accuracies[1], abs=close)
    assert (a != b).mean() == pytest.approx(task.disagreement, abs=close)
    for cls in (0, 1):
        assert (X[..., 0] == cls).mean() == pytest.approx(0.5, abs=close)
    cells = [(b & ~a & (y == 0)), (~a & ~b & (y == 0)), (a & ~b & (y == 1)), (a & b & (y == 1))]
    assert sum(cell.mean() for cell in cells) == pytest.approx(1)
    assert [cell.mean() for cell in cells] == pytest.approx(list(task.outcomes.ravel()), abs=close)


@pytest.mark.parametrize("q", [0.2, 0.6, "x"])
def test_q_outside_its_bounds(q):
    with pytest.raises(InputError, match=r"`q` must be a number from 0.25 to 0.5"):
        read_source(f"task1:q={q}")


def by_shuffling(task, n, runs, folds, experiments, random, *, stratified):
    """Count right answers row by row: a data set, then permutations of it."""
    found = np.empty((experiments, runs, folds, 3), dtype=int)
    X, y = task.draw_many(experiments, n, random)
    a, b = predict_one(X) == y, predict_x(X) == y
    kinds = np.stack([a & ~b, b & ~a, a & b], axis=-1)
    for experiment in range(experiments):
        for run in range(runs):
            order = random.permutation(n)
            if stratified:
                order = order[np.argsort(y[experiment][order], kind="stable")]
            for fold in range(folds):
                found[experiment, run, fold] = kinds[experiment][order[fold::folds]].sum(axis=0)
    return found


def same_distribution(ours, theirs):
    """Chi-square test of two samples of whole numbers; rare values are put together."""
    values = np.union1d(ours, theirs)
    table = np.array([[(x == value).sum() for value in values] for x in (ours, theirs)])
    rare = table.sum(axis=0) < 20
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    return stats.chi2_contingency(table[:, table.any(axis=0)])[1]


def test_both_ways_of_dealing_agree():
    from twofold.simulation.even_folds import is_worth_it
    from twofold.simulation.hypergeometric import draw_counts

    # Different data sets and sizes, and a third kind that is hardly there.
    totals = np.repeat([[30, 60], [35, 10], [40, 2], [50, 51]], 5000, axis=0)
    sizes = np.array([26, 25, 25, 25])
    assert is_worth_it(sizes, totals[:, 0])
    one = draw_counts(totals, sizes, runs=1, kinds=2, rng=rng(1, "tables"))
    two = draw_counts(totals, np.tile(sizes, (20_000, 1)), runs=1, kinds=2, rng=rng(1, "single"))
    for group in range(4):
        part = slice(5000 * group, 5000 * (group + 1))
        for fold in range(4):
            for kind in range(2):
                pair = (each[part, 0, fold, kind] for each in (one, two))
                assert same_distribution(*pair) > 1e-4, (group, fold, kind)


@pytest.mark.parametrize(("sizes", "totals"), [([20_000] * 10, [20, 190_000]), ([5] * 3, [0, 15])])
def test_unlike_data_sets_are_dealt_one_by_one(sizes, totals):
    from twofold.simulation.even_folds import is_worth_it
    from twofold.simulation.hypergeometric import draw_counts

    sizes = np.array(sizes)
    every = np.repeat(totals, 1500)[:, None]
    assert not is_worth_it(sizes, every[:, 0])
    found = draw_counts(every, sizes, runs=1, kinds=1, rng=rng(1, "unlike"))
    assert (found.sum(axis=2)[:, 0] == every).all()


@pytest.mark.parametrize("stratified", [False, True])
def test_counts_are_distributed_as_shuffled_rows_are(stratified):
    task, n, runs, folds = Task1(0.33), 203, 2, 4
    ours = fold_counts(
        task, n, runs, folds, 20_000, rng(3, "ours"), stratified=stratified, both=True
    )
    theirs = by_shuffling(task, n, runs, folds, 4000, rng(3, "rows"), stratified=stratified)
    a, b, both = (theirs[..., kind] for kind in range(3))
    pairs = {
        "a": (ours.a_only[:, 0, 0], a[:, 0, 0]),
        "b": (ours.b_only[:, 1, 3], b[:, 1, 3]),
        "both": (ours.both[:, 0, 2], both[:, 0, 2]),
        # Within a fold, between folds of a run, between runs on one data set: the dependence too.
        "difference": (
            ours.a_only[:, 0, 1] - ours.b_only[:, 0, 1],
            a[:, 0, 1] - b[:, 0, 1],
        ),
        "folds": (
            ours.a_only[:, 0, 0] - ours.a_only[:, 0, 1],
            a[:, 0, 0] - a[:, 0, 1],
        ),
        "runs": (
            ours.b_only[:, 0, :2].sum(-1) - ours.b_only[:, 1, :2].sum(-1),
            b[:, 0, :2].sum(-1) - b[:, 1, :2].sum(-1),
        ),
        "total": (ours.b_only[:, 1].sum(-1), b[:, 1].sum(-1)),
    }
    for name, (one, two) in pairs.items():
        assert same_distribution(one, two) > 0.001, name


@pytest.mark.parametrize("tables", [False, True])
def test_single_draws_follow_the_hypergeometric_distribution(tables):
    from twofold.simulation.hypergeometric import draw_counts

    # Rare and common kinds, small and large parts: every symmetry the sampler uses.
    for good, bad, places in [(3, 40, 7), (60, 15, 20), (15, 60, 70), (500, 700, 900), (9, 9, 9)]:
        sizes = np.array([places, good + bad - places])
        totals = np.full((40_000, 1), good)
        if not tables:  # sizes for each data set by itself are drawn one by one
            sizes = np.tile(sizes, (40_000, 1))
        found = draw_counts(totals, sizes, runs=1, kinds=1, rng=rng(8, good))[:, 0, :, 0]
        assert (found.sum(axis=1) == good).all()
        drawn = found[:, 0]
        values = np.arange(good + 1)
        expected = stats.hypergeom(good + bad, good, places).pmf(values) * len(drawn)
        keep = expected > 10
        observed = np.bincount(drawn, minlength=good + 1)
        observed = np.append(observed[keep], observed[~keep].sum())
        expected = np.append(expected[keep], expected[~keep].sum())
        if expected[-1] < 1e-9:
            assert observed[-1] == 0
            observed, expected = observed[:-1], expected[:-1]
        statistic = ((observed - expected) ** 2 / expected).sum()
        assert stats.chi2.sf(statistic, len(expected) - 1) > 0.001, (good, bad, places)


def test_large_data_sets_have_the_moments_of_the_hypergeometric():
    n = 200_000
    found = fold_counts(Task1(0.3), n, 1, 10, 20_000, rng(5, "large"))
    # A fold is itself a random sample of 20,000 rows: binomial, chance ½ − q and q.
    for counts, chance in ((found.a_only, 0.2), (found.b_only, 0.3)):
        fold = counts[:, 0, 4] - 20_000 * chance
        spread = np.sqrt(20_000 * chance * (1 - chance))
        assert abs(fold.mean()) < 4 * spread / np.sqrt(20_000)
        assert fold.std() == pytest.approx(spread, rel=4 / np.sqrt(2 * 20_000))


def test_every_row_is_counted_once_in_a_run():
    found = fold_counts(Task1(0.4), 57, 3, 10, 50, rng(1, "once"), both=True)
    assert found.sizes.tolist() == [6] * 7 + [5] * 3
    for counts in (found.a_only, found.b_only, found.both):
        totals = counts.sum(axis=2)
        assert (totals == totals[:, :1]).all()
        assert counts.min() >= 0
    assert ((found.a_only + found.b_only + found.both) <= found.sizes).all()
    assert found.ratio == pytest.approx((7 * 6 / 51 + 3 * 5 / 52) / 10)
    assert found.differences.shape == (50, 3, 10)


def test_stratified_folds_have_the_sizes_of_the_designs():
    from twofold.designs.assign import assign_in_turn, shuffle
    from twofold.simulation.fold_counts import divide_evenly

    random = rng(2, "sizes")
    y = (random.random(57) < 0.4).astype(np.int16)
    folds = assign_in_turn(shuffle(y, 57, random), 10, random)
    designed = np.bincount(folds[y == 0], minlength=10)
    ours = divide_evenly(np.array((y == 0).sum()), 10)
    assert sorted(designed) == sorted(ours)


def test_same_generator_same_counts():
    one, two = (fold_counts(Task1(), 100, 2, 5, 7, rng(9, "same")) for _ in range(2))
    assert (one.a_only == two.a_only).all()
    assert (one.b_only == two.b_only).all()


def test_power_of_mcnemar_at_the_worst_cases_of_the_paper():
    # Bouckaert (2005), section 4.1: power 46.2, 54.4 and 51.8 % at steps 6, 3 and 2.
    # Printed from 1000 data sets, ten tests each: standard error at most 1.6 points.
    for n, step, power in [(20_000, 6, 46.2), (100_000, 3, 54.4), (200_000, 2, 51.8)]:
        found = resample_counts(Task1.from_step(step), n, 10, 0.1, 4000, rng(4, n))
        a, b = (x[..., 0].astype(float) for x in (found.a_only, found.b_only))
        rejected = (np.abs(a - b) - 1) ** 2 / (a + b) > 3.841459
        assert 100 * rejected.mean() == pytest.approx(power, abs=3 * 1.6 + 1)


def test_what_cannot_be_split():
    with pytest.raises(InputError, match="do not fill"):
        fold_counts(Task1(), 5, 1, 10, 1, rng(1))
    with pytest.raises(InputError, match="nothing to test"):
        resample_counts(Task1(), 5, 1, 0.01, 1, rng(1))


def test_the_loop_takes_numbers_from_the_generator_and_leaves_it_where_it_ended():
    from twofold.learners.kernels.fold_draws import uniform
    from twofold.seeds import rng
    from twofold.simulation.stream import stream_of

    ours, numpys = rng(3, "stream"), rng(3, "stream")
    with stream_of(ours) as state:
        taken = [uniform(state) for _ in range(50)]
    assert taken == numpys.random(50).tolist()
    assert ours.random() == numpys.random()


def test_generators_of_other_kinds_give_numbers_too():
    from twofold.learners.kernels.fold_draws import uniform
    from twofold.simulation.stream import stream_of

    def some(seed):
        with stream_of(np.random.default_rng(seed)) as state:
            return [uniform(state) for _ in range(2000)]

    assert some(1) == some(1) != some(2)
    assert abs(np.mean(some(1)) - 0.5) < 0.03  # five standard errors
