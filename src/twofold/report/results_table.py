"""The results table of a paper: learners by data sets, once for all formats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from twofold.comparison import Comparison
from twofold.comparison.data_set_verdicts import (
    decide_on_each_data_set,
    rank_each_data_set,
    spread_on_each_data_set,
)
from twofold.comparison.defaults import RANDOM_SPLITS, choose_for_folds
from twofold.comparison.pair import count_wins
from twofold.report.formatting import count_learners, describe_metric
from twofold.report.score_table import count_decimals, differ_in_data_sets, format_score
from twofold.rounding import written
from twofold.stats import entry

Mark = Literal["better", "worse", "alike", ""]
SIGNS: dict[Mark, str] = {"better": "v", "worse": "*", "alike": "≈", "": ""}
"""As Weka's Experimenter prints them; ≈ joins a learner to the best one."""

MISSING = "–"
MOST_CELLS = 2000
"""Cells of a table that is a part of a report; a larger one has a file of its own."""

SMALL_ROW = 20
"""A data set whose scores are this much smaller than the largest has decimals of its own."""


class ResultCell(NamedTuple):
    """A cell: the number and how it is written, whether it is the best, and its mark."""

    text: str = MISSING
    spread: str = ""
    best: bool = False
    mark: Mark = ""
    value: float | None = None
    sd: float | None = None

    @property
    def sign(self) -> str:
        """The mark as a sign: v, * or ≈."""
        return SIGNS[self.mark]

    @property
    def words(self) -> str:
        """The number and its spread, without the mark: "0.853 ± 0.021"."""
        return f"{self.text} ± {self.spread}" if self.spread else self.text


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """Rows of cells below heads; the last rows (or columns) summarise all data sets."""

    caption: str
    footnotes: tuple[str, ...]
    corner: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[ResultCell, ...]], ...]
    summary_rows: int = 0
    summary_columns: int = 0

    def transpose(self) -> ResultsTable:
        """Return the table with its rows as columns."""
        names, cells = zip(*self.rows, strict=True)
        return replace(
            self,
            corner={"data set": "learner", "learner": "data set"}[self.corner],
            heads=names,
            rows=tuple(zip(self.heads, zip(*cells, strict=True), strict=True)),
            summary_rows=self.summary_columns,
            summary_columns=self.summary_rows,
        )

    def leave_spread(self) -> ResultsTable:
        """Return the table without standard deviations, and say so; wide ones have no room."""
        if not any(cell.spread for _, cells in self.rows for cell in cells):
            return self
        rows = tuple(
            (name, tuple(cell._replace(spread="") for cell in cells)) for name, cells in self.rows
        )
        note = "Standard deviations are left out for lack of room."
        caption = self.caption.replace("mean ± standard deviation over", "means over")
        return replace(self, caption=caption, rows=rows, footnotes=(*self.footnotes, note))

    def split_records(self) -> ResultsTable:
        """Return the table with wins, ties and losses in rows of their own.

        They are narrow then, and spreadsheets do not take them for dates.
        """
        rows: list[tuple[str, tuple[ResultCell, ...]]] = []
        for name, cells in self.rows:
            records = [cell.text.split("/") for cell in cells]
            if max(map(len, records)) == 1:
                rows.append((name, cells))
                continue
            for i, label in enumerate(name.split("/")):
                parts = [record[i] if len(record) > 1 else MISSING for record in records]
                rows.append((label, tuple(map(_count_cell, parts))))
        more = len(rows) - len(self.rows)
        return replace(self, rows=tuple(rows), summary_rows=self.summary_rows + more)

    def take_columns(self, part: slice) -> ResultsTable:
        """Return some of the columns."""
        rows = tuple((name, cells[part]) for name, cells in self.rows)
        return replace(self, heads=self.heads[part], rows=rows, summary_columns=0)


def _count_cell(text: str) -> ResultCell:
    return ResultCell() if text == MISSING else ResultCell(text=text, value=int(text))


