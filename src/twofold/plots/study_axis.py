"""What varies in a study, so that lines can be drawn against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twofold.designs import parse_design
from twofold.rounding import number
from twofold.studies import Finding, Findings
from twofold.studies.findings_table import label, label_of

SOURCE_WORDS = {
    "q": "q of the source",
    "p": "probability of class 1",
    "a": "error rate of A",
    "b": "error rate of B",
    "disagree": "share of rows on which just one errs",
}


@dataclass(frozen=True, slots=True)
class Axis:
    """The values of an axis of findings: what they are, and what is constant along a line."""

    name: str
    words: str
    of: Callable[[Finding], float]
    line: Callable[[Finding], str] = label
    log: bool = False
    base: Callable[[Finding], str] | None = None  # the source that a panel is about

    def panel(self, row: Finding) -> tuple[str, int, float]:
        """Return what a finding shares with the others in its panel."""
        source = "" if self.name in ("source", "difference") else row.source
        if self.base is not None:
            source = self.base(row)
        return source, 0 if self.name == "rows" else row.rows, row.alpha


def find_axis(findings: Findings) -> Axis | None:
    """Return what varies, None where there is one point only."""
    sources = list(dict.fromkeys(row.source for row in findings.rows))
    sizes = sorted({row.rows for row in findings.rows})
    if len(findings.damage) > 1:
        return _vary_damage(findings)
    if len(sources) > 1:
        return _vary_parameter(sources) or _vary_difference(findings)
    if len(sizes) > 1:
        wide = sizes[-1] / sizes[0] >= 5
        return Axis("rows", "rows of a data set", lambda row: float(row.rows), log=wide)
    runs_of: dict[tuple[str, float], list[int]] = {}
    for row in findings.rows:
        runs_of.setdefault((_label_without_runs(row), row.alpha), []).append(_runs(row))
    if any(len(set(runs)) > 1 for runs in runs_of.values()):
        return Axis("runs", "runs", lambda row: float(_runs(row)), _label_without_runs)
    return None


def _runs(row: Finding) -> int:
    return parse_design(row.design).runs


def _label_without_runs(row: Finding) -> str:
    design = parse_design(row.design)
    if design.kind in ("folds", "halves"):
        return f"{label_of(row.test, '')}, {design.parts} folds"
    return f"{label_of(row.test, '')}, {number(float(design.share), 2)} tested"


def _parameters(source: str) -> dict[str, str]:
    """Return what follows the name of a source: "task1:q=0.3" has q, "epsilon:0.3" itself."""
    kind, *parts = source.split(":")
    apart = [part.partition("=") for part in parts]
    return {name if equals else kind: value if equals else name for name, equals, value in apart}


def _vary_parameter(sources: Sequence[str]) -> Axis | None:
    """Return the one number in which sources differ."""
    if len({source.split(":")[0] for source in sources}) > 1:
        return None
    parameters = [_parameters(source) for source in sources]
    names = {name for each in parameters for name in each}
    varying = [name for name in names if len({each.get(name) for each in parameters}) > 1]
    if len(varying) != 1 or varying[0] in ("seed", "delta", "strength"):
        return None
    name = varying[0]
    try:
        values = dict(zip(sources, (float(each[name]) for each in parameters), strict=True))
    except (KeyError, ValueError):
        return None
    words = SOURCE_WORDS.get(name, f"{name} of the source")
    return Axis("source", words, lambda row: values[row.source])


def _vary_difference(findings: Findings) -> Axis:
    """Return the achieved difference of accuracy, in the direction in which it is larger."""
    a, b = findings.learners
    total = sum(row.difference.value for row in findings.rows)
    sign, first, second = (1, a, b) if total >= 0 else (-1, b, a)
    words = f"difference of accuracy, {first} − {second}"
    return Axis("difference", words, lambda row: sign * row.difference.value)


def _vary_damage(findings: Findings) -> Axis:
    """Return the difference that damage opened, trained on all rows as Dietterich (1998) has it."""
    a, b = findings.learners
    steps = {(step.source, step.rows): step.difference.value for step in findings.damage}
    sign, first, second = (1, a, b) if sum(steps.values()) >= 0 else (-1, b, a)
    return Axis(
        "difference",
        f"difference of accuracy, {first} − {second}, trained on all rows",
        lambda row: sign * steps[row.source, row.rows],
        base=lambda row: row.source.rpartition(", ")[0],
    )
