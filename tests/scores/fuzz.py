"""Tables made from known truth, written in many ways and spoilt; what reading makes of them.

Table `i` depends on the seed and `i` alone. `python tests/scores/fuzz.py 10000` reads as many and
prints the counts that docs/how-to/tables.md shows.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from twofold import InputError, read_scores

SEED = 2026
PLAIN = """tree forest svm nb kNN C4.5 net boost ridge lasso J48 rules stump bagging knn-3 naïve
XGBoost LightGBM ResNet-18 ROCKET""".split()
ODD = """A B C D N P n d p X Y size samples features classes id index no nr row run fold seed split
rep trial mean Mean Average average median std sd se time times seconds rank Rank total sum best max
score value result data task problem name benchmark model learner method metric accuracy f1 auc
error y label class target truth diff delta gain count ID3 resample 0 1 2 3 10 42""".split() + [
    "n_instances", "n_train", "n_test", "fit_time", "p value", "A std", "A time", "mean rank",
    "Unnamed: 0", "test score", "random forest", "k-NN (k=3)", "C, deep", "fold 1", "run 2",
]  # fmt: skip
SETS = """iris wine glass sonar vote zoo heart hepatitis lymph vehicle vowel yeast letter segment
credit-g diabetes ionosphere splice waveform soybean""".split()
ODD_SETS = """data task Total Best rank Average mean sum run fold score accuracy 1 2 3 31 1464 NA None
time size A B id label map total""".split()
SIZES = ["n_instances", "n_features", "n_classes", "instances", "size", "n", "d", "p"]
NUMBERS = ["id", "Unnamed: 0", "", "index", "dataset index", "openml_id"]
FORMS = (
    "wide", "wide", "wide", "long", "long", "transposed", "folds", "long folds", "unnamed rows",
    "json records", "json nested", "dict", "frame", "markdown", "zeros and ones", "repetitions",
    "metrics", "long conditions",
)  # fmt: skip
NEVER = ("zeros and ones", "repetitions", "metrics", "long conditions")
"""Forms that hold no comparison of learners over data sets: reading one is wrong."""


@dataclass
class FuzzTable:
    """A table, what it was made from, and whether anything in it is out of the ordinary."""

    form: str
    learners: list[str]
    datasets: list[str] | None
    truth: dict[tuple[str, str], float]
    content: object = None
    suffix: str = ".csv"
    tricks: list[str] = field(default_factory=list)
    scale: str = "unit"
    shift: np.ndarray | None = None


def make_table(number: int) -> FuzzTable:
    """Return table ``number``."""
    rng = np.random.default_rng([SEED, number])
    form = str(rng.choice(FORMS))
    table = _truth(rng, form)
    columns = _columns(rng, table)
    if form not in ("json nested",):
        columns = _extras(rng, table, columns)
    _write(rng, table, columns)
    return table


def _yes(rng, probability):
    return bool(rng.random() < probability)


def _names(rng, usual, odd, count, share):
    pool = list(dict.fromkeys(usual))
    names = [str(name) for name in rng.choice(pool, count, replace=False)]
    for i in range(count):
        if _yes(rng, share):
            names[i] = str(rng.choice(odd))
    return names


def _truth(rng, form) -> FuzzTable:
    odd = _yes(rng, 0.5)
    k, n = int(rng.integers(2, 7)), int(rng.integers(3, 16))
    while True:
        learners = _names(rng, PLAIN, ODD, k, 0.4 if odd else 0)
        datasets = _names(rng, SETS, ODD_SETS, n, 0.1 if odd and _yes(rng, 0.3) else 0)
        if len({name.lower() for name in learners}) == k and len(set(datasets)) == n:
            break
    table = FuzzTable(form, learners, datasets, {}, tricks=["odd names"] if odd else [])
    table.scale = str(rng.choice(["unit", "unit", "percent", "whole percent", "loss", "rmse"]))
    if form == "zeros and ones":
        table.scale = "zeros and ones"
    return table


def _values(rng, table, count):
    """Return scores of all learners on one data set, ``count`` of each."""
    k = len(table.learners)
    shape = (k, count)
    if table.scale == "zeros and ones":
        return rng.integers(0, 2, shape).astype(float)
    if table.shift is None:
        table.shift = rng.normal(0, 0.5 if _yes(rng, 0.2) else 0.1, k)
    level = rng.normal(1.2, 0.6) + table.shift[:, None] + rng.normal(0, 0.15, shape)
    unit = 1 / (1 + np.exp(-level))
    if table.scale == "unit":
        return np.round(unit, 4)
    if table.scale == "percent":
        return np.round(100 * unit, 2)
    if table.scale == "whole percent":
        return np.round(100 * unit)
    if table.scale == "loss":
        return np.round(-np.log(unit) * 2, 4)
    return np.round(np.exp(3 + 2 * rng.random() - level), 1)


def _columns(rng, table):
    """Return the table's own columns, and set down what is true."""
    form, learners = table.form, table.learners
    repeated = form in ("folds", "long folds", "long conditions")
    count = int(rng.integers(2, 6)) if repeated else 1
    words = ["fold", "run", "seed", "Fold", "split", "repeat"]
    taken = {name.lower() for name in learners}
    fold = str(rng.choice([word for word in words if word.lower() not in taken]))
    start = int(rng.integers(0, 2))
    lacking = 0.03 if not repeated and _yes(rng, 0.3) else 0
    rows = []  # (data set, learner, fold, value)
    for name in table.datasets:
        for learner, scores in zip(learners, _values(rng, table, count), strict=True):
            rows += [(name, learner, i + start, float(v)) for i, v in enumerate(scores)]
    rows = [row if not _yes(rng, lacking) else (*row[:3], None) for row in rows]
    for name in table.datasets:
        for learner in learners:
            scores = [v for d, who, _, v in rows if (d, who) == (name, learner) and v is not None]
            if scores:
                table.truth[name, learner] = float(np.mean(scores))
    value = {(d, who, i): v for d, who, i, v in rows}
    words = ["dataset", "dataset", "Data set", "data", "problem", "task", "name"]
    label = str(rng.choice([word for word in words if word not in taken]))
    if form in ("long", "long folds", "long conditions"):
        who = str(rng.choice(["learner", "algorithm", "Model", "classifier", "method"]))
        label = label if label != "name" else "dataset"
        score = str(rng.choice(["value", "score", "accuracy", "rmse", "result"]))
        columns = {label: [r[0] for r in rows], who: [r[1] for r in rows]}
        if form == "long folds":
            columns[fold] = [r[2] for r in rows]
        if form == "long conditions":
            columns[str(rng.choice(["noise", "budget", "variant"]))] = [r[2] for r in rows]
        return columns | {score: [r[3] for r in rows]}
    if form == "transposed":
        who = str(rng.choice(["learner", "algorithm", "Model", "classifier", "method"]))
        columns = {who: list(learners)}
        return columns | {d: [value[d, a, start] for a in learners] for d in table.datasets}
    if form == "repetitions":
        header = str(rng.choice(["Resamples:", "dataset", "seed", "Folds", ""]))
        first = int(rng.integers(0, 2))
        table.learners = [str(first + j) for j in range(len(learners))]
        if header == "dataset" and _yes(rng, 0.5):
            table.learners = [f"{fold.lower()}{name}" for name in table.learners]
    if form == "metrics":
        table.learners = ["accuracy", "f1", "auc", "recall", "kappa", "mcc"][: len(learners)]
        if _yes(rng, 0.5):
            table.learners = [f"{a}_{m}" for a in ("tree", "svm") for m in ("acc", "f1")]
        if len(table.learners) != len(learners):
            value |= {(d, f"x{j}", start): round(rng.random(), 4)
                      for d in table.datasets for j in range(len(table.learners))}  # fmt: skip
            learners = [f"x{j}" for j in range(len(table.learners))]
    if form == "folds":
        several = _yes(rng, 0.6)
        sets = table.datasets if several else table.datasets[:1]
        if not several:
            table.truth = {("the data set", a): table.truth[sets[0], a] for a in learners}
            table.datasets = ["the data set"]
        places = [(d, i + start) for d in sets for i in range(count)]
        columns = {label: [d for d, _ in places]} if several else {}
        columns[fold] = [i for _, i in places]
        return columns | {a: [value[d, a, i] for d, i in places] for a in learners}
    columns = {} if form == "unnamed rows" else {label: list(table.datasets)}
    if form == "repetitions":
        columns = {header: list(table.datasets)}
    for shown, a in zip(table.learners, learners, strict=True):
        columns[shown] = [value[d, a, start] for d in table.datasets]
    if form == "unnamed rows":
        names = [f"data set {i + 1}" for i in range(len(table.datasets))]
        table.truth = {
            (new, a): table.truth[old, a]
            for new, old in zip(names, table.datasets, strict=True)
            for a in learners
            if (old, a) in table.truth
        }
        table.datasets = names
    if form == "zeros and ones" and _yes(rng, 0.5):
        columns = {"item": [f"q{i}" for i in range(len(table.datasets))]} | {
            k if k != label else "passage": v for k, v in columns.items()
        }
    return columns


