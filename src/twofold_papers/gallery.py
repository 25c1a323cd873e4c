"""The pages of all results that were kept: one for each paper, and one that counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.writing import write_whole
from twofold_papers.cold_time import read_cold_run
from twofold_papers.collection import papers
from twofold_papers.item import ReproducedPaper
from twofold_papers.paper_page import Results, write_page
from twofold_papers.reproduction import RULES, result_file
from twofold_papers.tally import Tally, tally_results

INTRODUCTION = """\
# The papers, reproduced

Written by `twofold reproduce --gallery`; do not edit. Each table and figure of the papers was run
again. Every paper has a page: what it asks, what it found, what came out here, what it recommends
and the command for it, and what became of each of its tables, figures, tests and recommendations.

A printed number *agrees* if it lies in the 95 % interval around ours, which allows for the chance
in both runs and for the rounding of the print; of numbers that measure the same, one in twenty will
not. A *claim* is a sentence of the paper, in its own words, turned into a check: it *holds*, *does
not hold*, or *cannot be told* where the difference that it speaks of is within 1.96 standard errors
of our trials. A claim that our copy of the paper cuts off, and that we completed, is shown and not
counted; nor are numbers that the paper's own print decides, or that chose a stand-in. Bounds that a
reading states (what is "similar", "acceptable", "about") are ours; some were set when earlier runs
were known, and say less for that. Our copies of the papers have text and tables and no figures:
what a caption says of a printed figure is what the text says of it. Items marked *quick* had fewer
trials than the paper; those marked *full* had as many. Items share work: the time of an item is
what was left to do when its turn came.
"""


def read_results(folder: Path) -> Results:
    """Return the results kept in a folder, in the order of the papers."""
    results = {}
    for paper in papers():
        for item in paper.items:
            result = _read(result_file(folder, paper.key, item.name))
            if result is not None:
                results[paper.key, item.name] = result
    if not results:
        raise InputError(
            f"There are no results in {str(folder)!r}.",
            f"Make some first: twofold reproduce all --save {folder}",
        )
    return results


def write_gallery(folder: Path) -> Path:
    """Write index.md and a page for each paper, from the results kept in a folder."""
    results = read_results(folder)
    for paper in papers():
        write_whole(folder / f"{paper.key}.md", write_page(paper, results, folder))
    lines = [INTRODUCTION, *_summarize(results), *_write_overview(results)]
    run = read_cold_run(folder)
    if run is not None:
        lines += ["", f"All {run.items} items in one call, {run.size}: {run.describe()}."]
    file = folder / "index.md"
    write_whole(file, "\n".join(lines).rstrip() + "\n")
    return file


def pick_results(results: Results, *, own: bool) -> list[dict[str, Any]]:
    """Return the results of the papers, or of our own claims."""
    keys = {paper.key for paper in papers() if paper.own == own}
    return [result for (key, _), result in results.items() if key in keys]


def count_claims(tally: Tally) -> str:
    """Return how many claims have which verdict, in words."""
    return (
        f"of {tally.claims} claims {tally.holding} hold, {tally.failing} do not, "
        f"{tally.undecided} cannot be told"
    )


def _summarize(results: Results) -> list[str]:
    lines = []
    theirs = tally_results(pick_results(results, own=False))
    if theirs.numbers or theirs.claims:
        differing = theirs.numbers - theirs.agreeing
        lines.append(
            f"**Of {theirs.numbers} published numbers, {theirs.agreeing} lie within the interval; "
            f"{count_claims(theirs)}.** Beside {theirs.explained} of the {differing} numbers that "
            "differ stands what is known, or guessed, of the cause."
        )
    if theirs.uncounted:
        lines.append(f"{theirs.uncounted} more claims are shown and not counted.")
    ours = tally_results(pick_results(results, own=True))
    if ours.claims:
        lines += ["", f"Our own claims, apart from the papers': {count_claims(ours)}."]
    return [*lines, ""]


def _write_overview(results: Results) -> list[str]:
    head = "| paper | items | numbers | hold | do not | cannot be told |"
    lines = [head, "|---|---:|---:|---:|---:|---:|"]
    for paper in papers():
        chosen = [result for (key, _), result in results.items() if key == paper.key]
        if chosen:
            lines.append(_write_row(paper, chosen))
    return lines


def _write_row(paper: ReproducedPaper, results: list[dict[str, Any]]) -> str:
    tally = tally_results(results)
    cells = (
        f"[{paper.title}]({paper.key}.md)",
        f"{len(results)} of {len(paper.items)}",
        tally.describe_numbers(),
        *map(str, (tally.holding, tally.failing, tally.undecided)),
    )
    return f"| {' | '.join(cells)} |"


def _read(file: Path) -> dict[str, Any] | None:
    try:
        result: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except OSError:
        return None
    except ValueError:
        raise InputError(
            f"{str(file)!r} is damaged.", "Remove it, and run the item again."
        ) from None
    # What was made under other rules has other fields: it is to be run again.
    return result if result.get("rules") == RULES else None
