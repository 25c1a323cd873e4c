"""Ranks and pairs in the terminal: names stay distinct, long lists show what matters."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from twofold.comparison import Comparison, Pair
from twofold.comparison.wording import describe_intervals
from twofold.plots.picture_labels import CONTROL, count_columns, shorten
from twofold.report.class_table import TITLE, explain_classes, tabulate_classes
from twofold.report.formatting import (
    assign_letters,
    count_decimals,
    describe_critical_difference,
    describe_estimate,
    explain_repeats,
    name_adjustment,
    select_pairs,
    shows_repeats,
    tabulate_pair,
)
from twofold.report.rank_set_text import TIER
from twofold.report.score_table import (
    ScoreTable,
    explain_scores,
    shows_groups,
    tabulate_scores,
)

MOST_LEARNERS = 20
BEST, WORST = 12, 4
MOST_PAIRS = 12
MOST_CLASSES = 20
ROOM_FOR_GROUPS = 24


def pad(text: str, width: int) -> str:
    """Return text with spaces up to a width in columns of a terminal."""
    return text + " " * (width - count_columns(text))


def shorten_names(names: Sequence[str], room: int) -> dict[str, str]:
    """Return a label for each name, none longer than the room, all different."""
    plain = [" ".join(name.split()) for name in names]
    short = _cut_common_parts(plain, room)
    if len(set(short)) < len(short) or max(map(count_columns, short)) > room:
        short = shorten(plain, [float(room)] * len(plain), [count_columns] * len(plain))
    return dict(zip(names, short, strict=True))


def _cut_common_parts(names: list[str], room: int) -> list[str]:
    """Cut long names of one family where they are alike: what tells them apart must stay."""
    short = list(names)
    families: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        if count_columns(name) > room:
            families.setdefault(name[:4], []).append(i)
    for members in families.values():
        whole = [names[i] for i in members]
        start = len(_drop_last_word(_find_common_start(whole)))
        rest = [name[start:] for name in whole]
        end = len(_drop_last_word(_find_common_start([part[::-1] for part in rest])))
        for i, part in zip(members, rest, strict=True):
            core = part[: len(part) - end] + ("…" if end else "")
            head = max(room - 1 - count_columns(core), 1)
            short[i] = names[i] if head >= start else f"{names[i][:head]}…{core}"
    return short


def _find_common_start(texts: list[str]) -> str:
    first, last = min(texts), max(texts)  # what these share, all between them share
    size = next((i for i, (x, y) in enumerate(zip(first, last)) if x != y), len(first))  # noqa: B905
    return first[:size]


def _drop_last_word(text: str) -> str:
    """Return text without the letters and digits at its end: a number must not be torn apart."""
    while text and text[-1].isalnum():
        text = text[:-1]
    return text


def format_learners(c: Comparison, width: int) -> str:
    """Return what learners scored, best first; bars or letters join those not told apart."""
    table = tabulate_scores(c)
    title = [f"{table.title}, {table.reading}"]
    if c.critical_difference is not None:
        title.append(describe_critical_difference(c))
    listed = _select_learners(c)
    bars = [set(group) for group in c.groups if len(set(group) & set(listed)) > 1]
    bars = bars if shows_groups(c) else []
    drawn = 2 * len(bars) <= ROOM_FOR_GROUPS
    room = width - (2 * len(bars) if drawn else ROOM_FOR_GROUPS)
    columns, label = _choose_columns(c, listed, table, room)
    rooms = {head: max(map(len, [head, *texts])) for head, texts in columns.items()}
    names = {name: label[name] + CONTROL * (name == c.control) for name in listed}
    widest = max(map(count_columns, names.values()))
    lines = textwrap.wrap("; ".join(title), width, subsequent_indent="  ")
    heads = "".join(f"  {head:>{rooms[head]}}" for head in columns)
    lines.append(f"  {' ' * widest}{heads}")
    letters = assign_letters(c)
    last = -1
    for learner in listed:
        row = c.ranking.index(learner)
        if row - last > 1:
            lines.append(f"  … {row - last - 1} more; the JSON lists them all")
        last = row
        line = f"  {pad(names[learner], widest)}"
        line += "".join(f"  {texts[row]:>{rooms[head]}}" for head, texts in columns.items())
        if drawn:
            lines.append(line + "".join(" ┃" if learner in bar else "  " for bar in bars))
            continue
        indent = " " * (count_columns(line) + 2)
        parts = textwrap.wrap(letters[learner], width - len(indent)) or [""]
        lines += [f"{line}  {parts[0]}", *(indent + part for part in parts[1:])]
    if bars:
        sign = "┃ joins learners that" if drawn else "Learners that share a letter"
        lines.append(f"  {sign} could not be told apart")
    indent = "  "
    text = explain_scores(c, list(columns))
    lines += textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines)


def format_classes(c: Comparison, width: int) -> str:
    """Return recall and precision of each class, where one classifier has predictions."""
    if not c.class_scores:
        return ""
    header, rows = tabulate_classes(c)
    left_out, rows = len(rows) - MOST_CLASSES, rows[:MOST_CLASSES]
    labels, heads = [row[0] for row in rows], header[1:]
    figures = [heads, *(row[1:] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*figures, strict=True)]
    names = shorten_names(labels, width - 2 - sum(widths) - 2 * len(widths))
    widest = max(map(count_columns, names.values()))
    lines = [TITLE]
    for name, cells in zip(["", *map(names.__getitem__, labels)], figures, strict=True):
        right = (f"  {cell:>{room}}" for cell, room in zip(cells, widths, strict=True))
        lines.append(f"  {pad(name, widest)}{''.join(right)}")
    if left_out > 0:
        lines.append(f"  … {left_out} more; the JSON lists them all")
    text = explain_classes(c)
    lines += textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def _choose_columns(
    c: Comparison, listed: list[str], table: ScoreTable, room: int
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the columns for which there is room beside the names, and the names as they fit."""
    short = {"estimated mean rank": "est. rank", "data sets": "sets"}
    if not c.holds_ranks:
        short[f"mean {c.metric}"] = "mean"
    columns = {short.get(head, head): texts for head, texts in table.columns.items()}
    interval = f"{c.interval_level} interval"
    for head in (None, "median", interval, "sd", TIER):
        columns.pop(head or "", None)
        figures = sum(2 + max(map(len, [head, *texts])) for head, texts in columns.items())
        label = shorten_names(c.ranking, room - 2 - figures - len(CONTROL) * bool(c.control))
        if all(label[name] == name for name in listed):
            break
    return columns, label


