"""What `twofold reproduce` does: list, run, save; and the gallery of what was run."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import textwrap
from pathlib import Path

from twofold.datasets import data_folder
from twofold.errors import InputError
from twofold.writing import write_whole
from twofold_papers import (
    Item,
    ItemOptions,
    ReproducedPaper,
    Reproduction,
    available,
    find_item,
    find_paper,
    papers,
    reproduce,
)
from twofold_papers.draw_figure import apart_figure_svg, paper_figure_svg
from twofold_papers.gallery import read_results, write_gallery
from twofold_papers.highlights import write_highlights
from twofold_papers.item import ResultTable, Size
from twofold_papers.reproduction import apart, figure_file, finished, save_result

WIDTH = 80


def run(arguments: argparse.Namespace) -> None:
    """Do what was asked."""
    folder = data_folder(arguments.data)
    if arguments.readme is not None and arguments.gallery is None:
        raise InputError(
            "`--readme` goes with --gallery.", "Name the folder of results: --gallery DIR"
        )
    if arguments.paper is None and arguments.gallery is None:
        _list(folder)
        return
    if arguments.paper is not None:
        size: Size = "full" if arguments.full else "toy" if arguments.toy else "quick"
        setting = ItemOptions(size, arguments.seed, folder, arguments.store, arguments.workers)
        chosen = _chosen(arguments.paper, arguments.item)
        save = Path(arguments.save) if arguments.save else None
        for paper, item in chosen:
            _one(paper, item, setting, save, arguments, alone=len(chosen) == 1)
    if arguments.gallery is not None:
        page = write_gallery(Path(arguments.gallery))
        print(f"Gallery: {page}", file=sys.stderr)
        if arguments.readme is not None:
            readme = Path(arguments.readme)
            link = Path(os.path.relpath(page, readme.parent)).as_posix()
            write_highlights(readme, read_results(Path(arguments.gallery)), link)


def _chosen(paper: str, item: str | None) -> list[tuple[ReproducedPaper, Item]]:
    if paper == "all":
        if item is not None:
            raise InputError("`all` takes no item.", "Name a paper and an item, or all alone.")
        return [(one, part) for one in papers() for part in one.items]
    found = find_paper(paper)
    items = [find_item(found, item)] if item else list(found.items)
    return [(found, one) for one in items]


def _one(
    paper: ReproducedPaper,
    item: Item,
    setting: ItemOptions,
    save: Path | None,
    arguments: argparse.Namespace,
    *,
    alone: bool,
) -> None:
    name = f"{paper.key} {item.name}"
    lacking = available(item, setting.data)
    if lacking and not alone:
        print(f"{name}: left out; it {lacking}.", file=sys.stderr)
        return
    if save is not None and not arguments.again and finished(save, paper, item, setting):
        print(f"{name}: there already.", file=sys.stderr)
        return
    made = reproduce(paper, item, setting)
    if save is not None:
        _save(save, made)
    if arguments.format == "json":
        print(json.dumps(made.to_dict(), ensure_ascii=False, indent=1))
    else:
        print(_text(made), flush=True)


def _save(folder: Path, made: Reproduction) -> None:
    save_result(folder, made)
    title = f"{made.paper.key} {made.item.name}"
    for figure in made.outcome.figures:
        drawn = {figure.name: paper_figure_svg(figure, title)}
        ours = apart_figure_svg(figure, title)
        if ours is not None:
            drawn[apart(figure.name)] = ours
        for name, text in drawn.items():
            file = figure_file(folder, made.paper.key, made.item.name, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, text + "\n")


def _list(folder: Path | None) -> None:
    needed: list[str] = []
    for paper in papers():
        print("\n".join(textwrap.wrap(f"{paper.key}: {paper.title}", WIDTH)))
        for item in paper.items:
            lacking = available(item, folder)
            mark = "*" if lacking else " "
            if lacking and lacking not in needed:
                needed.append(lacking)
            print(f" {mark}{item.name:<11} {item.title:<57.57} {_minutes(item):>6}".rstrip())
        for words in paper.missing:
            lines = textwrap.wrap(f"not there: {words}", WIDTH - 14)
            print("\n".join(f"  {'':<11} {line}" for line in lines))
        print()
    for words in needed:
        print("\n".join(textwrap.wrap(f"* {words}", WIDTH, subsequent_indent="  ")))
    print("Times: --full on two processors, from nothing; items share much of their work.")
    print("twofold reproduce PAPER ITEM runs one; --full takes the paper's many trials.")


def _minutes(item: Item) -> str:
    return f"{math.ceil(item.minutes)} min" if item.minutes else ""


def _text(made: Reproduction) -> str:
    outcome = made.outcome
    head = f"{made.paper.key} {made.item.name}: {made.item.title}"
    lines = [head, "=" * len(head)]
    lines += textwrap.wrap(f"{made.setting.size}: {outcome.trials}", WIDTH)
    if outcome.numbers:
        wide = min(44, max(len(one.label) for one in outcome.numbers))
        lines += ["", f"{'':<{wide}} {'printed':>8} {'ours':>9}  95 % interval"]
        for one in outcome.numbers:
            label = one.label if len(one.label) <= wide else one.label[: wide - 1] + "…"
            exact = one.high <= one.low
            interval = "exact" if exact else f"{one.low:.4g} to {one.high:.4g}"
            verdict = "agrees" if one.agrees else "DIFFERS"
            z = "" if one.z is None else f" z {one.z:+.1f}"
            lines.append(
                f"{label:<{wide}} {one.printed:>8} {one.ours:>9.4g}  {interval:<18} {verdict}{z}"
            )
            if one.why and not one.agrees:
                lines += textwrap.wrap(
                    one.why, WIDTH, initial_indent="    ", subsequent_indent="    "
                )
        agreed = sum(one.agrees for one in outcome.numbers)
        lines.append(f"{agreed} of {len(outcome.numbers)} numbers agree.")
    for table in outcome.tables:
        lines += ["", *textwrap.wrap(table.caption, WIDTH), *_columns(table)]
    for claim in outcome.claims:
        mark = "holds" if claim.holds else "DOES NOT HOLD"
        detail = f" ({claim.detail})" if claim.detail else ""
        lines += [
            "",
            *textwrap.wrap(f"[{mark}] {claim.text}{detail}", WIDTH, subsequent_indent="  "),
        ]
    for remark in outcome.remarks:
        lines += ["", *textwrap.wrap(remark, WIDTH)]
    lines += ["", f"{made.seconds:.1f} s, seed {made.setting.seed}", ""]
    return "\n".join(lines)


def _columns(table: ResultTable) -> list[str]:
    """Return a table in columns; what does not fit in a line is set below in another stretch."""
    widths = [max(map(len, one)) for one in zip(table.head, *table.rows, strict=True)]
    stretches: list[list[int]] = [[]]
    for place in range(1, len(widths)):
        wide = widths[0] + sum(2 + widths[i] for i in (*stretches[-1], place))
        if stretches[-1] and wide > WIDTH:
            stretches.append([])
        stretches[-1].append(place)
    lines = []
    for places in stretches:
        lines.append("")
        for row in (table.head, *table.rows):
            cells = "".join(f"  {row[i]:>{widths[i]}}" for i in places)
            lines.append(f"{row[0]:<{widths[0]}}{cells}".rstrip())
    return lines
