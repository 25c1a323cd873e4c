"""The files that `twofold compare` writes: refused before the work, written after it."""

from __future__ import annotations

import argparse
from pathlib import Path

from twofold.cli.outputs import check_picture, check_save, list_sources, refuse_same_files
from twofold.cli.streams import tell, tell_warnings
from twofold.comparison import Comparison, Comparisons
from twofold.errors import InputError
from twofold.report import save_report
from twofold.report.save import check_report

WIDTH = "two-column"


def list_pictures(arguments: argparse.Namespace) -> list[tuple[str, str | None]]:
    """Return the pictures to draw, each with its kind; a single kind is that of all."""
    kinds = arguments.picture or [None]
    if len(kinds) not in (1, len(arguments.plot)):
        raise InputError(
            f"There are {len(kinds)} kinds of pictures for {len(arguments.plot)} files.",
            "Give --picture once for all of them, or once for each --plot.",
        )
    return list(zip(arguments.plot, kinds * len(arguments.plot), strict=False))


def check_files(arguments: argparse.Namespace) -> None:
    """Refuse files that could not be written when there is an answer."""
    if arguments.picture and not arguments.plot:
        raise InputError("--picture says what to draw, but not where.", "Add --plot FILE.")
    for name in ("highlight", "width", "font", "caption"):
        if getattr(arguments, name) and not arguments.plot:
            raise InputError(f"--{name} is for a picture, and none is drawn.", "Add --plot FILE.")
    list_pictures(arguments)
    files: list[tuple[str, str | None]] = [("--plot", path) for path in arguments.plot]
    if arguments.plot:
        files += _check_print(arguments)
    for path in arguments.report:
        files.append(("--report", path))
        if Path(path).suffix.lower() == ".tex":
            files.append(("the references of --report", str(Path(path).with_suffix(".bib"))))
    files += [("--table", path) for path in arguments.table]
    files.append(("--save-experiment", arguments.save_experiment))
    refuse_same_files(files, list_sources(arguments))
    check_save(arguments)
    if arguments.plot:
        from twofold.plots.canvas import SUFFIXES, TEX

        for path in arguments.plot:
            check_picture(path, (*SUFFIXES, *TEX))
    for path in arguments.report:
        check_report(path)
    if arguments.table:
        from twofold.report.table_files import check_table

        for path in arguments.table:
            check_table(path)


def _check_print(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Refuse type and widths that cannot be; return the files of captions."""
    from twofold.plots.canvas import SUFFIXES, inches_of, need_matplotlib
    from twofold.plots.picture_caption import caption_file

    inches_of(arguments.width or WIDTH)
    pictures = [Path(path) for path in arguments.plot]
    if arguments.font and any(path.suffix.lower() in SUFFIXES for path in pictures):
        from twofold.plots.fonts import choose_typeface

        need_matplotlib()
        choose_typeface(arguments.font, ())
    if not arguments.caption:
        return []
    # One picture in two formats has one caption.
    kinds = list_pictures(arguments)
    drawn = dict.fromkeys((caption_file(Path(path)), kind) for path, kind in kinds)
    return [("--caption", str(file)) for file, _ in drawn]


def check_pictures(answer: Comparison | Comparisons, arguments: argparse.Namespace) -> None:
    """Refuse pictures that do not fit the answer."""
    if not arguments.plot:
        return
    from twofold.plots.comparison_plots import check_plot  # loads what draws

    answers = list(answer.values()) if isinstance(answer, Comparisons) else [answer]
    for path, kind in list_pictures(arguments):
        for each in answers:
            check_plot(each, path, kind=kind, highlight=arguments.highlight)


def write_files(answer: Comparison | Comparisons, arguments: argparse.Namespace) -> None:
    """Write the pictures and reports, each whole or not at all."""
    for path, kind in list_pictures(arguments):
        with tell_warnings():
            drawn = answer.plot(
                path,
                kind=kind,
                highlight=arguments.highlight,
                width=arguments.width or WIDTH,
                font=arguments.font,
                caption=arguments.caption,
            )
        # Each of several metrics has its own file.
        for file in drawn if isinstance(drawn, list) else [path]:
            tell(f"Picture written to {file}", quiet=arguments.quiet)
    for path in arguments.report:
        save_report(answer, path)
        tell(f"Report written to {path}", quiet=arguments.quiet)
    for path in arguments.table:
        from twofold.report.table_files import save_table

        save_table(answer, path)
        tell(f"Table written to {path}", quiet=arguments.quiet)
