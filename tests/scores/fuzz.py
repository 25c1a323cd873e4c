"""Read thousands of tables made from known truth: right, refused in two lines, or wrong?

`python tests/scores/fuzz.py 10000` prints the counts that docs/how-to/tables-fuzzed.md shows.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_tables import FORMS, NEVER, SEED, FuzzTable, add_extras, fill, start_table
from fuzz_text import write

from twofold import InputError, read_scores

RESULTS = ("right", "warned", "refused", "wrong")


def make_table(number: int, seed: int = SEED) -> FuzzTable:
    """Return table ``number``."""
    rng = np.random.default_rng([seed, number])
    table = start_table(rng)
    write(rng, table, add_extras(rng, table, fill(rng, table)))
    return table


def is_usual(table: FuzzTable) -> bool:
    """Tell whether a table is one that people have: no odd names, and a comparison in it."""
    return table.form not in NEVER and not {"odd names", "header again"} & set(table.tricks)


def outcome(table: FuzzTable, folder: Path) -> tuple[str, str]:
    """Return what reading made of a table: "right", "refused", "warned" or "wrong", and why.

    "warned" is a table from which a learner or data set was left out, or to which a column was
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
    sets = {d for d, _ in table.truth}
    if len(sets) == len(scores.datasets) == 1:  # its name is of no account
        scores = replace(scores, datasets=tuple(sets))
    differing = ({a for _, a in table.truth} ^ set(scores.learners)) | (sets ^ set(scores.datasets))
    unsaid = [name for name in differing if repr(name) not in warnings]
    if unsaid:
        return "wrong", f"differ without a word: {sorted(unsaid)[:5]}"
    means = scores.means()
    for i, d in enumerate(scores.datasets):
        for j, a in enumerate(scores.learners):
            expected = table.truth.get((d, a), np.nan)
            same = np.allclose(means[i, j], expected, rtol=1e-9, atol=1e-9, equal_nan=True)
            if not same and not {d, a} & differing:
                return "wrong", f"{a} on {d}: {means[i, j]} instead of {expected}"
    return ("warned", str(sorted(differing)[:5])) if differing else ("right", "")


def count(total: int, seed: int = SEED) -> tuple[Counter, list[str]]:
    """Return outcomes by form ("usual" for the tables people have), and what was wrong."""
    tally: Counter = Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(total):
            table = make_table(number, seed)
            result, why = outcome(table, Path(folder))
            tally[table.form, result] += 1
            tally["usual", result] += is_usual(table)
            if result == "wrong":
                wrong.append(f"table {number} ({table.form}): {why}")
    return tally, wrong


def as_markdown(tally: Counter) -> str:
    """Return the counts as the page about tables shows them."""
    lines = [
        "| form | read right | with a warning | refused | wrong |",
        "|---|---:|---:|---:|---:|",
    ]
    forms = sorted(set(FORMS), key=lambda form: (form in NEVER, form))
    rows = {form: [tally[form, result] for result in RESULTS] for form in forms}
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    rows["of these without odd names"] = [tally["usual", result] for result in RESULTS]
    return "\n".join(
        lines + [f"| {form} | {' | '.join(map(str, row))} |" for form, row in rows.items()]
    )


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    counts, bad = count(*(numbers or [500]))
    print(as_markdown(counts))
    print("\n".join(bad[:40]))