def _extras(rng, table, columns):
    """Add what stands in tables beside scores."""
    size = len(next(iter(columns.values())))
    wide = table.form not in ("transposed",)
    long = table.form.startswith("long")
    more = {}
    if wide and _yes(rng, 0.3):
        name = str(rng.choice(SIZES))
        high = {"n_classes": 27, "n_features": 200, "d": 100, "p": 100}.get(name, 20000)
        more[name] = [int(x) for x in rng.integers(2, high, size)]
        table.tricks.append("sizes")
    if wide and not long and table.form not in ("folds", "unnamed rows") and _yes(rng, 0.2):
        name = str(rng.choice(NUMBERS))
        counts = list(range(size)) if name in ("", "Unnamed: 0", "index") else None
        more[name] = counts or [int(x) for x in rng.permutation(50000)[:size]]
        table.tricks.append("row numbers")
    if wide and _yes(rng, 0.2):
        more["source"] = [str(x) for x in rng.choice(["uci", "openml", "kaggle"], size)]
        table.tricks.append("words")
    if table.form == "wide" and _yes(rng, 0.2):
        kind = str(rng.choice(["std", "_sd", " time", "fit_time", "Average", "best", "year", "gini",
                               "difference"]))  # fmt: skip
        scores = np.array([[np.nan if v is None else v for v in columns[a]]
                           for a in table.learners if a in columns])  # fmt: skip
        # On another scale nothing tells an unknown property of data sets from a learner.
        unknowable = (kind == "gini" and table.scale != "unit") or (
            kind == "year" and table.scale == "rmse"
        )
        if len(scores) == len(table.learners) and np.isfinite(scores).all() and not unknowable:
            table.tricks.append("beside: " + kind.strip(" _"))
            if kind in ("std", "_sd", " time"):
                for a in table.learners:
                    name = a + (" std" if kind == "std" else kind)
                    spread = abs(columns[a]) if isinstance(columns[a], float) else scores[0]
                    more[name] = np.round(np.abs(spread) * rng.uniform(0.01, 0.1, size), 4).tolist()
            elif kind == "fit_time":
                more[kind] = np.round(rng.uniform(0.1, 100, size), 2).tolist()
            elif kind == "year":
                more[kind] = [int(x) for x in rng.integers(1985, 2025, size)]
            elif kind == "gini":
                more["imbalance"] = np.round(rng.uniform(1.5, 40, size), 2).tolist()
            else:
                way = {"Average": scores.mean(0), "best": scores.max(0)}
                more[kind] = np.round(way.get(kind, scores[0] - scores[-1]), 4).tolist()
    more = {name: cells for name, cells in more.items() if name not in columns}
    if any(name.lower() in {c.lower() for c in columns} for name in more):
        more = {}
    joined = columns | more
    if "" in joined:  # a name that is missing can stand in front only
        joined = {"": joined.pop("")} | joined
    return joined


