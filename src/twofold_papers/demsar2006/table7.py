"""Demšar (2006), Table 7: all pairs of seven learners, at a bias of 15."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from twofold import stats
from twofold.rounding import written
from twofold_papers.agreement import exact, rank_correlation
from twofold_papers.claim_verdicts import judge_most
from twofold_papers.demsar2006.bias_study import DRAWS, BiasStudy, judge_mean, predict_another
from twofold_papers.demsar2006.biased_draws import (
    LEVEL,
    ORANGE,
    PAIR_TESTS,
    Floats,
    count_rejections,
    replicability_e,
    replicability_p,
)
from twofold_papers.demsar2006.seven_learners import NAMES, measure_accuracies
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import Number, PrintedItem

PAIRS = tuple(combinations(range(len(NAMES)), 2))
ALMOST_ALWAYS = 0.9
COLUMNS = ("paired t", "relative t", "Wilcoxon", ORANGE, "sign")
MEASURES = ("rejections", "mean p", "R(p)")

Values = dict[str, Floats]
"""A number of each test, (pairs, cross-validations); one cross-validation for what is printed."""


@dataclass(frozen=True, eq=False)
class PairResults:
    """What tests give for all pairs of learners."""

    rejections: Values
    mean_p: Values
    r_p: Values
    r_e: Values

    @classmethod
    def from_study(cls, study: BiasStudy, bias: float, *, turned: bool = False) -> PairResults:
        """Draw data sets for every pair, with a bias towards the second or the first learner."""
        parts: tuple[Values, Values, Values, Values] = ({}, {}, {}, {})
        for pair in PAIRS:
            first, second = pair[::-1] if turned else pair
            label = f"table7 {NAMES[first]} vs {NAMES[second]}"
            for test, p in study.measure_pair(bias, first, second, label).items():
                numbers = (
                    count_rejections(p),
                    p.mean(axis=-1),
                    replicability_p(p),
                    replicability_e(p <= LEVEL),
                )
                for part, values in zip(parts, numbers, strict=True):
                    part[test] = np.array([*part.get(test, ()), values])
        return cls(*parts)

    def write_row(self, label: str) -> tuple[str, ...]:
        """Return means over pairs and cross-validations."""
        cells = []
        for values, digits in ((self.rejections, 0), (self.mean_p, 3), (self.r_p, 2)):
            cells += [written(values[t].mean(), digits) if t in values else "" for t in COLUMNS]
        return (label, *cells)


def read_cells(rows: list[str], first: int, second: int) -> tuple[str, str, str, str]:
    """Return printed rejections, mean p, R(p) and R(e) of a pair."""
    count, by_e = rows[first].split()[second].split("/")
    mean, by_p = rows[second].split()[first].split("/")
    return count, mean, by_p, by_e


def read_print(cells: dict[str, list[str]]) -> PairResults:
    """Return what is printed, as numbers."""
    printed = {
        test: np.array([[float(each) for each in read_cells(rows, *pair)] for pair in PAIRS])
        for test, rows in cells.items()
    }
    return PairResults(*({t: v[:, i : i + 1] for t, v in printed.items()} for i in range(4)))


def table7(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """All pairs of seven learners at k = 15."""
    accuracies, bias = measure_accuracies(options), printed["bias"]
    study = BiasStudy(accuracies, options)
    ours, theirs = PairResults.from_study(study, bias), read_print(printed["cells"])
    readings = {
        "bias towards the learner of the row": PairResults.from_study(study, bias, turned=True),
        "drawn with replacement": PairResults.from_study(
            BiasStudy(accuracies, options, replace=True), bias
        ),
        "naive Bayes by relative frequencies": PairResults.from_study(
            BiasStudy(accuracies, options, accuracies.relative), bias
        ),
        "m and cf chosen in hindsight": PairResults.from_study(
            BiasStudy(accuracies, options, accuracies.in_hindsight), bias
        ),
    }
    ranks = {t: rank_correlation(theirs.rejections[t][:, 0], ours.rejections[t].mean(axis=1))
             for t in PAIR_TESTS}  # fmt: skip
    others = [test for test in PAIR_TESTS if test != "Wilcoxon"]
    lower = np.min([ours.mean_p[t] for t in others], axis=0) - ours.mean_p["Wilcoxon"]
    more = ours.rejections["Wilcoxon"] - np.max([ours.rejections[t] for t in others], axis=0)
    by_p = {test: values.mean(axis=0) for test, values in ours.r_p.items()}
    by_e = {test: values.mean(axis=0) for test, values in ours.r_e.items()}
    gain = (ours.rejections["Wilcoxon"] - ours.rejections["paired t"]).mean(axis=0)
    return ItemResult(
        numbers=_compare(printed, ours),
        claims=printed.judge(
            lower=judge_most(
                map(judge_mean, lower), ALMOST_ALWAYS, _count(ours, theirs, "lowest mean p")
            ),
            more=judge_mean(more.mean(axis=0), _count(ours, theirs, "most rejections")),
            by_p=judge_mean(
                by_p["Wilcoxon"] - np.max([by_p[t] for t in others], axis=0), _list(by_p)
            ),
            by_e=judge_mean(
                np.max([by_e[t] for t in others], axis=0) - by_e["Wilcoxon"], _list(by_e)
            ),
            violated=judge_mean(
                gain,
                "rejections of 1000 on average over the pairs: "
                + ", ".join(f"{t} {written(v.mean(), 0)}" for t, v in ours.rejections.items()),
            ),
        ),
        tables=(
            ResultTable(
                "Rejections of 1000, mean p and R(p), averaged over the 21 pairs: what is printed, "
                "what came out here, and by other readings of the paper.",
                ("", *(f"{test}: {measure}" for measure in MEASURES for test in COLUMNS)),
                (
                    theirs.write_row("printed"),
                    ours.write_row("as described"),
                    *(results.write_row(label) for label, results in readings.items()),
                ),
            ),
            _count_agreeing(printed["cells"]["Wilcoxon"], ours),
            _check_print(printed["cells"]),
        ),
        trials=study.trials,
        remarks=printed.write_remarks(
            ranks=", ".join(f"{test} {written(value, 2)}" for test, value in ranks.items())
        ),
        datasets=accuracies.checksums,
    )


def _compare(printed: PrintedItem, ours: PairResults) -> tuple[Number, ...]:
    """Return printed rejections and mean p beside ours; R(e) and R(p) follow from them."""
    numbers = []
    for test, rows in printed["cells"].items():
        why = printed["why_wilcoxon" if test == "Wilcoxon" else "why"]
        for index, (first, second) in enumerate(PAIRS):
            cells = read_cells(rows, first, second)[:2]
            label = f"{test}, {NAMES[first]} vs {NAMES[second]}"
            for measure, text, values, most in zip(
                MEASURES[:2], cells, (ours.rejections, ours.mean_p), (DRAWS, 1), strict=True
            ):
                bounds = predict_another(values[test][index], most=most)
                numbers.append(Number(f"{label}: {measure}", text, *bounds, why))
    return tuple(numbers)


def _count_agreeing(rows: list[str], ours: PairResults) -> ResultTable:
    """Return how many printed numbers of Wilcoxon's test lie within our intervals, both ways."""
    lines = []
    for label, test in (("two-sided, as described", "Wilcoxon"), ("Orange's", ORANGE)):
        counts = [0, 0, 0]
        for index, pair in enumerate(PAIRS):
            bounds = zip((ours.rejections, ours.mean_p, ours.r_p), (DRAWS, 1, 1), strict=True)
            for i, (values, most) in enumerate(bounds):
                reach = predict_another(values[test][index], most=most)
                counts[i] += Number("", read_cells(rows, *pair)[i], *reach).agrees
        lines.append((label, *(f"{count} of {len(PAIRS)}" for count in counts)))
    return ResultTable(
        "Printed numbers of Wilcoxon's test that lie within our intervals, by the p value taken.",
        ("", *MEASURES),
        tuple(lines),
    )


