"""What varies in a study, so that lines can be drawn against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twofold.designs import parse_design
from twofold.studies import Finding, Findings
from twofold.studies.findings_table import label, label_of

SOURCE_WORDS = {"q": "q of the source", "p": "chance of class 1"}


@dataclass(frozen=True, slots=True)
class Axis:
    """Values along which findings stand: what they are, and what stays the same on a line."""

    name: str
    words: str
    of: Callable[[Finding], float]
    line: Callable[[Finding], str] = label
    log: bool = False

    def panel(self, row: Finding) -> tuple[str, int, float]:
        """Return what a finding shares with the others in its panel."""
        source = "" if self.name in ("source", "difference") else row.source
        return source, 0 if self.name == "rows" else row.rows, row.alpha


def axis_of(found: Findings) -> Axis | None:
    """Return what varies, None where there is one point only."""
    sources = list(dict.fromkeys(row.source for row in found.rows))
    sizes = sorted({row.rows for row in found.rows})
    if len(sources) > 1:
        return _by_parameter(sources) or _by_difference(found)
    if len(sizes) > 1:
        wide = sizes[-1] / sizes[0] >= 5
        return Axis("rows", "rows of a data set", lambda row: float(row.rows), log=wide)
    places: dict[tuple[str, float], list[int]] = {}
    for row in found.rows:
        places.setdefault((_without_runs(row), row.alpha), []).append(_runs(row))
    if any(len(set(runs)) > 1 for runs in places.values()):
        return Axis("runs", "runs", lambda row: float(_runs(row)), _without_runs)
    return None


def _runs(row: Finding) -> int:
    return parse_design(row.design).runs


def _without_runs(row: Finding) -> str:
    design = parse_design(row.design)
    if design.kind in ("folds", "halves"):
        return f"{label_of(row.test, '')}, {design.parts} folds"
    return f"{label_of(row.test, '')}, {float(design.share):.2g} tested"


def _parameters(source: str) -> dict[str, str]:
    """Return what stands behind the name of a source: "task1:q=0.3" has q, "epsilon:0.3" itself."""
    kind, *parts = source.split(":")
    apart = [part.partition("=") for part in parts]
    return {name if equals else kind: value if equals else name for name, equals, value in apart}


def _by_parameter(sources: Sequence[str]) -> Axis | None:
    """Return the one number in which sources differ."""
    if len({source.split(":")[0] for source in sources}) > 1:
        return None
    known = [_parameters(source) for source in sources]
    names = {name for one in known for name in one}
    varying = [name for name in names if len({one.get(name) for one in known}) > 1]
    if len(varying) != 1 or varying[0] in ("seed", "delta", "strength"):
        return None
    name = varying[0]
    try:
        values = {source: float(one[name]) for source, one in zip(sources, known, strict=True)}
    except (KeyError, ValueError):
        return None
    words = SOURCE_WORDS.get(name, f"{name} of the source")
    return Axis("source", words, lambda row: values[row.source])


def _by_difference(found: Findings) -> Axis:
    """Return the achieved difference of accuracy, in the direction in which it is larger."""
    a, b = found.learners
    total = sum(row.difference.value for row in found.rows)
    sign, first, second = (1, a, b) if total >= 0 else (-1, b, a)
    words = f"difference of accuracy, {first} − {second}"
    return Axis("difference", words, lambda row: sign * row.difference.value)
