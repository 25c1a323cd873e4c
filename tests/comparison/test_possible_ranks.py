"""Sets of ranks in answers: they follow from the pairs, in every situation."""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
import rank_set_coverage as coverage

from twofold import InputError, compare
from twofold.comparison import possible_ranks
from twofold.stats import max_t, ranks

NAMES = [f"L{i}" for i in range(6)]


def make_table(n=30, k=6, gap=0.5, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, k)) + gap * np.arange(k)
    return {name: x[:, i].tolist() for i, name in enumerate(NAMES[:k])}


def count_pairs(answer):
    """Return the ranks that learners may have, counted from the outcomes of pairs."""
    k = len(answer.learners)
    better = {name: sum(pair.worse == name for pair in answer.pairs) for name in answer.learners}
    worse = {name: sum(pair.better == name for pair in answer.pairs) for name in answer.learners}
    return {name: (1 + better[name], k - worse[name]) for name in answer.learners}


@pytest.mark.parametrize(
    "options",
    [{}, {"adjust": "holm"}, {"test": "wilcoxon"}, {"test": "tukey"}, {"test": "max-t"},
     {"test": "paired-t", "adjust": "bonferroni"}, {"alpha": 0.2}],
)  # fmt: skip
def test_sets_follow_from_the_pairs(options):
    answer = compare(make_table(), **options, rows="datasets")
    first = answer.rank_sets[0]
    assert dict(first.sets) == count_pairs(answer)
    assert first.method == answer.method
    assert first.confidence == pytest.approx(1 - answer.alpha)
    assert {score.learner: score.rank_set for score in answer.learner_scores} == first.sets
    for score in answer.learner_scores:
        assert score.may_be_best == (score.learner in first.may_be_best)
        assert score.learner in first.tiers[score.tier - 1]
    assert first.may_be_best == first.tiers[0]
    told_apart = {frozenset((pair.a, pair.b)) for pair in answer.pairs if pair.differs}
    for tier in first.tiers:
        assert not any(frozenset((a, b)) in told_apart for a in tier for b in tier)


def test_what_ranks_are_by_is_said():
    table = make_table()
    assert [s.measure for s in compare(table, test="nemenyi", rows="datasets").rank_sets] == [
        "mean rank", "mean rank",
    ]  # fmt: skip
    assert [s.measure for s in compare(table, rows="datasets").rank_sets] == [
        "each pair", "mean score",
    ]  # fmt: skip
    assert [s.measure for s in compare(table, test="tukey", rows="datasets").rank_sets] == [
        "mean score", "mean score",
    ]  # fmt: skip
    assert [s.method for s in compare(table, test="max-t", rows="datasets").rank_sets] == ["max-t"]


def test_max_t_beside_is_about_the_same_ranks_as_the_pairs():
    table = make_table()
    x = np.array(list(table.values())).T
    result = max_t(ranks(x), confidence=None)
    better = dict.fromkeys(NAMES, 0)
    for (i, j), p, gap in zip(result.pairs, result.pvalue, result.estimate, strict=True):
        if p <= 0.05:
            better[NAMES[j if gap < 0 else i]] += 1  # a lower mean rank is better
    sets = compare(table, test="nemenyi", rows="datasets").rank_sets[1].sets
    assert {name: low - 1 for name, (low, _) in sets.items()} == better


def test_max_t_is_computed_when_it_is_looked_at(monkeypatch):
    """A terminal shows the ranks by the pairs alone; other processes take the ranks as they are."""
    answer = compare(make_table(), rows="datasets")
    again = pickle.loads(pickle.dumps(answer.rank_sets[1]))
    assert (again.sets, again.tiers, again.may_be_best) == (
        answer.rank_sets[1].sets, answer.rank_sets[1].tiers, answer.rank_sets[1].may_be_best
    )  # fmt: skip
    monkeypatch.setattr(possible_ranks, "_exchange_units", None)
    other = compare(make_table(), rows="datasets")
    assert str(other) == str(answer)
    with pytest.raises(TypeError):
        _ = other.rank_sets[1].sets


