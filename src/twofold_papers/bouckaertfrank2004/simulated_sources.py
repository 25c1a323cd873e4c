"""Bouckaert and Frank (2004), Table 5: four simulated sources."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from twofold.rounding import written
from twofold.studies import Estimate, Finding, Findings, study
from twofold_papers.agreement import (
    compare_share,
    format_interval,
    format_values,
    standard_error,
)
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_difference
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.network_search import HELD_IN
from twofold_papers.networks import DELTAS, other_networks, sources
from twofold_papers.printed import Number, PrintedItem

LEVEL = 0.05
# The level at which 5x2cv t decides as it does at .05 with Σs² divided by 4 instead of 5.
QUARTER = float(2 * special.stdtr(5.0, -special.stdtrit(5.0, 0.975) * np.sqrt(5 / 4)))
FIVE, FIVE_F = "5x2cv-t@5x2", "5x2cv-f@5x2"
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


def study_null_source(options: ItemOptions, test: str) -> Finding:
    """Return what a test does on source 1, where every rejection is an error."""
    return _study(options, sources()[0], [test], **_choose_data(options), alpha=LEVEL).rows[0]


def _choose_data(options: ItemOptions) -> dict[str, int]:
    # The data sets of Bouckaert 2003, so that fits are shared.
    return {"datasets": options.pick(toy=5, quick=60, full=1000), "seed": options.seed + 1}


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
        [*cells, FIVE_F],
        alpha=(LEVEL, QUARTER),
        **_choose_data(options),
    )
    ranges = find_ranges(options, cells)
    names = [source.name for source in sources()]
    numbers: list[Number] = []
    shares: dict[str, list[Estimate]] = {}
    for test, row in cells.items():
        shares[test] = [_agreement(findings.find(test, source=n, alpha=LEVEL)) for n in names]
        for index, (text, share) in enumerate(zip(row, shares[test], strict=True)):
            if index and test == HELD_IN:
                continue  # it chose the network
            why = printed["open"] if test == FIVE else ""
            if index and test != FIVE:
                low, high = ranges[test, index]
                inside = low <= float(text) <= high
                why = (
                    f"Networks chosen by Δ alone have {written(low, 0)} to {written(high, 0)} %: "
                    f"the print is {'among' if inside else 'beyond'} them."
                )
            label = f"source {index + 1}, {test}: consistent (%)"
            numbers.append(compare_share(label, text, share, trials=1000, scale=100, why=why))
    powers = {test: findings.find(test, source=names[3], alpha=LEVEL).rejected for test in cells}
    held_in = zip(cells[HELD_IN], shares[HELD_IN], strict=True)
    first = findings.rows[0]
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(**_judge(shares, powers)),
        tables=(
            ResultTable(
                "Data sets on which ten repetitions of 5x2cv agree (%), computed in three ways.",
                ("", "source 1", "source 2", "source 3", "source 4"),
                (
                    ("printed", *cells[FIVE]),
                    _row("ours, Σs²/5", findings, FIVE, names, LEVEL),
                    _row("ours, Σs²/4", findings, FIVE, names, QUARTER),
                    _row("5x2cv F", findings, FIVE_F, names, LEVEL),
                ),
            ),
            ResultTable(
                f"Printed percentage, and the range on networks chosen by Δ alone ({HELD_IN} and Δ "
                "chose those above).",
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
            held_in=", ".join(
                f"{text} and {written(100 * ours.value, 1)}" for text, ours in held_in
            ),
        ),
    )


def _judge(shares: dict[str, list[Estimate]], powers: dict[str, Estimate]) -> dict[str, Verdict]:
    """Return the verdicts on what the text says of the table."""
    worst = {test: min(each, key=lambda share: share.value) for test, each in shares.items()}
    five, ten, hundred, folds, best = worst.values()
    detail = ", ".join(f"{test} {written(share.value, 3)}" for test, share in worst.items())
    easy = []
    for test, each in shares.items():
        if test != FIVE:
            # Sources are independent: the mean of 1 and 4 less that of 2 and 3.
            gap = (each[0].value + each[3].value - each[1].value - each[2].value) / 2
            easy.append(judge_difference(gap, _combine(*each) / 2))
    others = [share for test, share in powers.items() if test != FIVE]
    return {
        "low": judge_all(
            [_judge_gap(high, low, 0.1) for low in (five, ten, folds) for high in (hundred, best)],
            detail,
        ),
        "better": judge_all([_judge_gap(hundred, ten, 0.2), _judge_gap(best, hundred)], detail),
        "easy": judge_all(
            easy,
            "; ".join(
                f"{test} {format_values(share.value for share in each)}"
                for test, each in shares.items()
                if test != FIVE
            ),
        ),
        "five": judge_all(
            [_judge_gap(share, shares[FIVE][3]) for share in shares[FIVE][:3]],
            format_values(share.value for share in shares[FIVE]),
        ),
        "conservative": judge_all(
            [_judge_gap(share, powers[FIVE]) for share in others],
            ", ".join(f"{test} {written(share.value, 3)}" for test, share in powers.items())
            + " rejected on source 4",
        ),
    }


def _combine(*estimates: Estimate) -> float:
    """Return the standard error of a sum of estimates taken as independent."""
    return float(np.sqrt(sum(standard_error(each) ** 2 for each in estimates)))


def _judge_gap(first: Estimate, second: Estimate, margin: float = 0.0) -> Verdict:
    """Return the verdict that the first is higher by more than a margin.

    On the same data sets both go together, so that the standard error is rather too large.
    """
    return judge_difference(first.value - second.value - margin, _combine(first, second))


def _range_cell(text: str, bounds: tuple[float, float]) -> str:
    return f"{text}: {written(bounds[0], 0)}–{written(bounds[1], 0)}"


def _row(
    label: str, findings: Findings, test: str, names: list[str], alpha: float
) -> tuple[str, ...]:
    """Return a test at a level on each source."""
    shares = (_agreement(findings.find(test, source=name, alpha=alpha)) for name in names)
    return (label, *(format_interval(share, digits=1, scale=100) for share in shares))
