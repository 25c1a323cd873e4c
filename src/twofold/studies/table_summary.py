"""From the blocks of a study of a table to its rows, and to which tests say most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.execution.packing import Arrays
from twofold.studies.measures import Estimate
from twofold.studies.table_blocks import Condition, DrawBlock, TableWork
from twofold.studies.table_findings import BestTests, Group, TableFinding
from twofold.studies.table_measures import keeps_level, measure_draws, measure_type_one

Floats = NDArray[np.float64]
Rejections = dict[tuple[Group, str], list[Floats]]
"""Of each group and test, for each bias the share that each draw rejects."""


def summarize_blocks(
    work: TableWork, results: Mapping[DrawBlock, Arrays], confidence: float
) -> tuple[tuple[TableFinding, ...], tuple[BestTests, ...]]:
    """Return the rows of a study, and the best tests of each group of them."""
    blocks: dict[Condition, list[Arrays]] = {}
    for block, arrays in results.items():
        blocks.setdefault(work.conditions[block.condition], []).append(arrays)
    rows: list[TableFinding] = []
    rejections: Rejections = {}
    for condition in work.conditions:
        if condition.bias is None:
            continue
        exchanged = blocks[Condition(condition.datasets, condition.learners, None)]
        same_pairs = condition.learners == work.table.shape[1]
        alike = Counter(procedure.kind for procedure in work.procedures[condition.learners])
        for level in enumerate(work.alphas):
            for number, procedure in enumerate(work.procedures[condition.learners]):
                measures = measure_draws(
                    procedure, number, blocks[condition], level, confidence, same_pairs=same_pairs
                )
                type_one = measure_type_one(procedure, number, exchanged, level[1], confidence)
                # The more tests are looked at, the likelier one of them errs by the luck of draws.
                stricter = 1 - (1 - confidence) / alike[procedure.kind]
                fair = keeps_level(procedure, number, exchanged, level[1], stricter)
                row = TableFinding(
                    kind=procedure.kind,
                    test=procedure.test,
                    adjustment=procedure.adjustment,
                    alpha=level[1],
                    datasets=condition.datasets,
                    learners=condition.learners,
                    bias=condition.bias,
                    draws=len(measures.each),
                    rejected=measures.rejected,
                    mean_p=measures.mean_p,
                    replicability=measures.replicability,
                    replicability_p=measures.replicability_p,
                    any_rejected=measures.any_rejected,
                    type_one=type_one,
                    keeps_level=fair,
                )
                rows.append(row)
                rejections.setdefault((row.group, row.label), []).append(measures.each)
    return tuple(rows), _find_best(rows, rejections, confidence)


def _find_best(
    rows: Sequence[TableFinding], rejections: Rejections, confidence: float
) -> tuple[BestTests, ...]:
    groups: dict[Group, dict[str, list[TableFinding]]] = {}
    for row in rows:
        groups.setdefault(row.group, {}).setdefault(row.label, []).append(row)
    best = []
    for group, tests in groups.items():
        fair = [label for label, found in tests.items() if found[0].keeps_level]
        erring = tuple(label for label in tests if label not in fair)
        each = {label: rejections[group, label] for label in fair}
        strongest = _rank_strongest(each, confidence)
        leader = strongest[0] if strongest else None
        best.append(
            BestTests(
                *group,
                erring=erring,
                strongest=strongest,
                rejected=None if leader is None else _average(each[leader], confidence),
                most_replicable=_find_highest(tests, fair, "replicability"),
                most_replicable_p=_find_highest(tests, fair, "replicability_p"),
            )
        )
    return tuple(best)


def _rank_strongest(each: Mapping[str, list[Floats]], confidence: float) -> tuple[str, ...]:
    """Return the test that rejects most often, and those that it cannot be told from.

    All tests see the same draws, so that two are compared draw by draw.
    """
    if not each:
        return ()
    ordered = sorted(each, key=lambda label: -_mean_of_means(each[label]))
    first = each[ordered[0]]
    alike = [
        label
        for label in ordered[1:]
        if _average([a - b for a, b in zip(first, each[label], strict=True)], confidence).low <= 0
    ]
    return (ordered[0], *alike)


def _mean_of_means(parts: Sequence[Floats]) -> float:
    return float(np.mean([part.mean() for part in parts]))


def _average(parts: Sequence[Floats], confidence: float) -> Estimate:
    """Return the mean over biases of the mean over draws; draws of other biases are other draws."""
    value = _mean_of_means(parts)
    variance = sum(part.var(ddof=1) / len(part) for part in parts) / len(parts) ** 2
    reach = float(special.ndtri(0.5 + confidence / 2) * np.sqrt(variance))
    return Estimate(value, value - reach, value + reach)


def _find_highest(
    tests: Mapping[str, list[TableFinding]], fair: Sequence[str], measure: str
) -> str | None:
    """Return the test with the highest measure, on average over biases.

    One that never rejects agrees with itself always, and tells nothing.
    """
    means: dict[str, Any] = {}
    for label in fair:
        if not any(row.rejected.value for row in tests[label]):
            continue
        estimates = [getattr(row, measure) for row in tests[label]]
        if all(estimate is not None for estimate in estimates):
            means[label] = float(np.mean([estimate.value for estimate in estimates]))
    return max(means, key=lambda label: means[label]) if means else None
