"""Dietterich's learners, the stand-in for EXP6, and rows out of a large file."""

import numpy as np
import pytest
from scipy import stats

from twofold.datasets import read_dataset
from twofold.errors import InputError
from twofold.seeds import rng
from twofold.simulation import (
    CurvedSource,
    EpsilonSource,
    FileSource,
    epsilon_fold_counts,
    epsilon_resample_counts,
    read_source,
)


def test_errors_of_figure_4():
    # Dietterich (1998), figure 4: 0.05 and 0.15 on one half, the reverse on the other.
    source = EpsilonSource(0.1)
    assert source.errors.ravel() == pytest.approx([0.05, 0.15, 0.15, 0.05])
    assert source.errors.mean(axis=0) == pytest.approx([0.1, 0.1])
    a, b = source.errors.T
    assert source.disagreement == pytest.approx(np.mean(a * (1 - b) + b * (1 - a)))


@pytest.mark.parametrize("vary", [False, True])
def test_counts_against_classifying_row_by_row(vary):
    source, n, folds = EpsilonSource(0.2, beta=0.15), 101, 4
    ours = epsilon_fold_counts(source, n, 1, folds, 20_000, rng(1, "ours"), vary=vary)
    random = rng(1, "rows")
    X, _ = source.draw_many(4000, n, random)
    sums = []
    for points in X:
        order = random.permutation(n)
        parts = [source.draw_errors(points[order[f::folds]], random, vary=vary) for f in range(2)]
        sums.append([(part[:, 1] & ~part[:, 0]).sum() for part in parts])
    theirs = np.array(sums)
    for one, two in (
        (ours.a_only[:, 0, 0], theirs[:, 0]),
        (ours.a_only[:, 0, 0] - ours.a_only[:, 0, 1], theirs[:, 0] - theirs[:, 1]),
    ):
        values = np.union1d(one, two)
        table = np.array([[(x == value).sum() for value in values] for x in (one, two)])
        rare = table.sum(axis=0) < 20
        table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
        assert stats.chi2_contingency(table[:, table.any(axis=0)])[1] > 0.001


def test_one_beta_for_both_learners_of_a_fold():
    # With β the errors of A and B in a fold go together; without it they do not.
    source = EpsilonSource(0.3, beta=0.15)
    for vary, least, most in ((True, 0.1, 1.0), (False, -1.0, 0.0)):
        found = epsilon_fold_counts(source, 3000, 1, 10, 2000, rng(2, "beta"), vary=vary)
        wrong_a = (found.sizes - found.both - found.a_only)[:, 0, 0]
        wrong_b = (found.sizes - found.both - found.b_only)[:, 0, 0]
        # Without β the halves alone tie them, and against each other.
        assert least < np.corrcoef(wrong_a, wrong_b)[0, 1] < most


def type_one(counts, statistic, degrees):
    return np.mean(np.abs(statistic(counts.differences)) > stats.t.ppf(0.975, degrees))


def test_figures_5_and_6_of_dietterich():
    # Resampled t has a Type I error far above .05, more with more resamples; cv t does not.
    def t(x):
        flat = x.reshape(len(x), -1)
        return flat.mean(axis=1) / (flat.std(axis=1, ddof=1) / np.sqrt(flat.shape[1]))

    source, trials = EpsilonSource(0.1), 4000
    rates = [
        type_one(epsilon_resample_counts(source, 300, r, 1 / 3, trials, rng(3, r)), t, r - 1)
        for r in (10, 30, 100)
    ]
    assert 0.05 < rates[0] < rates[1] < rates[2]
    cv = type_one(epsilon_fold_counts(source, 300, 1, 10, trials, rng(3, "cv")), t, 9)
    assert cv < 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)


def test_the_square_has_six_classes_and_the_grid_of_the_paper():
    source = CurvedSource()
    X, y = source.grid()
    assert X.shape == (22_801, 2)  # Dietterich (1998), section 6.1
    assert X.min() == 0
    assert X.max() == 15
    shares = np.bincount(y, minlength=6) / len(y)
    assert len(shares) == 6
    assert shares.min() > 0.05
    drawn = source.draw(20_000, rng(1))
    assert np.bincount(drawn.y) / 20_000 == pytest.approx(shares, abs=0.02)


def test_boundaries_are_hard_for_trees_and_easy_for_neighbours():
    # As in section 6.1: nearest neighbour is much better than the tree on EXP6.
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    source = CurvedSource()
    X, y = source.grid()
    train = source.draw(300, rng(5, "exp6"))
    assert train.classes == source.classes
    near = KNeighborsClassifier(1).fit(train.X, train.y).score(X, y)
    tree = DecisionTreeClassifier(random_state=0).fit(train.X, train.y).score(X, y)
    assert near > tree + 0.02


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "large.csv"
    lines = ["number,colour,kind"]
    lines += [f"{row},{'red' if row % 3 else 'blue'},{'abc'[row % 50 % 3]}" for row in range(600)]
    path.write_text("\n".join(lines))
    return path


def test_rows_of_a_file_and_the_rest(file):
    source = read_source(f"file:{file}:target=kind")
    assert source.name == f"file:{file}:target=kind"
    assert source.classes == ("a", "b", "c")
    drawn, rest = source.draw_and_rest(100, rng(1, "file"))
    assert (drawn.rows, rest.rows) == (100, 500)
    assert sorted([*drawn.X[:, 0], *rest.X[:, 0]]) == list(range(600))
    assert source.draw(100, rng(1, "file")).fingerprint == drawn.fingerprint
    for part in (drawn, rest):
        for row, label in zip(part.X[:, 0], part.labels, strict=True):
            assert label == "abc"[int(row) % 50 % 3]
    X, y = source.draw_many(3, 50, rng(2))
    assert X.shape == (3, 50, 2)
    assert all(len(set(one[:, 0])) == 50 for one in X)
    assert (np.array(source.classes)[y[0]] == ["abc"[int(r) % 50 % 3] for r in X[0, :, 0]]).all()


def test_half_of_a_file_as_a_source(file):
    source = read_source(f"file:{file}:target=kind")
    half, rest = source.halves(rng(4))
    assert half.dataset.rows == rest.rows == 300
    assert half.name == source.name
    assert not set(half.draw(200, rng(5)).X[:, 0]) & set(rest.X[:, 0])


def test_what_a_file_cannot_give(file):
    source = read_source(read_dataset(str(file), target="kind"))
    assert isinstance(source, FileSource)
    with pytest.raises(InputError, match="has 600 rows; 600 cannot be drawn"):
        source.draw(600, rng(1))
    with pytest.raises(InputError, match="has no classes"):
        read_source(read_dataset(str(file), target="number"))


def test_a_class_that_a_part_lacks(file):
    source = read_source(f"file:{file}:target=kind")
    drawn = source.draw(2, rng(3))
    assert len(drawn.classes) <= 2
    assert drawn.declared_classes == ("a", "b", "c")
    assert drawn.y.max() == len(drawn.classes) - 1
