"""Cross-validations of all rows and of halves of them, as studies count them."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from twofold.designs import parse_design
from twofold.errors import InputError
from twofold.simulation import Task1, read_source
from twofold.studies import study
from twofold.studies.decisions import sample_of
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.plan import plan_experiments, share_splits
from twofold.studies.run_study import read_pair
from twofold.studies.study_blocks import Block, Point, StudyContext

QUIET = {"store": ":memory:", "workers": 0, "progress": False}


def counted(source, learners, rows=61):
    experiments = plan_experiments("half-sample-t@halves:3x5,corrected-cv-t@3x5", None)
    pair = () if learners is None else read_pair(learners)
    context = StudyContext([Point(source, rows)], pair, share_splits(experiments), 2, 7)
    done = context.do([Block(0, 0, 4, split) for split in (0, 1)])
    return experiments, tuple(ErrorCounts(**counts) for counts in done)


def test_all_rows_are_those_of_runs_without_halves():
    experiments, (halves, plain) = counted(read_source("halves"), ["nb", "majority"])
    for name, array in plain.arrays().items():
        np.testing.assert_array_equal(halves.arrays()[name][..., :5], array)
    sizes = halves.size
    assert sizes.shape == (4, 2, 3, 15)
    first, second = sizes[..., 5:10].sum(axis=-1), sizes[..., 10:].sum(axis=-1)
    assert set((first + second).ravel()) == {61}
    assert np.abs(first - second).max() == 1
    x = sample_of(experiments[0], halves)
    assert x.shape == (4, 2, 3, 3)
    np.testing.assert_allclose(x[..., 0], sample_of(experiments[1], plain).mean(axis=-1))


def test_counts_of_learners_that_ignore_their_training_rows():
    """Two halves of n rows have the errors of all rows between them."""
    _, (halves, _) = counted(Task1(0.3), None, rows=60)
    for array in halves.arrays().values():
        np.testing.assert_array_equal(array[..., :5], array[..., 5:10] + array[..., 10:])
    found = study(
        Task1(0.25), rows=200, datasets=2000, repetitions=1, tests="half-sample-t", **QUIET
    )
    row = found.rows[0]
    assert row.rejected.low < 0.05 < row.rejected.high
    # Halves of fixed outcomes: exact by the t distribution with as many df as halvings.
    assert row.df == 10
    assert scipy_stats.t.sf(2.228139, row.df) == pytest.approx(0.025, abs=1e-6)


def test_runs_of_learners_are_not_split_so():
    dataset = read_source("halves").draw(40, np.random.default_rng(0))
    with pytest.raises(InputError, match="halves"):
        parse_design("halves:10x10").split(dataset, 0, seed=0)
