"""Random networks: the joint table, drawing from it, and the search by difference."""

import json

import numpy as np
import pytest
from scipy import stats

from twofold.errors import InputError
from twofold.seeds import rng
from twofold.simulation import NetworkSource, make_predictor, read_source, search_network
from twofold.simulation.search import _weaken


@pytest.mark.parametrize("structure", ["nb", "tan", "ban"])
def test_the_joint_table_is_a_distribution_with_even_classes(structure):
    source = NetworkSource(structure=structure, seed=4)
    assert source.joint.shape == (2, 1024)
    assert source.joint.min() > 0
    assert source.joint.sum(axis=1) == pytest.approx([0.5, 0.5])


def test_structures():
    assert not any(NetworkSource(structure="nb").parents)
    tree = NetworkSource(structure="tan", seed=2).parents
    assert sorted(map(len, tree)) == [0] + [1] * 9
    assert sum(map(len, NetworkSource(structure="ban", seed=2).parents)) == 10
    assert sum(map(len, NetworkSource(structure="ban", seed=2, arcs=45).parents)) == 45
    assert NetworkSource(seed=1).parents != NetworkSource(seed=2).parents


def test_naive_bayes_is_right_where_attributes_are_independent_given_the_class():
    nb = NetworkSource(structure="nb", seed=3)
    assert nb.naive_accuracy == pytest.approx(nb.bayes_accuracy, abs=1e-12)
    ban = NetworkSource(structure="ban", seed=3)
    assert ban.naive_accuracy < ban.bayes_accuracy - 0.001
    # Independence given the class, from the table itself: P(x1, x2 | c) = P(x1 | c) P(x2 | c).
    for source, independent in ((nb, True), (NetworkSource("ban", seed=3, arcs=45), False)):
        within = source.joint[0] / source.joint[0].sum()
        one, two = source.cells[:, 0] == 1, source.cells[:, 1] == 1
        gap = within[one & two].sum() - within[one].sum() * within[two].sum()
        assert (abs(gap) < 1e-12) == independent


def test_rows_follow_the_joint_table():
    source = NetworkSource(width=4, seed=7)
    X, y = source.draw_many(10, 10_000, rng(1, "network"))
    cell = (X * (1 << np.arange(4))).sum(axis=-1) + 16 * y.astype(int)
    observed = np.bincount(cell.ravel(), minlength=32)
    assert stats.chisquare(observed, source.joint.ravel() * 100_000)[1] > 0.001


def test_strength_zero_is_a_coin():
    source = NetworkSource(strength=0.0)
    assert source.joint == pytest.approx(np.full((2, 1024), 1 / 2048))
    assert source.bayes_accuracy == pytest.approx(0.5)


def test_true_accuracy_against_a_large_sample():
    from sklearn.tree import DecisionTreeClassifier

    source = NetworkSource(seed=5)
    X, y = source.draw_many(1, 300, rng(2, "train"))
    tree = DecisionTreeClassifier(random_state=0).fit(X[0], y[0])
    test_X, test_y = source.draw_many(1, 200_000, rng(2, "test"))
    measured = tree.score(test_X[0], test_y[0])
    assert source.accuracy(tree.predict(source.cells)) == pytest.approx(measured, abs=0.0045)
    best = (source.joint[1] > source.joint[0]).astype(int)
    assert source.accuracy(best) == pytest.approx(source.bayes_accuracy, abs=1e-12)


def test_arcs_from_a_file(tmp_path):
    file = tmp_path / "net.json"
    file.write_text(json.dumps({"arcs": [[1, 2], [3, 2]]}))
    source = read_source(f"bayesnet:structure={file}:attributes=3")
    assert source.parents == ((), (0, 2), ())
    for arcs, words in [
        ([[1, 2], [2, 1]], "cycle"),
        ([[1, 9]], "no such attribute"),
        ([[1, 2], [1, 2]], "twice"),
        ([1], "does not hold arcs"),
    ]:
        file.write_text(json.dumps({"arcs": arcs}))
        with pytest.raises(InputError, match=words):
            NetworkSource(structure=str(file), width=3).joint  # noqa: B018
    file.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        NetworkSource(structure=str(file), width=3).joint  # noqa: B018


def naive_bayes(X, y, cells):
    """Naive Bayes with Laplace's correction, for many training sets at once."""
    score = []
    for cls in (0, 1):
        mine = (y == cls)[:, :, None]
        ones = ((X * mine).sum(axis=1) + 1) / (mine.sum(axis=1) + 2)
        score.append(
            np.log((y == cls).mean(axis=1))[:, None]
            + np.log(ones) @ cells.T
            + np.log(1 - ones) @ (1 - cells.astype(float)).T
        )
    return score[1] > score[0]


