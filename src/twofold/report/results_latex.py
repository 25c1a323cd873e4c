r"""The results table in LaTeX: booktabs, on its side or in parts where it is wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from twofold import __version__
from twofold.escapes import escape_latex
from twofold.plots.picture_labels import count_columns
from twofold.report.latex_letters import declare_letters
from twofold.report.results_table import Mark, ResultCell, ResultsTable

MARKS: dict[Mark, str] = {"better": r"$\circ$", "worse": r"$\bullet$", "alike": r"$\approx$"}
"""As in the tables that Weka writes."""

TEXT_WIDTH, TEXT_HEIGHT = 345.0, 550.0
"""Points of an article; a journal's page is wider."""

LONGEST_NAME = 36
"""Letters after which the name of a row is broken."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a table is set: the size of its type, on its side or not, with upright heads or not."""

    size: str
    letter: float  # points
    gap: float  # points on either side of a column
    landscape: bool = False
    rotated: bool = False

    @property
    def width(self) -> float:
        return TEXT_HEIGHT if self.landscape else TEXT_WIDTH

    @property
    def most_rows(self) -> int:
        """Rows of a table on one page, below its caption; more of them go over pages."""
        return 24 if self.landscape else 40

    def measure_name(self, table: ResultsTable) -> float:
        names = [table.corner, *(name for name, _ in table.rows)]
        longest = min(max(map(count_columns, names)), LONGEST_NAME)
        return longest * self.letter + self.gap

    def measure_columns(self, table: ResultsTable) -> list[float]:
        """Return the width of each column; marks reach into the gap after it."""
        columns = zip(*(cells for _, cells in table.rows), strict=True)
        letters = [max(len(cell.words) for cell in column) for column in columns]
        if not self.rotated:
            heads = map(count_columns, table.heads)
            letters = [max(pair) for pair in zip(letters, heads, strict=True)]
        mark = 0.8 * any(cell.mark for _, cells in table.rows for cell in cells)
        return [(size + mark) * self.letter + 2 * self.gap for size in letters]

    def fits(self, table: ResultsTable) -> bool:
        """Tell whether the whole table is as wide as the text at most."""
        return self.measure_name(table) + sum(self.measure_columns(table)) <= self.width

    def count_fitting(self, table: ResultsTable) -> int:
        """Return how many columns surely fit beside the names."""
        room = self.width - self.measure_name(table)
        return max(1, int(room // max(self.measure_columns(table))))


_SMALL, _SMALLER = (r"\small", 4.5, 6.0), (r"\footnotesize", 4.05, 4.0)
_SMALLEST = (r"\scriptsize", 3.65, 3.0)
LAYOUTS = (
    _Layout(*_SMALL),
    _Layout(*_SMALLER),
    _Layout(*_SMALLER, rotated=True),
    _Layout(*_SMALLEST),
    _Layout(*_SMALLEST, rotated=True),
    _Layout(*_SMALLER, landscape=True),
    _Layout(*_SMALLER, landscape=True, rotated=True),
)
SPLIT = LAYOUTS[2]


def write_results_latex(tables: Sequence[ResultsTable]) -> str:
    r"""Return tables as LaTeX for ``\input``; the comments on top say what they need."""
    bodies = [
        _write_parts(list(_arrange(table)), f"tab:results{i}" if i > 1 else "tab:results")
        for i, table in enumerate(tables, 1)
    ]
    body = "\n\n".join(bodies)
    lines = [
        f"% Made by twofold {__version__}. Put it into a paper with \\input. In the preamble:",
        "%   \\usepackage[T1]{fontenc}",
        *(f"%   \\usepackage{{{name}}}" for name in list_packages(body)),
    ]
    names = [name for table in tables for name in (*table.heads, *dict(table.rows))]
    return "\n".join(lines + declare_letters(names)) + f"\n\n{body}\n"


def write_float_of_results(table: ResultsTable | None) -> str:
    """Return the table for a report: as one float, or nothing where it takes more than that."""
    if table is None:
        return ""
    parts = list(_arrange(table))
    (turned, layout), *more = parts
    fits = not more and not layout.landscape and len(turned.rows) <= layout.most_rows
    return _write_parts(parts, "tab:results") if fits else ""


def _write_parts(parts: list[tuple[ResultsTable, _Layout]], label: str) -> str:
    return "\n\n".join(
        _write_part(part, layout, label, i, len(parts)) for i, (part, layout) in enumerate(parts, 1)
    )


def list_packages(body: str) -> list[str]:
    """Return the packages that LaTeX of this kind needs."""
    uses = {"longtable": "{longtable}", "pdflscape": "{landscape}", "graphicx": r"\rotatebox"}
    return ["booktabs", "textcomp", *(name for name, code in uses.items() if code in body)]


def _arrange(table: ResultsTable) -> Iterator[tuple[ResultsTable, _Layout]]:
    """Yield the table as it fits: whole, without standard deviations, transposed, or in parts."""
    bare = table.leave_spread()
    for turned in (table, bare, bare.transpose()):
        for layout in LAYOUTS:
            if layout.fits(turned):
                yield turned, layout
                return
    table = bare.split_records()
    most = SPLIT.count_fitting(table)
    parts = -(-len(table.heads) // most)
    size = -(-len(table.heads) // parts)
    for start in range(0, len(table.heads), size):
        yield table.take_columns(slice(start, start + size)), SPLIT


def _write_part(table: ResultsTable, layout: _Layout, label: str, part: int, parts: int) -> str:
    caption = table.caption
    if parts > 1:
        caption = f"{caption.removesuffix('.')} (part {part} of {parts})."
    caption = rf"\caption{{{escape_latex(caption)}}}"
    # All parts are one table with one number; its notes stand below the last.
    caption += rf"\label{{{label}}}" if part == 1 else ""
    again = [r"\addtocounter{table}{-1}"] * (part > 1)
    notes = _write_notes(table) if part == parts else ""
    style = [layout.size, rf"\setlength{{\tabcolsep}}{{{layout.gap:g}pt}}"]
    if len(table.rows) > layout.most_rows:
        long = _write_long(table, layout, caption)
        lines = [r"\begingroup", *again, *style, *long, rf"\noindent {notes}\par\endgroup"]
    else:
        body = [
            rf"\begin{{tabular}}{{{_list_columns(table, layout)}}}",
            r"\toprule",
            _write_heads(table, layout),
            r"\midrule",
            *_write_rows(table),
            r"\bottomrule",
            r"\end{tabular}",
        ]
        top = [r"\begin{table}[tbp]", r"\centering", *again, caption, r"\smallskip", *style]
        below = rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {notes}}}"
        lines = [*top, *body, below, r"\end{table}"]
    if layout.landscape:
        lines = [r"\begin{landscape}", *lines, r"\end{landscape}"]
    return "\n".join(lines)


def _write_notes(table: ResultsTable) -> str:
    notes = _break_at_underscores(" ".join(table.footnotes)).replace("≈", MARKS["alike"])
    return notes.replace("v, {*}: better", f"{MARKS['better']}, {MARKS['worse']}: better")


def _write_long(table: ResultsTable, layout: _Layout, caption: str) -> list[str]:
    """Return a table that goes over pages, with its heads on each."""
    heads = [r"\toprule", _write_heads(table, layout), r"\midrule"]
    return [
        rf"\begin{{longtable}}{{{_list_columns(table, layout)}}}",
        caption + r"\\",
        *heads,
        r"\endfirsthead",
        *heads,
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *_write_rows(table),
        r"\end{longtable}",
    ]


def _list_columns(table: ResultsTable, layout: _Layout) -> str:
    wide = max(count_columns(name) for name, _ in table.rows) > LONGEST_NAME
    name = f"p{{{LONGEST_NAME * layout.letter:.0f}pt}}" if wide else "l"
    return f"@{{}}{name}{'r' * len(table.heads)}@{{}}"


def _write_heads(table: ResultsTable, layout: _Layout) -> str:
    heads = [escape_latex(head) for head in table.heads]
    if layout.rotated:
        heads = [rf"\rotatebox{{90}}{{{head}}}" for head in heads]
    return " & ".join([escape_latex(table.corner), *heads]) + r" \\"


def _write_rows(table: ResultsTable) -> list[str]:
    lines = []
    for i, (name, cells) in enumerate(table.rows):
        if i and i == len(table.rows) - table.summary_rows:
            lines.append(r"\midrule")
        texts = [_write_cell(cell) for cell in cells]
        lines.append(" & ".join([_write_name(name), *texts]) + r" \\")
    return lines


def _write_name(name: str) -> str:
    """Return the name of a row; long ones may be broken."""
    long = count_columns(name) > LONGEST_NAME
    return rf"\raggedright {_break_at_underscores(name)}" if long else escape_latex(name)


def _break_at_underscores(text: str) -> str:
    return escape_latex(text).replace(r"\_", r"\_\allowbreak{}")


def _write_cell(cell: ResultCell) -> str:
    text = escape_latex(cell.text)
    if cell.best:
        text = rf"\textbf{{{text}}}"
    if cell.spread:
        text += rf" $\pm$ {escape_latex(cell.spread)}"
    # Numbers stay aligned: marks take no room of their own.
    return rf"{text}\rlap{{\,{MARKS[cell.mark]}}}" if cell.mark else text
