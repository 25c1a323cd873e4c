"""Tables of scores, sound or odd, and the files they are written to."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from torture.odd_values import choose_number, choose_word

SETS = ["iris", "wine", "glass", "sonar", "vote", "zoo", "heart", "vehicle", "vowel", "yeast"]
LEARNERS = ["tree", "forest", "svm", "nb", "kNN", "C4.5", "net", "boost", "ridge", "lasso"]


@dataclass
class Table:
    """Names of columns, rows of cells (numbers, texts or None), and options to read it by."""

    header: list[str]
    rows: list[list[Any]]
    options: list[str]


def make_table(random: Random) -> Table:
    """Return a sound table of one of many forms."""
    learners = random.sample(LEARNERS, random.choice([2, 2, 3, 3, 4, 6]))
    datasets = random.sample(SETS, random.choice([1, 2, 3, 6, 10]))
    form = random.choice(["wide", "wide", "long", "folds", "long folds", "predictions", "ranks"])
    draw = _choose_scale(random)
    if form == "predictions":
        return _make_predictions(random, learners)
    if form == "ranks":
        ranks = [[d, *random.sample(range(1, len(learners) + 1), len(learners))] for d in datasets]
        return Table(["dataset", *learners], ranks, ["--ranks"])
    if form == "wide":
        rows = [[d, *(draw() for _ in learners)] for d in datasets]
        return Table(["dataset", *learners], rows, [])
    if form == "long":
        rows = [[d, a, draw()] for d in datasets for a in learners]
        return Table(["dataset", "learner", random.choice(["value", "accuracy", "rmse"])], rows, [])
    if random.random() < 0.6:
        datasets = datasets[:1]
    runs, folds = random.choice([(1, 5), (2, 2), (5, 2), (1, 10), (2, 3)])
    parts = [(run, fold) for run in range(runs) for fold in range(folds)]
    if form == "folds":
        rows = [[d, *part, *(draw() for _ in learners)] for d in datasets for part in parts]
        return Table(["dataset", "run", "fold", *learners], rows, [])
    rows = [[d, a, *part, draw()] for d in datasets for a in learners for part in parts]
    return Table(["dataset", "learner", "run", "fold", "value"], rows, [])


def _choose_scale(random: Random) -> Callable[[], float]:
    scale = random.choice(
        ["unit", "unit", "percent", "grid", "constant", "losses", "tiny", "large"]
    )
    draws: dict[str, Callable[[], float]] = {
        "unit": lambda: round(random.uniform(0.5, 1), 4),
        "percent": lambda: round(random.uniform(50, 100), 2),
        "grid": lambda: random.choice([0.5, 0.75, 1.0]),
        "constant": lambda: 0.75,
        "losses": lambda: random.gauss(0, 10),
        "tiny": lambda: random.random() * 1e-300,
        "large": lambda: random.uniform(-1, 1) * 10.0 ** random.choice([9, 16, 150, 307]),
    }
    return draws[scale]


def _make_predictions(random: Random, learners: list[str]) -> Table:
    classes = random.choice([["a", "b"], ["0", "1"], ["yes", "no"], ["x", "y", "z"]])
    size = random.choice([2, 5, 20, 60])
    truth = [random.choice(classes) for _ in range(size)]
    rows = [
        [label, *(label if random.random() < 0.7 else random.choice(classes) for _ in learners)]
        for label in truth
    ]
    return Table(["truth", *learners], rows, ["--predictions"])


def vary(random: Random, table: Table) -> None:
    """Change a table so that it stays one: odd names, gaps, ties, spreads, percent signs."""
    for _ in range(random.choice([1, 2, 3])):
        match random.randrange(8):
            case 0:
                _rename(random, table, [cell for cell in table.header if cell in LEARNERS])
            case 1:
                _rename(random, table, [row[0] for row in table.rows if row[0] in SETS])
            case 2:
                for row in table.rows:
                    if random.random() < 0.1:
                        row[-1] = random.choice([None, "", "NA", "nan", "-", "?"])
            case 3:
                places = random.choice([0, 1, 2, 15])
                table.rows = [[_round(cell, places) for cell in row] for row in table.rows]
            case 4:
                form = random.choice(["{}%", "{} ± 0.1", "**{}**", "{:.3e}", "{:+.4f}", " {} "])
                table.rows = [
                    [form.format(cell) if isinstance(cell, float) else cell for cell in row]
                    for row in table.rows
                ]
            case 5:
                mean = ["Average", *("" for _ in table.header[1:])]
                table.rows.append(random.choice([mean, [""] * len(table.header)]))
            case 6:
                best = len(table.header) - 1
                for row in table.rows:
                    if isinstance(row[best], float):
                        row[best] += random.choice([0.1, 1.0, -0.2])
            case _:
                number = random.choice([1, 5, 15])
                if (
                    table.rows
                    and isinstance(table.rows[0][-1], float)
                    and "dataset" in table.header
                ):
                    table.header += [f"more {i}" for i in range(number)]
                    for row in table.rows:
                        row += [random.random() for _ in range(number)]


def _rename(random: Random, table: Table, names: list[str]) -> None:
    """Give odd names to learners or data sets wherever they stand."""
    new = {name: choose_word(random) for name in names if random.random() < 0.5}
    table.header = [new.get(cell, cell) for cell in table.header]
    table.rows = [
        [new.get(cell, cell) if isinstance(cell, str) else cell for cell in row]
        for row in table.rows
    ]


def _round(cell: Any, places: int) -> Any:
    return round(cell, places) if isinstance(cell, float) else cell


def spoil(random: Random, table: Table) -> None:
    """Put odd names, numbers and words into a table, and change its shape."""
    for _ in range(random.choice([1, 1, 2, 3, 8])):
        if not table.rows or not table.header:
            return
        row = random.choice(table.rows)
        column = random.randrange(len(table.header))
        match random.randrange(14):
            case 0 | 1 | 2:
                _put(row, column, choose_number(random))
            case 3 | 4:
                _put(row, column, choose_word(random))
            case 5:
                table.header[column] = choose_word(random)
            case 6:
                table.header[column] = random.choice(table.header)
            case 7:
                table.rows.append(list(row))
            case 8:
                row.append(choose_number(random)) if random.random() < 0.5 else row.clear()
            case 9:
                odd = random.choice([choose_word(random), choose_number(random), None])
                for other in table.rows:
                    _put(other, column, odd)
            case 10:
                del table.rows[random.randrange(len(table.rows)) :]
            case 11:
                del table.header[column]
                for other in table.rows:
                    del other[column : column + 1]
            case 12:
                _add_columns(random, table)
            case _:
                _put(row, column, random.choice([None, True, [], {}, [1], {"a": 1}, 10**400, ""]))


def _add_columns(random: Random, table: Table) -> None:
    number = random.choice([1, 1, 2, 200])
    table.header += [choose_word(random) if number < 3 else f"c{i}" for i in range(number)]
    for row in table.rows:
        row += [random.choice([random.random(), choose_number(random)]) for _ in range(number)]


def _put(row: list[Any], column: int, cell: Any) -> None:
    if column < len(row):
        row[column] = cell


def write_table(random: Random, table: Table, form: str) -> tuple[str, bytes]:
    """Return a file's ending and its content."""
    if form in ("csv", "tsv", "semicolon", "bar", "gz"):
        delimiter = {"tsv": "\t", "semicolon": ";", "bar": "|"}.get(form, ",")
        body = _write_delimited(table, delimiter, random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
        content = body.encode("utf-8", "surrogatepass")
        if form == "gz":
            return ".csv.gz", gzip.compress(content, mtime=0)
        return (".tsv" if form == "tsv" else ".csv"), content
    if form == "markdown":
        lines = [table.header, ["---"] * len(table.header), *table.rows]
        text = "\n".join("| " + " | ".join(map(format_cell, line)) + " |" for line in lines)
        return ".md", text.encode("utf-8", "surrogatepass")
    if form == "spaces":
        lines = ["  ".join(map(format_cell, line)) for line in [table.header, *table.rows]]
        return ".txt", "\n".join(lines).encode("utf-8", "surrogatepass")
    if form == "records":
        records = [dict(zip(table.header, row, strict=True)) for row in table.rows]
        return ".json", json.dumps(records).encode()
    if form == "json":
        return ".json", _write_json(random, table).encode("utf-8", "surrogatepass")
    return f".{form}", _write_frame(table, form)


def format_cell(cell: Any) -> str:
    """Return a cell as text."""
    if cell is None:
        return ""
    if isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) > 10**300:
        return "1" + "0" * 400
    return cell if isinstance(cell, str) else repr(cell)


def _write_delimited(table: Table, delimiter: str, quoting: Any) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=quoting)
    writer.writerows([format_cell(cell) for cell in row] for row in [table.header, *table.rows])
    return out.getvalue()


def _write_json(random: Random, table: Table) -> str:
    records = [dict(zip(table.header, row, strict=False)) for row in table.rows]
    columns = {
        name: [row[i] if i < len(row) else None for row in table.rows]
        for i, name in enumerate(table.header)
    }
    forms: list[Any] = [records, records, columns, [table.header, *table.rows]]
    forms.append({"columns": table.header, "data": table.rows})
    forms.append({"columns": table.header, "data": table.rows, "index": list(range(len(records)))})
    forms.append({str(row[0]) if row else "": dict(zip(table.header[1:], row[1:], strict=False))
                  for row in table.rows})  # fmt: skip
    forms.append({name: {"test_score": cells} for name, cells in columns.items()})
    forms.append({"schema": {"fields": []}, "data": records})
    content = random.choice(forms)
    for _ in range(random.choice([0, 0, 0, 1, 3])):
        content = random.choice([[content], {"a": content}, {"a": content, "b": content}])
    if random.random() < 0.1:
        return "\n".join(json.dumps(record) for record in records)
    if random.random() < 0.02:
        depth = random.choice([50, 1000, 100_000])
        return "[" * depth + "1" + "]" * random.choice([0, depth])
    text = json.dumps(content, ensure_ascii=random.random() < 0.5)
    # Numbers that JSON allows and Python hardly reads, and such as it does not allow.
    if random.random() < 0.1:
        return text.replace(
            "0.", random.choice(["9" * 5000 + ".", "NaN", "Infinity", "1e999", "."]), 1
        )
    return text


def _write_frame(table: Table, form: str) -> bytes:
    import pandas

    width = len(table.header)
    rows = [[*row, *[None] * width][:width] for row in table.rows]
    frame = pandas.DataFrame(rows, columns=table.header or None)
    out = io.BytesIO()
    try:
        if form == "xlsx":
            frame.to_excel(out, index=False)
        elif form == "parquet":
            frame.to_parquet(out)
        else:
            frame.to_feather(out)
    except Exception:  # what cannot be written as it is, is written as text
        frame = frame.map(format_cell).rename(columns=str)
        frame.columns = [f"{i}{name}"[:200] for i, name in enumerate(frame.columns)]
        frame = frame.map(lambda text: "".join(filter(str.isprintable, text))[:30_000])
        frame.columns = ["".join(filter(str.isprintable, name)) for name in frame.columns]
        out = io.BytesIO()
        write = {"xlsx": frame.to_excel, "parquet": frame.to_parquet, "feather": frame.to_feather}
        write[form](out, **({"index": False} if form == "xlsx" else {}))
    return out.getvalue()