def tabulate_results(c: Comparison) -> ResultsTable:
    """Return the scores of learners (columns) on data sets (rows), with what marks them.

    The control comes first, then the learners in the order of the ranking. On one data set the
    learners are the rows.
    """
    learners = sorted(c.ranking, key=lambda name: name != c.control)
    grid = _read_grid(c, learners)
    rows = [
        (name, _write_row(grid, i, decimals))
        for i, (name, decimals) in enumerate(zip(c.datasets, _choose_decimals(grid), strict=True))
    ]
    summary = _summarize(c, learners, grid) if len(c.datasets) > 1 else []
    table = ResultsTable(
        caption=_write_caption(c, grid),
        footnotes=tuple(_write_footnotes(c, grid)),
        corner="data set",
        heads=tuple(learners),
        rows=(*rows, *summary),
        summary_rows=len(summary),
    )
    return table if len(c.datasets) > 1 else table.transpose()


def tabulate_for_report(c: Comparison) -> ResultsTable | None:
    """Return the table as a part of a report; None where it adds nothing, or is huge.

    On one data set it would repeat the scores.
    """
    several, cells = len(c.datasets) > 1, len(c.datasets) * len(c.learners)
    return tabulate_results(c) if several and cells <= MOST_CELLS else None


class _Grid(NamedTuple):
    """Arrays (data sets, learners): means, standard deviations, who is best, marks, outcomes."""

    means: Any
    spread: Any
    best: Any
    marks: list[list[Mark]]
    outcomes: Any  # of the tests on each data set, None without them
    decimals: int | None


def _read_grid(c: Comparison, learners: list[str]) -> _Grid:
    scores = c.scores
    if scores is None:
        by_name = {score.learner: score.mean for score in c.learner_scores}
        means = np.array([[by_name[name] for name in learners]])
        spread = np.full(means.shape, np.nan)
        best, outcomes = means == means.max(), None
    else:
        order = [scores.index_of(name) for name in learners]
        means, spread = scores.means()[:, order], spread_on_each_data_set(scores)[:, order]
        ranked = rank_each_data_set(scores)[:, order]
        best = ranked == np.nanmin(ranked, axis=1, keepdims=True)
        outcomes = None
        if c.per_dataset:
            outcomes = _list_outcomes(c)
        elif len(c.datasets) > 1 and not c.has_one_learner:
            outcomes = decide_on_each_data_set(scores, c.control, c.alpha)
        outcomes = None if outcomes is None else outcomes[:, order]
    if c.has_one_learner:
        best = np.zeros(best.shape, dtype=bool)  # there is nothing to be better than
    if len(c.datasets) == 1:
        overall = mark_learners(c)
        marks = [[overall.get(name, "") for name in learners]]
    elif outcomes is None:
        marks = [[""] * len(learners) for _ in c.datasets]
    else:
        marks = [[_to_mark(outcome, c.control) for outcome in row] for row in outcomes.tolist()]
    largest = means[np.isfinite(means)].ravel().tolist()
    typical = np.nanmedian(spread) if np.isfinite(spread).any() else 0.0
    decimals = count_decimals(largest, 3)
    if decimals is not None and 0 < typical < 5 * 10.0**-decimals:
        decimals += 1  # otherwise standard deviations would have a single digit
    if c.holds_ranks:
        decimals = 0 if (means == np.round(means)).all() else 1
    return _Grid(means, spread, best, marks, outcomes, decimals)


def _list_outcomes(c: Comparison) -> Any:
    """Return who was found to be better (1) or worse (−1) by the items of each data set."""
    outcomes = np.full((len(c.datasets), len(c.learners)), np.nan)
    for row, answer in enumerate(c.per_dataset):
        for pair in answer.pairs:
            reference = c.control or c.ranking[0]
            other = pair.b if pair.a == reference else pair.a
            found = 0 if not pair.differs else 1 if pair.better == other else -1
            outcomes[row, c.learners.index(other)] = found if pair.defined else np.nan
    return outcomes


