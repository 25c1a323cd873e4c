"""Splits: partitions, balance, determinism, groups, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from twofold.dataset import Attribute, Dataset
from twofold.designs import parse_design
from twofold.designs.kinds.cross_validation import CrossValidation
from twofold.designs.kinds.disjoint_sets import DisjointTrainingSets
from twofold.errors import InputError


def dataset(y, *, groups=None, folds=None, regression=False, name="small"):
    y = np.asarray(y)
    if not regression:
        _, y = np.unique(y, return_inverse=True)
    return Dataset(
        name=name,
        attributes=(Attribute("row"),),
        X=np.arange(len(y), dtype=float)[:, None],
        y=y,
        classes=None if regression else tuple(f"c{i}" for i in range(int(y.max()) + 1)),
        groups=None if groups is None else np.unique(groups, return_inverse=True)[1],
        given_folds=None if folds is None else np.asarray(folds),
    )


labels = st.lists(st.integers(0, 4), min_size=12, max_size=80).filter(
    lambda y: sum(y.count(c) > 1 for c in set(y)) > 1
)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("10x10", "10x10"),
        (" 5 X 2 ", "5x2"),
        ("10×10-fold", "10x10"),
        ("holdout:1/3", "holdout:1/3"),
        ("holdout", "holdout:1/3"),
        ("holdout:50%", "holdout:0.5"),
        ("holdout:1/2", "holdout:0.5"),
        ("resample:100:0.10", "resample:100:0.1"),
        ("resample:1:1/3", "holdout:1/3"),
        ("LOO", "loo"),
        ("disjoint:10:1/3", "disjoint:10:1/3"),
        ("disjoint:10:1/3:5", "disjoint:10:1/3:5"),
        ("halves:10x10", "halves:10x10"),
        ("given", "given"),
    ],
)
def test_text_of_designs(text, canonical):
    design = parse_design(text)
    assert str(design) == canonical
    assert parse_design(str(design)) == design
    assert parse_design(design) is design
    assert len(design.words) > 5


@pytest.mark.parametrize(
    "text",
    "10x1 0x10 x 10 holdout:0 holdout:1 holdout:3/2 holdout:a holdout:1/0 resample:100 "
    "resample:0:0.1 resample:1.5:0.1 disjoint:1:0.5 disjoint:3 loo:3 cv ten".split(),
)
def test_bad_designs_are_refused_in_two_lines(text):
    with pytest.raises(InputError) as caught:
        parse_design(text)
    assert len(str(caught.value).splitlines()) == 2


@given(labels, st.integers(2, 6), st.integers(0, 3))
def test_folds_are_a_partition_and_balanced(y, folds, run):
    data = dataset(y)
    split = CrossValidation(1, folds).split(data, run, seed=7)
    assert split.count == folds
    tested = np.concatenate([test for _, test in split.splits()])
    assert sorted(tested) == list(range(len(y)))
    for train, test in split.splits():
        assert sorted([*train, *test]) == list(range(len(y)))
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()
    sizes = np.bincount(split.fold_of_row, minlength=folds)
    assert np.ptp(sizes) <= 1
    for c in range(len(data.classes)):
        assert np.ptp(np.bincount(split.fold_of_row[data.y == c], minlength=folds)) <= 1
    assert np.array_equal(split.sizes()[1], sizes)


@given(labels, st.sampled_from(["1/3", "0.1", "0.5", "0.25"]), st.integers(0, 3))
def test_random_splits_keep_shares_of_classes(y, share, run):
    data = dataset(y)
    design = parse_design(f"resample:10:{share}")
    try:
        split = design.split(data, run, seed=3)
    except InputError as error:
        assume("one class" not in error.rule)
        raise
    ((train, test),) = split.splits()
    assert sorted([*train, *test]) == list(range(len(y)))
    wanted = Fraction(share) * len(y)
    assert abs(len(test) - wanted) <= Fraction(1, 2)
    for c in range(len(data.classes)):
        rows = int((data.y == c).sum())
        assert abs(int((data.y[test] == c).sum()) - rows * len(test) / len(y)) < 1


@given(labels, st.integers(2, 4))
def test_disjoint_training_sets_share_a_test_set(y, parts):
    data = dataset(y, regression=True)
    split = DisjointTrainingSets(1, parts, Fraction(1, 3)).split(data, 0, seed=1)
    pairs = list(split.splits())
    assert len(pairs) == split.count == parts
    first = pairs[0][1]
    assert all(np.array_equal(test, first) for _, test in pairs)
    everything = np.concatenate([*[train for train, _ in pairs], first])
    assert sorted(everything) == list(range(len(y)))
    assert np.ptp([len(train) for train, _ in pairs]) <= 1
    assert [len(train) for train, _ in pairs] == split.sizes()[0].tolist()


@given(st.integers(0, 20))
def test_a_run_does_not_depend_on_the_number_of_runs(run):
    data = dataset([0, 1, 2] * 20)
    short, long = parse_design("1x10"), parse_design("100x10")
    one, other = short.split(data, run, seed=5), long.split(data, run, seed=5)
    assert np.array_equal(one.fold_of_row, other.fold_of_row)
    assert np.array_equal(
        parse_design("holdout:1/3").split(data, run, seed=5).fold_of_row,
        parse_design("resample:50:1/3").split(data, run, seed=5).fold_of_row,
    )


def test_seed_run_content_and_family_matter_and_the_name_does_not():
    data = dataset([0, 1] * 30)
    design = parse_design("10x10")

    def fold(data=data, design=design, run=0, seed=1):
        return design.split(data, run, seed=seed).fold_of_row.tolist()

    assert fold() == fold()
    assert fold() == fold(data=dataset([0, 1] * 30, name="other"))
    assert fold() != fold(seed=2)
    assert fold() != fold(run=1)
    assert fold() != fold(data=dataset([0, 0, 1, 1] * 15))
    assert fold() != fold(design=parse_design("10x5"))


def test_one_split_is_pinned():
    # No reference from outside: it guards against silent changes, which would make scores that
    # users have stored unusable.
    split = parse_design("1x3").split(dataset([0, 0, 0, 0, 1, 1, 1, 1]), 0, seed=0)
    assert split.fold_of_row.tolist() == [2, 1, 0, 2, 1, 2, 0, 0]


def test_every_row_is_tested_equally_often():
    # Surplus rows and positions must not favour any row: over many runs each row's share of
    # being in the test part is the share itself, within five standard errors.
    data = dataset([0] * 7 + [1] * 4)
    design = parse_design("resample:10:0.3")
    runs = 4000
    times = sum(
        (design.split(data, run, seed=1).fold_of_row == 0).astype(float) for run in range(runs)
    )
    expected = 3 / 11
    error = np.sqrt(expected * (1 - expected) / runs)
    assert np.abs(times / runs - expected).max() < 5 * error


def test_folds_are_exchangeable():
    # 11 rows in 3 folds: each fold is the small one in a third of the runs.
    data = dataset([0] * 6 + [1] * 5)
    design = parse_design("10x3")
    small = np.array(
        [np.bincount(design.split(data, run, seed=1).fold_of_row).argmin() for run in range(3000)]
    )
    assert np.abs(np.bincount(small) / 3000 - 1 / 3).max() < 5 * np.sqrt(2 / 9 / 3000)


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_balance_is_no_worse_than_that_of_scikit_learn(folds):
    from sklearn.model_selection import StratifiedKFold

    y = np.random.default_rng(1).choice(4, size=203, p=[0.5, 0.3, 0.15, 0.05])
    data = dataset(y)
    ours = CrossValidation(1, folds).split(data, 0, seed=1).fold_of_row
    theirs = np.empty_like(ours)
    for fold, (_, test) in enumerate(
        StratifiedKFold(folds, shuffle=True, random_state=1).split(np.zeros(len(y)), y)
    ):
        theirs[test] = fold

    def spread(fold):
        counts = [np.bincount(fold[y == c], minlength=folds) for c in range(4)]
        return max(np.ptp(one) for one in counts), np.ptp(np.bincount(fold))

    assert spread(ours)[0] <= spread(theirs)[0]
    assert spread(ours)[1] <= spread(theirs)[1]


grouped = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 2)), min_size=30, max_size=90)


@given(
    grouped,
    st.sampled_from(["1x2", "1x4", "holdout:1/3", "resample:3:0.2", "loo", "disjoint:2:1/3"]),
)
def test_groups_are_never_split(rows, text):
    groups = [group for group, _ in rows]
    assume(len(set(groups)) >= 6)
    data = dataset([label for _, label in rows], groups=groups, regression=True)
    split = parse_design(text).split(data, 0, seed=2)
    trained_on = set()
    for train, test in split.splits():
        assert len(train)
        assert len(test)
        assert not set(data.groups[train]) & set(data.groups[test])
        if text.startswith("disjoint"):
            assert not set(data.groups[train]) & trained_on
            trained_on |= set(data.groups[train])


def test_folds_of_groups_are_as_even_as_those_of_scikit_learn():
    from sklearn.model_selection import GroupKFold

    rng = np.random.default_rng(3)
    groups = rng.integers(0, 40, size=400)
    y = rng.integers(0, 3, size=400)
    data = dataset(y, groups=groups)
    theirs = [len(test) for _, test in GroupKFold(5).split(y, y, groups)]
    for run in range(20):
        sizes = np.bincount(parse_design("1x5").split(data, run, seed=1).fold_of_row)
        assert np.ptp(sizes) <= np.ptp(theirs) + 12
        assert sizes.min() > 60


def test_runs_of_groups_differ():
    # Were groups dealt out strictly by size, all runs would be the same.
    groups = np.repeat(np.arange(8), np.arange(10, 18))
    data = dataset(np.arange(len(groups)) % 2, groups=groups)
    partitions = set()
    for run in range(20):
        fold = parse_design("20x4").split(data, run, seed=1).fold_of_row
        partitions.add(frozenset(frozenset(data.groups[fold == f].tolist()) for f in range(4)))
    assert len(partitions) > 5


def test_leave_one_out():
    data = dataset([0, 1, 0, 1])
    split = parse_design("loo").split(data, 0, seed=1)
    assert [test.tolist() for _, test in split.splits()] == [[0], [1], [2], [3]]
    assert split.sizes()[0].tolist() == [3, 3, 3, 3]


def test_given_folds_are_kept():
    data = dataset([0, 1] * 4, folds=[0, 0, 0, 0, 1, 1, 2, 2])
    split = parse_design("given").split(data, 0, seed=1)
    assert split.fold_of_row.tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    assert split.count == 3
    holdout = parse_design("given").split(dataset([0, 1] * 4, folds=[-1] * 5 + [0] * 3), 0, seed=1)
    ((train, test),) = holdout.splits()
    assert train.tolist() == [0, 1, 2, 3, 4]
    assert test.tolist() == [5, 6, 7]


@pytest.mark.parametrize(
    ("data", "text", "words"),
    [
        (dataset([0, 1, 0, 1, 0]), "1x10", "too few for 10 folds"),
        (dataset([0, 1] * 9, groups=[0, 1, 2] * 6), "1x5", "3 groups"),
        (dataset([0, 1] * 9, groups=[0] * 18), "holdout:1/3", "1 groups"),
        (dataset([0, 1]), "holdout:0.1", "for testing"),
        (dataset([0, 1]), "holdout:0.9", "for training"),
        (dataset([0, 1] * 3), "disjoint:5:1/3", "left for 5 training sets"),
        (dataset([0] * 19 + [1]), "1x10", "one class only"),
        (dataset([0] * 9 + [1]), "loo", "one class only"),
        (dataset([0, 1] * 4, groups=[0, 1] * 4), "1x2", "one class only"),
        (dataset([0, 1] * 9), "given", "brings no folds"),
        (dataset([0, 1] * 4, folds=[0, 1] * 4), "10x10", "brings its own folds"),
        (dataset([0, 1] * 4, folds=[0, 0, 0, 0, 2, 2, 2, 2]), "given", "a side empty"),
        (dataset([0, 1] * 4, groups=[0, 0, 1, 1] * 2), "disjoint:2:1/2", "1 groups left"),
    ],
)
def test_what_cannot_be_split_is_refused_in_two_lines(data, text, words):
    with pytest.raises(InputError) as caught:
        parse_design(text).split(data, 0, seed=1)
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2


def test_numbers_are_not_stratified():
    data = dataset([0.5, 1.5, 2.5, 3.5], regression=True)
    assert parse_design("1x2").split(data, 0, seed=1).count == 2
    with pytest.raises(InputError, match="stratify"):
        parse_design("1x2").split(data, 0, seed=1, stratify=True)


def test_stratification_can_be_left_out():
    data = dataset([0] * 50 + [1] * 50)
    spreads = set()
    for run in range(20):
        fold = parse_design("10x2").split(data, run, seed=1, stratify=False).fold_of_row
        assert np.bincount(fold).tolist() == [50, 50]
        spreads.add(int(np.bincount(fold[data.y == 0], minlength=2)[0]))
    assert len(spreads) > 3


def test_other_numbers_of_runs():
    design = parse_design("10x10")
    assert str(design.with_runs(25)) == "25x10"
    assert design.with_runs(25).family == design.family
    assert str(parse_design("holdout:1/3").with_runs(30)) == "resample:30:1/3"
    assert parse_design("loo").with_runs(1) == parse_design("loo")
    for bad in (0, -1, 2.5, True):
        with pytest.raises(InputError):
            design.with_runs(bad)
    for text in ("loo", "given"):
        with pytest.raises(InputError, match="one run"):
            parse_design(text).with_runs(2)
    with pytest.raises(InputError, match="one run"):
        parse_design("loo").split(dataset([0, 1] * 4), 1, seed=1)


def test_rare_classes_are_named():
    (note,) = parse_design("10x10").notes(dataset([0] * 30 + [1] * 30 + [2] * 3))
    assert note.code == "rare-classes"
    assert "c2" in note.detail
    assert "c0" not in note.detail
    assert parse_design("1x2").notes(dataset([0, 1] * 9)) == ()


@pytest.mark.parametrize("text", ["1000000001x10", "9" * 5000 + "x10", f"bootstrap:{10**12}"])
def test_numbers_beyond_the_limit_are_refused_with_it(text):
    with pytest.raises(InputError, match="1,000,000,000"):
        parse_design(text)
    assert parse_design("1000000000x10").runs == 10**9
