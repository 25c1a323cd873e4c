"""Bouckaert (2003), sections 5.2 to 5.4: four sources, numbers of runs, levels, replicability."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from twofold.learners import read_learners
from twofold.plots import Panel, Series
from twofold.seeds import rng
from twofold.studies import Estimate, Finding, predictor
from twofold_papers.agreement import format_interval, format_values
from twofold_papers.bouckaert2003.calibrated_tests import (
    DATASETS,
    FIRST,
    LEVEL,
    LEVELS,
    RETAINED,
    RUNS,
    calibrate_tests,
    find_row,
    pick_null_sets,
    pick_rows,
    pick_runs,
    study_sources,
    write_experiment,
)
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.networks import sources
from twofold_papers.printed import PrintedItem

TEST_ROWS = 10_000
TESTS = (*FIRST, *RETAINED)
FIVE = "5x2cv-t"


def table3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Accuracies of both learners on the four sources."""
    sets = options.pick(toy=4, quick=200, full=DATASETS)
    learners = read_learners(["nb", "c45"])
    cells = np.array([[(i >> j) & 1 for j in range(10)] for i in range(1024)], dtype=np.uint8)
    numbers, rows, gaps = [], [], []
    for index, (source, label) in enumerate(zip(sources(), printed.numbers, strict=True)):
        X, y = source.draw_many(sets, pick_rows(options), rng(options.seed, "table3", index))
        test, truth = (
            array[0] for array in source.draw_many(1, TEST_ROWS, rng(options.seed, index))
        )
        cell = (test.astype(np.intp) << np.arange(10)).sum(axis=1)
        predictions = [predictor(learner)(X, y, cells)[:, cell] for learner in learners]
        accuracy = np.array([(each == truth).mean(axis=1) for each in predictions])
        gap = 100 * (accuracy[1] - accuracy[0])
        # Theirs and ours were each measured on a single test set.
        disagreement = (predictions[0] != predictions[1]).mean()
        of_tests = 100 * float(np.sqrt(2 * disagreement / TEST_ROWS))
        of_sets = float(gap.std(ddof=1) * np.sqrt(1 / sets + 1 / DATASETS))
        gaps.append(float(gap.mean()))
        numbers.append(printed.compare(label, gaps[-1], 1.96 * float(np.hypot(of_tests, of_sets))))
        means = (f"{100 * each.mean():.2f}" for each in accuracy)
        rows.append((f"set {index + 1}", *means, f"{gap.mean():+.2f}"))
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            equal=(abs(gaps[0]) < 1, f"{gaps[0]:+.2f} points"),
            margin=(
                0 < gaps[1] < gaps[2] < gaps[3],
                ", ".join(f"{gap:+.2f}" for gap in gaps[1:]) + " points",
            ),
        ),
        tables=(
            ResultTable(
                "Accuracy (%), trained on 300 rows, measured on 10,000 rows.",
                ("", "naive Bayes", "C4.5", "difference"),
                tuple(rows),
            ),
        ),
        trials=f"{sets} data sets of {pick_rows(options)} rows from each source, one test set of "
        f"{TEST_ROWS:,} rows each",
    )