def _count(ours: PairResults, theirs: PairResults, what: str) -> str:
    """Say for how many pairs Wilcoxon's test has the lowest p, or most rejections, both ways."""
    others = [test for test in PAIR_TESTS if test != "Wilcoxon"]
    parts = []
    for test, results in (("Wilcoxon", ours), (ORANGE, ours), ("Wilcoxon", theirs)):
        values = results.mean_p if what == "lowest mean p" else results.rejections
        sign = 1 if what == "lowest mean p" else -1
        means = {t: sign * v.mean(axis=1) for t, v in values.items()}
        first = int((means[test] < np.min([means[t] for t in others], axis=0)).sum())
        ratio = float(means[test].mean() / means["paired t"].mean())
        label = "printed" if results is theirs else "two-sided" if test == "Wilcoxon" else test
        parts.append(
            f"{label}: {what} for {first} of {len(PAIRS)} pairs, on average {written(ratio, 2)} "
            "times the paired t test's"
        )
    return "; ".join(parts)


def _check_print(cells: dict[str, list[str]]) -> ResultTable:
    """Return how many printed R(e) follow from the printed rejections; nothing of ours is in it."""
    rows = []
    for test, lines in cells.items():
        wrong = []
        for first, second in PAIRS:
            count, _, _, by_e = read_cells(lines, first, second)
            expected = float(stats.agreement(int(count), DRAWS))
            if not exact("", by_e, expected).agrees:
                pair = f"{NAMES[first]} vs {NAMES[second]}"
                wrong.append(
                    f"{pair}: {count} rejections give {written(expected, 3)}, printed {by_e}"
                )
        agreeing = f"{len(PAIRS) - len(wrong)} of {len(PAIRS)}"
        rows.append((test, agreeing, "; ".join(wrong)))
    return ResultTable(
        "Is the print consistent with itself? R(e) follows from the rejections.",
        ("", "printed R(e) that follow", "those that do not"),
        tuple(rows),
    )


def _list(means: Values) -> str:
    return ", ".join(f"{test} {written(value.mean(), 3)}" for test, value in means.items())
