"""Fuzz tables written down: as CSV and its kin, Markdown, JSON, dicts and frames, and spoilt."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
from fuzz_tables import NEVER, Columns, FuzzTable, chance


def write(rng, table: FuzzTable, columns: Columns) -> None:
    """Set down the table's content, in one of many ways."""
    columns = _shuffle(rng, table, columns)
    form = table.form
    other = str(rng.choice(["json", "dict", "frame", "text", "text", "text"]))
    if form == "json records" or (form in NEVER and other == "json"):
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        table.suffix = ".json"
        lines = chance(rng, 0.3)
        table.content = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
    elif form == "json nested":
        table.suffix = ".json"
        table.content = json.dumps(
            {
                d: {a: table.truth[d, a] for a in table.learners if (d, a) in table.truth}
                for d in table.datasets
            }
        )
    elif form == "dict" or (form in NEVER and other == "dict"):
        table.content = columns
    elif form == "frame" or (form in NEVER and other == "frame"):
        import pandas as pd

        frame = pd.DataFrame(columns)
        label = next((name for name in columns if set(columns[name]) == set(table.datasets)), None)
        table.content = frame.set_index(label) if label and chance(rng, 0.5) else frame
    elif form == "markdown":
        table.suffix = ".md"
        table.content = _markdown(rng, table, columns)
    else:
        table.content = _text(rng, table, columns)


def _shuffle(rng, table, columns) -> Columns:
    if chance(rng, 0.3) and table.form not in ("transposed", "json nested"):
        order = rng.permutation(len(next(iter(columns.values())))).tolist()
        if table.form == "unnamed rows":
            table.truth = {
                (f"data set {order.index(int(d.split()[-1]) - 1) + 1}", learner): score
                for (d, learner), score in table.truth.items()
            }
        columns = {name: [cells[i] for i in order] for name, cells in columns.items()}
        table.tricks.append("rows shuffled")
    if chance(rng, 0.3):
        names = [list(columns)[i] for i in rng.permutation(len(columns))]
        names.sort(key=bool)  # a name that is missing can stand in front only
        columns = {name: columns[name] for name in names}
        table.tricks.append("columns shuffled")
    return columns


def _style(rng, table, *, comma) -> dict:
    scores = table.form not in NEVER
    style = {
        "missing": str(rng.choice(["", "NA", "nan", "-", "?"])),
        "short": chance(rng, 0.7),
        "comma": comma and chance(rng, 0.3),
        "percent": scores and table.scale == "percent" and chance(rng, 0.2),
        "spread": scores and chance(rng, 0.1),
        "bold": chance(rng, 0.1),
    }
    table.tricks += [name for name in ("comma", "percent", "spread", "bold") if style[name]]
    return style


def _cell(rng, value, style) -> str:
    if value is None:
        return style["missing"]
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.4f}".rstrip("0").rstrip(".") if style["short"] else f"{value:.4f}"
    text = text.replace(".", ",") if style["comma"] else text
    text += "%" if style["percent"] else ""
    if style["spread"]:
        text += " ± 0,01" if style["comma"] else " ± 0.01"
    return f"**{text}**" if style["bold"] and chance(rng, 0.2) else text


def _texts(rng, columns, style) -> list[list[str]]:
    size = len(next(iter(columns.values())))
    bare = style | {"percent": False, "spread": False, "bold": False}
    styles = {name: bare if name in ("imbalance", "fit_time") else style for name in columns}
    return [
        [_cell(rng, cells[i], styles[name]) for name, cells in columns.items()] for i in range(size)
    ]


def _markdown(rng, table, columns) -> str:
    rows = _texts(rng, columns, _style(rng, table, comma=False))
    lines = [list(columns), ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _text(rng, table, columns) -> str:
    separator = str(rng.choice([",", ",", ",", ";", "\t", "|", "  "]))
    plain = separator == "  "
    if plain and any(" " in name or not name for name in columns):
        separator = ","
    style = _style(rng, table, comma=separator != ",")
    rows = _texts(rng, columns, style)
    if table.form == "wide" and chance(rng, 0.1):
        rows.append(_summary(rng, table, columns, style))
        table.tricks.append("a row that sums up")
    if separator == "  ":
        table.tricks.append("spaces")
        if style["spread"] or any(not cell for row in rows for cell in row):
            separator = "\t"
    if separator == "  ":
        lines = [separator.join(row) for row in [list(columns), *rows]]
    else:
        out = io.StringIO()
        quoting = csv.QUOTE_ALL if chance(rng, 0.1) else csv.QUOTE_MINIMAL
        writer = csv.writer(out, delimiter=separator, lineterminator="\n", quoting=quoting)
        writer.writerows([list(columns), *rows])
        lines = out.getvalue().splitlines()
    return _spoilt(rng, table, lines, separator)


def _spoilt(rng, table, lines, separator) -> str:
    head = lines[0]
    if chance(rng, 0.1):
        lines.insert(int(rng.integers(1, len(lines))), "")
        table.tricks.append("blank line")
    if chance(rng, 0.05):
        lines.insert(int(rng.integers(len(lines) // 2, len(lines))) + 1, head)
        table.tricks.append("header again")
    if separator != "  " and chance(rng, 0.05):
        lines = [line + separator if line else line for line in lines]
        table.tricks.append("separator at the end")
    if chance(rng, 0.1):
        lines.insert(0, "# made by a script, on a day")
        table.tricks.append("comment")
    text = "\n".join(lines) + "\n"
    if chance(rng, 0.1):
        text = "\ufeff" + text
        table.tricks.append("byte order mark")
    return text.replace("\n", "\r\n") if chance(rng, 0.1) else text


def _summary(rng, table, columns, style) -> list[str]:
    name = str(rng.choice(["Average", "Mean", "Mean rank", "W/T/L", "Total"]))
    row = []
    for column, cells in columns.items():
        numbers = [v for v in cells if isinstance(v, float)]
        if sorted(map(str, cells)) == sorted(table.datasets):
            row.append(name)
        elif column not in table.learners or not numbers:
            row.append(style["missing"])
        elif name == "W/T/L":
            row.append("3/1/2")
        else:
            ways = {"Total": np.sum, "Mean rank": lambda _, c=column: 1.0 + len(c) % 2}
            row.append(_cell(rng, float(np.round(ways.get(name, np.mean)(numbers), 4)), style))
    return row
