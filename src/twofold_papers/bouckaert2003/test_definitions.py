"""Bouckaert (2003), section 3: the tests of Table 1 on an example like that of Figure 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from twofold import stats
from twofold.rounding import written
from twofold_papers.bouckaert2003.calibrated_tests import FOLDED
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_exact
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import PrintedItem

Floats = NDArray[np.float64]
EXAMPLE = np.array([[3.0, -1.0, 2.0], [0.0, 4.0, 1.0], [2.0, 2.0, -2.0]]) / 10
"""Made up by us, 3 runs (rows) of 3 folds, since the numbers of Figure 1 are not in our copy."""
DF = 4.0


def table1(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Each test of ours against its definition, written out."""
    rows, agreeing = [], {}
    for test in FOLDED:
        samples, by_hand = GROUPS[test](EXAMPLE), write_out(test, EXAMPLE)
        result = stats.entry(test).load()(EXAMPLE, df=DF)
        agreeing[test] = bool(np.isclose(float(result.statistic), by_hand, rtol=1e-12))
        cells = "; ".join(" ".join(written(value, 3) for value in group) for group in samples)
        rows.append((test, cells, written(by_hand, 4), written(float(result.statistic), 4)))

    def judge(*tests: str) -> Verdict:
        return judge_all([judge_exact(agreeing[test], f"{test}: the same Z") for test in tests])

    example = " | ".join(" ".join(written(value, 1, plus=True) for value in row) for row in EXAMPLE)
    return ItemResult(
        claims=printed.judge(
            use_all=judge("use-all-data"),
            folds=judge("mean-folds"),
            runs=judge("mean-runs"),
            sorted=judge("mean-sorted-runs"),
            variance=judge(*(test for test in FOLDED if test.endswith("var"))),
            statistic=judge(*(test for test in FOLDED if test.endswith("-t"))),
        ),
        tables=(
            ResultTable(
                f"Three runs of three folds, made up: {example}. What each test takes from them, "
                f"its Z by the definition, and ours; df {DF:g}.",
                ("", "samples", "by definition", "ours"),
                tuple(rows),
            ),
        ),
        trials="one example, computed in two ways",
        remarks=printed.remarks,
    )


def _by_run(x: Floats) -> Floats:
    return x


def _by_fold(x: Floats) -> Floats:
    return x.T


def _by_order(x: Floats) -> Floats:
    return np.sort(x, axis=1).T


def _means(arrange: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    return lambda x: arrange(x).mean(axis=1)[None]


GROUPS: dict[str, Callable[[Floats], Floats]] = {
    "use-all-data": lambda x: x.reshape(1, -1),
    "mean-folds": _means(_by_run),
    "mean-runs": _means(_by_fold),
    "mean-sorted-runs": _means(_by_order),
    **{f"mean-folds-averaged-{kind}": _by_run for kind in ("var", "t")},
    **{f"mean-runs-averaged-{kind}": _by_fold for kind in ("var", "t")},
    **{f"mean-sorted-runs-averaged-{kind}": _by_order for kind in ("var", "t")},
}
"""The samples of each test: a row for each group whose variance or statistic is taken."""


def _from_samples(x: Floats) -> float:
    return float(x.mean() / np.sqrt(x.var(ddof=1) / (DF + 1)))


def _from_variances(groups: Floats) -> float:
    return float(groups.mean() / np.sqrt(groups.var(axis=1, ddof=1).mean() / (DF + 1)))


def _from_statistics(groups: Floats) -> float:
    return float(np.mean([_from_samples(group) for group in groups]))


def write_out(test: str, x: Floats) -> float:
    """Return the statistic of a test by its definition; the df sets the scale."""
    groups = GROUPS[test](x)
    if test.endswith("-var"):
        return _from_variances(groups)
    return _from_statistics(groups) if test.endswith("-t") else _from_samples(groups[0])
