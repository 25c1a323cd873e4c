"""Which form does a table have? Wide, long, or wide with learners in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from twofold.errors import InputError
from twofold.options import Reading
from twofold.result import Note
from twofold.scores.build_scores import build_scores
from twofold.scores.labels import hold_right_wrong, refuse_right_wrong
from twofold.scores.left_out import doubt_error
from twofold.scores.long import read_long
from twofold.scores.metrics import direction
from twofold.scores.name_hints import find_hint, find_roles, is_summary, plain
from twofold.scores.nested import NESTED
from twofold.scores.score_cells import all_numbers, mostly_numbers
from twofold.scores.score_scale import ScoreScale, are_whole, count_from_start, sample_numbers
from twofold.scores.scores import Scores
from twofold.scores.wide import read_wide
from twofold.tables import RawTable


def recognise(raw: RawTable, options: Reading) -> Scores:
    """Recognise the form of a table, and return its scores."""
    if not raw.columns or not raw.size:
        raise InputError("The table is empty.", "It needs a header and at least one row of scores.")
    raw, options = drop_columns(raw, options)
    refuse_nested(raw)
    roles = find_roles(raw.columns)
    if not options.transpose and _name_columns(raw, options):
        return build_scores(read_wide(raw, roles, options), raw, options)
    if "learner" in roles and hold_right_wrong(raw.columns[roles["learner"]]):
        # A learner may be called Method, and be right (true) or wrong (false) on examples.
        refuse_right_wrong(raw, list(raw.columns))
    if options.transpose or _learners_in_rows(raw, roles, options):
        raw = _transpose(raw, roles, requested=options.transpose)
        return build_scores(read_wide(raw, {"dataset": "dataset"}, options), raw, options)
    if "learner" in roles and is_long(raw, roles):
        # Results of scikit-learn and lists of scores were made long with `rows` in mind.
        if options.rows is not None and raw.kind in ("", NESTED):
            raise InputError(
                "`rows` is for tables with a column for each learner; here each score has its own "
                "row.",
                "Leave it out; columns run and fold say what a score belongs to.",
            )
        return build_scores(read_long(raw, roles, options), raw, options)
    return build_scores(read_wide(raw, roles, options), raw, options)


def is_long(raw: RawTable, roles: dict[str, str]) -> bool:
    """Tell whether the column of learners names them, one row for each score."""
    cells = raw.columns[roles["learner"]]
    if "value" in roles or "metric" in roles or not mostly_numbers(cells):
        return True
    whole = are_whole(sample_numbers(cells))
    if not all_numbers(cells):  # numbers among names, or a word among scores
        return whole or 2 * len(set(map(str, cells))) <= raw.size
    repeated = len(set(map(str, cells))) < raw.size
    return whole and repeated and any(direction(name) is not None for name in raw.columns)


def refuse_nested(raw: RawTable) -> None:
    """Refuse records within records: each cell must hold one value."""
    for name, cells in raw.columns.items():
        first = next((cell for cell in cells if cell is not None), None)
        if isinstance(first, Mapping | list | tuple):
            raise InputError(
                f"Column {name!r} holds lists or records, not single values.",
                "Write one plain table, for instance with columns dataset, learner, value.",
            )


def _name_columns(raw: RawTable, options: Reading) -> bool:
    """Tell whether the caller named columns as learners: then the table is a wide one."""
    if options.only is None:
        return False
    parts = [part for text in options.only for part in ([text] if text in raw.columns else
             [p for p in map(str.strip, text.split(",")) if p])]  # fmt: skip
    return bool(parts) and all(part in raw.columns for part in parts)


def drop_columns(raw: RawTable, options: Reading) -> tuple[RawTable, Reading]:
    """Take out the columns among the names to drop; the others name learners or data sets."""
    names = set(raw.columns)
    parts: list[str] = []
    for text in options.drop:  # a name may have commas of its own
        parts += [text] if text in names else [part.strip() for part in text.split(",")]
    gone = names & set(parts)
    if not gone:
        return raw, options
    left = {name: cells for name, cells in raw.columns.items() if name not in gone}
    if not left:
        raise InputError("No column is left.", "Drop fewer of them.")
    rest = tuple(part for part in parts if part not in gone)
    return replace(raw, columns=left), replace(options, drop=rest)


def _learners_in_rows(raw: RawTable, roles: dict[str, str], options: Reading) -> bool:
    """Tell whether rows are learners: one column names them, all others hold numbers."""
    if "learner" not in roles or {"dataset", "metric"} & set(roles):
        return False
    score_columns = [name for name in raw.columns if name != roles["learner"]]
    names = [str(cell).strip() for cell in raw.columns[roles["learner"]]]
    if (
        len(score_columns) < 2
        or len(set(names)) < len(names)
        or not all(mostly_numbers(raw.columns[name]) for name in score_columns)
    ):
        return False
    label = roles["learner"]
    if mostly_numbers(raw.columns[label]) and not _name_learners(raw, label, score_columns):
        return False
    other_roles = {name for role, name in roles.items() if role not in ("learner", "value")}
    if any(are_whole(sample_numbers(raw.columns[name])) for name in other_roles):
        return False
    metrics = [
        name
        for name in score_columns
        if name == roles.get("value") or (direction(name) is not None and not is_summary(name))
    ]
    sets = [n for n in score_columns if n not in metrics and find_hint(n, score_columns) is None]
    if metrics and sets and options.metric is None:
        raise InputError(
            f"Is {metrics[0]!r} a data set, as {sets[0]!r} seems to be, or a metric?",
            f"Say `transpose=True` for data sets; for metrics `metric={metrics[0]!r}`.",
        )
    return not metrics


def _name_learners(raw: RawTable, label: str, score_columns: list[str]) -> bool:
    """Tell whether numbers under a header such as "model" are names, not scores of a learner."""
    values = sample_numbers(raw.columns[label])
    if not are_whole(values):
        return False
    scale = ScoreScale(sample_numbers(raw.columns[name]) for name in score_columns)
    if count_from_start(values) or not scale.holds(values):
        return True
    raise doubt_error(label, "names of learners", list(raw.columns))


def _transpose(raw: RawTable, roles: dict[str, str], *, requested: bool) -> RawTable:
    """Return the table with a row per data set, for one with a row per learner."""
    label = roles.get("learner") or roles.get("dataset")
    if label is None:
        label = next((n for n in raw.columns if not mostly_numbers(raw.columns[n])), None)
    datasets = [name for name in raw.columns if name != label]
    learners = (
        [f"learner {i + 1}" for i in range(raw.size)]
        if label is None
        else [str(cell).strip() for cell in raw.columns[label]]
    )
    for i, name in enumerate(learners):
        if name in learners[:i]:
            raise InputError(
                f"The learner {name!r} stands in two rows.",
                "Give each learner one row, or use columns dataset, learner, value.",
            )
        if plain(name) == "":
            raise InputError(f"The learner in {raw.locate(i)} has no name.", "Name it.")
    columns: dict[str, Sequence[Any]] = {"dataset": datasets}
    rows = zip(*(raw.columns[n] for n in datasets), strict=True)
    for name in learners:
        columns["dataset " if name == "dataset" else name] = [*next(rows, ())]
    detail = (
        ("As you said, learners" if requested else f"Column {label!r} names learners: they")
        + f" stand in rows and data sets in columns ({', '.join(datasets[:3])}"
        + (", …)." if len(datasets) > 3 else ").")
    )
    note = Note("transposed", "Learners stand in rows", detail)
    notes = [n for n in raw.notes if n.code != "nested-names"]
    return RawTable(
        columns, (*notes, note), rows=datasets, metric=raw.metric, metric_from=raw.metric_from
    )
