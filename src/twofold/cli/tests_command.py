"""`twofold tests`: the catalog as a table, a page, JSON or Markdown."""

from __future__ import annotations

import argparse
import json
import textwrap
from dataclasses import asdict
from typing import Any

from twofold.cli.show_card import describe_card, describe_levels, format_card
from twofold.cli.streams import open_console
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
        facts = [_describe(test) for test in chosen]
        print(json.dumps(facts[0] if name else facts, ensure_ascii=False, indent=2))
    elif form == "markdown":
        print(
            "\n\n".join(_format_markdown(test) for test in chosen)
            if name
            else _format_document(chosen)
        )
    elif name:
        print(_format_page(chosen[0]))
    else:
        _print_table(chosen)


def _describe(test: CatalogEntry) -> dict[str, Any]:
    """Return an entry as plain data, its papers written out."""
    facts = asdict(test)
    facts["options"] = dict(test.options)
    facts["papers"] = [{"key": key, "reference": papers()[key]} for key in test.papers]
    facts["call"] = test.call
    facts["predicts_replicability"] = test.predicted_from > 0
    facts["measured"] = describe_card(test.name)
    facts["measured_levels"] = describe_levels(test.name)
    return facts


def _print_table(entries: list[CatalogEntry]) -> None:
    from rich.table import Table
    from rich.text import Text

    console = open_console()
    for group, title in GROUP_TITLES.items():
        members = [test for test in entries if test.group == group]
        if not members:
            continue
        table = Table(
            title=title, title_justify="left", title_style="bold", box=None, pad_edge=False
        )
        table.add_column("name", no_wrap=True)
        table.add_column("standing", no_wrap=True)
        table.add_column("test")
        for test in members:
            table.add_row(test.name, Text(test.standing, COLOURS[test.standing]), test.title)
        console.print(table)
        console.print()
    console.print("twofold tests NAME explains one; --format json is for programs.")


def _format_page(test: CatalogEntry) -> str:
    """Return a page of at most 80 columns."""
    lines = [test.title, "=" * len(test.title), ""]
    for label, text in _list_parts(test):
        lines.append(
            textwrap.fill(text, 79, initial_indent=f"{label:<11}", subsequent_indent=" " * 11)
        )
    lines += format_card(test.name)
    lines += ["", "Papers"]
    for key in test.papers:
        lines.append(
            textwrap.fill(papers()[key], 79, initial_indent="  ", subsequent_indent="    ")
        )
    return "\n".join(lines)


def _list_parts(test: CatalogEntry) -> list[tuple[str, str]]:
    parts = [
        ("name", test.name),
        ("standing", f"{test.standing}. {test.reason}"),
        ("question", test.question),
        ("design", test.design),
        ("null", test.null),
        ("statistic", test.statistic),
    ]
    if test.reference:
        label = "assumes" if test.group == "adjustment" else "reference"
        parts.append((label, test.reference))
    if test.one_sided:
        parts.append(("one-sided", 'yes, alternative="less" or "greater"'))
    if test.predicted_from:
        parts.append(("replicates", f"predict_replicability(…, test={test.name!r})"))
    parts.append(("call", test.call))
    return parts


def _format_document(entries: list[CatalogEntry]) -> str:
    """Return the reference page of the whole catalog."""
    parts = [
        "# The catalog of tests",
        "Written by `make docs` from the catalog; edit `src/twofold/stats/catalog.toml` instead.",
    ]
    for group, title in GROUP_TITLES.items():
        members = [test for test in entries if test.group == group]
        if members:
            parts.append(f"## {title}")
            parts += [_format_markdown(test) for test in members]
    cited = {key for test in entries for key in test.papers}
    parts.append("## Papers")
    parts.append(
        "\n".join(f"- **{key}**: {text}" for key, text in papers().items() if key in cited)
    )
    return "\n\n".join(parts)


def _format_markdown(test: CatalogEntry) -> str:
    rows = [f"### {test.name}", "", f"{test.title}.", "", "| | |", "|---|---|"]
    for label, text in _list_parts(test)[1:]:
        cell = text.replace("|", "\\|")
        rows.append(f"| {label} | {f'`{cell}`' if label in ('call', 'replicates') else cell} |")
    if describe_card(test.name):
        rows.append(f"| measured | [card](cards/{test.name}.md) |")
    rows.append(f"| papers | {', '.join(test.papers)} |")
    return "\n".join(rows)
