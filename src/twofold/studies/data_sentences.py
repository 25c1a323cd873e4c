"""What a study on data sets of one's own found, in sentences, and the names in them."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.result import join_names
from twofold.rounding import written
from twofold.stats.cards import format_rate
from twofold.studies.data_findings import DataFindings, Pair, PairFinding
from twofold.studies.findings_table import format_interval, label

MOST_NAMES = 6
"""Learners that the first line names."""


def describe_scope(findings: DataFindings) -> str:
    """Return what was studied, in a sentence."""
    names = list(findings.learners)
    if len(names) > MOST_NAMES:
        names = [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more learners"]
    sets = findings.names
    where = f"{len(sets)} data sets" if len(sets) > 1 else "".join(sets)
    times = f"{findings.repetitions} times with other splits"
    return f"{join_names(names)} on {where} by {findings.metric}, each test {times}"


def name_group(findings: DataFindings, pair: Pair | None) -> str:
    """Return whom rows are about."""
    if pair is None:
        return f"All {len(findings.pairs)} pairs"
    return f"{pair[0]} (A) against {pair[1]} (B)"


def name_data(findings: DataFindings) -> str:
    """Return the name of the data set, or how many there are."""
    names = findings.names
    return names[0] if len(names) == 1 else f"{len(names)} data sets"


def count_cells(count: int, row: PairFinding) -> str:
    """Return how many data sets, or pairs on them, a row is about."""
    ending = "" if count == 1 else "s"
    return f"{count} data set{ending}" if row.pair is not None else f"{count} pairs on data sets"


def summarize_data(findings: DataFindings) -> str:
    """Return the most important sentences, on the first level and all pairs."""
    if not findings.rows:
        return ""
    (_, alpha), rows = next(iter(findings.group_by_pair().items()))
    level = f"At α = {alpha:g}: " if len(findings.levels) > 1 else ""
    return level + " ".join(describe_rows(rows)[:2])


def describe_rows(rows: Sequence[PairFinding]) -> list[str]:
    """Return sentences on the experiments at one level, for a pair or for all of them.

    What never rejects agrees with itself; it is not called the most replicable.
    """
    silent = [row for row in rows if row.rejected.value == 0]
    heard = [row for row in rows if row.rejected.value > 0]
    if not heard:
        if len(rows) == 1:
            return ["The test found no difference in any repetition, and agrees with itself so."]
        return ["No test found a difference in any repetition; all agree with themselves so."]
    best = max(heard, key=lambda row: row.replicability.value)
    worst = min(heard, key=lambda row: row.replicability.value)
    rate = format_interval(best.replicability)
    sentences = [
        f"Two repetitions of {label(best)} decide alike with a probability of {rate}"
        + (
            f"; of {label(worst)}, {format_interval(worst.replicability)}."
            if worst is not best
            else "."
        ),
        _describe_consistency(best),
    ]
    if silent:
        names = join_names([label(row) for row in silent])
        sentences.append(f"{names} found no difference anywhere, which repeats itself.")
    flipped = [row for row in heard if row.flipped_cells]
    if flipped:
        names = join_names([f"{label(row)} ({row.flipped_cells})" for row in flipped])
        sentences.append(f"Both learners won, in different repetitions: {names}.")
    foreseen = [row for row in rows if row.prediction_error is not None and row.datasets > 1]
    return sentences + [_describe_prediction(row) for row in foreseen]


def _describe_consistency(row: PairFinding) -> str:
    share = "all" if row.rejected.value == 1 else format_rate(row.rejected.value)
    return (
        f"All {row.repetitions} of them agree on {row.consistent_cells} of "
        f"{count_cells(row.cells, row)}, all but at most one on {row.almost_consistent_cells}; "
        f"{share} of the repetitions found a difference."
    )


def _describe_prediction(row: PairFinding) -> str:
    """Return how what single repetitions predicted compares with what came true."""
    assert row.predicted is not None
    assert row.prediction_error is not None
    error = row.prediction_error
    low, high = (written(value, 3, plus=True) for value in (error.low, error.high))
    judged = "too high" if error.low > 0 else "too low" if error.high < 0 else ""
    verdict = f"which is {judged}" if judged else "which cannot be told from it"
    return (
        f"Single repetitions of {label(row)} predicted an agreement of "
        f"{format_rate(row.predicted.value)} where {format_rate(row.agreement.value)} came true, "
        f"{verdict} (predicted − true: {low} to {high})."
    )
