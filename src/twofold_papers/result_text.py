"""A reproduction as text of 80 columns."""

from __future__ import annotations

from textwrap import wrap

from twofold.rounding import number, written
from twofold_papers.item import ResultTable
from twofold_papers.printed import Number
from twofold_papers.reproduction import Reproduction

WIDTH = 80
WIDEST_LABEL = 44


def write_text(reproduction: Reproduction) -> str:
    """Return what came out of an item."""
    item, options, result = reproduction.item, reproduction.options, reproduction.result
    head = f"{reproduction.paper.key} {item.name}: {item.title}"
    lines = [head, "=" * len(head), *wrap(f"{options.size}: {result.trials}", WIDTH)]
    if result.numbers:
        lines += _write_numbers(result.numbers)
    for table in result.tables:
        lines += ["", *wrap(table.caption, WIDTH), *_write_columns(table)]
    for claim in result.claims:
        mark = claim.verdict if claim.verdict == "holds" else claim.verdict.upper()
        lines += ["", *wrap(f"[{mark}] {claim.text}", WIDTH, subsequent_indent="  ")]
        below = [claim.section, claim.reading and f"Read as: {claim.reading}", claim.detail]
        for words in filter(None, below):
            lines += wrap(words, WIDTH, initial_indent="  ", subsequent_indent="  ")
    for remark in result.remarks:
        lines += ["", *wrap(remark, WIDTH)]
    return "\n".join([*lines, "", f"{written(reproduction.seconds, 1)} s, seed {options.seed}", ""])


def _write_numbers(numbers: tuple[Number, ...]) -> list[str]:
    wide = min(WIDEST_LABEL, max(len(number.label) for number in numbers))
    lines = ["", f"{'':<{wide}} {'printed':>8} {'ours':>9}  95 % interval"]
    for each in numbers:
        label = each.label if len(each.label) <= wide else each.label[: wide - 1] + "…"
        interval = (
            "exact" if each.high <= each.low else f"{number(each.low, 4)} to {number(each.high, 4)}"
        )
        verdict = "agrees" if each.agrees else "DIFFERS"
        z = "" if each.z is None else f" z {written(each.z, 1, plus=True)}"
        values = f"{each.printed:>8} {number(each.ours, 4):>9}  {interval:<18}"
        lines.append(f"{label:<{wide}} {values} {verdict}{z}")
        if each.why and not each.agrees:
            lines += wrap(each.why, WIDTH, initial_indent="    ", subsequent_indent="    ")
    agreeing = sum(number.agrees for number in numbers)
    return [*lines, f"{agreeing} of {len(numbers)} numbers agree."]


def _write_columns(table: ResultTable) -> list[str]:
    """Return a table in columns; what does not fit in a line is set below in another stretch."""
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows, strict=True)]
    stretches: list[list[int]] = [[]]
    for column in range(1, len(widths)):
        wide = widths[0] + sum(2 + widths[i] for i in (*stretches[-1], column))
        if stretches[-1] and wide > WIDTH:
            stretches.append([])
        stretches[-1].append(column)
    lines = []
    for columns in stretches:
        lines.append("")
        for row in (table.head, *table.rows):
            cells = "".join(f"  {row[i]:>{widths[i]}}" for i in columns)
            lines.append(f"{row[0]:<{widths[0]}}{cells}".rstrip())
    return lines
