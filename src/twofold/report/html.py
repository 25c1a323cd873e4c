"""A comparison as one HTML page, or as a piece of one for notebooks; both have the same parts."""

from __future__ import annotations

from typing import Any

from twofold.comparison import Comparison, Pair
from twofold.comparison.sentences import describe_secondary, percent
from twofold.comparison.wording import method_in_words
from twofold.report import formatting
from twofold.report.next_calls import for_python, for_terminal
from twofold.report.paragraphs import cited, methods, results
from twofold.report.pictures import draw_pictures
from twofold.report.rendering import render_element, render_page
from twofold.stats import entry, papers

MOST_PAIRS = 1300
"""Rows of pairs on a page: all of 50 learners. More would be slow, and nobody reads them."""

FEWER_PAIRS = 400


def html(c: Comparison) -> str:
    """Return the comparison as a self-contained HTML page."""
    return render_page("comparison.html", c.verdict, **_collect_facts(c))


def fragment(c: Comparison, *, heading: int = 3) -> str:
    """Return the comparison as an element that brings its own styles and touches nothing else."""
    return render_element("comparison.html", heading, **_collect_facts(c))


def _collect_facts(c: Comparison) -> dict[str, Any]:
    ranked_by, _, ranked = formatting.standing(c)
    drawn, left_out = draw_pictures(c)
    pairs = formatting.that_matter(c, MOST_PAIRS if len(c.pairs) <= MOST_PAIRS else FEWER_PAIRS)
    adjustments = formatting.adjustments(c)
    return {
        "c": c,
        "index": {learner: i for i, learner in enumerate(c.learners)},
        "method": _describe_method(c),
        "notes": formatting.notes(c),
        "below_omnibus": [formatting.uncorrected(c), _describe_omnibus_replicability(c)],
        "pictures": drawn,
        "pictures_left_out": left_out,
        "ranked_by": ranked_by,
        "ranked": ranked,
        "ranking_caption": _caption_ranking(c) if ranked else "",
        "letters": formatting.letters(c),
        "pairs": [(pair, _list_p(pair, adjustments)) for pair in pairs],
        "pairs_caption": _caption_pairs(c),
        "listed": {learner for pair in pairs for learner in (pair.a, pair.b)},
        "adjustments": adjustments,
        "repeats": any(pair.repeats is not None for pair in c.pairs),
        "beside": _describe_secondary(c),
        "methods": methods(c),
        "results": results(c),
        "references": [papers()[key] for key in cited(c)],
        "next_calls": [
            *(call for call in for_terminal(c) if "--report" not in call[0]),
            ('twofold.report.save_report(answer, "report.tex")', "for a paper, with a .bib"),
        ],
        "python_calls": for_python(c),
    }


def _describe_method(c: Comparison) -> str:
    text = f"{method_in_words(c.method)} at α = {c.alpha:g}. {c.reason}"
    if c.is_one_sided:
        names = (c.pairs[0].a, c.pairs[0].b) if len(c.pairs) == 1 else (str(c.control), "each")
        text += f" One-sided: tested only whether {formatting.direction_tested(c, *names)}."
    return text


def _describe_omnibus_replicability(c: Comparison) -> str:
    if not c.omnibus_replicability or c.omnibus_replicability.predicted is None:
        return ""
    share = percent(c.omnibus_replicability.predicted)
    test = entry(c.omnibus[-1].method).in_words
    return f"Chance that {test} on other data sets alike would decide the same: {share}."


def _caption_ranking(c: Comparison) -> str:
    _, reading, _ = formatting.standing(c)
    sentences = [reading, formatting.critical_difference(c)]
    caption = " ".join(f"{text[0].upper()}{text[1:]}." for text in sentences if text)
    if c.groups:
        caption += " Learners that share a letter could not be told apart."
    return caption


def _caption_pairs(c: Comparison) -> str:
    caption = f"a − b: {formatting.estimate_kind(c)}. Wins, ties and losses are those of a."
    if any(pair.interval is not None for pair in c.pairs) and c.adjustment is not None:
        caption += f" Intervals are {formatting.interval_kind(c)}."
    if any(pair.repeats is not None for pair in c.pairs):
        decides = "decides" if len(c.datasets) == 1 else "decide"
        caption += f" Repeats: the predicted chance that {formatting.repetition_kind(c)} {decides} "
        caption += "the same."
    return caption


def _list_p(pair: Pair, adjustments: list[str]) -> str:
    """Return the p value without adjustment and with each, for scripts to choose from."""
    if not adjustments or pair.pvalue is None:
        return ""
    values = [pair.pvalue, *(pair.adjusted.get(name, pair.pvalue) for name in adjustments)]
    return " ".join(f"{value:.4g}" for value in values)


def _describe_secondary(c: Comparison) -> list[tuple[str, str]]:
    return [
        (name, f"{first}. {'; '.join(rest)}." if rest else first)
        for name, (first, *rest) in describe_secondary(c.pairs)
    ]
