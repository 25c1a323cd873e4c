"""A comparison as one HTML page: no network, printable, readable in light and dark."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from twofold.comparison import Comparison, Pair
from twofold.comparison.sentences import number, p_value
from twofold.errors import InputError
from twofold.report.paragraphs import chosen_adjustment, cited, methods, results
from twofold.stats import papers

STYLE = """
:root { --ink: #1b1f24; --paper: #ffffff; --soft: #5b6570; --line: #d5dae0; --good: #0b6e4f;
  --warn: #8a4b00; --bar: #30506f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --paper: #14171a; --soft: #a3adb8;
  --line: #333a42; --good: #6fcfa8; --warn: #f0b35e; --bar: #8fb8e0; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; color: var(--soft); font-weight: 500; margin-bottom: .3rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
.verdict { font-size: 1.35rem; line-height: 1.35; margin: .5rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } td.n, th.n { text-align: right; }
tr.differs td { font-weight: 600; } .better { color: var(--good); }
.note { border-left: 4px solid var(--line); padding: .2rem .8rem; margin: .6rem 0; }
.note.warning { border-color: var(--warn); } .note b { display: block; }
.soft { color: var(--soft); } svg { width: 100%; height: auto; }
.scroll { overflow-x: auto; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } }
"""


def html(c: Comparison) -> str:
    """Return the comparison as a self-contained HTML page."""
    better = "higher" if c.higher_is_better else "lower"
    sets = f"{len(c.datasets)} data sets" if len(c.datasets) > 1 else escape(c.datasets[0])
    body = [
        f"<h1>{escape(c.question)}</h1>",
        f'<p class="verdict">{escape(c.verdict)}</p>',
        f'<p class="soft">{len(c.learners)} learners, {sets}; {escape(c.metric)}, {better} is '
        f"better; {escape(c.method)} at α = {c.alpha:g}. {escape(c.reason)}</p>",
        _notes(c),
        _omnibus(c),
        _ranks(c),
        _pairs(c),
        "<h2>For the paper</h2>",
        f"<p>{escape(methods(c))}</p><p>{escape(results(c))}</p>",
        "<ul>" + "".join(f"<li>{escape(papers()[key])}</li>" for key in cited(c)) + "</ul>",
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(c.question)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(part for part in body if part)
        + "\n</body>\n</html>\n"
    )


def save_report(c: Comparison, path: str | Path) -> None:
    """Write the page to a file, whole or not at all."""
    file = Path(path)
    if file.suffix.lower() not in (".html", ".htm"):
        raise InputError(
            f"A report is an HTML page; {file.name!r} is not.", "Give it a name that ends in .html."
        )
    part = file.with_name(file.name + ".part")
    try:
        part.write_text(html(c), "utf-8")
        os.replace(part, file)
    except OSError as error:
        raise InputError(
            f"{str(file)!r} cannot be written: {error.strerror}.", "Choose another place."
        ) from None


def _notes(c: Comparison) -> str:
    if not c.notes:
        return ""
    ordered = sorted(c.notes, key=lambda note: note.severity != "warning")
    return "<h2>What to watch out for</h2>" + "".join(
        f'<div class="note {note.severity}"><b>{escape(note.title)}</b>{escape(note.detail)}</div>'
        for note in ordered
    )


def _omnibus(c: Comparison) -> str:
    if not c.omnibus:
        return ""
    rows = "".join(
        f"<tr><td>{escape(test.method)}</td><td class=n>{number(test.statistic, 4)}</td>"
        f"<td class=n>{', '.join(f'{part:g}' for part in test.df)}</td>"
        f"<td class=n>{p_value(test.pvalue)}</td></tr>"
        for test in c.omnibus
    )
    again = ""
    if c.omnibus_replicability is not None:
        share = c.omnibus_replicability.predicted
        again = (
            f'<p class="soft">Other data sets of this kind would decide the same: {share:.0%}.</p>'
        )
    head = "<tr><th>test</th><th class=n>statistic</th><th class=n>df</th><th class=n>p</th></tr>"
    return f"<h2>Any difference at all?</h2><table>{head}{rows}</table>{again}"


def _ranks(c: Comparison) -> str:
    """Draw the mean ranks as points with a bar for each group, in plain SVG."""
    if not c.mean_ranks:
        return ""
    order = sorted(c.mean_ranks, key=lambda name: c.mean_ranks[name])
    k, row = len(order), 26
    left, width = 260, 900
    right = width - 30 - 12 * len(c.groups)

    def x(rank: float) -> float:
        return left + (rank - 1) / max(k - 1, 1) * (right - left)

    shapes = []
    for i, name in enumerate(order):
        y = 30 + i * row
        rank = c.mean_ranks[name]
        mark = " (control)" if name == c.control else ""
        shown = name if len(name) <= 28 else name[:27] + "…"
        shapes.append(
            f'<text x="{left - 16}" y="{y + 5}" text-anchor="end">{escape(shown + mark)}</text>'
            f'<line x1="{left}" x2="{x(rank):.1f}" y1="{y}" y2="{y}" class="stem"/>'
            f'<circle cx="{x(rank):.1f}" cy="{y}" r="5"/>'
            f'<text x="{x(rank) + 10:.1f}" y="{y + 5}">{rank:.3f}</text>'
        )
    for place, group in enumerate(c.groups):
        at = right + 30 + 12 * place
        first, last = order.index(group[0]), order.index(group[-1])
        shapes.append(
            f'<line class="bar" x1="{at}" x2="{at}" y1="{22 + first * row}" '
            f'y2="{38 + last * row}"/>'
        )
    title = "Mean ranks, 1 is best"
    if c.critical_difference is not None:
        cd = c.critical_difference
        title += f"; critical difference {cd.value:.3f} ({cd.method}, α = {cd.alpha:g})"
    joined = " Bars join learners that could not be told apart." if c.groups else ""
    height = 40 + k * row
    style = (
        "<style>svg text{fill:var(--ink);font:14px system-ui,sans-serif}svg circle{fill:var(--bar)}"
        ".stem{stroke:var(--line)}.bar{stroke:var(--bar);stroke-width:5;stroke-linecap:round}</style>"
    )
    return (
        f"<h2>{escape(title)}</h2>"
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">{style}'
        + "".join(shapes)
        + f'</svg><p class="soft">{joined}</p>'
    )


def _pairs(c: Comparison) -> str:
    chosen = chosen_adjustment(c)
    label = f"p, {chosen}" if chosen else "p"
    head = (
        "<tr><th>a</th><th>b</th><th class=n>a − b</th><th>interval</th>"
        f"<th class=n>{escape(label)}</th><th class=n>wins/ties/losses</th><th>better</th>"
        "<th class=n>repeats</th></tr>"
    )
    rows = "".join(_pair(pair, chosen) for pair in c.pairs)
    return f'<h2>Pairs</h2><div class="scroll"><table>{head}{rows}</table></div>' if rows else ""


def _pair(pair: Pair, chosen: str | None) -> str:
    p = pair.adjusted[chosen] if chosen else pair.pvalue
    interval = "" if pair.interval is None else " to ".join(map(number, pair.interval))
    better = {"a": pair.a, "b": pair.b, "none": "—"}[pair.outcome]
    again = "" if pair.replicability is None else f"{pair.replicability.predicted:.0%}"
    shown = "" if p is None else f"{p:.4f}"
    kind = ' class="differs"' if pair.outcome != "none" else ""
    return (
        f"<tr{kind}><td>{escape(pair.a)}</td><td>{escape(pair.b)}</td>"
        f"<td class=n>{number(pair.estimate)}</td><td>{interval}</td><td class=n>{shown}</td>"
        f"<td class=n>{pair.wins}/{pair.ties}/{pair.losses}</td>"
        f'<td class="better">{escape(better)}</td><td class=n>{again}</td></tr>'
    )