def _write(rng, table, columns):
    form = table.form
    size = len(next(iter(columns.values())))
    if _yes(rng, 0.3) and form != "transposed":
        order = rng.permutation(size)
        if form == "unnamed rows":
            table.truth = {
                (f"data set {list(order).index(int(d.split()[-1]) - 1) + 1}", a): v
                for (d, a), v in table.truth.items()
            }
        columns = {name: [cells[i] for i in order] for name, cells in columns.items()}
        table.tricks.append("rows shuffled")
    if _yes(rng, 0.3):
        names = list(columns)
        first = [name for name in names if name == ""]
        names = first + [names[i] for i in rng.permutation(len(names)) if names[i] != ""]
        columns = {name: columns[name] for name in names}
        table.tricks.append("columns shuffled")
    plain = _yes(rng, 0.5)
    if form == "json records" or (form in NEVER and _yes(rng, 0.1)):
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        table.suffix = ".json"
        lines = _yes(rng, 0.3)
        table.content = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
    elif form == "json nested":
        table.suffix = ".json"
        table.content = json.dumps(
            {
                d: {a: table.truth[d, a] for a in table.learners if (d, a) in table.truth}
                for d in table.datasets
            }
        )
    elif form == "dict" or (form in NEVER and plain and _yes(rng, 0.2)):
        table.content = columns
    elif form == "frame" or (form in NEVER and plain and _yes(rng, 0.2)):
        import pandas as pd

        frame = pd.DataFrame(columns)
        label = next((name for name in columns if columns[name] == table.datasets), None)
        table.content = frame.set_index(label) if label and _yes(rng, 0.5) else frame
    elif form == "markdown":
        table.suffix = ".md"
        table.content = _markdown(rng, table, columns)
    else:
        table.content = _text(rng, table, columns)


