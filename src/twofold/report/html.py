"""A comparison as one HTML page, or as a piece of one for notebooks; both have the same parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twofold import __version__
from twofold.comparison import Comparison, Comparisons, Pair
from twofold.comparison.sentences import describe_secondary
from twofold.comparison.wording import describe_intervals
from twofold.provenance_record import Provenance
from twofold.report import formatting
from twofold.report.bibtex import bibtex
from twofold.report.class_table import TITLE, explain_classes, tabulate_classes
from twofold.report.day import format_day
from twofold.report.headline import make_cards
from twofold.report.latex import tabulate_learners, tabulate_pairs, write_paragraphs
from twofold.report.next_calls import suggest_next
from twofold.report.paragraphs import list_citations, write_methods, write_results
from twofold.report.pictures import draw_pictures, limit_source
from twofold.report.provenance_text import list_provenance
from twofold.report.rank_set_text import describe_other_sets, shows_rank_sets
from twofold.report.rendering import Section, list_notes, make_prefix, render_element, render_page
from twofold.report.results_table import tabulate_for_report
from twofold.report.results_writers import MOST_HEADS, view_table
from twofold.report.score_table import ScoreTable, find_bars, shows_groups, tabulate_scores
from twofold.stats import papers

MOST_PAIRS = 1300
"""Rows of pairs on a page: all of 50 learners. More would be slow, and nobody reads them."""

FEWER_PAIRS = 400

MOST_OPEN = 50
"""With more pairs, a page shows the first of them, and folds the others away."""

FIRST_PAIRS = 20

MOST_ROWS = 30
"""Rows of a results table that is not folded away."""


def html(c: Comparison | Comparisons) -> str:
    """Return the comparison as a self-contained HTML page."""
    if isinstance(c, Comparisons):
        from twofold.report.html_metrics import view_metrics

        return render_page("comparisons.html", c.verdict, view=view_metrics(c))
    return render_page("answer.html", c.verdict, view=view_comparison(c))


def fragment(c: Comparison | Comparisons, *, heading: int = 3) -> str:
    """Return the comparison as an element that brings its own styles and touches nothing else."""
    if isinstance(c, Comparisons):
        from twofold.report.html_metrics import view_metrics

        prefix = make_prefix(*c.metrics, c.alpha, c.across_metrics, *c.verdicts.values())
        return render_element("comparisons.html", heading, view=view_metrics(c, prefix))
    options = (c.alpha, c.control, c.rope, c.alternative)
    prefix = make_prefix(c.learners, c.datasets, c.metric, c.method, c.verdict, *options)
    return render_element("answer.html", heading, view=view_comparison(c, prefix))


def view_comparison(
    c: Comparison, prefix: str = "", *, contents: bool = True, highlight: Sequence[str] = ()
) -> dict[str, Any]:
    """Return all that the template of a comparison shows.

    Parameters
    ----------
    prefix : str
        Begins every name that can be linked to: pages with several comparisons need one for each.
    contents : bool
        Whether a list of contents stands below the strip.
    highlight : names
        Learners to emphasise in pictures.
    """
    # A page has room for one of them.
    scores = tabulate_scores(c, ["median"] if shows_rank_sets(c) else [])
    drawn, left_out = draw_pictures(c, prefix, highlight)
    beside = _describe_secondary(c)
    notes = list_notes(c.notes)
    sections = [
        *(section for section in notes if section.name != "remarks"),
        Section("scores", "Scores"),
        Section("classes", TITLE, bool(c.class_scores)),
        Section("table", "Results on each data set", len(c.datasets) > 1),
        Section("pictures", "Pictures", bool(drawn or left_out)),
        Section("omnibus", "Any difference at all?", bool(c.omnibus)),
        Section("pairs", "Pairs" if len(c.pairs) > 1 else "The pair", bool(c.pairs)),
        Section("beside", "More about the pair", bool(beside)),
        Section("paper", "For the paper"),
        *(section for section in notes if section.name == "remarks"),
        Section("next", "Next steps"),
        Section("origin", "How this was made"),
    ]
    return {
        "c": c,
        "question": c.question,
        "verdict": c.verdict,
        "prefix": prefix,
        "contents": contents,
        "sections": [section for section in sections if section.is_filled],
        "cards": make_cards(c),
        "scope": _describe_scope(c),
        "omnibus": formatting.tabulate_omnibus(c),
        "below_omnibus": formatting.describe_omnibus(c),
        "crowded": len(c.pairs) > MOST_OPEN,
        "pictures": drawn,
        "pictures_left_out": left_out,
        "scores": scores,
        "scores_caption": _caption_scores(c, scores),
        "score_bars": find_bars(c),
        "classes": tabulate_classes(c) if c.class_scores else ([], []),
        "classes_caption": explain_classes(c) if c.class_scores else "",
        **_view_table(c),
        "letters": formatting.assign_letters(c) if shows_groups(c) else {},
        **_view_pairs(c),
        "beside": beside,
        "latex": {
            "paper": write_paragraphs(c),
            "references": bibtex(c),
            "scores": limit_source(tabulate_learners(c)),
            "pairs": "" if len(c.pairs) > MOST_OPEN else limit_source(tabulate_pairs(c)),
        },
        "methods": write_methods(c),
        "results": write_results(c),
        "references": [papers()[key] for key in list_citations(c)],
        "next_calls": [call for call in suggest_next(c) if "report.html" not in call[0]],
        "origin": [("date", format_day()), *_list_origin(c)],
    }


def _view_table(c: Comparison) -> dict[str, Any]:
    table = tabulate_for_report(c)
    folded = len(c.datasets) > MOST_ROWS or len(c.learners) > MOST_HEADS
    return {"table": None} if table is None else view_table(table, folded=folded)


def _list_origin(c: Comparison) -> list[tuple[str, str]]:
    """Return what the answer was made from; one without a record has version and seed."""
    return list_provenance(c.provenance or Provenance(__version__, c.seed))


def _describe_scope(c: Comparison) -> str:
    """Return what was compared, and how the verdict was reached."""
    several = len(c.datasets) > 1
    datasets = f"{len(c.datasets)} data sets" if several else c.datasets[0]
    if c.items is not None:
        datasets = formatting.describe_material(c)
    direction = "higher" if c.higher_is_better else "lower"
    metric, method = formatting.describe_metric(c), formatting.describe_method(c)
    return f"{formatting.count_learners(c)}, {datasets}; {metric}, {direction} is better; {method}"


def _view_pairs(c: Comparison) -> dict[str, Any]:
    pairs = formatting.select_pairs(c, MOST_PAIRS if len(c.pairs) <= MOST_PAIRS else FEWER_PAIRS)
    adjustments = formatting.list_adjustments(c)
    first_pairs = formatting.select_pairs(c, FIRST_PAIRS) if len(c.pairs) > MOST_OPEN else []
    listed = "All" if len(pairs) == len(c.pairs) else f"{len(pairs)} of"
    return {
        "first_pairs": [(pair, "") for pair in first_pairs],
        "pairs_summary": f"{listed} {len(c.pairs)} pairs" if len(c.pairs) > 1 else "The pair",
        "pairs": [(pair, _list_p(pair, adjustments)) for pair in pairs],
        "pairs_caption": _caption_pairs(c),
        "listed": {learner for pair in pairs for learner in (pair.a, pair.b)},
        "adjustments": adjustments,
        "repeats": formatting.shows_repeats(c.pairs),
    }


def _caption_scores(c: Comparison, scores: ScoreTable) -> str:
    parts = [f"{scores.title}: {scores.reading}", formatting.describe_critical_difference(c)]
    sentences = [f"{part[0].upper()}{part[1:]}." for part in parts if part]
    sentences += [scores.explanation, describe_other_sets(c)]
    sentences.append(formatting.SHARED_LETTER * shows_groups(c))
    return " ".join(sentence for sentence in sentences if sentence)


def _caption_pairs(c: Comparison) -> str:
    caption = f"a − b: {formatting.describe_estimate(c)}. Wins, ties and losses are those of a."
    if any(pair.interval is not None for pair in c.pairs) and c.adjustment is not None:
        caption += f" Intervals are {describe_intervals(c)}."
    return f"{caption} {formatting.explain_repeats(c, c.pairs)}".strip()


def _list_p(pair: Pair, adjustments: list[str]) -> str:
    """Return the p value without adjustment and with each, for scripts to choose from."""
    alone = pair.pvalue_unadjusted
    if not adjustments or alone is None:
        return ""
    values = [alone, *(pair.adjusted.get(name, alone) for name in adjustments)]
    return " ".join(map(_shorten_p, values))


def _shorten_p(p: float) -> str:
    """Return a p value as the page shows it, in fewer letters: ".031", 0 for less than .001."""
    return formatting.format_p(p).rstrip("0").rstrip(".") if p >= 0.001 else "0"


def _describe_secondary(c: Comparison) -> list[tuple[str, str]]:
    return [
        (name, f"{first}. {'; '.join(rest)}." if rest else first)
        for name, (first, *rest) in describe_secondary(c.pairs)
    ]
