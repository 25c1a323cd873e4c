"""Tables of scores, odd and damaged: answered, or refused in two lines."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random
from typing import Any

import twofold
from torture.attack import Attack, Harm
from torture.judge import judge, run_command
from torture.odd_values import ENCODINGS, choose_word, damage, damage_archive
from torture.table_forms import Table, make_table, spoil, vary, write_table

TEXTS = ("csv", "csv", "tsv", "semicolon", "bar", "markdown", "spaces", "json", "json", "gz")
FORMS = (*TEXTS, *TEXTS, "xlsx", "parquet", "feather")
ANSWERS = ("terminal", "json", "markdown", "latex", "bibtex", "html")
OPTIONS = [["--control", "tree"], ["--rows", "folds"], ["--rows", "splits"]]
OPTIONS += [["--rows", "datasets"], ["--metric", "accuracy"], ["--lower-is-better"]]
OPTIONS += [["--transpose"], ["--ranks"], ["--predictions"], ["--truth", "truth"]]
OPTIONS += [["--adjust", "holm"], ["--adjust", "bergmann-hommel"], ["--rope", "0.01"]]
OPTIONS += [["--alpha", "0.1"], ["--test", "sign"], ["--test", "cv-t"], ["--test", "rm-anova"]]
OPTIONS += [["--test", "bayes-signed-rank"], ["--df", "calibrated"]]
OPTIONS += [["--n-train", "90", "--n-test", "10"], ["--test-share", "0.1"]]
OPTIONS += [["--learners", "tree", "--learners", "forest"], ["--drop", "dataset"]]


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Read an odd or damaged table by the command line."""
    table = make_table(random)
    sound = random.random() < 0.5
    if sound:
        vary(random, table)
    elif random.random() < 0.8:
        spoil(random, table)
    form = random.choice(FORMS)
    suffix, content = write_table(random, table, form)
    if not sound:
        content = _damage(random, form, content)
    if random.random() < 0.03:
        suffix = random.choice([".csv", ".json", ".md", ".xlsx", ".parquet", "", ".xls", ".ods"])
    file = folder / f"scores{suffix}"
    file.write_bytes(content)
    arguments, files = _choose_arguments(random, table, folder)
    stdin = b""
    source = str(file)
    if random.random() < 0.1:
        source, stdin = "-", content
    return judge(run_command(["compare", source, *arguments], stdin), files)


def _damage(random: Random, form: str, content: bytes) -> bytes:
    if random.random() < 0.4:
        archive = form == "xlsx" and random.random() < 0.7
        return damage_archive(random, content) if archive else damage(random, content)
    if form in TEXTS and form != "gz" and random.random() < 0.1:
        text = content.decode("utf-8", "replace")
        return text.encode(random.choice(ENCODINGS), "replace")
    return content


def _choose_arguments(random: Random, table: Table, folder: Path) -> tuple[list[str], list[Path]]:
    arguments = list(table.options) if random.random() < 0.8 else []
    if random.random() < 0.3:
        arguments += random.choice(OPTIONS)
    if random.random() < 0.05:
        arguments += ["--control", choose_word(random).replace("\0", "") or "x"]
    arguments += ["--format", random.choice(ANSWERS)]
    files = []
    if random.random() < 0.2:
        files.append(folder / ("report" + random.choice([".html", ".tex", ".md", ".json", ".txt"])))
        arguments += ["--report", str(files[-1])]
    if random.random() < 0.08:
        files.append(folder / ("plot" + random.choice([".svg", ".png", ".pdf", ".tex"])))
        arguments += ["--plot", str(files[-1])]
    return arguments, files


def attempt_again(random: Random, folder: Path) -> list[Harm]:
    """Write a sound table in another order and form: the answer is the same."""
    table = make_table(random)
    first = _ask(table, "csv", folder)
    if random.random() < 0.2 and first != _ask(table, "csv", folder):
        return [Harm("wrong", "the same table was answered in two ways")]
    other = Table(list(table.header), [list(row) for row in table.rows], table.options)
    form = random.choice(
        ["csv", "tsv", "semicolon", "xlsx", "parquet", "records", "gz", "markdown"]
    )
    if random.random() < 0.5:
        random.shuffle(other.rows)
    if random.random() < 0.5:
        order = random.sample(range(len(table.header)), len(table.header))
        other.header = [table.header[i] for i in order]
        other.rows = [[row[i] for i in order] for row in other.rows]
    second = _ask(other, form, folder)
    return [] if _agree(first, second) else [
        Harm("wrong", f"as {form}: {second}, before: {first}; {table.header}")
    ]  # fmt: skip


Answer = str | dict[str, Any]


def _ask(table: Table, form: str, folder: Path) -> Answer:
    """Return who is better in each pair with the p value; or the rule of the refusal."""
    suffix, content = write_table(Random(1), table, form)
    file = folder / f"scores{suffix}"
    file.write_bytes(content)
    try:
        answer = twofold.compare(str(file), predictions="--predictions" in table.options,
                                 ranks="--ranks" in table.options)  # fmt: skip
    except twofold.InputError as error:
        return error.rule
    json.dumps(answer.to_dict(), allow_nan=False)
    pairs = {}
    for pair in answer.pairs:
        names = tuple(sorted((pair.a, pair.b)))
        pairs[" ".join(names)] = (pair.better, pair.pvalue_unadjusted, pair.pvalue)
    return pairs


def _agree(a: Answer, b: Answer) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str)  # rules name lines, which differ
    if a.keys() != b.keys():
        return False
    return all(
        x == y
        or (isinstance(x, float) and isinstance(y, float) and math.isclose(x, y, rel_tol=1e-7))
        for name in a
        for x, y in zip(a[name], b[name], strict=True)
    )


ATTACKS = [
    Attack("fuzzed tables of scores", attempt, trials=10_000, short=12),
    Attack("tables of scores in another order or form", attempt_again, trials=1000, short=4),
]