def test_lower_may_be_better():
    table = make_table()
    turned = {name: [-value for value in column] for name, column in table.items()}
    for options in ({}, {"test": "wilcoxon"}, {"test": "max-t"}):
        one = compare(table, **options, rows="datasets")
        other = compare(turned, higher_is_better=False, **options, rows="datasets")
        assert one.rank_sets[0].sets == other.rank_sets[0].sets
        assert one.rank_sets[0].tiers == other.rank_sets[0].tiers


def test_missing_cells():
    table = make_table()
    rng = np.random.default_rng(1)
    for column in table.values():
        for row in rng.choice(30, 5, replace=False):
            column[row] = float("nan")
    for options in ({}, {"test": "max-t"}):
        answer = compare(table, **options, rows="datasets")
        assert dict(answer.rank_sets[0].sets) == count_pairs(answer)
        assert "L5" in answer.rank_sets[-1].may_be_best
        assert "L0" not in answer.rank_sets[-1].may_be_best


def test_pairs_without_a_common_data_set_leave_ranks_open():
    table = make_table(k=4)
    table["L0"][:15] = [float("nan")] * 15
    table["L3"][15:] = [float("nan")] * 15
    answer = compare(table, test="max-t", rows="datasets")
    assert len(answer.pairs) == 5
    assert "no-shared-data" in {note.code for note in answer.notes}
    assert answer.rank_sets[0].sets["L3"][1] >= 2


def test_order_does_not_matter():
    table = make_table()
    rows = np.random.default_rng(2).permutation(30)
    moved = {name: [table[name][row] for row in rows] for name in reversed(NAMES)}
    for options in ({}, {"test": "max-t"}):
        one, other = (
            compare(table, **options, rows="datasets"),
            compare(moved, **options, rows="datasets"),
        )
        for first, second in zip(one.rank_sets, other.rank_sets, strict=True):
            assert first == second


def test_no_sets_where_decisions_do_not_carry_them():
    table = make_table()
    for options in (
        {"control": "L0"}, {"control": "L0", "test": "wilcoxon", "alternative": "less"},
        {"test": "bayes-sign"},
        {"test": "max-t", "control": "L0"},
    ):  # fmt: skip
        answer = compare(table, **options, rows="datasets")
        assert answer.rank_sets == ()
        assert {score.rank_set for score in answer.learner_scores} == {None}


def test_two_learners_and_one_data_set():
    two = compare(make_table(k=2, gap=2), rows="datasets")
    assert dict(two.rank_sets[0].sets) == {"L1": (1, 1), "L0": (2, 2)}
    folds = [
        {"run": r, "fold": f, "A": 0.9 + 0.01 * f, "B": 0.5 + 0.02 * ((r + f) % 3), "C": 0.52}
        for r in range(5)
        for f in range(10)
    ]
    one = compare(folds)
    assert dict(one.rank_sets[0].sets) == count_pairs(one)
    assert one.rank_sets[0].measure == "mean score"
    assert one.rank_sets[0].may_be_best == ("A",)


def make_items(n=300, k=4, clusters=0, seed=0):
    rng = np.random.default_rng(seed)
    right = (rng.random((n, k)) < 0.5 + 0.1 * np.arange(k)).astype(int)
    table = {"item": [f"q{i}" for i in range(n)]}
    if clusters:
        table["passage"] = [f"p{i % clusters}" for i in range(n)]
    return table | {f"M{j}": right[:, j].tolist() for j in range(k)}


