"""Which tables hold items, and which of their columns name items, clusters and samples."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from twofold.errors import InputError, suggest
from twofold.options import Reading
from twofold.scores.columns import is_long
from twofold.scores.labels import is_right_wrong
from twofold.scores.name_hints import ROLES, SURE_LABELS, find_roles, plain, truth_column
from twofold.scores.score_cells import distinct, mostly_numbers
from twofold.scores.score_scale import are_whole, sample_numbers
from twofold.tables import RawTable, list_names
from twofold.tables.cells import is_blank
from twofold.tables.cluster_names import CLUSTERS

SURE_ITEMS = (
    "item", "item id", "item name", "question id", "question", "qid", "doc id", "example id",
    "instance id", "prompt id", "query id", "test case", "test case id",
)  # fmt: skip
"""Names of columns that can be nothing but the names of items."""

ITEMS = (
    *SURE_ITEMS, "sample id", "case id", "image id", "record id", "task id", "problem id",
    "example", "instance", "prompt", "query", "image", "case", "id", "ids", "index", "idx", "row",
    "no", "nr", "unnamed 0", "", "sample",
)  # fmt: skip
SAMPLES = (
    "sample", "sample index", "epoch", "attempt", "generation", "draw", "response", "replicate",
    *ROLES["run"],
)  # fmt: skip
DATA_SETS = (*ROLES["dataset"], "benchmark", "subtask", "task name", "suite")
HASHES = ("item hash", "doc hash", "hash", "digest", "question", "input", "text")
"""Columns that tell an item from others of its name: a hash of the item, or its text."""
CORRECT = ("correct", "is correct", "right", "is right", "passed", "pass", "solved", "resolved")
"""Columns of a long table that say whether an answer was right."""
LEAST_REPEATED = 2
"""Items in a typical cluster, or data set, for its column to be one."""


def holds_items(raw: RawTable, options: Reading) -> bool:
    """Tell whether each row is an item: since it was said so, or since nothing else fits.

    Nothing else fits where a column is called item or the like, and where at least two learners
    have nothing but zeros and ones (or words for right and wrong) in rows that are not called data
    sets.
    """
    if options.asks_for_items:
        return True
    says_otherwise = (options.predictions, options.ranks, options.transpose, options.rows)
    if any(says_otherwise) or not raw.size or options.n_train or options.test_share:
        return False
    names = list(raw.columns)
    if truth_column(names) is not None:
        return False  # labels to be scored by
    roles = find_roles(names)
    words = {plain(name): name for name in reversed(names)}
    sure = any(word in words for word in SURE_ITEMS)
    if "learner" in roles and is_long(raw, roles):
        value = roles.get("value") or next((words[w] for w in CORRECT if w in words), None)
        binary = value is not None and is_right_wrong(raw.columns[value])
        return sure or (binary and any(word in words for word in ITEMS))
    binary_columns = _list_right_wrong(raw, options)
    if sure and not any(word in words for word in ROLES["fold"]):
        return len(binary_columns) >= 2 or _count_numeric(raw, names) >= 2
    if len(binary_columns) < 2 or {"run", "fold"} & set(roles) - {_role_of(binary_columns, roles)}:
        return False
    rest = [n for n in names if n not in binary_columns and mostly_numbers(raw.columns[n])]
    if not all(are_whole(sample_numbers(raw.columns[name])) for name in rest):
        return False
    label = next((words[word] for word in SURE_LABELS if word in words), None)
    return label is None or label in binary_columns or _repeats(raw, label)


def _role_of(names: Collection[str], roles: dict[str, str]) -> str:
    """Return the role that a learner's name happens to be the word for: a learner called run."""
    return next((role for role, name in roles.items() if name in names), "")


def _list_right_wrong(raw: RawTable, options: Reading) -> list[str]:
    gone = {part for text in options.drop for part in (text, *map(str.strip, text.split(",")))}
    return [n for n, cells in raw.columns.items() if n not in gone and is_right_wrong(cells)]


def _count_numeric(raw: RawTable, names: Iterable[str]) -> int:
    words = {*SURE_ITEMS, *ITEMS, *CLUSTERS, *SAMPLES, *DATA_SETS}
    rest = [name for name in names if plain(name) not in words]
    return sum(mostly_numbers(raw.columns[name]) for name in rest)


