"""Stores that are damaged, edited or forged: the right numbers come out, or two lines.

What has the right form and the right checksum cannot be told from what a learner predicted; so
forged records here always have something that no task can have.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from torture.attack import Attack, Harm
from torture.judge import judge, run_command
from twofold.execution.packing import _HEAD, FORM, MAGIC, pack_arrays

RUN = ["run", "nb", "majority", "--data", "iris", "--design", "3x3", "--workers", "0"]
STUDY = ["study", "--source", "task1", "--rows", "50", "--datasets", "30", "--workers", "0"]
TABLES = {
    "twofold_runs": ["id", "series", "run", "splits", "saved", "size", "data"],
    "twofold_series": ["id", "dataset", "fingerprint", "learner", "learner_key", "design", "seed"],
    "twofold_parts": ["id", "kind", "name", "saved", "size", "data"],
    "twofold_version": ["version"],
    "twofold_claims": ["id", "owner"],
    "twofold_owners": ["id", "host", "process", "beat"],
}


def _run(folder: Path) -> list[str]:
    return [*RUN, "--store", str(folder / "runs.sqlite"), "-o", str(folder / "scores.csv")]


def _study(folder: Path) -> list[str]:
    return [*STUDY, "--store", str(folder / "runs.sqlite"), "-o", str(folder / "study.csv")]


@cache
def make_original() -> tuple[bytes, dict[str, bytes]]:
    """Return a whole store, and the tables that come of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for arguments in (_run(folder), _study(folder)):
            ending = run_command(arguments)
            assert ending.code == 0, ending
        tables = {n: (folder / n).read_bytes() for n in ("scores.csv", "study.csv")}
        return (folder / "runs.sqlite").read_bytes(), tables


