"""Dietterich (1998), section 5: two tables of errors that two tests judge differently."""

from __future__ import annotations

from typing import Any

from twofold import stats
from twofold.rounding import number, written
from twofold_papers.claim_verdicts import judge_exact
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import PrintedItem


def contingency(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Both tests on both tables."""
    tests = {name: _test(*cells) for name, cells in printed["tables"].items()}
    (left, right) = tests.values()
    differences = [abs(each["proportions"].estimate) for each in tests.values()]
    proportions = [each["proportions"].pvalue for each in tests.values()]
    statistics = [each["mcnemar"].statistic for each in tests.values()]
    corrected = [
        ((abs(n01 - n10) - 1) / (n01 + n10) ** 0.5) ** 2
        for _, n01, n10, _ in printed["tables"].values()
    ]
    rows = tuple(
        (
            name,
            written(each["proportions"].estimate, 2, plus=True),
            written(each["proportions"].pvalue, 4),
            written(each["mcnemar"].statistic, 3),
            number(each["mcnemar"].pvalue, 2),
            number(each["exact"].pvalue, 2),
            number(each["mid-p"].pvalue, 2),
        )
        for name, each in tests.items()
    )
    head = ("table", "accuracy A − B", "p, proportions", "McNemar's χ²", "p", "exact p", "mid-p")
    return ItemResult(
        claims=printed.judge(
            difference=judge_exact(
                all(abs(difference - 0.2) < 1e-9 for difference in differences),
                " and ".join(written(difference, 2) for difference in differences),
            ),
            identical=judge_exact(
                proportions[0] == proportions[1] and proportions[0] < 0.005,
                f"p = {written(proportions[0], 5)} in both",
            ),
            left=judge_exact(
                left["mcnemar"].pvalue > 0.05, f"p = {written(left['mcnemar'].pvalue, 3)}"
            ),
            right=judge_exact(
                right["mcnemar"].pvalue < 0.001, f"p = {number(right['mcnemar'].pvalue, 2)}"
            ),
            root=judge_exact(
                all(abs(a - b) < 1e-9 for a, b in zip(statistics, corrected, strict=True)),
                ", ".join(written(value, 3) for value in statistics),
            ),
        ),
        tables=(ResultTable("Both tests on both tables", head, rows),),
        trials="two tables of 100 test examples, computed exactly",
        remarks=printed.write_remarks(
            midp=written(left["mid-p"].pvalue, 3), chi2=written(left["mcnemar"].pvalue, 3)
        ),
    )


def _test(n00: int, n01: int, n10: int, n11: int) -> dict[str, Any]:
    n = n00 + n01 + n10 + n11
    return {
        "mcnemar": stats.mcnemar(n01, n10, n),
        "exact": stats.mcnemar(n01, n10, method="exact"),
        "mid-p": stats.mcnemar(n01, n10, method="midp"),
        "proportions": stats.proportions(n00 + n01, n00 + n10, n),
    }
