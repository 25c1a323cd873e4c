"""Bouckaert (2003), sections 5.3 and 5.4: tests at four levels, and how often they repeat."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from twofold.plots import Panel, Series
from twofold.rounding import percentage, written
from twofold_papers.agreement import format_interval, format_values
from twofold_papers.bouckaert2003.calibrated_tests import (
    DATASETS,
    FIRST,
    LEVEL,
    LEVELS,
    MARGIN,
    RETAINED,
    calibrate_tests,
    pick_null_sets,
    pick_runs,
    write_experiment,
)
from twofold_papers.bouckaert2003.paired_outcomes import (
    PerDataset,
    SourceOutcomes,
    average,
    estimate,
    judge_higher,
)
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_difference, judge_most
from twofold_papers.figure import Figure
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.networks import sources
from twofold_papers.printed import PrintedItem

TESTS = (*FIRST, *RETAINED)
FIVE, FIVE_F = "5x2cv-t", "5x2cv-f"
OTHERS = (1, 2, 3)
"""Sets 2 to 4, on which C4.5 is better."""


class LevelStudy:
    """Tests at four levels on four sources, each ten times on each data set."""

    def __init__(self, options: ItemOptions) -> None:
        runs = pick_runs(options)
        freedom = calibrate_tests(options, (runs,), LEVELS)
        self.named = {
            (test, level): write_experiment(test, runs, level, freedom)
            for test in TESTS
            for level in LEVELS
        }
        sets = options.pick(toy=6, quick=150, full=DATASETS)
        again = options.pick(toy=2, quick=4, full=10)
        designs = f"{runs}x10", f"resample:{runs}:0.1", "5x2"
        self.outcomes = SourceOutcomes(options, sets, again, options.seed + 1, designs)
        # The df were found on data sets of their own, which adds their error.
        self.null_sets = pick_null_sets(options)
        self.trials = f"{sets} data sets from each source, each test {again} times"

    def power(self, test: str, level: float, index: int) -> PerDataset:
        """Return the share of repetitions that reject on each data set of a source."""
        named = self.named.get((test, level), f"{test}@5x2")
        return self.outcomes.measure_power(sources()[index], named, level)

    def agreement(self, test: str, level: float, index: int) -> PerDataset:
        """Return 1 for each data set of a source on which all repetitions agree."""
        named = self.named.get((test, level), f"{test}@5x2")
        return self.outcomes.measure_agreement(sources()[index], named, level)

    def worst(self, test: str, level: float) -> PerDataset:
        """Return the agreement on the source where it is lowest."""
        each = [self.agreement(test, level, index) for index in range(4)]
        return min(each, key=lambda sample: float(sample.mean()))


def table4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rejections at four levels."""
    study = LevelStudy(options)
    tables, rising, gaps = [], [], []
    best: list[Verdict] = []
    top: list[Verdict] = []
    spread: list[Verdict] = []
    winners = dict.fromkeys(TESTS, 0)
    widest = 0.0
    for index in range(4):
        power = {(t, level): study.power(t, level, index) for t in TESTS for level in LEVELS}
        rows = tuple(
            (t, *(format_interval(estimate(power[t, level])) for level in LEVELS)) for t in TESTS
        )
        kind = "Type I error" if index == 0 else "Power"
        head = ("", *(percentage(level, 1) for level in LEVELS))
        tables.append(ResultTable(f"{kind} on set {index + 1}.", head, rows))
        rising += [
            judge_higher([power[t, high]], [power[t, low]])
            for t in TESTS
            for low, high in pairwise(LEVELS)
        ]
        for level in LEVELS if index else ():
            means = {t: float(power[t, level].mean()) for t in TESTS}
            order = sorted(RETAINED, key=lambda t: -means[t])
            winners[max(means, key=means.__getitem__)] += 1
            averaged = power["mean-runs-averaged-t", level]
            rival = next(t for t in order if t != "mean-runs-averaged-t")
            best.append(judge_higher([averaged], [power[rival, level]]))
            # The best three hold it if it is better than the third of the others.
            third = [t for t in order if t != "use-all-data"][2]
            top.append(judge_higher([power["use-all-data", level]], [power[third, level]]))
            low, high = power[order[-1], level], power[order[0], level]
            widest = max(widest, means[order[0]] - means[order[-1]])
            spread.append(judge_higher([low], [high], margin=-0.1))
            first = max(FIRST, key=means.__getitem__)
            gaps.append((power[order[-1], level], power[first, level]))
    return ItemResult(
        claims=printed.judge(
            level=_judge_levels(study),
            averaged_t=judge_most(
                best,
                0.75,
                "best in so many of 12 cells: "
                + ", ".join(f"{test} {count}" for test, count in winners.items() if count),
            ),
            outperforms=_judge_power(study),
            rising=judge_all(rising, f"surely in {_count_holding(rising)} of {len(rising)} steps"),
            gap=judge_all(
                [judge_higher([low], [first], margin=0.05) for low, first in gaps],
                "the least power of the others less the most of the first three: "
                f"{written(min(float((a - b).mean()) for a, b in gaps), 3, plus=True)} to "
                f"{written(max(float((a - b).mean()) for a, b in gaps), 3, plus=True)}",
            ),
            use_all=judge_all(top, f"surely in {_count_holding(top)} of {len(top)} cells"),
            similar=judge_all(spread, f"they differ by at most {written(widest, 3)}"),
        ),
        tables=tuple(tables),
        trials=study.trials,
    )