def figure4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rejections against the number of runs, on four sources."""
    runs = options.pick(toy=(2, 4), quick=(5, 10, 20, 40), full=RUNS)
    freedom = calibrate_tests(options, runs, (LEVEL,))
    named = {(test, r): write_experiment(test, r, LEVEL, freedom) for test in TESTS for r in runs}
    findings = study_sources(options, list(sources()), sorted(set(named.values())), 1)
    power: dict[tuple[int, str], list[float]] = {}
    panels = []
    for index, source in enumerate(sources()):
        series = []
        for test in TESTS:
            rates = [find_row(findings, named[test, r], source=source.name).rejected for r in runs]
            curve = build_series(test, runs, rates, dashed=test in FIRST)
            power[index, test] = list(curve.y)
            series.append(curve)
        title = "Type I error on set 1" if index == 0 else f"power on set {index + 1}"
        panels.append(Panel(title, "runs", "share rejected", tuple(series)))
    last = {test: float(np.mean([power[i, test][-1] for i in (1, 2, 3)])) for test in TESTS}
    ten = 1 if len(runs) > 1 else 0
    moved = max(
        abs(v - power[i, t][ten]) for i in range(4) for t in RETAINED for v in power[i, t][ten:]
    )
    alike = [test for test in RETAINED if test != "mean-sorted-runs"]
    spread = max(float(np.ptp([power[i, t][-1] for t in alike])) for i in (1, 2, 3))
    sets, null_sets = findings.rows[0].datasets, pick_null_sets(options)
    # Both the df and the error are measured on data sets of their own.
    variance = LEVEL * (1 - LEVEL) * (1 / sets + 1 / null_sets)
    allowed = LEVEL + 2.5 * float(np.sqrt(variance))
    worst = max(max(power[0, test]) for test in TESTS)
    rise = np.mean([power[i, t][-1] - power[i, t][0] for i in (1, 2, 3) for t in FIRST[:2]])
    return ItemResult(
        claims=printed.judge(
            level=(
                worst <= allowed,
                f"at most {worst:.3f}; {sets} data sets, and df found on {null_sets}, "
                f"cannot tell {allowed:.3f} from .05",
            ),
            single_run=(
                all(float(np.ptp(power[i, "cv-t"])) == 0 for i in range(4)),
                "by its definition: it has one run",
            ),
            resampling=(
                float(rise) > 0,
                f"from {runs[0]} to {runs[-1]} runs by {rise:.3f} on average",
            ),
            similar=(spread < 0.1, f"they differ by at most {spread:.3f} at {runs[-1]} runs"),
            more_power=(
                min(last[t] for t in RETAINED) > last["cv-t"],
                ", ".join(f"{t} {v:.3f}" for t, v in last.items()),
            ),
            steady=(moved < 0.1, f"from {runs[ten]} runs on they move by at most {moved:.3f}"),
        ),
        figures=(printed.figure("runs", *panels),),
        trials=f"{sets} data sets from each source; {', '.join(map(str, runs))} runs",
    )


class LevelStudy:
    """Tests at four levels on four sources, each ten times on each data set."""

    def __init__(self, options: ItemOptions) -> None:
        runs = pick_runs(options)
        again = options.pick(toy=2, quick=4, full=10)
        freedom = calibrate_tests(options, (runs,), LEVELS)
        self.named = {
            (test, level): write_experiment(test, runs, level, freedom)
            for test in TESTS
            for level in LEVELS
        }
        tests = [*sorted(set(self.named.values())), f"{FIVE}@5x2"]
        self.findings = study_sources(options, list(sources()), tests, again, alpha=LEVELS)
        first = self.findings.rows[0]
        self.trials = (
            f"{first.datasets} data sets from each source, each test {first.repetitions} times"
        )

    def find(self, test: str, level: float, index: int) -> Finding:
        """Return what a test with its df does at a level on a source."""
        written = self.named.get((test, level), f"{FIVE}@5x2")
        return find_row(self.findings, written, source=sources()[index].name, alpha=level)

    def measure_agreement(self, test: str, level: float = LEVEL) -> list[Estimate]:
        """Return on each source how often all repetitions agree."""
        rows = [self.find(test, level, index) for index in range(4)]
        return [row.consistent for row in rows if row.consistent is not None]


def table4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rejections at four levels."""
    levels = LevelStudy(options)
    tables, rising, gaps, spread = [], [], [], []
    best = dict.fromkeys(RETAINED, 0)
    top = cells = 0
    for index in range(4):
        rows = []
        for test in TESTS:
            each = [levels.find(test, level, index).rejected for level in LEVELS]
            rows.append((test, *map(format_interval, each)))
            rising.append(all(a.value <= b.value for a, b in pairwise(each)))
        kind = "Type I error" if index == 0 else "Power"
        head = ("", *(f"{level:.1%}" for level in LEVELS))
        tables.append(ResultTable(f"{kind} on set {index + 1}.", head, tuple(rows)))
        for level in LEVELS if index else ():
            power = {test: levels.find(test, level, index).rejected.value for test in TESTS}
            retained = {test: power[test] for test in RETAINED}
            order = sorted(retained, key=lambda test: -retained[test])
            best[order[0]] += 1
            top += "use-all-data" in order[:3]
            cells += 1
            first = max(power[test] for test in FIRST[1:])
            gaps.append(float(np.mean(list(retained.values()))) - first)
            spread.append(max(retained.values()) - min(retained.values()))
    null = [(levels.find(t, level, 0).rejected.low, level) for t in TESTS for level in LEVELS]
    over = sum(low > level for low, level in null)
    return ItemResult(
        claims=printed.judge(
            level=(
                over <= max(1, len(null) // 10),
                f"{over} of {len(null)} are above it by more than chance",
            ),
            rising=all(rising),
            gap=(
                float(np.mean(gaps)) > 0.02,
                f"mean power of the other tests less the best of corrected resampling and k-fold "
                f"cv: {np.mean(gaps):+.3f} on average, {min(gaps):+.3f} to {max(gaps):+.3f}",
            ),
            averaged_t=(
                best["mean-runs-averaged-t"] >= 0.6 * cells,
                ", ".join(f"{test} {count}" for test, count in best.items() if count)
                + f" of {cells} cells",
            ),
            use_all=(top == cells, f"in {top} of {cells} cells"),
            similar=(
                max(spread) < 0.15,
                f"they differ by {np.mean(spread):.3f} on average, {max(spread):.3f} at most",
            ),
        ),
        tables=tuple(tables),
        trials=levels.trials,
    )


def table5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Data sets on which all repetitions agree, at .05."""
    levels = LevelStudy(options)
    shares = {test: levels.measure_agreement(test) for test in (*TESTS, FIVE)}
    worst = {test: min(share.value for share in each) for test, each in shares.items()}
    rows = tuple(
        (test, *map(format_interval, each), f"{worst[test]:.3f}") for test, each in shares.items()
    )
    retained = sorted(worst[test] for test in RETAINED)
    first = max(worst[test] for test in FIRST)
    five = [share.value for share in shares[FIVE]]
    bars = tuple(
        Series(
            f"set {index + 1}",
            list(range(len(shares))),
            [each[index].value for each in shares.values()],
            kind="bars",
        )
        for index in range(4)
    )
    panel = Panel(
        "10 runs of 10 folds, .05",
        "test",
        "share of data sets",
        bars,
        ticks=tuple(str(i + 1) for i in range(len(shares))),
        y_range=(0.0, 1.3),
    )
    order = "; ".join(f"{i}: {test}" for i, test in enumerate(shares, 1))
    return ItemResult(
        claims=printed.judge(
            first_three=(retained[0] > first, f"at worst {retained[0]:.3f} against {first:.3f}"),
            use_all=(
                worst["use-all-data"] >= retained[-1] - 0.02,
                f"{worst['use-all-data']:.3f}, the best {retained[-1]:.3f}",
            ),
            little_variance=(
                retained[-1] - retained[0] < 0.15,
                f"{retained[0]:.3f} to {retained[-1]:.3f} at worst",
            ),
            five_by_two=(five[3] == min(five) and min(five) < retained[0], format_values(five)),
        ),
        tables=(
            ResultTable(
                "Data sets on which all repetitions agree.",
                ("", "set 1", "set 2", "set 3", "set 4", "minimum"),
                rows,
            ),
        ),
        figures=(printed.figure("agree", panel, order=order),),
        trials=levels.trials,
    )


def table6(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The least of the four sources, at four levels."""
    levels = LevelStudy(options)
    least = {
        test: [
            min(share.value for share in levels.measure_agreement(test, level)) for level in LEVELS
        ]
        for test in TESTS
    }
    spread = max(max(least[test]) - min(least[test]) for test in RETAINED)
    pairs = [
        (max(least[test][i] for test in FIRST), min(least[test][i] for test in RETAINED))
        for i in range(len(LEVELS))
    ]
    return ItemResult(
        claims=printed.judge(
            level=(spread < 0.15, f"the minimum varies by at most {spread:.3f} over the levels"),
            first_three=(
                all(first < retained for first, retained in pairs),
                ", ".join(f"{first:.3f} and {retained:.3f}" for first, retained in pairs),
            ),
        ),
        tables=(
            ResultTable(
                "Least share of data sets on which all repetitions agree, of the four sources.",
                ("", *(f"{level:.1%}" for level in LEVELS)),
                tuple((t, *(f"{value:.3f}" for value in values)) for t, values in least.items()),
            ),
        ),
        trials=levels.trials,
    )