def table(X, y, cells):
    """Say the class most often seen with the first three attributes."""
    state = X[:, :, :3].astype(int) @ (1, 2, 4)
    votes = np.stack([((state == one) * (2.0 * y - 1)).sum(axis=1) for one in range(8)], axis=1)
    return votes[:, cells[:, :3].astype(int) @ (1, 2, 4)] > 0


@pytest.mark.parametrize("delta", [-0.05, 0.02])
def test_a_network_with_the_wanted_difference_is_found(delta):
    found = search_network("ban", delta, (naive_bayes, table), precision=0.004, seed=3, width=6)
    assert found.difference == pytest.approx(delta, abs=0.004)
    assert found.low < found.difference < found.high
    assert found.high - found.low <= 0.008
    # Rebuilt by its name, with other training sets, it shows the same difference.
    source = read_source(found.source.name)
    assert source == found.source
    X, y = source.draw_many(1500, 300, rng(77, "check"))
    first, second = (source.accuracy(one(X, y, source.cells)) for one in (naive_bayes, table))
    error = (second - first).std() / np.sqrt(1500)
    assert (second - first).mean() == pytest.approx(found.difference, abs=0.004 + 4 * error)


def test_a_search_by_name():
    text = "bayesnet:structure=ban:delta=-0.05:seed=3:attributes=6:precision=0.004"
    found = search_network("ban", -0.05, (naive_bayes, table), precision=0.004, seed=3, width=6)
    assert read_source(text, learners=(naive_bayes, table)) == found.source


class Wavy:
    """Stands in for looks at networks: a difference that rises and falls with the strength."""

    def __init__(self, *heights):
        self.heights, self.asked = heights, []

    def difference(self, source, count):
        self.asked.append(source.strength)
        place = source.strength * (len(self.heights) - 1)
        return float(np.interp(place, range(len(self.heights)), self.heights))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "heights",
    [
        (0, 0.2, 0.05, 0.15, 0.1),
        (0, -0.3, -0.3, -0.3, 0.101),  # the wrong way for most of the range
        (0, 0.1, 0.1, 0.1, 0.1004),  # met at the end, all but a hair
        (0, 0.0, 0.0, 0.0, 0.5),
        (0, 0.4, 0.09999, 0.10001, 0.1),
    ],
)
def test_no_step_leaves_the_range(heights, sign):
    look = Wavy(*(sign * one for one in heights))
    start = NetworkSource(width=3)
    found = _weaken(start, sign * 0.1, 0.001, look, 24)
    assert all(0 <= strength <= start.strength for strength in look.asked)
    met = Wavy(*heights).difference(found, 24)
    assert met == pytest.approx(0.1, abs=0.001) or len(look.asked) > 12


def test_a_network_that_falls_short_is_given_up():
    # It was within the precision below the wanted difference, and then weakened beyond nothing.
    assert _weaken(NetworkSource(width=3), 0.1, 0.001, Wavy(0, 0.05, 0.0998), 24) is None


def test_the_same_search_is_done_once():
    calls = []

    def counted(X, y, cells):
        calls.append(len(X))
        return table(X, y, cells)

    options = {"precision": 0.004, "seed": 3, "width": 6}
    one = search_network("ban", -0.05, (naive_bayes, counted), **options)
    before = len(calls)
    assert before > 0
    assert search_network("ban", -0.05, (naive_bayes, counted), **options) is one
    assert len(calls) == before
    other = search_network("ban", -0.05, (naive_bayes, counted), **{**options, "seed": 4})
    assert len(calls) > before
    assert other.source != one.source
    again = len(calls)
    counted.key = naive_bayes.__name__  # known by name rather than by itself
    assert search_network("ban", -0.05, (naive_bayes, counted), **options).source == one.source
    assert len(calls) > again


def test_no_difference_wanted():
    found = search_network("nb", 0.0, (naive_bayes, table), width=4)
    assert found.difference == pytest.approx(0.0, abs=1e-12)


def test_a_difference_that_is_not_there():
    with pytest.raises(InputError, match=r"reaches a difference of 0\.4"):
        search_network("nb", 0.4, (naive_bayes, naive_bayes), width=3)


def test_estimators_as_predictors():
    from sklearn.naive_bayes import BernoulliNB

    source = NetworkSource(width=5, seed=2)
    X, y = source.draw_many(20, 300, rng(1, "both"))
    theirs = make_predictor(BernoulliNB)(X, y, source.cells)
    assert (theirs == naive_bayes(X, y, source.cells)).mean() > 0.99