def _select_learners(c: Comparison) -> list[str]:
    if len(c.ranking) <= MOST_LEARNERS:
        return list(c.ranking)
    return [
        name
        for i, name in enumerate(c.ranking)
        if i < BEST or i >= len(c.ranking) - WORST or name == c.control
    ]


def format_pairs(c: Comparison, width: int) -> str:
    """Return the pairs, or those that matter most where there are many."""
    if not c.pairs:
        return ""
    chosen = select_pairs(c, MOST_PAIRS)
    left_out = len(c.pairs) - len(chosen)
    repeats = shows_repeats(chosen)
    # Intervals stand where names need not be cut for them, before wins, ties and losses.
    for wide, record in ((True, True), (True, False), (False, True)):
        header, numbers = _format_figures(c, chosen, wide, repeats)
        if not record:
            column = header.index("w/t/l")
            header, *numbers = [row[:column] + row[column + 1 :] for row in [header, *numbers]]
        columns = [max(map(len, column)) for column in zip(header, *numbers, strict=True)]
        names, label = _name_pairs(c, chosen, width - 2 - sum(columns) - 2 * len(columns))
        if wide and all(label[name] == name for name in label):
            break
    widest = max(map(count_columns, names))
    lines = [_title_pairs(c, left_out)]
    lines += textwrap.wrap(
        f"{_explain_columns(c, wide, record)} {explain_repeats(c, chosen)}",
        width,
        initial_indent="  ",
        subsequent_indent="  ",
    )
    for name, row in zip(["", *names], [header, *numbers], strict=True):
        figures = "  ".join(f"{cell:>{room}}" for cell, room in zip(row, columns, strict=True))
        lines.append(f"  {pad(name, widest)}  {figures}")
    if left_out:
        lines.append(f"  … {left_out} more; the JSON lists them all")
    cut = [(label[name], name) for name in label if label[name] != name]
    if cut:
        lines.append("  Names in full")
        lines += [
            textwrap.fill(
                f"{short} = {name}", width, initial_indent="    ", subsequent_indent=" " * 6
            )
            for short, name in cut
        ]
    return "\n".join(lines)


def _explain_columns(c: Comparison, intervals: bool, record: bool) -> str:
    text = f"a − b: {describe_estimate(c)}."
    text += " w/t/l: where a wins, ties, loses." * record
    if c.adjustment is not None:
        text += f" adj. p: {name_adjustment(c)}"
        text += f"; intervals are {describe_intervals(c)}." if intervals else "."
    return text


def _format_figures(
    c: Comparison, chosen: list[Pair], wide: bool, repeats: bool
) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of figures, with intervals if there is room."""
    header = ["a − b"]
    level = c.interval_level if c.has_simultaneous_intervals else c.pair_interval_level
    header += [f"{level} interval".replace("adjusted", "adj.")] * wide
    header += ["p" if c.adjustment is None else "adj. p", "w/t/l", "better"]
    header += ["repeats"] * repeats
    decimals = count_decimals(chosen)
    rows = [
        tabulate_pair(
            pair, pair.outcome if pair.differs else None, decimals, intervals=wide, repeats=repeats
        )
        for pair in chosen
    ]
    return header, rows


def _title_pairs(c: Comparison, left_out: int) -> str:
    differ = sum(pair.differs for pair in c.pairs)
    count = f"{differ} of {len(c.pairs)} {'differs' if differ == 1 else 'differ'}"
    if len(c.pairs) == 1:
        return "The pair"
    if not left_out:
        return f"Pairs: {count}"
    if not c.mean_ranks:
        return f"Pairs: {count}; shown are the clearest and those nearest to α"
    first = "control" if c.control else "best"
    return f"Pairs: {count}; shown are the {first}'s and those nearest to α"


def _name_pairs(c: Comparison, chosen: list[Pair], room: int) -> tuple[list[str], dict[str, str]]:
    """Return "a against b" for each pair, and the labels that were used."""
    used = [name for name in c.ranking if any(name in (p.a, p.b) for p in chosen)]
    label = shorten_names(used, room)
    if max(count_columns(label[p.a]) + count_columns(label[p.b]) + 3 for p in chosen) > room:
        label = shorten_names(used, (room - 3) // 2)
    return [f"{label[pair.a]} − {label[pair.b]}" for pair in chosen], label
