"""The order of columns and rows in a table changes nothing, whatever was asked."""

import copy
import re
from collections import Counter

import numpy as np
import pytest

from twofold import InputError, compare
from twofold.stats import catalog

TESTS = [None, *(entry.name for entry in catalog() if entry.group.endswith("data set") or
                 entry.group == "several data sets")]  # fmt: skip
ADJUSTMENTS = [*(entry.name for entry in catalog() if entry.group == "adjustment"),
               "nemenyi", "bonferroni-dunn"]  # fmt: skip
OF_THE_FIRST = ("sign", "bayes-sign", "mcnemar-exact", "mcnemar-midp")
"""Tests whose statistic counts wins of the first learner; the record has those of both."""

SIDES = [(None, "two-sided"), ("b", "two-sided"), ("b", "less"), ("b", "greater")]


def wide(k, n, *, gaps=False, ties=False, names=True, seed=0):
    draw = np.random.default_rng([seed, k, n])
    values = 5 + draw.normal(0, 0.4, (n, 1)) + draw.normal(0, 0.4, (n, k)) + 0.25 * np.arange(k)
    values = np.round(values, 1) if ties else values
    if gaps:
        values[draw.random((n, k)) < 0.25] = np.nan
        values[:2] = draw.normal(5, 1, (2, k))
    learners = "abcefgh"[:k]
    sets = [f"set {i * 7 % 31}" for i in range(n)]

    def make(columns, rows):
        cells = {
            learners[j]: [None if np.isnan(x) else float(x) for x in values[rows, j]]
            for j in columns
        }
        return ({"dataset": [sets[i] for i in rows]} if names else {}) | cells

    return make, k, n


def ranked(k, n):
    draw = np.random.default_rng([k, n])
    values = np.argsort(draw.random((n, k)), axis=1) + 1.0

    def make(columns, rows):
        cells = {"abcefgh"[j]: values[rows, j].tolist() for j in columns}
        return {"dataset": [f"set {i * 7 % 31}" for i in rows]} | cells

    return make, k, n


def long(k, n, runs, folds, *, sizes=False, fold_column=True):
    draw = np.random.default_rng([k, n, runs, folds])
    own = draw.normal(0, 0.02, (n, k))
    values = 0.7 + own[:, :, None, None] + 0.02 * np.arange(k)[:, None, None]
    values = values + draw.normal(0, 0.03, (n, k, runs, folds))

    def make(columns, rows):
        return [
            {"dataset": f"set {d * 7 % 31}", "learner": "abcefgh"[j], "run": r}
            | ({"fold": f} if fold_column else {"run": r * folds + f})
            | ({"n_train": 90, "n_test": 10} if sizes else {})
            | {"accuracy": float(values[d, j, r, f])}
            for d in rows
            for j in columns
            for r in range(runs)
            for f in range(folds)
        ]

    return make, k, n


def predicted(k):
    draw = np.random.default_rng(k)
    truth = draw.integers(0, 2, 80)
    right = draw.random((80, k)) < 0.6 + 0.1 * np.arange(k)

    def make(columns, rows):
        models = {
            "abcefgh"[j]: np.where(right[rows, j], truth[rows], 1 - truth[rows]).tolist()
            for j in columns
        }
        return {"truth": truth[rows].tolist()} | models

    return make, k, 80


SITUATIONS = {
    "two": wide(2, 9),
    "two, ties": wide(2, 12, ties=True),
    "two, gaps": wide(2, 12, gaps=True),
    "two, folds": long(2, 3, 2, 3),
    "three": wide(3, 8),
    "four, ties": wide(4, 9, ties=True),
    "four, gaps": wide(4, 12, gaps=True, ties=True),
    "four, unnamed": wide(4, 7, names=False),
    "three, folds": long(3, 4, 2, 3),
    "ranks": ranked(4, 9),
    "one data set, two": long(2, 1, 3, 4),
    "one data set, three": long(3, 1, 3, 4),
    "one data set, sizes": long(3, 1, 3, 4, sizes=True),
    "one data set, 5x2": long(3, 1, 5, 2),
    "one data set, one run": long(3, 1, 1, 6),
    "one data set, splits": long(3, 1, 1, 8, sizes=True, fold_column=False),
    "predictions of two": predicted(2),
    "predictions of four": predicted(4),
}


def flipped(pair):
    """A pair as seen from the learner whose name comes first."""
    turn = pair.a > pair.b
    sign = -1 if turn else 1
    ends = pair.interval
    ends = None if ends is None else sorted(sign * end for end in ends)
    details = dict(pair.details)
    if turn and "r_plus" in details:
        details["r_plus"], details["r_minus"] = details["r_minus"], details["r_plus"]
    beside = copy.deepcopy([dict(other) for other in pair.beside])
    for other in beside:
        if turn and "wins" in other:
            other["wins"] = pair.losses
        if turn and "a_better" in other:
            swap(other)
    return {
        "estimate": sign * pair.estimate,
        "interval": ends,
        "method": pair.method,
        "statistic": None if pair.method in OF_THE_FIRST else abs(pair.statistic),
        "df": pair.df,
        "pvalue": pair.pvalue,
        "adjusted": dict(sorted(pair.adjusted.items())),
        "outcome": {"a": pair.a, "b": pair.b, "none": None}[pair.outcome],
        "record": [pair.wins, pair.ties, pair.losses][:: -1 if turn else 1],
        "beside": beside,
        "details": dict(sorted(details.items())),
    }


