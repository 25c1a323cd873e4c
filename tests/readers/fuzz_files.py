"""Change files of other tools at random: read right, refused in two lines, or wrong?

What a changed file says is told by the plainest parsers (`second_parsers.py`).
`python tests/readers/fuzz_files.py 10000` prints the counts.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from made_files import (
    make_helm,
    make_jobs,
    make_log,
    make_mteb,
    make_predictions,
    make_resamples,
    make_samples,
    make_weka,
)
from second_parsers import (
    say_helm,
    say_jobs,
    say_logs,
    say_mteb,
    say_predictions,
    say_resamples,
    say_samples,
    say_tabarena,
    say_weka,
    shorten,
)

from twofold import InputError, read_scores
from twofold.options import Reading
from twofold.scores.files import read_table

SEED = 20261118
RESULTS = ("right", "warned", "refused", "wrong")
TOKENS = ["", "x", "nan", "NaN", "1e999", "-5", "inf", "0.5", "?", "null", '"', "'", "{", "[]", "é",
          "True", "1,5", "0x1", "1_000", "٣", "9" * 400, "\\", "\x00", "\ufeff"]  # fmt: skip
VALUES = [
    None,
    "x",
    -1,
    2.5,
    True,
    [],
    {},
    [1],
    {"a": 1},
    float("nan"),
    float("inf"),
    "",
    "C",
    10**400,
]


# Files ---------------------------------------------------------------------------------------


def write_samples(folder, rng):
    results = bool(rng.integers(2))
    return [
        make_samples(folder, name, rng.integers(0, 2, 6).astype(float).tolist(), results=results)
        for name in ("A", "B")
    ]


def write_logs(suffix):
    def write(folder, rng):
        grades = [rng.choice(["C", "I", "P", "N"], (6, 2)).tolist() for _ in range(2)]
        return [
            make_log(folder / f"{n}{suffix}", f"m/{n}", g, epochs=2)
            for n, g in zip("ab", grades, strict=True)
        ]

    return write


def write_weka(suffix):
    def write(folder, rng):
        return [make_weka(folder / f"weka{suffix}", folds=int(rng.integers(0, 3)))]

    return write


def write_resamples(folder, rng):
    tables = rng.random((2, 3, 4)).round(3).tolist()
    return [
        make_resamples(folder / f"{n}_accuracy.csv", dict(zip(("x", "y", "z"), t, strict=True)))
        for n, t in zip("ab", tables, strict=True)
    ]


def write_jobs(folder, rng):
    jobs = []
    for task, metric, sign in (("kc2", "auc", 1), ("iris", "neg_logloss", -1)):
        for learner in ("tree", "forest"):
            for fold in range(2):
                value = round(float(rng.random()), 4)
                jobs.append(
                    {"task": task, "framework": learner, "fold": fold, "metric": metric,
                     "result": sign * value, metric.removeprefix("neg_"): value}
                )  # fmt: skip
    return [make_jobs(folder / "results.csv", jobs)]


def write_mteb(folder, rng):
    values = rng.random((2, 2)).round(3).tolist()
    return [
        make_mteb(folder, name, f"T{t}", {"en": x[t]}, meta=False)
        for name, x in zip(("a", "b"), values, strict=True)
        for t in range(2)
    ]


def write_helm(folder, rng):
    return [
        make_helm(folder, name, rng.integers(0, 2, 5).astype(float).tolist()) for name in ("a", "b")
    ]


def write_predictions(folder, rng):
    return [
        make_predictions(folder, name, "x", r, rng.integers(0, 2, (6, 2)).tolist())
        for name in ("a", "b")
        for r in range(2)
    ]


def write_tabarena(folder, rng):
    path = folder / "results.csv"
    rows = [
        f"{method},{data},{fold},rmse,{rng.random():.4f},{rng.random():.2f}"
        for method in ("tree", "forest")
        for data in ("x", "y")
        for fold in range(2)
    ]
    header = "method,dataset,fold,metric,metric_error,time_train_s"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return [path]


# Changes -----------------------------------------------------------------------------------------


def change_bytes(data: bytes, rng) -> bytes:
    """Change some bytes or lines."""
    kind = int(rng.integers(14))
    at = int(rng.integers(max(1, len(data))))
    lines = data.split(b"\n")
    i, j = rng.integers(len(lines), size=2)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([int(rng.integers(256))]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + 1 + int(rng.integers(3)) :]
    if kind == 3:
        return data[:at] + str(rng.choice(TOKENS)).encode() + data[at:]
    if kind == 4:
        return b"\n".join(lines[:i] + lines[i + 1 :])
    if kind == 5:
        return b"\n".join([*lines[:i], lines[i], *lines[i:]])
    if kind == 6:
        lines[i], lines[j] = lines[j], lines[i]
        return b"\n".join(lines)
    if kind == 7:
        return data.replace(b"\n", b"\r\n")
    if kind == 8:
        return b"\xef\xbb\xbf" + data
    if kind == 9:
        return data + data[:at]
    if kind == 10:
        return b"\n".join([*lines[:i], b"", *lines[i:]])
    cells = lines[i].split(b",")
    a, b = rng.integers(len(cells), size=2)
    if kind == 11:
        cells[a], cells[b] = cells[b], cells[a]
    elif kind == 12:
        cells[a] = str(rng.choice(TOKENS)).encode()
    else:
        cells[a] = cells[a] + str(rng.choice(TOKENS)).encode()
    lines[i] = b",".join(cells)
    return b"\n".join(lines)


def change_value(value, rng):
    """Change one part of a JSON value: take it away, put another there, or rename it."""
    if isinstance(value, dict) and value:
        key = list(value)[int(rng.integers(len(value)))]
        kind = int(rng.integers(6))
        if kind < 3 and isinstance(value[key], dict | list) and value[key]:
            return value | {key: change_value(value[key], rng)}
        if kind == 3:
            return {k: v for k, v in value.items() if k != key}
        if kind == 4:
            return {(f"{k}x" if k == key else k): v for k, v in value.items()}
        return value | {key: VALUES[int(rng.integers(len(VALUES)))]}
    if isinstance(value, list) and value:
        i = int(rng.integers(len(value)))
        kind = int(rng.integers(5))
        if kind < 3:
            return [*value[:i], change_value(value[i], rng), *value[i + 1 :]]
        return [*value[:i], *value[i + 1 :]] if kind == 3 else [*value, value[i]]
    return VALUES[int(rng.integers(len(VALUES)))]


def change_json(data: bytes, rng) -> bytes:
    if b"\n{" in data.strip():  # a record on each line
        lines = data.strip().split(b"\n")
        i = int(rng.integers(len(lines)))
        lines[i] = change_json(lines[i], rng)
        return b"\n".join(lines) + b"\n"
    return json.dumps(change_value(json.loads(data), rng)).encode()


def change_archive(data: bytes, rng) -> bytes:
    """Change a member of a zip file, or its bytes."""
    if rng.integers(3) == 0:
        return change_bytes(data, rng)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = str(rng.choice(["header.json", "summaries.json"]))
    change = change_json if rng.integers(3) else change_bytes
    members[name] = change(members[name], rng)
    if rng.integers(10) == 0:
        del members[name]
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", 8) as archive:
        for each, content in members.items():
            archive.writestr(each, content)
    return target.getvalue()


FORMATS = {
    "lm-eval samples": (write_samples, say_samples),
    "Inspect .eval": (write_logs(".eval"), say_logs),
    "Inspect .json": (write_logs(".json"), say_logs),
    "Weka CSV": (write_weka(".csv"), say_weka),
    "Weka ARFF": (write_weka(".arff"), say_weka),
    "time series": (write_resamples, say_resamples),
    "AutoML benchmark": (write_jobs, say_jobs),
    "MTEB": (write_mteb, say_mteb),
    "HELM": (write_helm, say_helm),
    "predictions": (write_predictions, say_predictions),
    "TabArena": (write_tabarena, say_tabarena),
}


def change_file(path: Path, rng) -> None:
    data = path.read_bytes()
    if path.suffix == ".eval":
        data = change_archive(data, rng)
    elif path.suffix in (".json", ".jsonl") and rng.integers(3):
        data = change_json(data, rng)
    else:
        data = change_bytes(data, rng)
    path.write_bytes(data)


def read_cells(paths) -> tuple[dict, bool]:
    """Return what the readers make of files: scores by cell, and whether it warns."""
    raw = read_table([str(path) for path in paths], Reading())
    columns = raw.columns
    if not {"learner", "dataset", "value"} <= set(columns):
        raise InputError("A column is missing.", "It is told as such.")
    if "item" not in columns:
        read_scores([str(path) for path in paths])  # it refuses scores that stand there twice
    cells: dict = {}
    for i in range(raw.size):
        row = {name: cells_[i] for name, cells_ in columns.items()}
        if "item" in columns:
            place = str(row["item"]) + (f"/{row.get('sample') or 1}" if is_log(raw) else "")
        elif is_weka(paths):
            place = f"{row.get('run')}/{row.get('fold', '')}"
        else:
            place = str(row.get("run", row.get("fold")))
        learner = str(row["learner"]).split(" (")[0]
        key = shorten(learner) if is_weka(paths) else learner, str(row["dataset"]).strip(), place
        cells[key] = row["value"]
    return cells, any(note.severity == "warning" for note in raw.notes)


def is_log(raw) -> bool:
    return raw.kind.startswith("logs of Inspect")


def is_weka(paths) -> bool:
    return paths[0].name.startswith("weka")


def judge(name: str, rng, folder: Path) -> tuple[str, str]:
    """Write files of a format, change one, and say what reading made of them."""
    write, say = FORMATS[name]
    paths = write(folder, rng)
    for path in paths[: 1 if rng.integers(3) else 2]:
        change_file(path, rng)
    try:
        cells, warned = read_cells(paths)
    except InputError as error:
        lines = str(error).splitlines()
        return ("refused", lines[0]) if len(lines) == 2 else ("wrong", f"{len(lines)} lines")
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"
    try:
        truth = say(paths)
    except AssertionError:  # a changed header has made two learners one
        return ("warned", "") if warned or is_weka(paths) else ("wrong", "read what stands twice")
    except KeyError as error:
        if warned and error.args == ("Percent_correct",):  # another metric was taken
            return "warned", ""
        return "wrong", f"read without {error}"
    except Exception as error:
        return "wrong", f"read, although it cannot be parsed: {type(error).__name__}: {error}"
    cells = {key: value for key, value in cells.items() if value is not None}
    truth = {key: value for key, value in truth.items() if value is not None}
    for key, value in cells.items():
        if key not in truth or value_of(value) != truth[key]:
            return "wrong", f"{key}: {value!r} instead of {truth.get(key)!r}"
    lost = set(truth) - set(cells)
    if lost and not warned:
        return "wrong", f"lost without a word: {sorted(lost)[:3]}"
    return ("warned" if lost else "right"), ""


def value_of(value) -> float:
    return float(value)


def count(total: int, seed: int = SEED) -> tuple[Counter, list[str]]:
    """Return outcomes by format, and what was wrong."""
    tally: Counter = Counter()
    wrong = []
    for trial in range(total):
        rng = np.random.default_rng([seed, trial])
        name = list(FORMATS)[trial % len(FORMATS)]
        with tempfile.TemporaryDirectory() as folder:
            result, why = judge(name, rng, Path(folder))
        tally[name, result] += 1
        if result == "wrong":
            wrong.append(f"file {trial} ({name}): {why}")
    return tally, wrong


def print_counts(tally: Counter) -> None:
    print(f"| format | {' | '.join(RESULTS)} |")
    print(f"|---|{'---|' * len(RESULTS)}")
    for name in FORMATS:
        print(f"| {name} | {' | '.join(str(tally[name, result]) for result in RESULTS)} |")


if __name__ == "__main__":
    counts, errors = count(int(sys.argv[1]))
    print_counts(counts)
    print(*errors[:40], sep="\n")
