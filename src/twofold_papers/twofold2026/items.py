"""New results on the footing of the five papers: all tests in one table, and predictions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from twofold.plots import Panel, Series
from twofold.rounding import written
from twofold.stats import predict_replicability
from twofold.studies import Estimate, agreement_of, mean, share, study, study_tests
from twofold_papers.agreement import format_interval, standard_error
from twofold_papers.bouckaertfrank2004.items import PAIRS, SUITE, TEN_BY_TEN
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_difference, judge_exact
from twofold_papers.collection import build_paper
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.networks import sources
from twofold_papers.printed import PrintedItem
from twofold_papers.twofold2026.early_stopping import MOST, draw_differences, stop_early

LEVEL = 0.05
MARGIN = 0.01
"""By how much an error may exceed its level; what is near enough, elsewhere, in terms of it."""
SPLITS = {"resampled-t": "resampled-t@resample:30:1/3"}
"""Where the usual design is not the one of the paper that the test is from."""


@dataclass
class ExperimentRow:
    """One experiment on the four sources."""

    name: str
    fits: list[float] = field(default_factory=list)
    rejected: list[Estimate] = field(default_factory=list)
    agreement: list[Estimate] = field(default_factory=list)

    def add(self, fits: float, rejected: Estimate, agreement: Estimate) -> None:
        """Put in the next source."""
        self.fits.append(fits)
        self.rejected.append(rejected)
        self.agreement.append(agreement)

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        rates = map(format_interval, self.rejected)
        return (self.name, written(self.mean_fits, 0), *rates, format_interval(self.worst))

    @property
    def mean_fits(self) -> float:
        """The mean number of fits over the sources."""
        return float(np.mean(self.fits))

    @property
    def power(self) -> float:
        """Mean power on sources 2 to 4."""
        return float(np.mean([estimate.value for estimate in self.rejected[1:]]))

    @property
    def worst(self) -> Estimate:
        """R on the source where it is lowest."""
        return min(self.agreement, key=lambda estimate: estimate.value)


def central(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error, power, replicability and cost of every test of the catalog."""
    rows = options.pick(toy=60, quick=300, full=300)
    datasets = options.pick(toy=6, quick=150, full=1000)
    repetitions = options.pick(toy=2, quick=4, full=10)
    # The data sets of Bouckaert & Frank's Table 5, so that fits are shared.
    size: Any = {"rows": rows, "datasets": datasets, "repetitions": repetitions}
    seed = options.seed + 1
    findings = study(
        list(sources()),
        ["nb", "c45"],
        **size,
        tests=[SPLITS.get(name, name) for name in study_tests()],
        predictions=False,
        seed=seed,
        **options.engine,
    )
    table: dict[str, ExperimentRow] = {}
    for source in sources():
        for each in findings.rows:
            if each.source == source.name:
                assert each.replicability is not None
                row = table.setdefault(each.experiment, ExperimentRow(each.experiment))
                row.add(each.fits, each.rejected, each.replicability)
    for source in sources():
        x = draw_differences(options, source, **size, seed=seed)
        for target in printed["targets"]:
            name = f"until {target:g}"
            row = table.setdefault(name, ExperimentRow(f"corrected-cv-t, {name}"))
            stops = stop_early(x, target)
            rejected = stops.outcomes != 0
            agreement = share(agreement_of(rejected.astype(float)), 0.95)
            row.add(20 * float(stops.runs.mean()), share(rejected.mean(axis=1), 0.95), agreement)
    return ItemResult(
        claims=printed.judge(**_judge_table(table)),
        tables=(
            ResultTable(
                "Experiments by fits (both learners, both together): share rejected on source 1 "
                "(Type I error) and on sources 2 to 4 (power), and R where it is lowest.",
                ("", "fits", "Type I", "power 2", "power 3", "power 4", "lowest R"),
                tuple(row.cells for row in table.values()),
            ),
        ),
        figures=(printed.figure("tests", *_draw_panels(list(table.values()))),),
        trials=f"{datasets} data sets of {rows} rows from each of four sources, naive Bayes and "
        f"C4.5, each experiment {repetitions} times; adaptive ones with {MOST} runs at most",
    )


