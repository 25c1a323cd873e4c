"""Guard-rails: what an expert referee would say about a comparison, as coded notes."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.comparison.answer import Omnibus, Pair
from twofold.comparison.options import Options
from twofold.result import Note
from twofold.scores import Scores
from twofold.stats import entry, friedman, holm, iman_davenport, wilcoxon


def of_table(scores: Scores, table: Any) -> list[Note]:
    """Remarks on the table itself: missing cells, repetitions."""
    notes = list(scores.notes)
    missing = np.argwhere(np.isnan(table))
    if len(missing):
        named = ", ".join(
            f"{scores.learners[j]} on {scores.datasets[i]}" for i, j in missing[:3].tolist()
        )
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        detail = (
            f"{len(missing)} of {table.size} cells are missing ({named}{more}). No data set is "
            "dropped: pairs are compared on the data sets they share."
        )
        notes.append(Note("missing-cells", "Missing cells", detail, "warning"))
    counts = scores.counts()
    if len(scores.datasets) > 1 and counts.max() > 1:
        detail = (
            "Scores of the same learner on the same data set were averaged: repetitions tell "
            "nothing about other data sets."
        )
        notes.append(Note("averaged", "Repetitions were averaged", detail))
        present = counts[counts > 0]
        if present.min() != present.max():
            detail = f"Cells hold between {present.min()} and {present.max()} scores."
            notes.append(Note("unequal-repetitions", "Unequal repetitions", detail, "warning"))
    return notes


def of_test(name: str) -> list[Note]:
    """Say so where the chosen test is not to be trusted."""
    one = entry(name)
    if one.standing != "unsafe":
        return []
    return [Note("unsafe-test", f"{name} is unsafe", one.reason, "warning")]


def of_many(
    omnibus: tuple[Omnibus, ...],
    pairs: tuple[Pair, ...],
    scores: Scores,
    table: Any,
    options: Options,
) -> list[Note]:
    """Remarks on several learners over several data sets."""
    notes: list[Note] = []
    if not np.isnan(table).any():
        usual = friedman(
            table, are_ranks=scores.form == "ranks", higher_is_better=scores.higher_is_better
        )
        notes += usual.notes
    found = [pair for pair in pairs if pair.outcome != "none"]
    rejected = bool(omnibus) and omnibus[-1].pvalue <= options.alpha
    if rejected and not found:
        detail = (
            "Some learners differ, but the pairwise tests are not powerful enough to say which; "
            "nothing more can be concluded."
        )
        notes.append(Note("omnibus-no-pair", "A difference, but no pair", detail))
    if omnibus and not rejected and found:
        detail = (
            "The test for any difference does not reject; pairs found after that may be chance."
        )
        notes.append(Note("pair-without-omnibus", "Pairs without a difference", detail, "warning"))
    complete = not np.isnan(table).any()
    if complete and scores.form != "ranks" and pairs and pairs[0].method != "wilcoxon":
        notes += _pairs_by_themselves(pairs, scores, table, options)
    if complete and len(table) > 3 and omnibus:
        notes += _one_data_set_decides(scores, table, options)
    return notes


def _pairs_by_themselves(
    pairs: tuple[Pair, ...], scores: Scores, table: Any, options: Options
) -> list[Note]:
    """Compare mean ranks with Wilcoxon tests, which do not depend on the other learners."""
    a = [scores.place(pair.a) for pair in pairs]
    b = [scores.place(pair.b) for pair in pairs]
    alone = wilcoxon(table[:, a].T, table[:, b].T, confidence=None)
    apart = holm(np.asarray(alone.pvalue)) <= options.alpha
    other = [
        f"{pair.a} and {pair.b}"
        for pair, differs in zip(pairs, apart, strict=True)
        if differs != (pair.outcome != "none")
    ]
    if not other:
        return []
    listed = "; ".join(other[:3]) + (f"; and {len(other) - 3} more" if len(other) > 3 else "")
    detail = (
        f"Wilcoxon tests of each pair by itself, with Holm's adjustment, decide otherwise about "
        f"{listed}. Mean ranks depend on the other learners in the table, Wilcoxon tests do not."
    )
    return [Note("mean-ranks-disagree", "The pair by itself says otherwise", detail, "warning")]


def _one_data_set_decides(scores: Scores, table: Any, options: Options) -> list[Note]:
    are_ranks = scores.form == "ranks"
    kept = np.stack([np.delete(table, i, axis=0) for i in range(len(table))])
    better = scores.higher_is_better
    full = iman_davenport(table, are_ranks=are_ranks, higher_is_better=better)
    parts = iman_davenport(kept, are_ranks=are_ranks, higher_is_better=better)
    now = bool(full.reject(options.alpha))
    changed = np.flatnonzero(np.asarray(parts.reject(options.alpha)) != now)
    if not len(changed):
        return []
    named = ", ".join(scores.datasets[i] for i in changed[:4])
    more = f" and {len(changed) - 4} more" if len(changed) > 4 else ""
    detail = f"Without {named}{more} (one at a time) the test for any difference decides otherwise."
    return [Note("one-data-set", "One data set decides", detail, "warning")]


def of_pairs(pairs: tuple[Pair, ...], options: Options) -> list[Note]:
    """Remarks on how replicable the verdicts on pairs are."""
    shaky = [
        pair
        for pair in pairs
        if pair.outcome != "none" and pair.replicability and pair.replicability.predicted < 0.8
    ]
    if not shaky:
        return []
    pair = shaky[0]
    assert pair.replicability is not None
    detail = (
        f"A repetition would agree about {pair.a} and {pair.b} with a chance of "
        f"{pair.replicability.predicted:.0%} only"
        + (f"; that of {len(shaky) - 1} more is below 80% too" if len(shaky) > 1 else "")
        + ". Do not build on it before it is confirmed."
    )
    return [Note("low-replicability", "The verdict may not repeat", detail, "warning")]
