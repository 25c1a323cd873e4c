"""scikit-learn's splitters as designs: their own splits, keys, and what is refused."""

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

import twofold
from twofold.dataset import Attribute, Dataset, with_groups
from twofold.designs import parse_design
from twofold.errors import InputError
from twofold.execution.store import MemoryStore

ROWS = 60
GROUPS = np.arange(ROWS) % 12
Y = np.arange(ROWS) % 5 % 3


def dataset(groups=None):
    return Dataset(
        name="small",
        attributes=(Attribute("row"),),
        X=np.arange(ROWS, dtype=float)[:, None],
        y=Y,
        classes=("c0", "c1", "c2"),
        groups=groups,
    )


class Pairs:
    """A splitter that is no class of scikit-learn's."""

    def __init__(self, pairs):
        self.pairs = pairs

    def split(self, X, y=None, groups=None):
        return iter(self.pairs)

    def get_n_splits(self, X=None, y=None, groups=None):
        return len(self.pairs)


@pytest.mark.parametrize(
    ("splitter", "runs", "structure"),
    [
        (KFold(5, shuffle=True, random_state=3), 1, "folds"),
        (StratifiedKFold(4), 1, "folds"),
        (RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1), 3, "folds"),
        (ShuffleSplit(6, test_size=0.2, random_state=1), 6, "random"),
        (GroupShuffleSplit(5, random_state=2), 5, "random"),
        (GroupKFold(3), 1, "folds"),
        (StratifiedGroupKFold(3), 1, "folds"),
        (LeaveOneGroupOut(), 1, "folds"),
        (TimeSeriesSplit(4), 1, "time-series"),
        (PredefinedSplit(np.arange(ROWS) % 3), 1, "folds"),
        (Pairs([(np.arange(30), np.arange(30, 60)), (np.arange(20), np.arange(25, 60))]), 1,
         "time-series"),
        (Pairs([(np.arange(9, 30), np.arange(9)), (np.arange(20, 60), np.arange(5))]), 1,
         "random"),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "split") else str(value),
)  # fmt: skip
def test_splits_are_those_of_the_splitter(splitter, runs, structure):
    data = dataset(GROUPS if "Group" in type(splitter).__name__ else None)
    expected = list(splitter.split(data.X, data.labels, data.groups))
    design = parse_design(splitter)
    assert design.runs == runs
    made = [design.split(data, run, seed=7) for run in range(runs)]
    assert {run.structure for run in made} == {structure}
    splits = [split for run in made for split in run.splits()]
    assert len(splits) == len(expected)
    for (train, test), (train_of_theirs, test_of_theirs) in zip(splits, expected, strict=True):
        assert np.array_equal(train, train_of_theirs)
        assert np.array_equal(test, test_of_theirs)
    with pytest.raises(InputError, match="another would split"):
        design.split(data, runs, seed=7)


def test_folds_keep_the_fast_path():
    run = parse_design(KFold(3, shuffle=True)).split(dataset(), 0, seed=1)
    assert run.fold_of_row is not None
    assert parse_design(TimeSeriesSplit(3)).split(dataset(), 0, seed=1).fold_of_row is None


def test_a_random_state_comes_from_the_seed_unless_the_splitter_has_one():
    def split(splitter, seed):
        return parse_design(splitter).split(dataset(), 0, seed=seed).fold_of_row.tolist()

    free, own = KFold(3, shuffle=True), KFold(3, shuffle=True, random_state=1)
    assert split(free, 1) == split(free, 1)
    assert split(free, 1) != split(free, 2)
    assert split(own, 1) == split(own, 2)
    assert free.random_state is None
    state = np.random.RandomState(5)
    moving = KFold(3, shuffle=True, random_state=state)
    assert split(moving, 1) == split(moving, 1)


def test_keys_tell_class_parameters_and_version():
    import sklearn

    texts = {
        parse_design(splitter).family
        for splitter in (KFold(3), KFold(4), StratifiedKFold(3), KFold(3, shuffle=True))
    }
    assert len(texts) == 4
    assert all(sklearn.__version__ in text for text in texts)
    assert parse_design(KFold(3)).family == parse_design(KFold(3)).family


