"""Effects of pairs are computed when they are looked at, and are the same whichever way."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from twofold import compare
from twofold.comparison import pairwise
from twofold.comparison.wide_pairs import FEW, LaterEffects


@pytest.fixture
def computed(monkeypatch):
    """Return a list that grows with the numbers of pairs that are computed together."""
    sizes = []
    compute = LaterEffects._compute

    def count(self, part):
        sizes.append(part.stop - part.start)
        compute(self, part)

    monkeypatch.setattr(LaterEffects, "_compute", count)
    return sizes


def _compare(k=30, **options):
    g = np.random.default_rng(k)
    table = np.round(g.uniform(0.6, 0.9, (20, 1)) + g.normal(0, 0.03, (20, k)), 2)
    return compare({f"L{j}": table[:, j] for j in range(k)}, **options, rows="datasets")


@pytest.mark.parametrize("test", [None, "nemenyi"])
def test_a_terminal_computes_the_pairs_that_it_shows(computed, test):
    answer = _compare(test=test)
    assert computed == []
    str(answer)
    assert 0 < sum(computed) <= FEW
    answer.to_dict()
    assert computed[-1] == len(answer.pairs)


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
@pytest.mark.parametrize(
    "options", [{}, {"higher_is_better": False}, {"control": "L3", "alternative": "less"}]
)
def test_very_many_pairs_are_decided_as_few_are(monkeypatch, test, options):
    """Predictions and detectable differences are for few pairs; all else is the same."""
    monkeypatch.setattr(pairwise, "MOST_PAIRS", 10)
    wide = _compare(test=test, **options)
    monkeypatch.setattr(pairwise, "MOST_PAIRS", 1000)
    few = _compare(test=test, **options)
    assert wide.verdict == few.verdict
    assert wide.groups == few.groups
    for pair, other in zip(wide.pairs, few.pairs, strict=True):
        assert pair.adjusted == pytest.approx(other.adjusted)
        assert pair.estimate == pytest.approx(other.estimate, abs=1e-12)
        assert (pair.outcome, pair.wins, pair.ties) == (other.outcome, other.wins, other.ties)
        assert pair.interval == pytest.approx(other.interval, abs=1e-12)
        assert pair.interval_confidence == pytest.approx(other.interval_confidence)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "nemenyi"},
        {"test": "nemenyi", "higher_is_better": False},
        {"test": "mean-rank-z", "control": "L3"},
    ],
)
def test_each_by_itself_is_as_all_at_once(computed, options):
    single, whole = _compare(40, **options), _compare(40, **options)
    looked_at = [single.pairs[i] for i in (5, 0, 38, 17)]
    expected = [whole.pairs[i] for i in (5, 0, 38, 17)]
    whole.to_dict()
    assert looked_at == expected


def test_pairs_are_copied_whole():
    pair = _compare().pairs[7]
    assert pickle.loads(pickle.dumps(pair)) == pair
    changed = replace(pair, outcome="none")
    assert (changed.interval, changed.n) == (pair.interval, 20)
    with pytest.raises(AttributeError, match="nothing"):
        pair.nothing  # noqa: B018


def test_very_many_pairs_say_why_repetitions_are_not_predicted():
    g = np.random.default_rng(0)
    answer = compare({f"L{j}": g.normal(j, 1, 40) for j in range(30)}, rows="datasets")
    assert all(pair.repeats is None for pair in answer.pairs)
    (note,) = [note for note in answer.notes if note.code == "repetition-not-known"]
    assert "more than 300 pairs" in note.detail
