"""What the form offers: names of the table, and the tests and adjustments that may fit it."""

from __future__ import annotations

from twofold.comparison import Comparison, Comparisons
from twofold.escapes import make_visible
from twofold.page.page_jobs import Choices
from twofold.stats import catalog
from twofold.stats.sample_metrics import OF_LABELS, OF_NUMBERS, OF_SCORES

MOST_NAMES = 400
"""Names in a list to choose from."""

STANDINGS = ("recommended", "acceptable", "unsafe")


def list_metrics(answer: Comparison | Comparisons) -> tuple[str, ...]:
    """Return the metrics of the table that an answer is about, those that were read first."""
    if isinstance(answer, Comparisons):
        others = [name for each in answer.values() if each.scores for name in each.scores.metrics]
        return tuple(dict.fromkeys([*answer, *others]))
    return () if answer.scores is None else answer.scores.metrics


def offer_choices(
    learners: tuple[str, ...],
    columns: tuple[str, ...],
    metrics: tuple[str, ...],
    datasets: tuple[str, ...],
    *,
    predicted: bool = False,
) -> Choices:
    """Return what can be chosen for a table with these names, or for predictions."""
    group = "several data sets" if len(datasets) > 1 else "one data set"
    tests = [each for each in catalog() if each.group == group and each.role != "omnibus"]
    tests.sort(key=lambda each: STANDINGS.index(each.standing))
    adjustments = [each for each in catalog() if each.group == "adjustment"]
    return Choices(
        learners=learners[:MOST_NAMES],
        # Names with control characters can be written in an address, but not be shown.
        columns=tuple(name for name in columns if make_visible(name) == name)[:MOST_NAMES],
        metrics=metrics[:MOST_NAMES],
        computed_metrics=(*OF_LABELS, *OF_SCORES, *OF_NUMBERS) if predicted else (),
        tests=tuple((each.name, f"{each.title} ({each.standing})") for each in tests),
        adjustments=tuple((each.name, each.short) for each in adjustments),
    )