def swap(posterior):
    posterior["a_better"], posterior["b_better"] = posterior["b_better"], posterior["a_better"]
    for value in posterior.values():
        if isinstance(value, dict):
            swap(value)


def normal(answer, *, predictions):
    """What an answer says, without the order in which it says it."""
    pairs = {frozenset((p.a, p.b)): flipped(p) for p in answer.pairs}
    facts = {
        "ranking": answer.ranking,
        "mean ranks": dict(sorted(answer.mean_ranks.items())),
        "mean scores": dict(sorted(answer.mean_scores.items())),
        "omnibus": [[t.method, t.statistic, t.df, t.pvalue] for t in answer.omnibus],
        "critical difference": answer.critical_difference and answer.critical_difference.value,
        "groups": [sorted(group) for group in answer.groups],
        "method": answer.method,
        "adjustment": answer.adjustment,
        "pairs": [pairs[key] for key in sorted(pairs, key=sorted)],
    }
    shaky = {"low-replicability"}
    codes = Counter((n.code, n.severity) for n in answer.notes if n.code not in shaky)
    facts["notes"] = sorted(codes.items())
    if len(answer.learners) > 2:
        facts["verdict"] = sorted(re.findall(r"[^\s;:.,]+", answer.verdict))
    if predictions:
        shares = {frozenset((p.a, p.b)): p.replicability for p in answer.pairs}
        shares = [shares[key] for key in sorted(shares, key=sorted)]
        shares.append(answer.omnibus_replicability)
        facts["predictions"] = [s and [s.predicted, s.limit] for s in shares]
    return facts


def same(one, other):
    """Tell whether two answers agree, numbers but for rounding."""
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and other is not None:
        return one == pytest.approx(other, rel=1e-7, abs=1e-9)
    return one == other


def asked(make, columns, rows, options):
    """Return an answer, or None where it is refused."""
    try:
        table = make(columns, rows)
        unnamed = (
            isinstance(table, dict) and "dataset" not in table and set(table) <= set("abcefgh")
        )
        return compare(table, **options, **({"rows": "datasets"} if unnamed else {}))
    except InputError:
        return None


def every_option(name):
    for test in TESTS:
        # The hierarchical model takes seconds, and stands beside every default answer on folds.
        if name == "two, folds" and test not in (None, "bayes-hierarchical"):
            continue
        for control, side in SIDES if name != "two, folds" else SIDES[:2]:
            options = {"test": test, "control": control, "alternative": side}
            if name.startswith("predictions"):
                options["predictions"] = True
            if name == "ranks":
                options["ranks"] = True
            yield options
            if test is not None and test.startswith("bayes"):
                yield options | {"rope": 0.02}
    if name in ("two, folds", "two, ties", "two, gaps"):
        return
    for test in (None, "wilcoxon", "paired-t", "mean-rank-z"):
        for adjust in ADJUSTMENTS:
            for control in (None, "b"):
                options = {"test": test, "control": control, "adjust": adjust}
                if name.startswith("predictions"):
                    options["predictions"] = True
                if name == "ranks":
                    options["ranks"] = True
                yield options


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SITUATIONS)
def test_order_changes_nothing(name, step):
    """All options in the slow lane, every eleventh otherwise."""
    make, k, n = SITUATIONS[name]
    draw = np.random.default_rng(5)
    answered = 0
    for options in list(every_option(name))[::step]:
        columns, rows = list(range(k)), list(range(n))
        first = asked(make, columns, rows, options)
        mixed = columns[::-1] if k == 2 else draw.permutation(k).tolist()
        other = asked(make, mixed, rows, options)
        assert (first is None) == (other is None), options
        if first is None or other is None:
            continue
        answered += 1
        both = (normal(answer, predictions=True) for answer in (first, other))
        assert same(*both), ("columns", options)
        other = asked(make, columns, draw.permutation(n).tolist(), options)
        # Predictions draw data sets at random, so that only their noise depends on rows.
        both = (normal(answer, predictions=False) for answer in (first, other))
        assert same(*both), ("rows", options)
    assert answered >= (4 if step == 1 else 1)


def test_one_sided_tests_need_a_name():
    make, k, n = SITUATIONS["two"]
    table = make(range(k), range(n))
    with pytest.raises(InputError, match="which learner") as caught:
        compare(table, alternative="greater")
    assert "`control`" in caught.value.remedy
    one = compare(table, control="a", alternative="greater").pairs[0]
    other = compare(table, control="b", alternative="less").pairs[0]
    assert one.pvalue == pytest.approx(other.pvalue)