def _judge_table(table: dict[str, ExperimentRow]) -> dict[str, Verdict]:
    folds, early = table["corrected-cv-t@10x10"], table["until 0.95"]
    unsafe = sorted(name for name, row in table.items() if row.rejected[0].low > LEVEL)
    safe = [row for row in table.values() if row.rejected[0].low <= LEVEL]
    fewer = [row for row in safe if row.mean_fits < early.mean_fits]
    all_folds = [row for row in safe if "x10" in row.name or "until" in row.name]
    rest = [row for row in safe if row not in all_folds]
    best, next_best = (max(rows, key=lambda row: row.power) for rows in (all_folds, rest))
    return {
        "level": judge_difference(
            LEVEL + MARGIN - early.rejected[0].value,
            standard_error(early.rejected[0]),
            format_interval(early.rejected[0]),
        ),
        "fewer_fits": judge_all(
            [
                judge_exact(early.mean_fits < folds.mean_fits),
                judge_difference(
                    early.worst.value - folds.worst.value + 2 * MARGIN,
                    _combine(early.worst, folds.worst),
                ),
            ],
            f"{written(early.mean_fits, 0)} and {written(folds.mean_fits, 0)} fits, lowest R "
            f"{written(early.worst.value, 3)} and {written(folds.worst.value, 3)}",
        ),
        "cheapest": judge_all(
            [
                judge_difference(
                    early.worst.value - row.worst.value, _combine(early.worst, row.worst)
                )
                for row in fewer
            ],
            ", ".join(f"{row.name} {written(row.worst.value, 3)}" for row in fewer),
        ),
        "powerful": judge_difference(
            best.power - next_best.power,
            # Of means over three sources; the data sets are the same, so this is rather too much.
            _combine(*best.rejected[1:], *next_best.rejected[1:]) / 3,
            f"{best.name}: mean power {written(best.power, 3)}; {next_best.name}: "
            f"{written(next_best.power, 3)}; "
            f"above the level beyond chance: {', '.join(unsafe) or 'none'}",
        ),
    }


def _combine(*estimates: Estimate) -> float:
    """Return the standard error of a sum or difference of estimates taken as independent."""
    return float(np.sqrt(sum(standard_error(each) ** 2 for each in estimates)))


def _draw_panels(rows: list[ExperimentRow]) -> tuple[Panel, Panel]:
    costs = tuple(
        Series(row.name, [row.mean_fits], [row.worst.value], kind="marks") for row in rows
    )
    powers = tuple(
        Series(row.name, [row.rejected[0].value], [row.power], kind="marks") for row in rows
    )
    return (
        Panel("cost and replicability", "fits", "lowest R", costs, x_log=True),
        Panel("error and power", "Type I error", "mean power", powers),
    )


def compare_predictions(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Predicted against actual agreement of repetitions, on 27 data sets and three pairs."""
    runs = SUITE.run(options, TEN_BY_TEN)
    counts = options.pick(toy=(3, 10), quick=(3, 5, 10), full=(3, 5, 10))
    predictions: dict[int, list[float]] = {count: [] for count in counts}
    actual: dict[int, list[float]] = {count: [] for count in counts}
    for pair in PAIRS.values():
        for errors in runs.counts.counts[pair, str(TEN_BY_TEN)]:
            x = errors.differences()[0]
            for count in counts:
                each: Any = predict_replicability(x[:, :count], confidence=None)
                predictions[count].append(float(np.mean(each.agreement)))
                actual[count].append(float(agreement_of(np.asarray(each.verdict)[None])[0]))
    wrong = {n: np.array(predictions[n]) - np.array(actual[n]) for n in counts}
    gaps = {count: mean(wrong[count], 0.95) for count in counts}
    *fewer, last = counts
    sure = np.array(predictions[last]) >= 0.95
    agreement = mean(np.array(actual[last])[sure if sure.any() else slice(None)], 0.95)
    correlation = float(np.corrcoef(predictions[last], actual[last])[0, 1])
    labels = "predicted agreement", "actual agreement"
    panels = []
    for count in counts:
        points = Series("data sets and pairs", predictions[count], actual[count], kind="marks")
        panels.append(Panel(f"{count} runs", *labels, (points,), diagonal=True))
    return ItemResult(
        claims=printed.judge(
            unbiased=judge_difference(
                3 * MARGIN - abs(gaps[last].value),
                standard_error(gaps[last]),
                f"predicted less actual {format_interval(gaps[last])} on average, "
                f"{written(np.sqrt(np.mean(wrong[last] ** 2)), 3)} root mean square; "
                f"correlation {written(correlation, 2)}",
            ),
            cautious=judge_all(
                [
                    judge_difference(3 * MARGIN - gaps[count].value, standard_error(gaps[count]))
                    for count in fewer
                ],
                "; ".join(f"{count} runs {format_interval(gaps[count])}" for count in fewer),
            ),
            sure=judge_difference(
                agreement.value - 0.95 + MARGIN,
                standard_error(agreement),
                f"{format_interval(agreement)} on {int(sure.sum())} of {len(sure)} data sets "
                "and pairs",
            ),
        ),
        tables=(
            ResultTable(
                "Mean over data sets and pairs.",
                ("runs", "predicted", "actual", "difference"),
                tuple(
                    (
                        str(count),
                        written(float(np.mean(predictions[count])), 3),
                        written(float(np.mean(actual[count])), 3),
                        format_interval(gaps[count]),
                    )
                    for count in counts
                ),
            ),
        ),
        figures=(printed.figure("calibration", *panels),),
        trials=f"{runs.trials}, three pairs of learners",
        datasets=runs.counts.checksums,
    )


PAPER = build_paper(
    "twofold2026",
    central,
    predicted=compare_predictions,
    datasets=SUITE.datasets,
    learners=SUITE.learners,
)
