"""`twofold tests`: the catalog as a table, a page, JSON or Markdown."""

from __future__ import annotations

import argparse
import json
import textwrap
from dataclasses import asdict
from typing import Any

from twofold.cli.show_card import card, level_facts
from twofold.cli.show_card import facts as card_facts
from twofold.stats.catalog import CatalogEntry, catalog, entry, papers

GROUP_TITLES = {
    "one data set": "Learners or classifiers on one data set",
    "several data sets": "Learners over several data sets",
    "adjustment": "Adjustments for many hypotheses",
    "interval": "Intervals",
}
COLOURS = {"recommended": "green", "acceptable": "default", "unsafe": "red"}


def run(arguments: argparse.Namespace) -> None:
    """Print the catalog, or one entry of it."""
    name, form, standing = arguments.name, arguments.format, arguments.standing
    chosen = [entry(name)] if name else [e for e in catalog() if standing in (None, e.standing)]
    if form == "json":
        facts = [_facts(one) for one in chosen]
        print(json.dumps(facts[0] if name else facts, ensure_ascii=False, indent=2))
    elif form == "markdown":
        print("\n\n".join(_markdown(one) for one in chosen) if name else _document(chosen))
    elif name:
        print(_page(chosen[0]))
    else:
        _table(chosen)


def _facts(one: CatalogEntry) -> dict[str, Any]:
    """Return an entry as plain data, its papers written out."""
    facts = asdict(one)
    facts["options"] = dict(one.options)
    facts["papers"] = [{"key": key, "reference": papers()[key]} for key in one.papers]
    facts["call"] = one.call
    facts["predicts_replicability"] = one.predicted_from > 0
    facts["measured"] = card_facts(one.name)
    facts["measured_levels"] = level_facts(one.name)
    return facts


def _table(entries: list[CatalogEntry]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    for group, title in GROUP_TITLES.items():
        members = [one for one in entries if one.group == group]
        if not members:
            continue
        table = Table(
            title=title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        table.add_column("name", no_wrap=True)
        table.add_column("standing", no_wrap=True)
        table.add_column("test")
        for one in members:
            table.add_row(one.name, Text(one.standing, COLOURS[one.standing]), one.title)
        console.print(table)
        console.print()
    console.print("twofold tests NAME explains one; --format json is for programs.")


def _page(one: CatalogEntry) -> str:
    """Return a page of at most 80 columns."""
    lines = [one.title, "=" * len(one.title), ""]
    for label, text in _parts(one):
        lines.append(
            textwrap.fill(text, 79, initial_indent=f"{label:<11}", subsequent_indent=" " * 11)
        )
    lines += card(one.name)
    lines += ["", "Papers"]
    for key in one.papers:
        lines.append(
            textwrap.fill(papers()[key], 79, initial_indent="  ", subsequent_indent="    ")
        )
    return "\n".join(lines)


def _parts(one: CatalogEntry) -> list[tuple[str, str]]:
    parts = [
        ("name", one.name),
        ("standing", f"{one.standing}. {one.reason}"),
        ("question", one.question),
        ("design", one.design),
        ("null", one.null),
        ("statistic", one.statistic),
    ]
    if one.reference:
        label = "assumes" if one.group == "adjustment" else "reference"
        parts.append((label, one.reference))
    if one.one_sided:
        parts.append(("one-sided", 'yes, alternative="less" or "greater"'))
    if one.predicted_from:
        parts.append(("replicates", f"predict_replicability(…, test={one.name!r})"))
    parts.append(("call", one.call))
    return parts


def _document(entries: list[CatalogEntry]) -> str:
    """Return the reference page of the whole catalog."""
    parts = [
        "# The catalog of tests",
        "Written by `make docs` from the catalog; edit `src/twofold/stats/catalog.toml` instead.",
    ]
    for group, title in GROUP_TITLES.items():
        members = [one for one in entries if one.group == group]
        if members:
            parts.append(f"## {title}")
            parts += [_markdown(one) for one in members]
    cited = {key for one in entries for key in one.papers}
    parts.append("## Papers")
    parts.append(
        "\n".join(f"- **{key}**: {text}" for key, text in papers().items() if key in cited)
    )
    return "\n\n".join(parts)


def _markdown(one: CatalogEntry) -> str:
    rows = [f"### {one.name}", "", f"{one.title}.", "", "| | |", "|---|---|"]
    for label, text in _parts(one)[1:]:
        cell = text.replace("|", "\\|")
        rows.append(f"| {label} | {f'`{cell}`' if label in ('call', 'replicates') else cell} |")
    if card_facts(one.name):
        rows.append(f"| measured | [card](cards/{one.name}.md) |")
    rows.append(f"| papers | {', '.join(one.papers)} |")
    return "\n".join(rows)
