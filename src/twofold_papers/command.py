"""What `twofold reproduce` does: list, run, save; and the gallery of what was run."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import textwrap
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from twofold.datasets import data_folder
from twofold.errors import InputError, TwofoldError
from twofold.extras import require
from twofold.writing import check_target, write_whole
from twofold_papers.cold_time import is_empty, read_cold_run, save_cold_run
from twofold_papers.collection import find_item, find_paper, papers
from twofold_papers.draw_figure import draw_apart, draw_as_printed
from twofold_papers.gallery import read_results, write_gallery
from twofold_papers.highlights import read_marked, write_highlights
from twofold_papers.item import Item, ItemOptions, ReproducedPaper, Size
from twofold_papers.kept_results import keep_result
from twofold_papers.reproduction import (
    Reproduction,
    figure_file,
    find_obstacle,
    is_finished,
    make_folder,
    name_apart,
    reproduce,
    result_file,
    save_result,
)
from twofold_papers.result_text import WIDTH, write_text


def run(arguments: argparse.Namespace) -> None:
    """Carry out the command."""
    folder = data_folder(arguments.data)
    if arguments.readme is not None and arguments.gallery is None:
        raise InputError(
            "`--readme` goes with --gallery.", "Name the folder of results: --gallery DIR"
        )
    if arguments.paper is None and arguments.gallery is None:
        _list_items(folder)
        return
    if arguments.paper is not None:
        size: Size = "full" if arguments.full else "toy" if arguments.toy else "quick"
        options = ItemOptions(size, arguments.seed, folder, arguments.store, arguments.workers)
        chosen = _choose(arguments.paper, arguments.item)
        _check_outputs(arguments)
        _run_items(chosen, options, arguments)
    if arguments.gallery is not None:
        page = write_gallery(Path(arguments.gallery))
        print(f"Gallery: {page}", file=sys.stderr)
        if arguments.readme is not None:
            readme = Path(arguments.readme)
            link = Path(os.path.relpath(page, readme.parent)).as_posix()
            folder = Path(arguments.gallery)
            write_highlights(readme, read_results(folder), link, read_cold_run(folder))


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse folders and files that could not be written after hours of work."""
    if arguments.save:
        require("plots", "Saving figures")
        folder = Path(arguments.save)
        for file in (result_file(folder, "p", "i"), figure_file(folder, "p", "i", "f")):
            make_folder(file.parent)
            check_target(file)
    if arguments.readme is not None:
        read_marked(Path(arguments.readme))
        check_target(arguments.readme)


def _choose(paper: str, item: str | None) -> list[tuple[ReproducedPaper, Item]]:
    if paper != "all":
        chosen = find_paper(paper)
        every = item in (None, "all")
        items = chosen.items if every else [find_item(chosen, str(item))]
        return [(chosen, each) for each in items]
    if item not in (None, "all"):
        raise InputError("`all` takes no item.", "Name a paper and an item, or all alone.")
    return [(each, part) for each in papers() for part in each.items]


def _run_items(
    chosen: list[tuple[ReproducedPaper, Item]],
    options: ItemOptions,
    arguments: argparse.Namespace,
) -> None:
    """Run items, and note how long all of them took where nothing was kept before."""
    alone = len(chosen) == 1
    cold = arguments.paper == "all" and arguments.save is not None and is_empty(options.store)
    start = time.perf_counter()
    run = [_run_item(paper, item, options, arguments, alone=alone) for paper, item in chosen]
    if cold and all(run):
        seconds = time.perf_counter() - start
        save_cold_run(Path(arguments.save), seconds, options.workers, len(chosen), options.size)


def _run_item(
    paper: ReproducedPaper,
    item: Item,
    options: ItemOptions,
    arguments: argparse.Namespace,
    *,
    alone: bool,
) -> bool:
    """Run an item; tell whether there was anything to run."""
    name = f"{paper.key} {item.name}"
    obstacle = find_obstacle(item, options.data)
    if obstacle and not alone:
        print(f"{name}: left out; it {obstacle}.", file=sys.stderr)
        return False
    save = Path(arguments.save) if arguments.save else None
    if save is not None and not arguments.again and is_finished(save, paper, item, options):
        print(f"{name}: there already.", file=sys.stderr)
        return False
    reproduction = reproduce(paper, item, options)
    drawings = _draw(reproduction)
    if save is not None:
        _save(save, reproduction, drawings)
    if arguments.format == "json":
        print(json.dumps(reproduction.to_dict(), ensure_ascii=False, indent=1))
    else:
        print(write_text(reproduction), flush=True)
    try:
        keep_result(reproduction, drawings)
    except TwofoldError as error:  # it was shown; a store that fails costs nothing
        print(f"{name}: not kept for `twofold serve`. {error.rule}", file=sys.stderr)
    return True


def _draw(reproduction: Reproduction) -> dict[str, str]:
    """Return the figures of an item as SVG, by name; none where there is no matplotlib."""
    if find_spec("matplotlib") is None:
        return {}
    drawings = {}
    title = f"{reproduction.paper.key} {reproduction.item.name}"
    for figure in reproduction.result.figures:
        drawings[figure.name] = draw_as_printed(figure, title)
        apart = draw_apart(figure, title)
        if apart is not None:
            drawings[name_apart(figure.name)] = apart
    return drawings


def _save(folder: Path, reproduction: Reproduction, drawings: Mapping[str, str]) -> None:
    save_result(folder, reproduction)
    for name, text in drawings.items():
        file = figure_file(folder, reproduction.paper.key, reproduction.item.name, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text + "\n")


def _list_items(folder: Path | None) -> None:
    obstacles: list[str] = []
    for paper in papers():
        print("\n".join(textwrap.wrap(f"{paper.key}: {paper.title}", WIDTH)))
        for item in paper.items:
            obstacle, minutes = find_obstacle(item, folder), math.ceil(item.printed.minutes)
            mark, hint = "*" if obstacle else " ", f"{minutes} min" if minutes else ""
            if obstacle and obstacle not in obstacles:
                obstacles.append(obstacle)
            print(f" {mark}{item.name:<11} {item.title:<57.57} {hint:>6}".rstrip())
        for words in paper.missing:
            lines = textwrap.wrap(f"not there: {words}", WIDTH - 14)
            print("\n".join(f"  {'':<11} {line}" for line in lines))
        print()
    for obstacle in obstacles:
        print("\n".join(textwrap.wrap(f"* {obstacle}", WIDTH, subsequent_indent="  ")))
    print("Times: --full on two processors, from nothing; items share much of their work.")
    print("twofold reproduce PAPER ITEM runs one; --full takes the paper's many trials.")