def flip_bytes(random: Random, file: Path) -> None:
    """Change some bytes, anywhere or close together."""
    content = bytearray(file.read_bytes())
    start, end = 0, len(content)
    if random.random() < 0.5:
        start = 4096 * random.randrange(len(content) // 4096)
        end = start + random.choice([100, 4096])
    for _ in range(random.choice([1, 1, 2, 5, 20, 200])):
        content[random.randrange(start, end)] = random.randrange(256)
    file.write_bytes(content)


def cut(random: Random, file: Path) -> None:
    """Lose the end, lose a page, or swap two."""
    content = bytearray(file.read_bytes())
    pages = [content[i : i + 4096] for i in range(0, len(content), 4096)]
    kind = random.randrange(4)
    if kind == 0:
        content = content[: random.randrange(len(content))]
    elif kind == 1:
        pages[random.randrange(len(pages))] = bytearray(4096)
        content = bytearray(b"".join(pages))
    elif kind == 2:
        i, j = (random.randrange(len(pages)) for _ in range(2))
        pages[i], pages[j] = pages[j], pages[i]
        content = bytearray(b"".join(pages))
    else:
        content += random.randbytes(random.randrange(10_000))
    file.write_bytes(content)


def leave_log(random: Random, file: Path) -> None:
    """Leave a log and shared memory beside the file, of no use or cut off."""
    for name in ("-wal", "-shm", "-journal"):
        if random.random() < 0.6:
            noise = random.randbytes(random.choice([0, 32, 5000]))
            Path(f"{file}{name}").write_bytes(noise)


def _draw_value(random: Random) -> object:
    return random.choice(
        [
            None,
            0,
            1,
            -1,
            2**63 - 1,
            1e300,
            float("inf"),
            "",
            "text",
            "\x00\x1b[2J\u202e",
            "9" * 5000,
            b"",
            random.randbytes(20),
            bytes(100_000),
        ]
    )


def edit_cells(random: Random, file: Path) -> None:
    """Put other values into cells, after the types of columns were taken away, or not."""
    raw = sqlite3.connect(file, isolation_level=None)
    for _ in range(random.choice([1, 1, 2, 10])):
        table = random.choice([*TABLES, "twofold_runs", "twofold_series", "twofold_parts"])
        column = random.choice(TABLES[table])
        if column == "data" and random.random() < 0.5:
            continue
        if random.random() < 0.5:
            raw.execute(f"CREATE TABLE IF NOT EXISTS t AS SELECT * FROM {table}")
            raw.execute(f"DROP TABLE {table}")
            raw.execute(f"ALTER TABLE t RENAME TO {table}")
        rows = [row[0] for row in raw.execute(f"SELECT rowid FROM {table}")]
        for row in random.sample(rows, min(len(rows), random.choice([1, 3, 100]))):
            try:
                change = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
                raw.execute(change, [_draw_value(random), row])
            except sqlite3.Error:
                continue  # the table does not take that
    raw.close()


def change_tables(random: Random, file: Path) -> None:
    """Drop, rename and replace tables; add what would run by itself."""
    table = random.choice([name for name in TABLES if name != "twofold_version"])
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    columns = ", ".join(f"i AS {column}" for column in TABLES[table])
    statements = random.choice(
        [
            [f"DROP TABLE {table}"],
            [f"ALTER TABLE {table} RENAME TO other"],
            [f"ALTER TABLE {table} ADD COLUMN extra"],
            [f"ALTER TABLE {table} ADD COLUMN extra AS (zeroblob(1000000000))"],
            [f"ALTER TABLE {table} RENAME COLUMN {TABLES[table][-1]} TO other"],
            [f"DROP TABLE {table}", f"CREATE VIEW {table} AS {endless} SELECT {columns} FROM n"],
            [f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM twofold_series; END"],
            [f"CREATE TRIGGER t BEFORE DELETE ON {table} BEGIN SELECT RAISE(IGNORE); END"],
            ["DELETE FROM twofold_version"],
            ["UPDATE twofold_version SET version = 99"],
            ["UPDATE twofold_version SET version = 1"],
            ["DROP TABLE twofold_version"],
            [f"DELETE FROM {table}"],
            ["CREATE TABLE mine (x)", f"CREATE VIEW theirs AS {endless} SELECT i FROM n"],
        ]
    )
    raw = sqlite3.connect(file, isolation_level=None)
    for statement in statements:
        raw.execute(statement)
    raw.close()


def _forge_outcome(random: Random, key: str) -> bytes:
    """Return an outcome that no task of three folds on iris can have."""
    sizes, seconds = np.full(3, 50, dtype=np.int32), np.ones(3)
    predict = np.zeros(150, dtype=np.int8)
    proba = np.full((150, 3), 1 / 3)
    arrays = random.choice(
        [
            {},
            {"": sizes},
            {"": sizes, " ": seconds},
            {"": sizes[:2], " ": seconds, "predict": predict},
            {"": sizes - 1, " ": seconds, "predict": predict},
            {"": np.array([150, -150, 150]), " ": seconds, "predict": predict},
            {"": np.array([2**31, 2**31, 50]), " ": seconds, "predict": predict},
            {"": sizes.astype(float), " ": seconds, "predict": predict},
            {"": sizes[:2] + 25, " ": seconds[:2], "predict": predict},
            {"": sizes, " ": -seconds, "predict": predict},
            {"": sizes, " ": seconds * np.nan, "predict": predict},
            {"": sizes, " ": seconds, "predict": predict + 3},
            {"": sizes, " ": seconds, "predict": predict - 1},
            {"": sizes, " ": seconds, "predict": predict * np.nan},
            {"": sizes, " ": seconds, "predict": predict.astype(float)},
            {"": sizes, " ": seconds, "predict": predict[:, None]},
            {"": sizes, " ": seconds, "predict": predict, "predict_proba": -proba},
            {"": sizes, " ": seconds, "predict": predict, "predict_proba": proba[:, :2]},
            {"": sizes, " ": seconds, "predict": predict, "x" * 10_000: proba * np.inf},
        ]
    )
    return pack_arrays(arrays, key)


def _forge_header(random: Random, key: str) -> bytes:
    """Return bytes with a checksum that fits, and a header that lies."""
    entry = ["predict", "|i1", 150]
    for _ in range(random.choice([1, 2])):
        position = random.randrange(3)
        entry[position] = random.choice(
            [None, "", "|O8", "<i4,<f8", "<c16", -1, 2**70, 0.5, [], 10**9, "9" * 100, True]
        )
    header = json.dumps([["", "<i4", 3], [" ", "<f8", 3], entry][: random.choice([1, 3])]).encode()
    header = random.choice([header, b"[" * 10_000, b"\xff", b"null", header[:-5]])
    length = random.choice([len(header), len(header), 2**32 - 1, 0])
    body = bytes(random.choice([0, 36, 186, 50_000_000]))
    content = zlib.compress(length.to_bytes(4, "little") + header + body, 9)
    checksum = zlib.crc32(content, zlib.crc32(key.encode()))
    return _HEAD.pack(MAGIC, FORM, checksum) + content


def forge(random: Random, file: Path) -> None:
    """Replace records by others with checksums that fit."""
    raw = sqlite3.connect(file, isolation_level=None)
    keys = [row[0] for row in raw.execute("SELECT id FROM twofold_runs ORDER BY id")]
    for key in random.sample(keys, random.choice([1, 3, len(keys)])):
        make = random.choice([_forge_outcome, _forge_header])
        raw.execute("UPDATE twofold_runs SET data = ? WHERE id = ?", [make(random, key), key])
    parts = [row[0] for row in raw.execute("SELECT id FROM twofold_parts")]
    for key in parts:
        counts = np.zeros((30, 10, 1, 10), dtype=np.int32)
        arrays = random.choice(
            [
                {"only_a": counts},
                dict.fromkeys(("only_a", "only_b", "both", "size"), counts),
                dict.fromkeys(("only_a", "only_b", "both", "size"), counts[:5] + 1),
                dict.fromkeys(("only_a", "only_b", "both", "size"), counts * 0.5),
            ]
        )
        data = pack_arrays(arrays, key, shrink=True)
        raw.execute("UPDATE twofold_parts SET data = ? WHERE id = ?", [data, key])
    raw.close()


def swap_records(random: Random, file: Path) -> None:
    """Give records the bytes of others."""
    raw = sqlite3.connect(file, isolation_level=None)
    rows = raw.execute("SELECT id, data FROM twofold_runs ORDER BY id").fetchall()
    for (key, _), (_, data) in zip(rows, random.sample(rows, len(rows)), strict=True):
        raw.execute("UPDATE twofold_runs SET data = ? WHERE id = ?", [data, key])
    raw.close()


def attempt(random: Random, folder: Path, damage: Callable[[Random, Path], None]) -> list[Harm]:
    """Damage a store and use it."""
    content, tables = make_original()
    file = folder / "runs.sqlite"
    file.write_bytes(content)
    damage(random, file)
    store = ["--store", str(file)]
    looks = [
        ["store", "list", *store],
        ["store", "list", "--format", "json", *store],
        ["store", "check", *store],
        ["store", "export", "-", *store],
        ["store", "prune", "--damaged", "--yes", *store],
        ["store", "prune", "--learner", "nb", "--yes", *store],
    ]
    harm = []
    for arguments in random.sample(looks, 2):
        ending = run_command(arguments)
        if arguments[1] == "export" and ending.code == 0:
            ending = type(ending)(0, ending.out, "", ending.warned, ending.traceback)
        harm += judge(ending)
    name, arguments = random.choice(
        [("scores.csv", _run(folder)), ("scores.csv", _run(folder)), ("study.csv", _study(folder))]
    )
    for _ in range(2):  # the second time with what the first one has mended
        ending = run_command(arguments)
        harm += judge(ending, silent=True)
        if ending.code == 0 and (folder / name).read_bytes() != tables[name]:
            harm.append(Harm("wrong", f"{name} is not the table of a whole store"))
    return harm


def _make(name: str, damage: Callable[[Random, Path], None], trials: int) -> Attack:
    return Attack(name, lambda random, folder: attempt(random, folder, damage), trials)


ATTACKS = [
    _make("bytes of a store changed", flip_bytes, 1000),
    _make("a store cut off, pages lost or swapped", cut, 500),
    _make("a log beside a store that is not its own", leave_log, 200),
    _make("cells of a store edited", edit_cells, 1000),
    _make("tables of a store changed", change_tables, 500),
    _make("records of a store forged", forge, 1000),
    _make("records of a store swapped", swap_records, 200),
]
