"""Bouckaert and Frank (2004), Table 5: four simulated sources."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from twofold.studies import Finding, Findings, study
from twofold_papers.agreement import compare_share, format_interval, format_values, rank_correlation
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.networks import DELTAS, other_networks, sources
from twofold_papers.printed import Number, PrintedItem

LEVEL = 0.05
# The level at which 5x2cv t decides as it does at .05 with Σs² divided by 4 instead of 5.
QUARTER = float(2 * special.stdtr(5.0, -special.stdtrit(5.0, 0.975) * np.sqrt(5 / 4)))
FIVE = "5x2cv-t@5x2"
Ranges = dict[tuple[str, int], tuple[float, float]]


def _study(options: ItemOptions, source: Any, tests: Any, **settings: Any) -> Findings:
    return study(
        source,
        ["nb", "c45"],
        rows=options.pick(toy=60, quick=300, full=300),
        repetitions=options.pick(toy=3, quick=10, full=10),
        tests=list(tests),
        predictions=False,
        **options.engine,
        **settings,
    )


def _agreement(finding: Finding) -> Any:
    assert finding.consistent is not None
    return finding.consistent


def find_ranges(options: ItemOptions, tests: Any) -> Ranges:
    """The lowest and the highest percentage on other networks of the Δ of sources 2 to 4."""
    ranges = {}
    for index, delta in enumerate(DELTAS[1:], start=1):
        networks = other_networks(delta, options.pick(toy=1, quick=3, full=8))
        sets = options.pick(toy=3, quick=20, full=200)
        findings = _study(options, networks, tests, datasets=sets, alpha=LEVEL, seed=options.seed)
        for test in tests:
            values = [
                100 * _agreement(findings.find(test, source=network.name)).value
                for network in networks
            ]
            ranges[test, index] = (min(values), max(values))
    return ranges


def table5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Four simulated sources."""
    cells: dict[str, list[str]] = printed["consistent"]
    findings = _study(
        options,
        list(sources()),
        cells,
        datasets=options.pick(toy=5, quick=60, full=1000),
        alpha=(LEVEL, QUARTER),
        seed=options.seed + 1,  # the data sets of Bouckaert 2003, so that fits are shared
    )
    ranges = find_ranges(options, cells)
    names = [source.name for source in sources()]
    numbers: list[Number] = []
    ours: dict[str, list[float]] = {}
    for test, row in cells.items():
        for index, (name, text) in enumerate(zip(names, row, strict=True)):
            share = _agreement(findings.find(test, source=name, alpha=LEVEL))
            if index == 0:
                why = printed["conservative"] if test == FIVE else ""
            else:
                low, high = ranges[test, index]
                why = f"Other networks of the same Δ have {low:.0f} to {high:.0f} %: " + (
                    "it depends on the network."
                    if low <= float(text) <= high
                    else "the print is beyond them."
                )
            label = f"source {index + 1}, {test}: consistent (%)"
            numbers.append(compare_share(label, text, share, trials=1000, scale=100, why=why))
            ours.setdefault(test, []).append(share.value)
    worst = {test: min(values) for test, values in ours.items()}
    five, ten, hundred, folds, best = worst.values()
    flat = np.array([[float(text) for text in row] for row in cells.values()]).ravel()
    easy = [values for test, values in ours.items() if test != FIVE]
    inside = sum(
        low <= float(cells[test][index]) <= high for (test, index), (low, high) in ranges.items()
    )
    first = findings.rows[0]
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            low=(
                max(five, ten, folds) < min(hundred, best),
                ", ".join(f"{test.split('@')[0]} {value:.2f}" for test, value in worst.items()),
            ),
            better=(best >= hundred > max(five, ten, folds), f"{best:.3f} and {hundred:.3f}"),
            easy=(
                all(min(v[0], v[3]) > min(v[1], v[2]) for v in easy),
                "tests have more trouble with our source 4 than with the paper's, at the same Δ: "
                + format_values(values[3] for values in easy),
            ),
            five=(ours[FIVE][3] == min(ours[FIVE]), format_values(ours[FIVE])),
        ),
        tables=(
            ResultTable(
                "Data sets on which all ten 5x2cv t tests agree (%).",
                ("", "source 1", "source 2", "source 3", "source 4"),
                (
                    ("printed", *cells[FIVE]),
                    _row("ours, Σs²/5", findings, names, LEVEL),
                    _row("ours, Σs²/4", findings, names, QUARTER),
                ),
            ),
            ResultTable(
                "Printed percentage, and the range on other networks of the same Δ.",
                ("", "source 2", "source 3", "source 4"),
                tuple(
                    (test, *(_range_cell(row[index], ranges[test, index]) for index in (1, 2, 3)))
                    for test, row in cells.items()
                ),
            ),
        ),
        trials=f"{first.datasets} data sets of {first.rows} rows from each source, each test "
        f"{first.repetitions} times",
        remarks=printed.write_remarks(
            inside=inside, ranks=rank_correlation(flat, np.array(list(ours.values())).ravel())
        ),
    )


def _range_cell(text: str, bounds: tuple[float, float]) -> str:
    return f"{text}: {bounds[0]:.0f}–{bounds[1]:.0f}"


def _row(label: str, findings: Findings, names: list[str], alpha: float) -> tuple[str, ...]:
    """Return 5x2cv at a level on each source."""
    shares = (_agreement(findings.find(FIVE, source=name, alpha=alpha)) for name in names)
    return (label, *(format_interval(share, digits=1, scale=100) for share in shares))