def mark_learners(c: Comparison) -> dict[str, Mark]:
    """Return the marks of learners over all data sets, by the pairs that decided.

    Against the control: better or worse; without one, those not told apart from the best.
    """
    reference = c.control or c.ranking[0]
    marks: dict[str, Mark] = {}
    for pair in c.pairs:
        if reference in (pair.a, pair.b) and pair.defined:
            other = pair.b if pair.a == reference else pair.a
            outcome = 0 if not pair.differs else 1 if pair.better == other else -1
            marks[other] = _to_mark(outcome, c.control)
    return marks


def _to_mark(outcome: float, control: str | None) -> Mark:
    if control is None:
        return "alike" if outcome == 0 else ""
    return "better" if outcome > 0 else "worse" if outcome < 0 else ""


def _choose_decimals(grid: _Grid) -> list[int | None]:
    """Return the decimals of each data set: the same, but for those on a much smaller scale."""
    sizes = np.nanmax(np.abs(grid.means), axis=1)
    largest = sizes.max()
    return [
        count_decimals([size], 3) if 0 < size < largest / SMALL_ROW else grid.decimals
        for size in sizes.tolist()
    ]


def _write_row(grid: _Grid, row: int, decimals: int | None) -> tuple[ResultCell, ...]:
    cells = []
    for column, (mean, sd) in enumerate(
        zip(grid.means[row].tolist(), grid.spread[row].tolist(), strict=True)
    ):
        if math.isnan(mean):
            cells.append(ResultCell())
            continue
        known_sd = None if math.isnan(sd) else sd
        cells.append(
            ResultCell(
                text=format_score(mean, decimals),
                spread="" if known_sd is None else format_score(known_sd, decimals),
                best=bool(grid.best[row, column]),
                mark=grid.marks[row][column],
                value=mean,
                sd=known_sd,
            )
        )
    return tuple(cells)


def _summarize(
    c: Comparison, learners: list[str], grid: _Grid
) -> list[tuple[str, tuple[ResultCell, ...]]]:
    """Return the last rows: means, mean ranks, wins, and what the tests found."""
    scores = {score.learner: score for score in c.learner_scores}
    rows: list[tuple[str, tuple[ResultCell, ...]]] = []
    if not c.holds_ranks:
        means = [scores[name].mean for name in learners]
        texts = [format_score(mean, grid.decimals) for mean in means]
        top = max(means) if c.higher_is_better else min(means)
        first = [mean == top and not c.has_one_learner for mean in means]
        cells = _list_cells(means, texts, first)
        if c.items is not None:
            overall = mark_learners(c)
            marked = zip(learners, cells, strict=True)
            cells = tuple(cell._replace(mark=overall.get(x, "")) for x, cell in marked)
        rows.append(("mean", cells))
    ranks = [scores[name].mean_rank for name in learners]
    if None not in ranks:
        overall = mark_learners(c)
        name = "estimated mean rank" if c.ranks_are == "estimated" else "mean rank"
        first = [scores[learner].rank == 1 for learner in learners]
        cells = _list_cells(ranks, [written(rank or 0.0, 2) for rank in ranks], first)
        marked = zip(learners, cells, strict=True)
        rows.append((name, tuple(cell._replace(mark=overall.get(x, "")) for x, cell in marked)))
    if c.has_one_learner:
        return rows
    reference = c.control or c.ranking[0]
    rows.append(("wins/ties/losses", _count_wins(grid.means, learners, reference, c)))
    if grid.outcomes is not None and c.control:
        rows.append(("better/alike/worse", _count_outcomes(grid.outcomes)))
    return rows


def _list_cells(
    values: Sequence[float | None], texts: list[str], best: list[bool]
) -> tuple[ResultCell, ...]:
    return tuple(
        ResultCell(text=text, best=is_best, value=value)
        for value, text, is_best in zip(values, texts, best, strict=True)
    )


