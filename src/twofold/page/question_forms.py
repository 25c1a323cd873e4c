"""The last step of the walk: an example that opens as a form, or the line that runs learners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from twofold.page.page_jobs import WalkStep

EXAMPLES: dict[int, tuple[str, dict[str, str]]] = {
    1: ("classifier.csv", {"predictions": "yes"}),
    2: ("folds.csv", {"only": "nb"}),
    3: ("classifiers.csv", {"predictions": "yes"}),
    4: ("folds.csv", {"only": "nb,c45"}),
    6: ("folds.csv", {"only": "nb"}),
    8: ("folds.csv", {"only": "nb,c45"}),
    9: ("scores.csv", {"only": "C4.5,C4.5+m"}),
}
"""For each question the example whose form asks it, with its options."""

LEARNERS = {5: "nb", 7: "nb c45"}
"""For questions that are answered by running learners, which the page does not: those to name."""


@dataclass(frozen=True)
class LeafView:
    """What the page shows at the end of the walk."""

    number: int
    test: str
    title: str
    question: str
    example: str
    query: str
    learners: str


def view_leaf(step: WalkStep, keys: dict[str, str]) -> LeafView | None:
    """Return what is shown at a question, None before there is one."""
    if not step.number:
        return None
    example, options = EXAMPLES.get(step.number, ("", {}))
    query = urlencode({"table": keys[example], **options}) if example else ""
    learners = LEARNERS.get(step.number, "")
    return LeafView(step.number, step.test, step.title, step.question, example, query, learners)


def join_steps(path: list[str], *more: Any) -> str:
    """Return the query of the address at which one has come so far."""
    return urlencode([("step", text) for text in [*path, *more]])