def test_leave_one_out_compares_predictions():
    assert str(parse_design(LeaveOneOut())) == "loo"


@pytest.mark.parametrize(
    ("design", "groups", "words"),
    [
        (Pairs([]), None, "makes no split"),
        (Pairs([([0, 1, 2], [2, 3])]), None, "trains on rows"),
        (Pairs([([0, 1, 2], [ROWS])]), None, "rows 0 to 59 only"),
        (Pairs([([0.5], [3])]), None, "not a list of row numbers"),
        (Pairs([([], [3])]), None, "leaves a side empty"),
        (Pairs([([0, 5, 10], [3])]), None, "one class only"),
        (KFold(ROWS + 1), None, "cannot split"),
        (KFold(5), GROUPS, "on both sides"),
        (GroupKFold(3), None, "cannot split"),
        ("timeseries:5", GROUPS, "cannot keep groups"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_cannot_be_used_is_refused_in_two_lines(design, groups, words):
    with pytest.raises(InputError) as caught:
        parse_design(design).split(dataset(groups), 0, seed=1)
    assert words in caught.value.rule
    assert len(str(caught.value).splitlines()) == 2


def test_a_splitter_that_cannot_be_repeated_is_refused():
    class Unseeded:
        def split(self, X, y=None, groups=None):
            order = np.random.permutation(len(X))  # noqa: NPY002
            yield order[:40], order[40:]

        def get_n_splits(self, X=None, y=None, groups=None):
            return 1

    with pytest.raises(InputError, match="differently each time"):
        parse_design(Unseeded()).split(dataset(), 0, seed=1)


@pytest.mark.parametrize("groups", [GROUPS, GROUPS.astype(str), [f"g{g}" for g in GROUPS]])
def test_groups_as_an_array(groups):
    assert np.array_equal(
        np.unique(with_groups(dataset(), groups).groups, return_counts=True)[1], np.full(12, 5)
    )


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (GROUPS[:-1], "59 entries"),
        (GROUPS[:, None], "the shape"),
        (np.where(GROUPS == 3, np.nan, GROUPS), "missing in 5 rows"),
        ([None, *GROUPS[1:]], "missing in 1 rows"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups, words):
    with pytest.raises(InputError) as caught:
        with_groups(dataset(), groups)
    assert words in caught.value.rule


def test_runs_with_splitters_and_groups_are_kept_and_reused():
    store = MemoryStore()
    options = {"store": store, "workers": 0, "progress": False, "seed": 4}
    groups = np.arange(150) % 10
    first = twofold.run(["nb", "majority"], "iris", design=GroupKFold(5), groups=groups, **options)
    assert sorted(set(first.fold.tolist())) == [0, 1, 2, 3, 4]
    stored = len(list(store.tasks()))
    again = twofold.run(["nb", "majority"], "iris", design=GroupKFold(5), groups=groups, **options)
    assert len(list(store.tasks())) == stored
    assert np.array_equal(first.value, again.value)
    with pytest.raises(InputError, match="one data set"):
        twofold.run(["nb", "majority"], ["iris", "wine"], groups=groups, **options)


def test_repeated_cross_validation_is_compared_as_runs_of_folds():
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    answer = twofold.compare(["nb", "c45"], "iris", design=splitter, workers=0, store=":memory:")
    assert answer.method == "two-level-cv-t"
    assert answer.scores.folds(0).values.shape == (2, 3, 5)


@pytest.mark.parametrize(
    ("design", "rule"),
    [
        (KFold, "`KFold` is a class, not a splitter."),
        ([(np.arange(40), np.arange(40, 60))], "A list is not a design."),
        (5, "5 is not a design."),
    ],
)
def test_what_is_no_splitter_is_refused_in_two_lines(design, rule):
    with pytest.raises(InputError) as caught:
        parse_design(design)
    lines = str(caught.value).splitlines()
    assert len(lines) == 2
    assert lines[0] == rule
