"""Demšar (2006), Table 7: all pairs of seven learners, at a bias of 15."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from twofold import stats
from twofold_papers.agreement import exact, rank_correlation
from twofold_papers.demsar2006.bias_study import DRAWS, BiasStudy, predict_another
from twofold_papers.demsar2006.biased_draws import (
    LEVEL,
    PAIR_TESTS,
    replicability_e,
    replicability_p,
)
from twofold_papers.demsar2006.seven_learners import NAMES, measure_accuracies
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import Number, PrintedItem

PAIRS = tuple(combinations(range(len(NAMES)), 2))
ONE_SIDED = ("Wilcoxon", "sign")
LARGER = 3.0

Means = dict[str, float]


def table7(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """All pairs of seven learners at k = 15."""
    study = BiasStudy(measure_accuracies(options), options)
    # Of each test, over the pairs: what is printed, and ours.
    rejections: dict[str, list[Any]] = {test: [] for test in PAIR_TESTS}
    mean_p: dict[str, list[Any]] = {test: [] for test in PAIR_TESTS}
    r_p: dict[str, list[float]] = {test: [] for test in PAIR_TESTS}
    r_e: dict[str, list[float]] = {test: [] for test in PAIR_TESTS}
    numbers: list[Number] = []
    why = printed["why"]
    for first, second in PAIRS:
        pair = f"{NAMES[first]} vs {NAMES[second]}"
        pvalues = study.measure_pair(printed["bias"], first, second, f"table7 {pair}")
        for test, p in pvalues.items():
            rows = printed["cells"][test]
            count, again = rows[first].split()[second].split("/")
            mean, by_p = rows[second].split()[first].split("/")
            counts = DRAWS * (p <= LEVEL).mean(axis=1)
            each = [replicability_p(values) for values in p]
            label = f"{test}, {pair}"
            expected = float(stats.agreement(int(count), DRAWS))
            numbers += [
                Number(f"{label}: rejections", count, *predict_another(counts), why),
                Number(f"{label}: mean p", mean, *predict_another(p.mean(axis=1)), why),
                Number(f"{label}: R(p)", by_p, *predict_another(each), why),
                exact(
                    f"{label}: R(e) of printed rejections",
                    again,
                    expected,
                    why=printed["why_counts"],
                ),
            ]
            rejections[test].append((float(count), float(counts.mean())))
            mean_p[test].append((float(mean), float(p.mean())))
            r_p[test].append(float(np.mean(each)))
            r_e[test].append(float(np.mean([replicability_e(each) for each in p <= LEVEL])))
    theirs, ours = ({t: np.array(v)[:, i] for t, v in rejections.items()} for i in (0, 1))
    their_p, our_p = ({t: np.array(v)[:, i] for t, v in mean_p.items()} for i in (0, 1))
    ranks = {test: rank_correlation(theirs[test], ours[test]) for test in PAIR_TESTS}
    rest = [test for test in PAIR_TESTS if test != "Wilcoxon"]
    lowest = int((our_p["Wilcoxon"] <= np.min([our_p[t] for t in rest], axis=0)).sum())
    most = int((ours["Wilcoxon"] >= np.max([ours[t] for t in rest], axis=0)).sum())
    totals = {test: float(counts.sum()) for test, counts in ours.items()}
    weak = totals.pop("sign")
    by_p, by_e = _average(r_p), _average(r_e)
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            lower_p=(lowest >= 0.8 * len(PAIRS), f"for {lowest} of {len(PAIRS)} pairs"),
            rejects=(
                most >= 0.8 * len(PAIRS),
                f"for {most} of {len(PAIRS)} pairs; on average "
                + ", ".join(f"{t} {v:.0f}" for t, v in _average(ours).items())
                + "; printed are "
                + ", ".join(f"{v:.0f}" for v in _average(theirs).values()),
            ),
            by_p=(by_p["Wilcoxon"] == max(by_p.values()), _list(by_p)),
            by_e=(by_e["Wilcoxon"] < max(by_e.values()), _list(by_e)),
            sign=weak < min(totals.values()),
        ),
        tables=(
            ResultTable(
                "Rejections of 1000 and mean p, averaged over the 21 pairs.",
                ("", *(f"{test}: {word}" for word in ("rej.", "p") for test in PAIR_TESTS)),
                (
                    _row("printed", _average(theirs), _average(their_p)),
                    _row("as described", _average(ours), _average(our_p)),
                    *_try_readings(study, printed["bias"]),
                ),
            ),
        ),
        trials=study.trials,
        remarks=printed.write_remarks(
            ranks=", ".join(f"{test} {value:.2f}" for test, value in ranks.items())
        ),
        datasets=study.accuracies.checksums,
    )


def _try_readings(study: BiasStudy, bias: float) -> list[tuple[str, ...]]:
    """Return means over all pairs as other readings of the paper have them."""
    rows = []
    for times, turned, label in (
        (1.0, False, "one-sided Wilcoxon and sign"),
        (LARGER, False, f"… and d × {LARGER:g}"),
        (LARGER, True, f"… and d × {LARGER:g}, the other way"),
    ):
        counts: Means = dict.fromkeys(PAIR_TESTS, 0.0)
        values: Means = dict.fromkeys(PAIR_TESTS, 0.0)
        for first, second in PAIRS:
            a, b = (second, first) if turned else (first, second)
            name = f"table7 {label} {first} {second}"
            for test, p in study.measure_pair(bias, a, b, name, times=times).items():
                pvalues = p / 2 if test in ONE_SIDED else p
                counts[test] += DRAWS * float((pvalues <= LEVEL).mean()) / len(PAIRS)
                values[test] += float(pvalues.mean()) / len(PAIRS)
        rows.append(_row(label, counts, values))
    return rows


def _average(values: dict[str, Any]) -> Means:
    return {test: float(np.mean(each)) for test, each in values.items()}


def _list(means: Means) -> str:
    return ", ".join(f"{test} {value:.3f}" for test, value in means.items())


def _row(label: str, counts: Means, pvalues: Means) -> tuple[str, ...]:
    cells = (f"{count:.0f}" for count in counts.values())
    return (label, *cells, *(f"{p:.3f}" for p in pvalues.values()))
