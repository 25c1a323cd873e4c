"""Effects of pairs are computed when they are looked at, and are the same whichever way."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from twofold import compare
from twofold.comparison.wide_pairs import FEW, PairEffects


@pytest.fixture
def computed(monkeypatch):
    """Return a list that grows with the numbers of pairs that are computed together."""
    sizes = []
    compute = PairEffects._compute

    def count(self, part):
        sizes.append(part.stop - part.start)
        compute(self, part)

    monkeypatch.setattr(PairEffects, "_compute", count)
    return sizes


def _compare(k=30, **options):
    g = np.random.default_rng(k)
    table = np.round(g.uniform(0.6, 0.9, (20, 1)) + g.normal(0, 0.03, (20, k)), 2)
    return compare({f"L{j}": table[:, j] for j in range(k)}, **options, rows="datasets")


def test_a_terminal_computes_the_pairs_that_it_shows(computed):
    answer = _compare()
    assert computed == []
    str(answer)
    assert 0 < sum(computed) <= FEW
    answer.to_dict()
    assert computed[-1] == len(answer.pairs)


@pytest.mark.parametrize("options", [{}, {"higher_is_better": False}, {"control": "L3"}])
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