def _count_holding(verdicts: list[Verdict]) -> int:
    return sum(each.word == "holds" for each in verdicts)


def _judge_levels(study: LevelStudy) -> Verdict:
    """Return whether errors on set 1 are close to their levels or below, averaged over tests."""
    parts, words = [], []
    for level in LEVELS:
        each = [study.power(test, level, 0) for test in TESTS]
        rate, error = average([np.mean(each, axis=0)])
        of_df = float(np.sqrt(level * (1 - level) / study.null_sets))
        parts.append(judge_difference(level + MARGIN - rate, float(np.hypot(error, of_df))))
        highest = max(float(sample.mean()) for sample in each)
        words.append(f"at {level:g} {written(rate, 3)} on average, {written(highest, 3)} at most")
    return judge_all(parts, "; ".join(words))


def _judge_power(study: LevelStudy) -> Verdict:
    """Return whether use all data has more power than each of the four older tests, at .05."""
    ours = [study.power("use-all-data", LEVEL, index) for index in OTHERS]
    older = {test: [study.power(test, LEVEL, index) for index in OTHERS] for test in (*FIRST, FIVE)}
    words = ", ".join(f"{test} {written(average(each)[0], 3)}" for test, each in older.items())
    return judge_all(
        [judge_higher(ours, each) for each in older.values()],
        f"mean power on sets 2 to 4: use-all-data {written(average(ours)[0], 3)}; {words}",
    )


