"""An answer as a part of a page: the report's own sections, with the guards after the verdict."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from twofold.comparison import Comparison, Comparisons
from twofold.page.list_guards import list_guards
from twofold.page.offer_choices import list_metrics, offer_choices
from twofold.page.page_jobs import AnswerPart
from twofold.plots import pictures_for
from twofold.plots.comparison_plots import PICTURES
from twofold.report.html import view_comparison
from twofold.report.html_metrics import view_metrics
from twofold.report.rendering import Section, open_environment

GUARDS = Section("guards", "Can you trust it?")


def make_part(
    answer: Comparison | Comparisons, highlight: tuple[str, ...] = (), *, predicted: bool = False
) -> AnswerPart:
    """Return an answer for the page; ``predicted`` where it scored predictions itself."""
    if isinstance(answer, Comparisons):
        answers = list(answer.values())
        template, view = "comparisons.html", view_metrics(answer, highlight=highlight)
        view["answers"] = [
            (section, _add_guards(each, comparison))
            for (section, each), comparison in zip(view["answers"], answers, strict=True)
        ]
    else:
        answers = [answer]
        template = "answer.html"
        view = _add_guards(view_comparison(answer, highlight=highlight), answer)
    first = answers[0]
    kinds = [kind for kind in pictures_for(first) if all(kind in pictures_for(a) for a in answers)]
    if find_spec("matplotlib") is None:
        kinds = []
    return AnswerPart(
        verdict=answer.verdict,
        body=open_templates().get_template(template).render(view=view, heading=1),
        pictures=tuple((kind, PICTURES[kind].title) for kind in kinds),
        has_table=len(first.datasets) > 1,
        choices=offer_choices(
            first.learners, (), list_metrics(answer), first.datasets, predicted=predicted
        ),
    )


def _add_guards(view: dict[str, Any], c: Comparison) -> dict[str, Any]:
    """Put the list of guards in front, in place of the warnings that it repeats."""
    repeated = ("trust", "omissions")
    sections = [section for section in view["sections"] if section.name not in repeated]
    return view | {"guards": list_guards(c), "sections": [GUARDS, *sections]}


@lru_cache
def open_templates() -> Any:
    """Return the templates of reports and of the page."""
    return open_environment("twofold.page")
