"""Writing the results table alone: the suffix says in which format."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from twofold.comparison import Comparison, Comparisons
from twofold.report.results_latex import write_results_latex
from twofold.report.results_table import ResultsTable, tabulate_results
from twofold.report.results_writers import (
    write_metrics_csv,
    write_results_csv,
    write_results_html,
    write_results_markdown,
)
from twofold.report.save import check_file, find_writer
from twofold.report.workbook import write_results_workbook
from twofold.writing import write_whole

WRITERS: dict[str, Callable[[Comparison | Comparisons], str | bytes]] = {
    ".tex": lambda c: write_results_latex(_tabulate(c)),
    ".md": lambda c: "\n\n".join(map(write_results_markdown, _tabulate(c))) + "\n",
    ".html": lambda c: write_results_html(_tabulate(c)),
    ".csv": lambda c: _write_csv(c),
    ".xlsx": write_results_workbook,
}


def save_table(c: Comparison | Comparisons, path: str | os.PathLike[str]) -> None:
    """Write the results table of a paper: .tex, .md, .html, .csv or .xlsx.

    Learners by data sets: mean ± standard deviation where there are several scores, the best in
    bold, marks where tests found a difference, and means, mean ranks, wins, ties and losses below.

    Parameters
    ----------
    c : Comparison, or Comparisons by several metrics
        Several metrics have a table each.
    path : path
        Its suffix says in which format. An existing file is replaced.
    """
    file = Path(path)
    write_whole(file, find_writer(file, WRITERS, "table")(c))


def check_table(path: str | os.PathLike[str]) -> None:
    """Refuse a name that no table can have, before there is an answer."""
    file = Path(path)
    find_writer(file, WRITERS, "table")
    check_file(file)


def _write_csv(c: Comparison | Comparisons) -> str:
    if isinstance(c, Comparison):
        return write_results_csv(tabulate_results(c))
    return write_metrics_csv({metric: tabulate_results(answer) for metric, answer in c.items()})


def _tabulate(c: Comparison | Comparisons) -> list[ResultsTable]:
    return [
        tabulate_results(answer) for answer in ([c] if isinstance(c, Comparison) else c.values())
    ]
