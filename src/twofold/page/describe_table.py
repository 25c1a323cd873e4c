"""How a table was read, for the reader to check before there is a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from twofold.api import compare_as
from twofold.comparison import Comparison, Comparisons
from twofold.errors import InputError
from twofold.escapes import make_visible
from twofold.options import Reading, collect
from twofold.page.dropped_answers import holds_answer
from twofold.page.offer_choices import list_metrics, offer_choices
from twofold.page.page_jobs import NoteText, TableReading
from twofold.result import Note, join_first
from twofold.scores import Scores
from twofold.scores.files import read_scores_as, read_table
from twofold.scores.item_columns import find_item_columns
from twofold.scores.name_hints import find_roles, truth_column
from twofold.tables import RawTable

MOST_ROWS, MOST_COLUMNS = 6, 12
LONGEST_CELL = 40
ROLES = {
    "dataset": "data set",
    "n_train": "training size",
    "n_test": "test size",
    "value": "score",
    "truth": "true label",
}
"""What the parts that a column can play are called, where the name is not the word."""


NAMED = ("truth", "item", "cluster", "sample")
"""Parts that columns play because an option names them."""

ON_VERDICTS = (
    "low-replicability not-predicted repetition-not-known one-training-set one-sided too-few "
    "unsafe-test zero-variance data-sets-as-units"
).split()
"""Notes that would tell the verdict before its time; tables of scores keep those of reading."""


@dataclass(frozen=True)
class _Content:
    """What a table holds, as far as it could be read."""

    learners: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    metric: str = ""
    metrics: tuple[str, ...] = ()
    higher_is_better: bool = True
    directions: Mapping[str, bool] = field(default_factory=dict)
    scores: Scores | None = None
    items: str = ""
    notes: tuple[Note, ...] = ()


def describe_table(source: str | list[str], options: Mapping[str, Any]) -> TableReading:
    """Read a table as `compare` does, and say what was understood."""
    if isinstance(source, str) and holds_answer(source):
        return TableReading(is_answer=True)
    problem = None
    raw: RawTable | None = None
    reading = collect(Reading, options)
    try:
        raw = read_table(source, reading)
    except InputError as error:
        problem = error.rule, error.remedy
    content = _Content()
    if raw is not None:
        try:
            content = _describe_answer(compare_as(source, None, None, options))
        except InputError as error:
            problem = error.rule, error.remedy
            content = _read_scores(source, reading)
    columns = {} if raw is None else raw.columns
    header = tuple(columns)[:MOST_COLUMNS]
    return TableReading(
        header=tuple(map(_shorten, header)),
        roles=() if raw is None else _find_roles(raw, header, content, reading),
        rows=tuple(
            tuple(_shorten(columns[name][row]) for name in header)
            for row in range(min(MOST_ROWS, 0 if raw is None else raw.size))
        ),
        size=(0, 0) if raw is None else (raw.size, len(columns)),
        facts=tuple(_list_facts(content)),
        notes=tuple(NoteText(n.severity, n.title, n.detail) for n in content.notes),
        problem=problem,
        choices=offer_choices(
            content.learners,
            tuple(columns),
            content.metrics,
            content.datasets,
            predicted=reading.predictions,
        ),
    )


def _describe_answer(answer: Comparison | Comparisons) -> _Content:
    directions: dict[str, bool] = {}
    metrics = list_metrics(answer)
    if isinstance(answer, Comparisons):
        directions = {name: each.higher_is_better for name, each in answer.items()}
        answer = next(iter(answer.values()))
    scores = answer.scores
    return _Content(
        learners=answer.learners,
        datasets=answer.datasets,
        metric=answer.metric,
        metrics=metrics,
        higher_is_better=answer.higher_is_better,
        directions=directions,
        scores=scores,
        items=_count_items(answer),
        notes=scores.notes
        if scores is not None
        else tuple(note for note in answer.notes if note.code not in ON_VERDICTS),
    )


def _count_items(answer: Comparison) -> str:
    if answer.items is None:
        return ""
    clusters = f" in {answer.clusters:,} clusters" if answer.clusters is not None else ""
    return f"{answer.items:,}{clusters}"


def _read_scores(source: str | list[str], reading: Reading) -> _Content:
    """Return what the scores are where no comparison could be made of them."""
    try:
        scores = read_scores_as(source, reading)
    except InputError:
        return _Content()
    return _Content(
        scores.learners,
        scores.datasets,
        scores.metric,
        scores.metrics,
        scores.higher_is_better,
        scores=scores,
        notes=scores.notes,
    )


def _find_roles(
    raw: RawTable, header: Sequence[str], content: _Content, reading: Reading
) -> tuple[str, ...]:
    """Return what each column was taken for; nothing where it plays no part."""
    roles = find_roles(header)
    if content.items and not reading.predictions:
        with suppress(InputError):
            roles |= find_item_columns(raw, reading, content.learners, roles.get("learner"))
    roles |= {role: name for role in NAMED if (name := getattr(reading, role)) is not None}
    truth = truth_column(header)
    if reading.predictions and truth is not None:
        roles.setdefault("truth", truth)
    by_column = {
        name: ROLES.get(role, role) for role, name in roles.items() if name not in reading.drop
    }
    parts = []
    for name in header:
        if name in content.learners:
            parts.append("learner")
        elif name in content.metrics:
            is_read = name == content.metric or name in content.directions
            parts.append("metric, read" if is_read else "metric")
        else:
            parts.append(by_column.get(name, "") if content.learners else "")
    return tuple(parts)


def _list_facts(content: _Content) -> Iterable[tuple[str, str]]:
    if not content.learners:
        return
    yield "Learners", f"{len(content.learners)}: {join_first(list(content.learners), 8)}"
    yield "Data sets", f"{len(content.datasets)}: {join_first(list(content.datasets), 8)}"
    if content.items:
        yield "Items", content.items
    read = content.directions or {content.metric: content.higher_is_better}
    yield "Metrics" if len(read) > 1 else "Metric", join_first(list(read), 8)
    others = [name for name in content.metrics if name not in read]
    if others:
        yield "Other metrics", join_first(others, 8)
    yield "Direction", _describe_directions(read)
    scores = content.scores
    if scores is None:
        return
    counts = scores.counts()
    gaps = int((counts == 0).sum())
    filled = f"{counts.size - gaps:,} of {counts.size:,} cells"
    yield (
        "Missing",
        f"{gaps:,}; {filled} have a score" if gaps else f"none of {counts.size:,} cells",
    )
    if counts.max() > 1:
        runs, folds = (len(np.unique(x[x >= 0])) for x in (scores.run, scores.fold))
        parts = [f"{runs} run{'s' * (runs > 1)}"] * bool(runs)
        parts += [f"{folds} fold{'s' * (folds > 1)}"] * bool(folds)
        most = f"up to {counts.max()} scores in a cell"
        yield "Repetitions", f"{' of '.join(parts)}; {most}" if parts else most


def _describe_directions(read: Mapping[str, bool]) -> str:
    words = {True: "higher is better", False: "lower is better"}
    if len(set(read.values())) == 1:
        return words[next(iter(read.values()))]
    named = {way: [name for name, each in read.items() if each is way] for way in words}
    return "; ".join(f"{join_first(names, 8)}: {words[way]}" for way, names in named.items())


def _shorten(cell: Any) -> str:
    text = "" if cell is None else make_visible(str(cell)[: 2 * LONGEST_CELL])
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
