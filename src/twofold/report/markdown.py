"""A comparison as Markdown."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.comparison.sentences import number
from twofold.report.paragraphs import chosen_adjustment, cited, methods, results
from twofold.stats import papers


def markdown(c: Comparison) -> str:
    """Return the comparison as a Markdown document."""
    parts = [f"# {c.question}", c.verdict, "## Method", methods(c), "## Results", results(c)]
    if c.mean_ranks:
        rows = sorted(c.mean_ranks.items(), key=lambda item: item[1])
        parts.append(_table(["learner", "mean rank"], [[name, f"{r:.3f}"] for name, r in rows]))
    chosen = chosen_adjustment(c)
    header = ["a", "b", "a − b", "interval", chosen or "p", "wins/ties/losses", "better", "repeats"]
    rows_of_pairs = []
    for pair in c.pairs:
        p = pair.adjusted[chosen] if chosen else pair.pvalue
        interval = "" if pair.interval is None else " to ".join(map(number, pair.interval))
        better = {"a": pair.a, "b": pair.b, "none": "—"}[pair.outcome]
        again = "" if pair.replicability is None else f"{pair.replicability.predicted:.0%}"
        record = f"{pair.wins}/{pair.ties}/{pair.losses}"
        shown = "" if p is None else f"{p:.4f}"
        rows_of_pairs.append(
            [pair.a, pair.b, number(pair.estimate), interval, shown, record, better, again]
        )
    if rows_of_pairs:
        parts.append(_table(header, rows_of_pairs))
    if c.notes:
        parts.append("## Notes")
        parts.append("\n".join(f"- **{note.title}.** {note.detail}" for note in c.notes))
    parts.append("## Papers")
    parts.append("\n".join(f"- {papers()[key]}" for key in cited(c)))
    return "\n\n".join(parts)


def _table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )
