"""Data sets, odd and damaged: run on, or refused in two lines."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

from torture.attack import Attack, Harm
from torture.judge import judge, run_command
from torture.odd_values import ENCODINGS, choose_number, choose_word, damage
from torture.table_forms import Table, format_cell, spoil, write_table

FORMS = ("csv", "csv", "tsv", "semicolon", "bar", "spaces", "arff", "arff", "tab", "gz", "parquet")
DESIGNS = ("1x2", "2x2", "1x3", "holdout:1/3", "resample:2:0.3", "bootstrap:2", "timeseries:2")
DESIGNS += ("loo", "disjoint:2:1/3", "given", "halves:1x2")
METRICS = (
    "accuracy",
    "error",
    "f1",
    "auc",
    "log_loss",
    "r2",
    "rmse",
    "accuracy,f1",
    "mcc",
    "brier",
)
OPTIONS = [
    ["--target", "class"],
    ["--target", "a1"],
    ["--groups", "a2"],
    ["--folds", "a2"],
    ["--drop", "a1"],
    ["--positive", "yes"],
    ["--positive", "0"],
    ["--task", "classification"],
    ["--task", "regression"],
    ["--drop-unlabelled"],
    ["--no-stratify"],
]


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Run two quick learners on an odd or damaged data set."""
    sound = random.random() < 0.5
    table = _make_data(random, sound)
    if not sound and random.random() < 0.7:
        spoil(random, table)
    form = random.choice(FORMS)
    if form in ("arff", "tab"):
        suffix, content = f".{form}", _write_typed(random, table, form)
    else:
        suffix, content = write_table(random, table, form)
    if not sound and random.random() < 0.5:
        content = damage(random, content)
    elif random.random() < 0.1:
        content = content.decode("utf-8", "replace").encode(random.choice(ENCODINGS), "replace")
    elif form == "arff" and random.random() < 0.05:
        suffix, content = ".arff.gz", gzip.compress(content, mtime=0)
    file = folder / f"data{suffix}"
    file.write_bytes(content)
    output = folder / ("scores" + random.choice([".csv", ".tsv", ".json"]))
    learners = NUMBERS if "y" in table.header else ["nb", "majority"]
    arguments = [*learners, "--data", str(file), "--design", random.choice(DESIGNS)]
    arguments += ["--store", ":memory:", "--workers", "0"]
    if random.random() < 0.3:
        arguments += ["--metric", random.choice(METRICS)]
    if random.random() < 0.3:
        arguments += random.choice(OPTIONS)
    if random.random() < 0.5:
        return judge(run_command(["compare", *arguments]))
    ending = run_command(["run", *arguments, "-o", str(output)])
    # Warnings of the scores stand on standard error beside an answer.
    return judge(ending, [output], silent=True)


NUMBERS = ["sklearn.dummy.DummyRegressor()", "sklearn.dummy.DummyRegressor(strategy='median')"]


def _make_data(random: Random, sound: bool) -> Table:
    classes = random.choice(
        [["yes", "no"], ["a", "b", "c"], ["0", "1"], ["yes"], [str(i) for i in range(9)]]
    )
    size = random.choice([8, 20, 40, 90] if sound else [0, 1, 2, 3, 8, 20, 40])
    width = random.choice([1, 2, 3, 5] if sound else [0, 1, 2, 3, 5])
    kinds = [random.choice(["number", "number", "word", "whole"]) for _ in range(width)]
    regression = random.random() < 0.25
    rows = []
    for _ in range(size):
        label = round(random.gauss(0, 1), 3) if regression else random.choice(classes)
        rows.append([*(_draw(random, kind) for kind in kinds), label])
    names = [
        choose_word(random) if sound and random.random() < 0.1 else f"a{i + 1}"
        for i in range(width)
    ]
    return Table([*names, "y" if regression else "class"], rows, [])


def _draw(random: Random, kind: str) -> object:
    if random.random() < 0.03:
        return random.choice([None, "?", choose_number(random), choose_word(random)])
    if kind == "number":
        return round(random.gauss(0, 1), random.choice([0, 2, 6]))
    return random.randrange(4) if kind == "whole" else random.choice(["u", "v", "w"])


def _is_number(cell: str) -> bool:
    return cell == "?" or cell.lstrip("-").replace(".", "", 1).isdigit()


def _write_typed(random: Random, table: Table, form: str) -> bytes:
    """Write ARFF or Orange's .tab, which declare their columns."""
    rows = [[format_cell(cell) for cell in row] for row in table.rows]
    columns = [[row[i] for row in rows if i < len(row)] for i in range(len(table.header))]
    if form == "tab":
        kinds = [random.choice(["c", "d", "s", "continuous", "", "t"]) for _ in columns]
        flags = [random.choice(["", "", "", "meta", "class", "ignore", "i=3"]) for _ in columns]
        if random.random() < 0.5:
            kinds, flags = ["d"] * len(columns), [*[""] * (len(columns) - 1), "class"]
        lines = [table.header, kinds, flags, *rows]
        return "\n".join("\t".join(line) for line in lines).encode("utf-8", "surrogatepass")
    lines = [[f"@relation {choose_word(random)!r}"]]
    for name, cells in zip(table.header, columns, strict=True):
        values = ",".join(dict.fromkeys(cell for cell in cells if cell and cell != "?"))
        kind = random.choice(["numeric", "string", "date", "real"])
        if random.random() < 0.8:
            kind = "numeric" if all(map(_is_number, cells)) else f"{{{values}}}"
        lines.append([f"@attribute {name if name.isalnum() else repr(name)} {kind}"])
    lines += [["@data"], *rows]
    if random.random() < 0.1:
        lines.append(["{0 1, 1 u}"])
    return "\n".join(",".join(line) for line in lines).encode("utf-8", "surrogatepass")


ATTACKS = [Attack("fuzzed data sets", attempt, trials=6000, short=10)]