def _cell(rng, value, style):
    if value is None:
        return str(style["missing"])
    if isinstance(value, float):
        text = f"{value:.4f}".rstrip("0").rstrip(".") if style["short"] else f"{value:.4f}"
        text = text.replace(".", ",") if style["comma"] else text
        if style["percent"]:
            text += "%"
        if style["spread"]:
            text += " ± " + ("0,01" if style["comma"] else "0.01")
        if style["bold"] and _yes(rng, 0.2):
            text = f"**{text}**"
        return text
    return str(value)


def _style(rng, table, *, comma):
    style = {
        "missing": rng.choice(["", "NA", "nan", "-", "?"]),
        "short": _yes(rng, 0.7),
        "comma": comma and _yes(rng, 0.3),
        "percent": table.scale == "percent" and _yes(rng, 0.2),
        "spread": _yes(rng, 0.1),
        "bold": _yes(rng, 0.1),
    }
    if table.form in NEVER:
        style |= {"percent": False, "spread": False}
    table.tricks += [name for name in ("comma", "percent", "spread", "bold") if style[name]]
    return style


def _scored(table, columns):
    """Return which columns hold scores, whose numbers are written in the table's style."""
    return {
        name
        for name, cells in columns.items()
        if any(isinstance(v, float) for v in cells) and name != "imbalance"
    }


def _texts(rng, table, columns, style):
    scored = _scored(table, columns)
    bare = style | {"percent": False, "spread": False, "bold": False}
    return [
        [_cell(rng, cells[i], style if name in scored else bare) for name, cells in columns.items()]
        for i in range(len(next(iter(columns.values()))))
    ]


