# ruff: noqa: RUF009 (each declaration is a field of its dataclass)
"""Every option of `plan`, declared once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from twofold.errors import InputError, suggest
from twofold.options import Option, Question, Reading, declare, options_of

SITUATIONS = {
    "items": "items of a test set: questions, images, prompts",
    "datasets": "data sets, with a score for each learner",
    "runs": "runs of a cross-validation on one data set",
    "seeds": "seeds of learners that are trained anew",
}
"""What can be planned, in words."""

EVERYWHERE = "items datasets runs seeds"
QUESTION = ("control", "alpha", "adjust", "seed")
READING = {
    "items": "metric drop higher_is_better items correct item cluster sample".split(),
    "datasets": "metric drop higher_is_better rows transpose".split(),
    "runs": "metric drop higher_is_better rows n_train n_test target positive task".split(),
    "seeds": [],
}
"""Options of `compare` that `plan` has too: those of the question, and how a pilot is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """What is planned: the difference that matters, how surely it is to be found, and by how many.

    Of n, power (or replicability) and the difference one is left open: it is the answer.
    """

    difference: float | None = declare(
        None,
        "the smallest difference that matters, in the metric's units",
        "items datasets runs",
        kind="number",
        metavar="X",
    )
    probability: float | None = declare(
        None,
        "how often a run of the better learner scores above one of the other, as 0.75",
        "seeds",
        kind="number",
        metavar="P",
    )
    n: int | None = declare(
        None, "as many as there are; then power is the answer", EVERYWHERE, kind="count",
        metavar="N",
    )  # fmt: skip
    power: float | None = declare(
        None,
        "how often the difference is to be found (0.8; of seeds 0.95)",
        EVERYWHERE,
        kind="number",
        metavar="P",
    )
    replicability: float | None = declare(
        None,
        "instead of power: how often two such experiments are to agree, as 0.9",
        EVERYWHERE,
        kind="number",
        metavar="P",
    )
    pilot: Any = declare(
        None,
        "a table that `compare` reads: spread is estimated from it",
        "items datasets runs",
        metavar="FILE",
    )
    sd: float | None = declare(
        None,
        "without a pilot: standard deviation of the differences of items, data sets or folds",
        "items datasets runs",
        kind="number",
        metavar="X",
    )
    discordant: float | None = declare(
        None,
        "without a pilot: share of items that just one of two learners gets right",
        "items",
        kind="number",
        metavar="SHARE",
    )
    cluster_size: float = declare(
        1.0, "items of a cluster, where they are drawn in clusters", "items", kind="number",
        metavar="N",
    )  # fmt: skip
    icc: float = declare(
        0.0,
        "correlation of the differences of items of a cluster, from 0 to 1",
        "items",
        kind="number",
        metavar="X",
    )
    samples: int = declare(
        1, "answers of each learner to an item", "items", kind="count", metavar="N"
    )
    sample_sd: float = declare(
        0.0,
        "standard deviation of a learner's answers to one item, which `sd` leaves out",
        "items",
        kind="number",
        metavar="X",
    )
    folds: int | None = declare(None, "folds of a run (10)", "runs", kind="count", metavar="K")
    test_share: float | None = declare(
        None,
        "of random splits instead of folds: share of the rows tested on, as 0.1",
        "runs",
        kind="number",
        metavar="X",
    )
    design: str = declare(
        "10x10", "what is run on each data set, for the cost", "datasets", metavar="D"
    )
    learners: Any = declare(
        None,
        "how many learners are compared (2), or their names",
        EVERYWHERE,
        kind="names",
        metavar="K",
    )
    data: Any = declare(
        None,
        "run the learners on it for a pilot: a file, or iris, wine, …",
        "runs",
        metavar="FILE",
    )
    budget: float | str | None = declare(
        None, "what may be spent: so many fits, or time as 90m or 5h", "datasets runs seeds",
        metavar="X",
    )  # fmt: skip
    store: Any = declare(
        None,
        "whose timings say how long it takes, and where a pilot is kept",
        "datasets runs seeds",
        metavar="FILE",
    )


def list_options(situation: str) -> tuple[list[Option], list[Option], list[Option]]:
    """Return the options of a situation: of planning, of the question, and of reading a pilot."""
    own = options_of(cast(Any, Planning), cast(Any, situation))
    question = [option for option in options_of(Question) if option.name in QUESTION]
    reading = [option for option in options_of(Reading) if option.name in READING[situation]]
    return own, question, reading


def check_situation(situation: object) -> str:
    """Refuse what cannot be planned."""
    if isinstance(situation, str) and situation in SITUATIONS:
        return situation
    raise InputError(
        f"What is planned must be {', '.join(list(SITUATIONS)[:-1])} or seeds, got {situation!r}.",
        suggest(situation, SITUATIONS, "Say what there are to be more of: `plan('items', …)`."),
    )


def refuse_misplaced(situation: str, keywords: Mapping[str, Any]) -> None:
    """Refuse options that another situation has."""
    fitting = {option.name for group in list_options(situation) for option in group}
    for group in (Planning, Question, Reading):
        for option in options_of(cast(Any, group)):
            name = option.name
            if name in fitting or name not in keywords or not option.is_given(keywords[name]):
                continue
            having = [
                s for s in SITUATIONS if any(name == o.name for g in list_options(s) for o in g)
            ]
            raise InputError(
                f"`{name}` does not belong to planning {situation}.",
                f"Leave it out, or plan {' or '.join(having)}.",
            )