def _count_wins(
    means: Any, learners: list[str], reference: str, c: Comparison
) -> tuple[ResultCell, ...]:
    """Return how often each learner's mean is better than, equal to, worse than the reference's."""
    other = means[:, learners.index(reference)]
    cells = []
    for column, name in enumerate(learners):
        both = ~np.isnan(means[:, column]) & ~np.isnan(other)
        if name == reference or not both.any():
            cells.append(ResultCell())
            continue
        (counts,) = count_wins(means[both, column], other[both])
        counts = counts if c.higher_is_better else counts[::-1]
        cells.append(ResultCell(text="/".join(map(str, counts))))
    return tuple(cells)


def _count_outcomes(outcomes: Any) -> tuple[ResultCell, ...]:
    """Return on how many data sets each learner was better, not told apart, worse."""
    counts = [[int((column == sign).sum()) for sign in (1, 0, -1)] for column in outcomes.T]
    return tuple(
        ResultCell(text="/".join(map(str, count))) if any(count) else ResultCell()
        for count in counts
    )


def _write_caption(c: Comparison, grid: _Grid) -> str:
    better = "higher" if c.higher_is_better else "lower"
    sets = f"on {len(c.datasets)} data sets" if len(c.datasets) > 1 else f"on {c.datasets[0]}"
    text = f"Results by {describe_metric(c)}, {better} is better: {count_learners(c)} {sets}"
    if np.isfinite(grid.spread).any():
        first = c.learner_scores[0]
        text += ", mean ± standard deviation over the "
        if first.folds is not None and first.runs is not None:
            runs = "run" if first.runs == 1 else "runs"
            text += f"folds of {first.runs} {runs} of {first.folds}-fold cross-validation"
        else:
            text += "splits" if first.runs is None else f"{first.runs} runs"
    return f"{text}."


def _name_test(c: Comparison) -> str:
    """Return the test on each data set, in words."""
    if not c.per_dataset:
        first = c.learner_scores[0]
        test = RANDOM_SPLITS if first.folds is None else choose_for_folds(first.runs or 1)
        return f"{entry(test).in_words} on its splits"
    methods = {pair.method: "" for answer in c.per_dataset for pair in answer.pairs}
    return f"{' or '.join(entry(method).in_words for method in methods)} on its items"


def _write_footnotes(c: Comparison, grid: _Grid) -> list[str]:
    """Return sentences: what is bold, what the signs mean, and what was compared."""
    single = len(c.datasets) == 1
    if c.has_one_learner:
        return []
    notes = ["Bold: the best." if single else "Bold: the best on each data set, and overall."]
    signs = "≈: not told apart from the best" if c.control is None else "v, *: better, worse than "
    target = c.control or ""
    test, _, adjustment = c.method.partition(", ")
    adjusted = f", {entry(adjustment).short}-adjusted," if adjustment else ""
    overall = f"by {entry(test).in_words}{adjusted} at α = {c.alpha:.4g}"
    if single:
        notes.append(f"{signs}{target}, {overall}.")
        return notes
    if grid.outcomes is not None:
        if c.per_dataset and c.control is None:
            signs = f"≈: not told apart from {c.ranking[0]}, the best over all of them,"
        notes.append(
            f"{signs}{target} on that data set, by {_name_test(c)} at α = "
            f"{c.alpha:.4g}; each test stands by itself, without adjustment for their number."
        )
        beside = "mean ranks" if c.items is None else "means"
        notes.append(f"Beside {beside} the signs speak of all data sets, {overall}.")
    else:
        notes.append(f"{signs}{target} over all data sets, {overall}.")
    notes.append(f"Wins, ties and losses: against {c.control or c.ranking[0]}, by mean scores.")
    if grid.outcomes is not None and c.control:
        notes.append(
            "Better/alike/worse counts the signs; it decides nothing: Demšar (2006) warns against "
            "counting only significant wins."
        )
    if np.isnan(grid.means).any():
        notes.append(f"{MISSING}: no score.")
    if differ_in_data_sets(c.learner_scores):
        notes.append("Means are over the data sets that each learner has.")
    return notes
