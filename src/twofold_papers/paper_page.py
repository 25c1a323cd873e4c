"""The page of a paper: what it asks and found, what became of each part, and every item."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from twofold_papers.item import ReproducedPaper
from twofold_papers.reproduction import figure_file, name_apart
from twofold_papers.result_view import (
    FEW_NUMBERS,
    FEW_ROWS,
    describe_claim,
    describe_number,
    describe_versions,
    format_time,
    tell_story,
)
from twofold_papers.tally import tally_results

Results = dict[tuple[str, str], dict[str, Any]]


def write_page(paper: ReproducedPaper, results: Results, folder: Path) -> str:
    """Return the page of a paper, from the results that are kept."""
    title, _, subtitle = paper.title.partition(", ") if not paper.own else (paper.title, "", "")
    lines = [f"# {title}", "", "Written by `twofold reproduce --gallery`; do not edit."]
    lines += ["", f"*{subtitle}*"] if subtitle else []
    lines += _write_story(paper)
    lines += ["", "## Every item that was run again", "", *_write_overview(paper, results)]
    for item in paper.items:
        result = results.get((paper.key, item.name))
        if result is None:
            lines += ["", f"### {paper.key} {item.name}", "", f"{item.title}. Not run here."]
        else:
            lines += ["", *write_section(result, folder)]
    if paper.missing:
        lines += ["", "## Not there yet", "", *(f"- {words}" for words in paper.missing)]
    return "\n".join(lines).rstrip() + "\n"


def _write_story(paper: ReproducedPaper) -> list[str]:
    lines, story = [], paper.story
    for head, words in tell_story(story):
        lines += ["", f"## {head}", "", words]
    if story.recommends:
        lines += ["", "## What it recommends, and the command for it"]
        for advice in story.recommends:
            section = f" ({advice.section})" if advice.section else ""
            lines += ["", f"{advice.advice}{section}"]
            lines += ["", "```", advice.command, "```"] if advice.command else []
    if story.contents:
        lines += ["", "## What became of each part", "", "| | where | became |", "|---|---|---|"]
        for part in story.contents:
            became = _link_items(escape(part.became), paper)
            lines.append(f"| {escape(part.what)} | {escape(part.where)} | {became} |")
    return lines


_OTHER_PAPER = r"([a-z]+[12]\d{3}) (\w+)"
"""An item of another paper, as in "bouckaert2003 table3"."""


def _link_items(text: str, paper: ReproducedPaper) -> str:
    """Return a text in which names of items lead to them, but for those in links and commands."""
    names = "|".join(item.name for item in paper.items)
    pattern = rf"`[^`]*`|\[[^]]*\]\([^)]*\)|{_OTHER_PAPER}|(?<![\w-])({names})(?![\w-])"

    def link(match: re.Match[str]) -> str:
        other, its_item, own_item = match.groups()
        if other:
            return f"[{other} {its_item}]({other}.md#{other}-{its_item})"
        return f"[{own_item}](#{paper.key}-{own_item})" if own_item else match[0]

    return re.sub(pattern, link, text)


def _write_overview(paper: ReproducedPaper, results: Results) -> list[str]:
    lines = ["| item | | size | numbers | claims | time |", "|---|---|---|---|---|---|"]
    for item in paper.items:
        result = results.get((paper.key, item.name))
        if result is not None:
            tally, time = tally_results([result]), format_time(result["seconds"])
            counts = f"{tally.describe_numbers()} | {tally.describe_claims()}"
            link = f"[{item.name}](#{paper.key}-{item.name})"
            lines.append(f"| {link} | {item.title} | {result['size']} | {counts} | {time} |")
    return lines


def write_section(result: dict[str, Any], folder: Path) -> list[str]:
    """Return what came out of an item."""
    paper, item = result["paper"], result["item"]
    title = f"{result['title']}. *{result['size']}*: {result['trials']}."
    lines = [f"### {paper} {item}", "", title]
    for figure in result["figures"]:
        caption = figure["caption"]
        file = figure_file(folder, paper, item, figure["name"])
        lines += ["", f"![{caption}]({file.relative_to(folder).as_posix()})", "", caption]
        apart = figure_file(folder, paper, item, name_apart(figure["name"]))
        if apart.exists():
            link = apart.relative_to(folder).as_posix()
            lines += ["", f"As we would draw it:\n\n![{caption}]({link})"]
    if result["claims"]:
        lines += ["", "| the paper says | here | our numbers |", "|---|---|---|"]
        lines += [_write_claim(claim) for claim in result["claims"]]
    for table in result.get("tables", ()):
        lines += ["", table["caption"], "", *_write_table(table)]
    if result["numbers"]:
        lines += ["", *_write_numbers(result["numbers"])]
    for remark in result["remarks"]:
        lines += ["", remark]
    time, seed = format_time(result["seconds"]), result["seed"]
    lines += ["", f"{time}, seed {seed}; {describe_versions(result)}."]
    if result["datasets"]:
        digests = ", ".join(f"{name} `{digest}`" for name, digest in result["datasets"].items())
        lines += ["", f"<details><summary>Checksums</summary>{digests}</details>"]
    return lines


def _write_claim(claim: dict[str, Any]) -> str:
    words = describe_claim(claim)
    section = f" ({words.section})" if words.section else ""
    reading = f" *Read as: {words.reading}*" if words.reading else ""
    word = words.verdict if words.verdict == "holds" else f"**{words.verdict}**"
    mark = f"{word}; not counted: {words.uncounted}" if words.uncounted else word
    return f"| {escape(words.quote + section + reading)} | {mark} | {escape(words.detail)} |"


def _write_table(table: dict[str, Any]) -> list[str]:
    lines = [
        f"| {' | '.join(map(escape, table['head']))} |",
        f"|---|{'---:|' * (len(table['head']) - 1)}",
        *(f"| {' | '.join(map(escape, row))} |" for row in table["rows"]),
    ]
    return lines if len(table["rows"]) <= FEW_ROWS else _fold("the table", lines)


def _fold(summary: str, lines: list[str]) -> list[str]:
    return [f"<details><summary>{summary}</summary>", "", *lines, "", "</details>"]


def _write_numbers(numbers: list[dict[str, Any]]) -> list[str]:
    lines = ["| | printed | ours | interval | | |", "|---|---|---|---|---|---|"]
    for each in map(describe_number, numbers):
        z = f" ({each.z})" if each.z else ""
        mark = "agrees" if each.agrees else f"**differs**{z}"
        cells = (escape(each.label), each.printed, each.ours, each.interval, mark)
        lines.append(f"| {' | '.join(cells)} | {escape(each.why)} |")
    agreeing = sum(number["agrees"] for number in numbers)
    if len(numbers) <= FEW_NUMBERS:
        return lines
    return _fold(f"{agreeing} of {len(numbers)} numbers agree", lines)


def escape(text: str) -> str:
    """Return a text that can stand in a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