def _repeats(raw: RawTable, name: str) -> bool:
    """Tell whether values come again, as those of clusters and data sets do."""
    cells = [cell for cell in distinct(raw.columns[name]) if not is_blank(cell)]
    return len(cells) >= LEAST_REPEATED * len({str(cell).strip() for cell in cells}) > 0


def find_item_columns(
    raw: RawTable, options: Reading, taken: Collection[str], learner: str | None
) -> dict[str, str]:
    """Return the columns of items, their hashes, clusters, samples and data sets, by those words.

    Those that are named by options come first; others go by their names, and their cells must
    agree. ``taken`` are columns with other parts, ``learner`` the one of learners in a long table.
    """
    found: dict[str, str] = {}
    for role in ("item", "cluster", "sample"):
        name = getattr(options, role)
        if name is not None:
            found[role] = _resolve_column(raw, name, role)
    if options.cluster is not None and is_right_wrong(raw.columns[found["cluster"]]):
        raise InputError(
            f"Column {found['cluster']!r} holds zeros and ones, as the answers of a learner do, "
            "and two clusters would tell nothing.",
            "Name the column of what was drawn as a whole, as `cluster='passage'`.",
        )
    free = {plain(name): name for name in reversed(raw.columns) if name not in taken}
    for role, words in (("dataset", DATA_SETS), ("cluster", CLUSTERS), ("item", ITEMS)):
        named = [free[word] for word in words if word in free]
        named = [name for name in named if name not in found.values()]
        if role == "cluster":
            named = [name for name in named if _repeats_among_items(raw, name)]
        elif role == "dataset":
            named = [name for name in named if _repeats(raw, name)]
        elif raw.size > 2:  # a learner may be called "no"
            named = [name for name in named if not is_right_wrong(raw.columns[name])]
        if role not in found and named:
            found[role] = named[0]
    if "item" not in found:
        # What tells the rows of a learner apart names items, be it called data set.
        sets = [free[word] for word in DATA_SETS if word in free]
        unique = next((n for n in sets if _tells_rows_apart(raw, n, learner)), None)
        if unique is not None and unique not in (found.get("cluster"), found.get("sample")):
            found = {r: n for r, n in found.items() if n != unique} | {"item": unique}
    if "item" in found:
        texts = [free[word] for word in HASHES if word in free]
        texts = [n for n in texts if n not in found.values() and not mostly_numbers(raw.columns[n])]
        found |= {"hash": texts[0]} if texts else {}
    left = [free[word] for word in SAMPLES if word in free]
    left = [name for name in left if name not in found.values()]
    if "sample" not in found and left and "item" in found:
        found["sample"] = left[0]
    return found


def _tells_rows_apart(raw: RawTable, name: str, learner: str | None) -> bool:
    """Tell whether every row, or every row of a learner, has another value."""
    cells = map(str, raw.columns[name])
    keys = cells if learner is None else zip(cells, map(str, raw.columns[learner]), strict=True)
    return len(set(keys)) == raw.size > 1


def _repeats_among_items(raw: RawTable, name: str) -> bool:
    """Tell whether some values come again; in long tables they do for each learner as well."""
    cells = [str(cell).strip() for cell in distinct(raw.columns[name]) if not is_blank(cell)]
    return len(set(cells)) < len(cells)


def _resolve_column(raw: RawTable, name: str, role: str) -> str:
    """Return the column that an option names, be it in other letters."""
    if name in raw.columns:
        return name
    alike = [column for column in raw.columns if plain(column) == plain(name)]
    if len(alike) == 1:
        return alike[0]
    listed = list_names(raw.columns, 8)
    raise InputError(
        f"There is no column {name!r} in the table, `{role}={name!r}`.",
        suggest(name, raw.columns, f"It has {listed}."),
    )


def list_candidates(raw: RawTable, names: Iterable[str]) -> list[str]:
    """Return columns of words, or whole numbers, whose values come again: perhaps clusters."""
    candidates = []
    for name in names:
        cells = raw.columns[name]
        if mostly_numbers(cells) and not are_whole(sample_numbers(cells)):
            continue
        if _repeats(raw, name) and len({str(cell).strip() for cell in distinct(cells)}) > 1:
            candidates.append(name)
    return candidates