def _markdown(rng, table, columns):
    rows = _texts(rng, table, columns, _style(rng, table, comma=False))
    names = [name.replace("|", "\\|") for name in columns]
    lines = [names, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _text(rng, table, columns):
    separator = str(rng.choice([",", ",", ",", ";", "\t", "|"]))
    style = _style(rng, table, comma=separator != ",")
    rows = _texts(rng, table, columns, style)
    if table.form == "wide" and _yes(rng, 0.1):
        rows.append(_summary(rng, table, columns, style))
        table.tricks.append("a row that sums up")
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if _yes(rng, 0.1) else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=separator, lineterminator="\n", quoting=quoting)
    writer.writerows([list(columns), *rows])
    lines = out.getvalue().splitlines()
    if _yes(rng, 0.1):
        lines.insert(int(rng.integers(1, len(lines))), "")
        table.tricks.append("blank line")
    if _yes(rng, 0.1):
        lines.insert(0, "# made by a script, on a day")
        table.tricks.append("comment")
    if _yes(rng, 0.05):
        head = next(line for line in lines if line and not line.startswith("#"))
        lines.insert(int(rng.integers(len(lines) // 2, len(lines))) + 1, head)
        table.tricks.append("header again")
    if _yes(rng, 0.05):
        lines = [line + separator if line and not line.startswith("#") else line for line in lines]
        table.tricks.append("separator at the end")
    text = "\n".join(lines) + "\n"
    if _yes(rng, 0.1):
        text = "\ufeff" + text
        table.tricks.append("byte order mark")
    return text.replace("\n", "\r\n") if _yes(rng, 0.1) else text


def _summary(rng, table, columns, style):
    name = str(rng.choice(["Average", "Mean", "Mean rank", "W/T/L", "Total"]))
    row = []
    for column, cells in columns.items():
        numbers = [v for v in cells if isinstance(v, float)]
        if sorted(map(str, cells)) == sorted(table.datasets):
            row.append(name)
        elif column in table.learners and name == "W/T/L":
            row.append("3/1/2")
        elif column in table.learners and name == "Mean rank":
            row.append(_cell(rng, 1 + table.learners.index(column) * 1.0, style))
        elif column in table.learners and numbers:
            way = np.sum if name == "Total" else np.mean
            row.append(_cell(rng, float(np.round(way(numbers), 4)), style))
        else:
            row.append("")
    return row


def outcome(table: FuzzTable, folder: Path) -> tuple[str, str]:
    """Return what reading made of a table: "right", "refused", "warned" or "wrong", and why.

    "warned" is a table from which something of the truth was left out, or to which something was
    added, and a warning of the answer names it.
    """
    content = table.content
    if isinstance(content, str):
        file = folder / f"table{table.suffix}"
        file.write_text(content, "utf-8", newline="")
        content = file
    try:
        scores = read_scores(content)
    except InputError as error:
        lines = str(error).splitlines()
        return ("refused", lines[0]) if len(lines) == 2 else ("wrong", f"{len(lines)} lines")
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"
    if table.form in NEVER:
        return "wrong", f"read as {scores.learners[:4]} on {len(scores.datasets)} data sets"
    warnings = " ".join(note.detail for note in scores.notes if note.severity == "warning")
    with_scores = {a for _, a in table.truth}
    sets = {d for d, _ in table.truth}
    if len(sets) == len(scores.datasets) == 1:  # its name is of no account
        scores = replace(scores, datasets=tuple(sets))
    differing = (with_scores ^ set(scores.learners)) | (sets ^ set(scores.datasets))
    unsaid = [name for name in differing if repr(name) not in warnings]
    if unsaid:
        return "wrong", f"differ without a word: {sorted(unsaid)[:5]}"
    means = scores.means()
    for i, d in enumerate(scores.datasets):
        for j, a in enumerate(scores.learners):
            if d in differing or a in differing:
                continue
            expected = table.truth.get((d, a), np.nan)
            if not np.allclose(means[i, j], expected, rtol=1e-9, atol=1e-9, equal_nan=True):
                return "wrong", f"{a} on {d}: {means[i, j]} instead of {expected}"
    return ("warned", str(sorted(differing)[:5])) if differing else ("right", "")


def counts(total: int, folder: Path) -> tuple[Counter, list[tuple[int, str, str]]]:
    """Return outcomes by form, and the tables that were read wrongly."""
    tally: Counter = Counter()
    wrong = []
    for number in range(total):
        table = make_table(number)
        result, why = outcome(table, folder)
        tally[table.form, result] += 1
        usual = not {"odd names", "header again"} & set(table.tricks) and table.form not in NEVER
        if usual:
            tally["usual", result] += 1
            if result == "refused" and "-v" in sys.argv:
                print(number, table.form, table.tricks, why)
        if result == "wrong":
            wrong.append((number, table.form, why))
    return tally, wrong


def as_markdown(tally: Counter) -> str:
    """Return the counts as they stand on the page about tables."""
    lines = ["| form | read right | with a warning | refused | wrong |", "|---|---:|---:|---:|---:|"]
    results = ("right", "warned", "refused", "wrong")
    for form in dict.fromkeys(FORMS):
        lines.append(f"| {form} | " + " | ".join(str(tally[form, r]) for r in results) + " |")
    sums = [sum(tally[form, r] for form in dict.fromkeys(FORMS)) for r in results]
    return "\n".join([*lines, "| all | " + " | ".join(map(str, sums)) + " |"])


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        total = int(sys.argv[1]) if len(sys.argv) > 1 else 300
        result, bad = counts(total, Path(folder))
    print(as_markdown(result))
    print("usual:", {r: result["usual", r] for r in ("right", "warned", "refused", "wrong")})
    for number, form, why in bad[:40]:
        print(number, form, why)
