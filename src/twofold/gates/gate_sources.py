"""Reads the scores of a baseline and a candidate: from one table, or from one for each."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twofold.comparison.compare_predicted import read_predictions_as_items
from twofold.errors import InputError
from twofold.gates.gate_answer import Changes
from twofold.gates.long_tables import keep_learner, list_learners, stack_tables
from twofold.gates.matched_scores import SIDES, join_items, join_scores, match_scores
from twofold.options import Reading
from twofold.scores import Items, Scores
from twofold.scores.files import read_scores_or_items, read_table
from twofold.scores.item_columns import holds_items
from twofold.scores.metric_tables import recognise_predictions
from twofold.scores.metrics import is_written_in_percent
from twofold.scores.name_hints import find_roles
from twofold.scores.score_scale import refuse_mixed_units
from twofold.scores.scores import name_some, unknown_learner_error
from twofold.scores.several_files import name_learner
from twofold.tables import RawTable, without_gz

Source = Scores | Items | RawTable


@dataclass(frozen=True, slots=True)
class GateSources:
    """Scores of two learners, the baseline first, and what only one of them has."""

    scores: Scores | Items
    changes: Changes


def read_sources(
    table: Any,
    candidate_table: Any,
    baseline: str | None,
    candidate: str | None,
    reading: Reading,
) -> GateSources:
    """Return the scores of a baseline and a candidate."""
    if candidate_table is None:
        table, reading = recognise_predictions(table, reading)
    if reading.predictions:
        if candidate_table is not None:
            raise InputError(
                "Predictions of both stand in one table, beside the true labels.",
                "Join the tables; or give right and wrong answers by item, a table for each.",
            )
        items = read_predictions_as_items(table, reading)
        return GateSources(
            items.select(_choose_two(items.learners, baseline, candidate)), Changes()
        )
    if candidate_table is None:
        source = _open(table, reading)
        if isinstance(source, RawTable) and "learner" in find_roles(source.columns):
            own = _choose_two(list_learners(source), baseline, candidate)
            return _read_long((source, source), own, own, reading)
        scores = read_scores_or_items(source, reading)
        return match_or_keep(scores.select(_choose_two(scores.learners, baseline, candidate)))
    sides = [_open(source, reading) for source in (table, candidate_table)]
    sides = [
        name_learner(source, side) or source if isinstance(source, RawTable) else source
        for source, side in zip(sides, SIDES, strict=True)
    ]
    paths = (table, candidate_table)
    files = _name_files(paths)
    long = [
        source
        for source in sides
        if isinstance(source, RawTable) and "learner" in find_roles(source.columns)
    ]
    wanted = (baseline, candidate)
    if len(long) == 2:
        own = _choose_own([list_learners(source) for source in long], wanted)
        _refuse_same(paths, own)
        return _read_long((long[0], long[1]), own, _tell_apart(own, files, wanted), reading)
    read = [read_scores_or_items(source, reading) for source in sides]
    own = _choose_own([list(scores.learners) for scores in read], wanted)
    _refuse_same(paths, own)
    names = _tell_apart(own, files, wanted)
    first, second = (
        replace(scores.select([name]), learners=(new,))
        for scores, name, new in zip(read, own, names, strict=True)
    )
    return _join(first, second)


def match_or_keep(scores: Scores | Items) -> GateSources:
    """Return two learners of one table; items that one of them lacks were left out by reading."""
    if isinstance(scores, Items):
        return GateSources(scores, Changes())
    return GateSources(*match_scores(scores))


def _open(source: Any, reading: Reading) -> Source:
    return source if isinstance(source, Scores | Items) else read_table(source, reading)


def _read_long(
    tables: tuple[RawTable, RawTable],
    own: tuple[str, str],
    names: tuple[str, str],
    reading: Reading,
) -> GateSources:
    """Return the scores of one learner of each of two long tables."""
    first, second = (
        keep_learner(raw, learner, name)
        for raw, learner, name in zip(tables, own, names, strict=True)
    )
    if holds_items(tables[0], reading) or holds_items(tables[1], reading):
        items = replace(reading, items=True)
        return _join(read_scores_or_items(first, items), read_scores_or_items(second, items))
    scores = read_scores_or_items(stack_tables(first, second), reading)
    return match_or_keep(scores.select(names))


def _join(first: Scores | Items, second: Scores | Items) -> GateSources:
    _refuse_unlike(first, second)
    if is_written_in_percent(first.metric):
        refuse_mixed_units(SIDES, (first.value.ravel(), second.value.ravel()), droppable=False)
    if isinstance(first, Items) and isinstance(second, Items):
        return GateSources(*join_items(first, second))
    if isinstance(first, Items) or isinstance(second, Items):
        raise InputError(
            "One of the tables holds items of a test set, the other scores on data sets.",
            "Give both tables the same form.",
        )
    return GateSources(*join_scores(first, second))


def _choose_two(learners: Any, baseline: str | None, candidate: str | None) -> tuple[str, str]:
    """Return the two learners of a table, by what was named of them."""
    for name in (baseline, candidate):
        if name is not None and name not in learners:
            raise unknown_learner_error(name, learners)
    if baseline is not None and baseline == candidate:
        raise InputError(
            f"Baseline and candidate are the same learner, {baseline!r}.", "Name two learners."
        )
    if baseline is not None and candidate is not None:
        return baseline, candidate
    named = baseline if candidate is None else candidate
    rest = [name for name in learners if name != named]
    if named is None or len(rest) != 1:
        missing = "baseline" if baseline is None else "candidate"
        raise InputError(
            f"Which learner is the {missing}? The table has {name_some(learners)}.",
            "Name them, `baseline='A', candidate='B'`.",
        )
    return (rest[0], named) if baseline is None else (named, rest[0])


def _choose_own(learners: list[list[str]], named: tuple[str | None, str | None]) -> tuple[str, str]:
    """Return the learner of each table: the one that is named, or the only one."""
    own = []
    for there, name, side in zip(learners, named, SIDES, strict=True):
        if name is not None and name in there:
            own.append(name)
        elif len(there) == 1 and (name is None or there[0] == side):
            own.append(there[0])
        elif name is not None:
            raise unknown_learner_error(name, there)
        else:
            raise InputError(
                f"Which learner is the {side}? Its table has {name_some(there)}.",
                f"Name it, `{side}={there[0]!r}`.",
            )
    return own[0], own[1]


def _refuse_same(sources: tuple[Any, Any], own: tuple[str, str]) -> None:
    """Refuse one learner of one file on both sides: it would pass, whatever its scores."""
    if own != SIDES and own[0] != own[1]:
        return
    if not all(isinstance(source, str | Path) for source in sources):
        return
    first, second = (os.path.realpath(source) for source in sources)
    if first == second:
        raise InputError(
            f"Baseline and candidate are the same scores, those of {str(sources[0])!r}.",
            "Name the candidate's file.",
        )


def _name_files(sources: tuple[Any, Any]) -> tuple[str, str]:
    first, second = (
        without_gz(Path(source)).stem if isinstance(source, str | Path) else side
        for source, side in zip(sources, SIDES, strict=True)
    )
    return first, second


def _tell_apart(
    own: tuple[str, str], files: tuple[str, str], named: tuple[str | None, str | None]
) -> tuple[str, str]:
    """Return two different names: those of the tables, of the files, or baseline and candidate."""
    labels = [
        name or (file if learner in SIDES else learner)
        for name, learner, file in zip(named, own, files, strict=True)
    ]
    for names in ((labels[0], labels[1]), files):
        if names[0] != names[1]:
            return names
    return SIDES


def _refuse_unlike(first: Scores | Items, second: Scores | Items) -> None:
    """Refuse scores that measure different things."""
    if first.metric != second.metric:
        raise InputError(
            f"The baseline's scores are {first.metric}, the candidate's {second.metric}.",
            "Give scores of one metric; call both columns 'score' if they are named by learners.",
        )
    if first.higher_is_better != second.higher_is_better:
        raise InputError(
            "Higher is better in one of the tables, and worse in the other.",
            "Say which: `higher_is_better=True` or `higher_is_better=False`.",
        )
