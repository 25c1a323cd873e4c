"""Guard-rails about the table itself, whatever test is made of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.comparison.label_guards import Below, chance_level, note_chance
from twofold.result import Note, join_first
from twofold.rounding import number
from twofold.scores import Scores

MANY_TIES = 0.1
"""Share of tied comparisons from which rounding is worth a word."""


def note_table(scores: Scores, table: Any) -> list[Note]:
    """Return remarks on missing cells, repetitions, ties, scales and names."""
    notes = list(scores.notes)
    notes += _note_gaps(scores, table)
    notes += _note_repetitions(scores)
    notes += _note_metrics(scores)
    if scores.form != "ranks":
        notes += _note_below_chance(scores, table)
    if len(table) > 1:
        notes += note_identical(scores.learners, table)
        notes += _note_related(scores.datasets)
        if scores.form != "ranks":
            notes += _note_rounding(table) + _note_scales(scores, table)
    return notes


def _note_gaps(scores: Scores, table: Any) -> list[Note]:
    missing = np.argwhere(np.isnan(table)).tolist()
    if not missing:
        return []
    named = join_first([f"{scores.learners[j]} on {scores.datasets[i]}" for i, j in missing])
    detail = (
        f"{len(missing)} of {table.size} cells are missing ({named}). Data sets with gaps are "
        "kept: each pair is compared on the data sets that both learners have."
    )
    return [Note("missing-cells", "Missing cells", detail, "warning")]


def _note_repetitions(scores: Scores) -> list[Note]:
    counts = scores.counts()
    if len(scores.datasets) == 1 or counts.max() < 2:
        return []
    detail = (
        "Scores of the same learner on the same data set were averaged: repetitions tell "
        "nothing about other data sets."
    )
    notes = [Note("averaged", "Repetitions were averaged", detail)]
    present = counts[counts > 0]
    if present.min() != present.max():
        detail = f"Cells hold between {present.min()} and {present.max()} scores."
        notes.append(Note("unequal-repetitions", "Unequal repetitions", detail, "warning"))
    return notes


def _note_metrics(scores: Scores) -> list[Note]:
    rest = [name for name in scores.metrics if name != scores.metric]
    if not rest:
        return []
    if len(scores.learners) == 1:
        detail = f"The table also has {join_first(rest)}; `metric='all'` shows each of them."
        return [Note("many-metrics", "Several metrics were measured", detail)]
    detail = (
        f"The table also has {join_first(rest)}. Settle before you look which metric decides; if "
        f"you report the best of {len(rest) + 1}, adjust over them: `metric='all', "
        "across_metrics='holm'`."
    )
    return [Note("many-metrics", "Several metrics were measured", detail)]


def _note_below_chance(scores: Scores, table: Any) -> list[Note]:
    chance = chance_level(scores.metric)
    # Where learners were run that was judged there, knowing which of them are meant to guess.
    if chance is None or not scores.higher_is_better or _codes(scores) & {"below-chance"}:
        return []
    level = 100 * chance.level if np.nanmax(table) > 1 else chance.level  # in per cent
    cells = [
        Below(scores.learners[j], scores.datasets[i], float(table[i, j]), level)
        for i, j in np.argwhere(table < level).tolist()
    ]
    return note_chance(cells, scores.metric, chance)


def _codes(scores: Scores) -> set[str]:
    return {note.code for note in scores.notes}


def note_identical(learners: Sequence[str], table: Any) -> list[Note]:
    """Say which learners have the same scores in each row of the table."""
    same: dict[bytes, list[str]] = {}
    for name, column in zip(learners, table.T, strict=True):
        same.setdefault(np.ascontiguousarray(column).tobytes(), []).append(name)
    twins = [names for names in same.values() if len(names) > 1]
    if not twins:
        return []
    same_names = join_first(twins[0])
    detail = f"{same_names} have the same scores everywhere. Is a column or a file there twice?"
    return [Note("identical-learners", "Learners with the same scores", detail, "warning")]


def _note_related(datasets: tuple[str, ...]) -> list[Note]:
    """Notice names that differ by a number only, such as digits-1, digits-2, digits-3."""
    shortened = [(name, re.sub(r"[\W_]*\d+$", "", name)) for name in datasets]
    stems = Counter(stem for name, stem in shortened if len(stem) > 2 and stem != name)
    # Names that are nothing but numbered tell nothing of where the data come from.
    stems = Counter({s: n for s, n in stems.items() if n >= 3 and n < len(datasets)})
    stems.pop("dataset", None)
    if not stems:
        return []
    stem, count = stems.most_common(1)[0]
    detail = (
        f"{count} data sets are called {stem!r} and a number. If they come from one source they "
        "are not independent, and here they count as if they were: average them first."
    )
    return [Note("related-data-sets", "Data sets that may be related", detail)]


def decimals(table: Any) -> int | None:
    """Return to how many decimals all numbers are rounded, None where it is more than four."""
    values = table[np.isfinite(table)]
    for digits in range(5):
        scaled = values * 10.0**digits
        if np.allclose(scaled, np.round(scaled), rtol=0, atol=1e-6):
            return digits
    return None


def _note_rounding(table: Any) -> list[Note]:
    digits = decimals(table)
    table = np.unique(table, axis=1)  # copies of a column tie whatever the digits
    k = table.shape[1]
    if digits is None or k > 60:
        return []
    with np.errstate(invalid="ignore"):
        equal = sum(int((table[:, i + 1 :] == table[:, i : i + 1]).sum()) for i in range(k - 1))
    present = np.isfinite(table).sum(axis=1)
    comparisons = int((present * (present - 1) / 2).sum())
    if comparisons == 0 or equal < max(2, MANY_TIES * comparisons):
        return []
    detail = (
        f"{equal} of {comparisons} comparisons on a data set are ties, and the scores have "
        f"{digits} decimal{'' if digits == 1 else 's'}. Scores with more digits would break ties "
        "that rounding made."
    )
    return [Note("rounding-ties", "Rounding made ties", detail)]


def _note_scales(scores: Scores, table: Any) -> list[Note]:
    """Notice scores such as errors of regressions, whose size depends on the data set."""
    values = np.abs(table[np.isfinite(table)])
    if values.max() <= 1 or (scores.higher_is_better and values.max() <= 100):
        return []
    middle = np.nanmedian(np.abs(table), axis=1)
    middle = middle[middle > 0]
    if len(middle) < 2 or middle.max() < 20 * middle.min():
        return []
    detail = (
        f"Typical scores run from {number(middle.min())} to {number(middle.max())} over the data "
        "sets. "
        "Tests on differences then depend on the data sets with large scores. Use relative scores "
        "or the sign test."
    )
    if len(scores.learners) == 1:
        detail = detail.partition(". ")[0] + ". The mean then speaks of those with large scores."
    return [Note("scales-differ", "Scores on different scales", detail, "warning")]
