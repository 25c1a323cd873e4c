"""What a study on data sets of one's own found, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.result import join_names
from twofold.stats.cards import format_rate
from twofold.studies import DataFindings, PairFinding
from twofold.studies.data_findings_table import format_interval, label_experiment


def summarize_data(findings: DataFindings) -> str:
    """Return the most important sentences, on the first level and all pairs."""
    rows = next(iter(findings.group_by_pair().values()))
    return " ".join(describe_rows(rows)[:2])


def describe_rows(rows: Sequence[PairFinding]) -> list[str]:
    """Return sentences on the experiments at one level, for a pair or for all of them."""
    best = max(rows, key=lambda row: row.replicability.value)
    worst = min(rows, key=lambda row: row.replicability.value)
    rate = format_interval(best.replicability)
    sentences = [
        f"Two repetitions of {label_experiment(best)} decide alike with a probability of {rate}"
        + (
            f"; of {label_experiment(worst)}, {format_interval(worst.replicability)}."
            if worst is not best
            else "."
        ),
        _describe_consistency(best),
    ]
    never = [row for row in rows if row.rejected.value == 0]
    if never:
        names = join_names([label_experiment(row) for row in never])
        sentences.append(f"{names} found no difference anywhere, which repeats itself.")
    flipped = [row for row in rows if row.flipped_cells]
    if flipped:
        names = join_names([f"{label_experiment(row)} ({row.flipped_cells})" for row in flipped])
        sentences.append(f"Both learners won, in different repetitions: {names}.")
    return sentences


def _describe_consistency(row: PairFinding) -> str:
    unit = "data sets" if row.pair is not None else "pairs on data sets"
    return (
        f"All {row.repetitions} of them agree on {row.consistent_cells} of {row.cells} {unit}, all "
        f"but at most one on {row.almost_consistent_cells}; "
        f"{_describe_share(row.rejected.value)} of the repetitions found a difference."
    )


def _describe_share(share: float) -> str:
    return {0.0: "none", 1.0: "all"}.get(share, format_rate(share))
