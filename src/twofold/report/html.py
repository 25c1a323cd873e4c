"""A comparison as one HTML page, or as a piece of one for notebooks; both have the same parts."""

from __future__ import annotations

from typing import Any

from twofold.comparison import Comparison, Comparisons, Pair
from twofold.comparison.sentences import describe_secondary
from twofold.report import formatting
from twofold.report.next_calls import suggest_calls, suggest_options
from twofold.report.paragraphs import list_citations, write_methods, write_results
from twofold.report.pictures import draw_pictures
from twofold.report.rendering import render_element, render_page
from twofold.report.score_table import ScoreTable, find_bars, shows_groups, tabulate_scores
from twofold.stats import papers

MOST_PAIRS = 1300
"""Rows of pairs on a page: all of 50 learners. More would be slow, and nobody reads them."""

FEWER_PAIRS = 400

MOST_OPEN = 45
"""Pairs of ten learners. With more, a page shows the first of them, and folds the others away."""

FIRST_PAIRS = 20


def html(c: Comparison | Comparisons) -> str:
    """Return the comparison as a self-contained HTML page."""
    if isinstance(c, Comparisons):
        from twofold.report.html_metrics import write_metrics_page

        return write_metrics_page(c)
    return render_page("comparison.html", c.verdict, **collect_facts(c))


def fragment(c: Comparison | Comparisons, *, heading: int = 3) -> str:
    """Return the comparison as an element that brings its own styles and touches nothing else."""
    if isinstance(c, Comparisons):
        from twofold.report.html_metrics import write_metrics_element

        return write_metrics_element(c, heading)
    return render_element("comparison.html", heading, **collect_facts(c))


def collect_facts(c: Comparison) -> dict[str, Any]:
    """Return what the template of a comparison shows."""
    scores = tabulate_scores(c)
    drawn, left_out = draw_pictures(c)
    pairs = formatting.select_pairs(c, MOST_PAIRS if len(c.pairs) <= MOST_PAIRS else FEWER_PAIRS)
    adjustments = formatting.list_adjustments(c)
    crowded = len(c.pairs) > MOST_OPEN
    first_pairs = formatting.select_pairs(c, FIRST_PAIRS) if crowded else []
    listed = "All" if len(pairs) == len(c.pairs) else f"{len(pairs)} of"
    return {
        "c": c,
        "crowded": crowded,
        "method": formatting.describe_method(c),
        "notes": formatting.sort_notes(c),
        "omnibus": formatting.tabulate_omnibus(c),
        "below_omnibus": formatting.describe_omnibus(c),
        "pictures": drawn,
        "pictures_left_out": left_out,
        "scores": scores,
        "scores_caption": _caption_scores(c, scores),
        "score_bars": find_bars(c),
        "letters": formatting.assign_letters(c) if shows_groups(c) else {},
        "first_pairs": [(pair, "") for pair in first_pairs],
        "pairs_summary": f"{listed} {len(c.pairs)} pairs",
        "pairs": [(pair, _list_p(pair, adjustments)) for pair in pairs],
        "pairs_caption": _caption_pairs(c),
        "listed": {learner for pair in pairs for learner in (pair.a, pair.b)},
        "adjustments": adjustments,
        "repeats": any(pair.repeats is not None for pair in c.pairs),
        "beside": _describe_secondary(c),
        "methods": write_methods(c),
        "results": write_results(c),
        "references": [papers()[key] for key in list_citations(c)],
        "next_calls": [
            *(call for call in suggest_options(c) if "--report" not in call[0]),
            ('twofold.report.save_report(answer, "report.tex")', "for a paper, with a .bib"),
        ],
        "python_calls": suggest_calls(c),
    }


def _caption_scores(c: Comparison, scores: ScoreTable) -> str:
    parts = [f"{scores.title}: {scores.reading}", formatting.describe_critical_difference(c)]
    sentences = [f"{part[0].upper()}{part[1:]}." for part in parts if part]
    sentences += [scores.explanation, formatting.SHARED_LETTER * shows_groups(c)]
    return " ".join(sentence for sentence in sentences if sentence)


def _caption_pairs(c: Comparison) -> str:
    caption = f"a − b: {formatting.describe_estimate(c)}. Wins, ties and losses are those of a."
    if any(pair.interval is not None for pair in c.pairs) and c.adjustment is not None:
        caption += f" Intervals are {formatting.describe_intervals(c)}."
    if any(pair.repeats is not None for pair in c.pairs):
        again = "other data sets alike decide"
        if len(c.datasets) == 1:
            again = "another random split of the data decides"
        caption += f" Repeats: the predicted probability that {again} the same."
    return caption


def _list_p(pair: Pair, adjustments: list[str]) -> str:
    """Return the p value without adjustment and with each, for scripts to choose from."""
    if not adjustments or pair.pvalue is None:
        return ""
    values = [pair.pvalue, *(pair.adjusted.get(name, pair.pvalue) for name in adjustments)]
    return " ".join(map(_shorten_p, values))


def _shorten_p(p: float) -> str:
    """Return a p value as the page shows it, in fewer letters: ".031", 0 for less than .001."""
    return f"{p:.3f}".strip("0").rstrip(".") if p >= 0.001 else "0"


def _describe_secondary(c: Comparison) -> list[tuple[str, str]]:
    return [
        (name, f"{first}. {'; '.join(rest)}." if rest else first)
        for name, (first, *rest) in describe_secondary(c.pairs)
    ]
