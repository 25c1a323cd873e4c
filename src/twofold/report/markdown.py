"""A comparison as Markdown; names are text, whatever signs they hold."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.comparison.sentences import number
from twofold.escapes import escape_markdown
from twofold.report import formatting
from twofold.report.paragraphs import cited, methods, results
from twofold.stats import papers

MOST_PAIRS = 300


def markdown(c: Comparison) -> str:
    """Return the comparison as a Markdown document."""
    parts = [
        f"# {escape_markdown(c.question)}",
        escape_markdown(c.verdict),
        "## Method",
        escape_markdown(methods(c)),
    ]
    parts += ["## Results", escape_markdown(results(c)), *_omnibus(c), *_learners(c), *_pairs(c)]
    if c.notes:
        parts.append("## Notes")
        lines = [
            f"- **{escape_markdown(note.title)}.** {escape_markdown(note.detail)}"
            for note in formatting.notes(c)
        ]
        parts.append("\n".join(lines))
    parts.append("## Papers")
    parts.append("\n".join(f"- {escape_markdown(papers()[key])}" for key in cited(c)))
    return "\n\n".join(parts)


def _omnibus(c: Comparison) -> list[str]:
    rows = [
        [
            test.method,
            number(test.statistic, 4),
            ", ".join(f"{part:g}" for part in test.df),
            formatting.p_bare(test.pvalue),
        ]
        for test in c.omnibus
    ]
    if not rows:
        return []
    beside = formatting.uncorrected(c)
    table = _table(["any difference?", "statistic", "df", "p"], rows)
    return [table, escape_markdown(beside)] if beside else [table]


def _learners(c: Comparison) -> list[str]:
    name, reading, numbers = formatting.standing(c)
    if not numbers:
        return []
    signs = formatting.letters(c)
    rows = [
        [learner, text] + [signs[learner]] * bool(c.groups) for learner, text in numbers.items()
    ]
    header = ["learner", escape_markdown(name)] + ["group"] * bool(c.groups)
    caption = f"{formatting.title_of_standing(c)}: {reading}."
    if c.groups:
        caption += " Learners that share a letter could not be told apart."
    return [_table(header, rows), escape_markdown(caption)]


def _pairs(c: Comparison) -> list[str]:
    if not c.pairs:
        return []
    chosen = formatting.that_matter(c, MOST_PAIRS)
    label = "p" if c.adjustment is None else f"p, {c.adjustment}"
    interval = f"{c.interval_level} interval"
    header = ["a", "b", "a − b", interval, label, "wins/ties/losses", "better", "repeats"]
    rows = [
        [
            pair.a,
            pair.b,
            number(pair.estimate),
            formatting.interval_cell(pair),
            formatting.p_cell(pair.decisive_p),
            formatting.record_cell(pair),
            pair.better or "—",
            formatting.again_cell(pair),
        ]
        for pair in chosen
    ]
    parts = [_table(header, rows), escape_markdown(f"a − b: {formatting.estimate_kind(c)}.")]
    if len(chosen) < len(c.pairs):
        parts.append(f"{len(c.pairs) - len(chosen)} more pairs are left out; JSON has them all.")
    return parts


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [
        header,
        ["---"] * len(header),
        *([escape_markdown(cell) for cell in row] for row in rows),
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)