@pytest.mark.parametrize("clusters", [0, 30])
def test_items_and_clusters(clusters):
    options = {"cluster": "passage"} if clusters else {}
    table = make_items(clusters=clusters)
    answer = compare(table, items=True, **options)
    first, second = answer.rank_sets
    assert dict(first.sets) == count_pairs(answer)
    assert (first.measure, second.measure, second.method) == ("mean score", "mean score", "max-t")
    x = np.array([table[f"M{j}"] for j in range(4)]).T
    result = max_t(x, clusters=table.get("passage"), confidence=None)
    worse = {f"M{j}": 0 for j in range(4)}
    for (i, j), p, gap in zip(result.pairs, result.pvalue, result.estimate, strict=True):
        if p <= 0.05:
            worse[f"M{i if gap > 0 else j}"] += 1
    assert {name: 4 - high for name, (_, high) in second.sets.items()} == worse


def test_each_data_set_of_items_counts_the_same():
    # On a small data set A is far ahead, on a large one all are equal.
    few, many = make_items(40, 3, seed=1), make_items(400, 3, seed=2)
    for name in ("M0", "M1", "M2"):
        few[name] = [int(name == "M0")] * 30 + few["M1"][30:]
        many[name] = many["M1"]
    rows = [
        {
            "dataset": label,
            "item": f"{label}{i}",
            **{name: part[name][i] for name in ("M0", "M1", "M2")},
        }
        for label, part in (("few", few), ("many", many))
        for i in range(len(part["item"]))
    ]
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    answer = compare(columns, items=True)
    assert answer.rank_sets[1].may_be_best == ("M0",)


def test_json_holds_them():
    plain = json.loads(json.dumps(compare(make_table(), rows="datasets").to_dict()))
    assert plain["scores"][0]["rank_set"] == plain["rank_sets"][0]["sets"]["L5"]
    assert plain["scores"][0]["tier"] == 1
    assert plain["scores"][0]["may_be_best"] is True


def test_one_sided_max_t_is_refused():
    with pytest.raises(InputError, match="`max-t` is two-sided"):
        compare(make_table(), test="max-t", control="L0", alternative="greater", rows="datasets")


def test_sets_hold_where_a_bootstrap_of_ranks_misses():
    nearly_equal = coverage.TABLES[0]
    _, best, _ = coverage.measure(nearly_equal, "bootstrap of ranks", 60)
    assert best < 48  # 56 % are expected
    held, _, width = coverage.measure(nearly_equal, "max-T", 60)
    assert held >= 56
    assert width <= 9


BOARD = next(Path(os.environ.get("TWOFOLD_RESULTS") or "/no folder").rglob("all-40-*.csv.gz"), None)


@pytest.mark.skipif(BOARD is None, reason="TWOFOLD_RESULTS names no folder of results")
def test_forty_classifiers_of_time_series():
    answer = compare(BOARD)  # 960 of 5,680 cells are missing
    by_pairs, by_max_t = answer.rank_sets
    assert dict(by_pairs.sets) == count_pairs(answer)
    for sets in (by_pairs, by_max_t):
        assert sets.may_be_best[0] == "HC2"
        assert len(sets.may_be_best) == 4
        assert len(sets.tiers) == 7
        assert sets.sets["CNN"][1] == 40


@pytest.mark.slow
@pytest.mark.parametrize("design", coverage.PASSAGES, ids=str)
def test_sets_over_passages_hold_as_promised(design):
    assert coverage.measure_items(*design, runs=1000, seed=1) >= 930


@pytest.mark.slow
@pytest.mark.parametrize("situation", coverage.TABLES, ids=str)
def test_sets_by_max_t_hold_as_promised(situation):
    # docs/correctness.md has 2,000 runs; with 1,000 a share of .95 comes below .93 once in 250.
    held, best, width = coverage.measure(situation, "max-T", 1000, seed=1)
    _, _, width_by_holm = coverage.measure(situation, "paired t, Holm", 1000, seed=1)
    if "skewed" not in situation[0]:
        assert held >= 930
        assert best >= 930
    assert width <= width_by_holm + 0.005
