"""A comparison as LaTeX to put into a paper: paragraphs with citations, tables, the diagram."""

from __future__ import annotations

from twofold import __version__, plots
from twofold.comparison import Comparison, Comparisons
from twofold.comparison.wording import count_items, describe_intervals
from twofold.errors import InputError
from twofold.escapes import escape_latex
from twofold.plots.picture_caption import make_caption
from twofold.plots.rank_tikz import arrange_tikz, write_tikz
from twofold.report import formatting
from twofold.report.citing import write_citations
from twofold.report.class_table import explain_classes, tabulate_classes
from twofold.report.latex_letters import declare_letters
from twofold.report.latex_text import write_latex
from twofold.report.methods_text import describe_methods
from twofold.report.results_latex import write_float_of_results
from twofold.report.results_table import tabulate_for_report
from twofold.report.results_text import describe_results
from twofold.report.score_table import shows_groups, tabulate_scores

MOST_PAIRS = 40
MOST_DRAWN = 40
WIDTH = 4.7  # inches: the text of an article; wider columns centre it


def latex(c: Comparison | Comparisons, *, bibliography: str = "references") -> str:
    r"""Return the comparison as LaTeX for ``\input``; the comments on top say what it needs."""
    if isinstance(c, Comparisons):
        from twofold.report.latex_metrics import write_metrics_latex

        return write_metrics_latex(c, bibliography)
    diagram = draw_diagram(c)
    needs = ["booktabs", "textcomp", "graphicx", *(["tikz"] if diagram else [])]
    head = [
        f"% Made by twofold {__version__}. Put it into a paper with \\input. In the preamble:",
        "%   \\usepackage[T1]{fontenc}",
        *(f"%   \\usepackage{{{name}}}" for name in needs),
        f"% and where the references go: \\bibliographystyle{{plain}} "
        f"\\bibliography{{{bibliography}}}",
        f"% ({bibliography}.bib is written beside the .tex file of a report)",
    ]
    head += declare_letters((*c.learners, *c.datasets))
    parts = [
        "\n".join(head),
        write_paragraphs(c),
        diagram,
        tabulate_learners(c),
        _tabulate_classes(c),
        write_float_of_results(tabulate_for_report(c)),
        tabulate_pairs(c),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_paragraphs(c: Comparison) -> str:
    """Return how the learners were compared, and what was found."""
    methods, results = map(write_paragraph, (describe_methods(c), describe_results(c)))
    return f"\\paragraph{{Statistical comparison.}} {methods}\n\n\\paragraph{{Results.}} {results}"


def write_paragraph(text: str) -> str:
    r"""Return text with ``\cite`` where papers are cited."""
    # Long names may be broken at their underscores.
    breakable = write_latex(text).replace(r"\_", r"\_\allowbreak{}")
    return write_citations(breakable, lambda keys: rf"~\cite{{{','.join(keys)}}}")


def write_float(kind: str, caption: str, label: str, body: str) -> str:
    """Return a figure or a table that finds its own place."""
    words = [rf"\caption{{{caption}}}", rf"\label{{{label}}}"]
    # A figure's caption stands below it, a table's above, with a little air.
    inner = [body, *words] if kind == "figure" else [*words, r"\smallskip", body]
    return "\n".join([rf"\begin{{{kind}}}[tbp]", r"\centering", *inner, rf"\end{{{kind}}}"])


def write_table(columns: str, header: list[str], rows: list[list[str]]) -> str:
    """Return rows as a table with rules; cells are escaped, the header is LaTeX."""
    lines = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\toprule"]
    lines.append(" & ".join(header) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(map(escape_latex, row)) + r" \\" for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    # Shrunk where it would be wider than the text, and only there.
    fit = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
    return "\n".join([fit, *lines[:-1], lines[-1] + "}"])


def draw_diagram(c: Comparison) -> str:
    """Return the diagram of mean ranks as a figure; nothing where there is none."""
    if not c.mean_ranks or len(c.mean_ranks) > MOST_DRAWN:
        return ""
    try:
        drawing = arrange_tikz(plots.rank_facts(c), WIDTH)
    except InputError:
        return ""  # a name that cannot be drawn, such as one of two lines
    caption = "Estimated mean ranks" if c.ranks_are == "estimated" else "Mean ranks"
    words = write_latex(make_caption(caption, drawing.caption).sentence)
    return write_float("figure", words, "fig:ranks", write_tikz(drawing).strip())


def tabulate_learners(c: Comparison) -> str:
    """Return what the learners scored as a table."""
    scores = tabulate_scores(c)
    header = ["learner", *map(escape_latex, scores.columns)]
    columns = [c.ranking, *scores.columns.values()]
    if shows_groups(c):
        letters = formatting.assign_letters(c)
        header.append("group")
        columns.append([letters[learner] for learner in c.ranking])
    rows = [list(row) for row in zip(*columns, strict=True)][:MOST_PAIRS]
    sets = f"over {len(c.datasets)} data sets" if len(c.datasets) > 1 else f"on {c.datasets[0]}"
    if c.items is not None:
        sets = f"on {count_items(c)}"
    caption = f"{scores.title} {sets} ({scores.reading}). {scores.explanation}".strip()
    if shows_groups(c):
        caption += f" {formatting.SHARED_LETTER}"
    if len(c.ranking) > len(rows):
        caption += f" The best {len(rows)} of {len(c.ranking)} learners."
    shape = "l" + "r" * len(scores.columns) + "l" * shows_groups(c)
    table = write_table(shape, header, rows)
    return write_float("table", escape_latex(caption), "tab:ranks", table)


def _tabulate_classes(c: Comparison) -> str:
    """Return recall and precision of each class as a table; nothing where there are none."""
    if not c.class_scores:
        return ""
    header, rows = tabulate_classes(c)
    caption = f"Each class, on {c.datasets[0]}. {explain_classes(c)}"
    if len(rows) > MOST_PAIRS:
        caption += f" The {MOST_PAIRS} most frequent of {len(rows)} classes."
    table = write_table("lrrrrr", list(map(escape_latex, header)), rows[:MOST_PAIRS])
    return write_float("table", escape_latex(caption), "tab:classes", "\\small\n" + table)


def tabulate_pairs(c: Comparison) -> str:
    """Return the pairs as a table; nothing where there is none."""
    if not c.pairs:
        return ""
    pairs = formatting.select_pairs(c, MOST_PAIRS)
    repeats = formatting.shows_repeats(pairs)
    intervals = any(formatting.format_interval(pair) != "—" for pair in pairs)
    decimals = formatting.count_decimals(pairs)
    rows = [
        [
            pair.a,
            pair.b,
            *formatting.tabulate_pair(
                pair, pair.better, decimals, intervals=intervals, repeats=repeats
            ),
        ]
        for pair in pairs
    ]
    columns = "llr" + "r" * intervals + "rcl" + "r" * repeats
    header = ["$a$", "$b$", "$a-b$"]
    header += [escape_latex(f"{c.pair_interval_level} interval")] * intervals
    header += ["$p$", "w/t/l", "better"] + ["repeats"] * repeats
    caption = f"Pairs of learners: $a-b$ is the {escape_latex(formatting.describe_estimate(c))}; "
    adjusted = "not adjusted"
    if c.adjustment is not None:
        adjusted = f"adjusted ({escape_latex(formatting.name_adjustment(c))})"
    caption += f"$p$ is {adjusted}; w/t/l counts wins, ties and losses of $a$."
    if intervals and c.adjustment is not None:
        caption += f" Intervals are {escape_latex(describe_intervals(c))}."
    if repeats:
        caption += " " + escape_latex(formatting.explain_repeats(c, pairs))
    if len(c.pairs) > len(pairs):
        caption += f" Shown are {len(pairs)} of {len(c.pairs)} pairs: those of the best learner "
        caption += "or the control, and those nearest to the level."
    body = "\\small\n" + write_table(columns, header, rows)
    return write_float("table", caption, "tab:pairs", body)