def table5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Data sets on which all repetitions agree, at .05."""
    study = LevelStudy(options)
    tests = (*TESTS, FIVE, FIVE_F)
    agree = {test: [study.agreement(test, LEVEL, index) for index in range(4)] for test in tests}
    means = {test: [float(each.mean()) for each in agree[test]] for test in tests}
    least = {test: min(means[test]) for test in tests}
    worst = {test: study.worst(test, LEVEL) for test in tests}
    rows = tuple(
        (t, *(format_interval(estimate(each)) for each in agree[t]), written(least[t], 3))
        for t in tests
    )
    low, high = (pick(RETAINED, key=least.__getitem__) for pick in (min, max))
    older = (*FIRST, FIVE)
    words = ", ".join(f"{test} {written(least[test], 3)}" for test in (*older, low, high))
    return ItemResult(
        claims=printed.judge(
            five_by_two=judge_all(
                [_judge_worst(worst[test], worst[FIVE]) for test in TESTS]
                + [_judge_worst(agree[FIVE][i], agree[FIVE][3]) for i in range(3)],
                f"5x2cv {format_values(means[FIVE])}; at worst {words}",
            ),
            third=judge_all(
                [
                    _judge_worst(agree[test][i], agree[test][2])
                    for test in RETAINED
                    for i in (0, 1, 3)
                ],
                "; ".join(f"{test} {format_values(means[test])}" for test in RETAINED),
            ),
            dominated=judge_higher(
                agree[FIVE_F],
                agree[FIVE],
                "with all ten differences in the numerator "
                f"{written(float(np.mean(means[FIVE_F])), 3)}, "
                "with one "
                f"of them {written(float(np.mean(means[FIVE])), 3)}, mean over the sets",
            ),
            pleasant=judge_all(
                [_judge_worst(worst[test], worst[old]) for test in RETAINED for old in older], words
            ),
            first_three=judge_all(
                [_judge_worst(worst[low], worst[t], margin=0.1) for t in FIRST], words
            ),
            use_all=_judge_worst(
                worst["use-all-data"],
                worst[high],
                f"{written(least['use-all-data'], 3)}, the best {written(least[high], 3)} ({high})",
                margin=-0.02,
            ),
            little_variance=_judge_worst(
                worst[low],
                worst[high],
                f"{written(least[low], 3)} to {written(least[high], 3)}",
                margin=-0.1,
            ),
        ),
        tables=(
            ResultTable(
                "Data sets on which all repetitions agree.",
                ("", "set 1", "set 2", "set 3", "set 4", "minimum"),
                rows,
            ),
        ),
        figures=(_draw_agreement(printed, agree),),
        trials=study.trials,
    )


def _judge_worst(
    first: PerDataset, second: PerDataset, detail: str = "", *, margin: float = 0.0
) -> Verdict:
    """Return the verdict that the first agrees more often; both may be of different sources."""
    error = np.sqrt(first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second))
    return judge_difference(float(first.mean() - second.mean()) - margin, float(error), detail)


def _draw_agreement(printed: PrintedItem, agree: dict[str, list[PerDataset]]) -> Figure:
    estimates = {test: list(map(estimate, each)) for test, each in agree.items()}
    bars = tuple(
        Series.from_estimates(
            f"set {index + 1}",
            list(range(len(agree))),
            [each[index] for each in estimates.values()],
            kind="bars",
        )
        for index in range(4)
    )
    panel = Panel(
        "10 runs of 10 folds, .05",
        "test",
        "share of data sets",
        bars,
        ticks=tuple(str(i + 1) for i in range(len(agree))),
        y_range=(0.0, 1.05),
        possible=(0.0, 1.0),
    )
    order = "; ".join(f"{i}: {test}" for i, test in enumerate(agree, 1))
    return printed.figure("agree", panel, order=order)


def table6(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The least of the four sources, at four levels."""
    study = LevelStudy(options)
    worst = {test: [study.worst(test, level) for level in LEVELS] for test in TESTS}
    least = {test: [float(each.mean()) for each in samples] for test, samples in worst.items()}
    spread = [max(least[test]) - min(least[test]) for test in RETAINED]
    parts, words = [], []
    for i, level in enumerate(LEVELS):
        first = max(FIRST, key=lambda test: least[test][i])
        other = min(RETAINED, key=lambda test: least[test][i])
        parts.append(_judge_worst(worst[other][i], worst[first][i]))
        words.append(
            f"at {level:g} {written(least[first][i], 3)} and {written(least[other][i], 3)}"
        )
    return ItemResult(
        claims=printed.judge(
            outperforms=judge_all(
                [
                    _judge_worst(worst["use-all-data"][i], worst[test][i])
                    for test in FIRST
                    for i in range(len(LEVELS))
                ],
                "; ".join(f"{t} {format_values(least[t])}" for t in (*FIRST, "use-all-data")),
            ),
            level=judge_all(
                [
                    _judge_worst(
                        min(worst[t], key=lambda each: float(each.mean())),
                        max(worst[t], key=lambda each: float(each.mean())),
                        margin=-0.1,
                    )
                    for t in RETAINED
                ],
                f"over the levels the minimum varies by {written(min(spread), 3)} to "
                f"{written(max(spread), 3)}",
            ),
            first_three=judge_all(parts, "; ".join(words)),
        ),
        tables=(
            ResultTable(
                "Least share of data sets on which all repetitions agree, of the four sources.",
                ("", *(percentage(level, 1) for level in LEVELS)),
                tuple((t, *(written(value, 3) for value in values)) for t, values in least.items()),
            ),
        ),
        trials=study.trials,
    )
