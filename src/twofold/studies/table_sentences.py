"""What a study of a table found, in sentences: which test says most, and says it again."""

from __future__ import annotations

from twofold.result import join_names
from twofold.stats.cards import format_rate
from twofold.studies.measures import Estimate
from twofold.studies.table_findings import BestTests, Group, TableFinding, TableFindings
from twofold.studies.table_procedures import Kind

MOST_NAMES = 4
"""Tests that a sentence names before it counts the rest."""

KINDS = {
    "pair": "tests of two learners",
    "omnibus": "tests for any difference",
    "pairs": "tests of pairs",
}


def summarize_table(findings: TableFindings) -> str:
    """Return the most important of all sentences."""
    answers = [describe_best(findings, best)[0] for best in list_answered(findings)]
    return " ".join(answers)


def list_answered(findings: TableFindings) -> list[BestTests]:
    """Return the groups that answer first: all learners, the first size and the first level."""
    first = findings.rows[0]
    most = max(row.learners for row in findings.rows)
    return [
        best
        for best in findings.best
        if (best.datasets, best.learners, best.alpha) == (first.datasets, most, first.alpha)
    ]


def describe_best(findings: TableFindings, best: BestTests) -> list[str]:
    """Return sentences on one group of tests: power, level, replicability."""
    group: Group = best.kind, best.datasets, best.learners, best.alpha
    tests = findings.group_rows()[group]
    sentences = [_name_strongest(findings, best, tests)]
    if best.erring:
        errors = [
            f"{label} ({format_rate(tests[label][0].type_one.value)})" for label in best.erring
        ]
        errs, them = ("errs", "it") if len(errors) == 1 else ("err", "them")
        sentences.append(
            f"Where learners are exchanged at random, {_join(errors)} {errs} more often than α = "
            f"{format_alpha(best.alpha)} allows, so that rejections by {them} are no evidence."
        )
    return sentences + _name_most_replicable(best, tests)


def _name_strongest(
    findings: TableFindings, best: BestTests, tests: dict[str, list[TableFinding]]
) -> str:
    tests_of = name_tests(findings, best.kind)
    kind = f"{tests_of} on {best.datasets} of {len(findings.datasets)} data sets"
    if not best.strongest:
        return f"All {len(tests)} {kind} err too often where learners are exchanged at random."
    assert best.rejected is not None
    which = f"Of the {len(tests)} {kind}"
    if best.erring:
        which = f"Of the {len(tests) - len(best.erring)} {kind} that keep their level"
    if best.rejected.value == 0:
        return f"{which} none rejects in any draw at α = {format_alpha(best.alpha)}."
    first, *alike = best.strongest
    rows = tests[first]
    unit = "of the draws"
    verb = "rejects most often"
    if best.kind == "pairs":
        verb = "tells most pairs apart"
        unit = "of the pairs"
        if findings.pair is not None:
            verb = f"most often tells {' and '.join(findings.pair)} apart"
            unit = "of the draws"
    over = ""
    if len(rows) > 1:
        biases = f"{rows[0].bias:g} to {rows[-1].bias:g}"
        over = f" on average over the biases {biases}"
    text = f"{which} {first} {verb}: in {format_estimate(best.rejected)} {unit}{over}"
    if alike:
        text += f"; on these draws it cannot be told from {_join(alike)}"
    return f"{text}."


def name_tests(findings: TableFindings, kind: Kind) -> str:
    """Return what tests of a kind are called."""
    if kind == "pairs" and findings.control is not None:
        return f"tests against {findings.control}"
    return KINDS[kind]


def _name_most_replicable(best: BestTests, tests: dict[str, list[TableFinding]]) -> list[str]:
    by_e, by_p = best.most_replicable, best.most_replicable_p
    if by_e is None or by_p is None or len(tests) - len(best.erring) < 2:
        return []
    caution = "a test that rejects less often agrees with itself more easily"
    if by_e == by_p:
        return [f"{by_p} has the highest replicability, R(p) and R(e); {caution}."]
    return [
        f"R(p), by p values, is highest for {by_p}, and R(e), by rejections, for {by_e}; {caution}."
    ]


def _join(names: list[str]) -> str:
    if len(names) > MOST_NAMES + 1:
        names = [*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} others"]
    return join_names(names)


def format_estimate(rate: Estimate) -> str:
    """Return a rate with its interval."""
    low, high = max(rate.low, 0.0), min(rate.high, 1.0)
    return f"{format_rate(rate.value)} ({format_rate(low)} to {format_rate(high)})"


def format_alpha(alpha: float) -> str:
    """Return a level as papers write it: .05."""
    return f"{alpha:.4g}".removeprefix("0")


def describe_bias(findings: TableFindings) -> str:
    """Return which data sets a bias prefers."""
    from twofold.studies.table_contrast import REST

    better = f"{findings.favoured} does better than {findings.over or REST}"
    return (
        f"The larger the bias k, the more draws prefer data sets on which {better} "
        f"({findings.unit})."
    )
