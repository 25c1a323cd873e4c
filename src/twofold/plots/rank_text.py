"""The rank diagram for a terminal."""

from __future__ import annotations

import textwrap

from twofold.plots.picture_labels import CONTROL, count_columns, shorten, ticks
from twofold.plots.ranking_facts import RankFacts
from twofold.rounding import written
from twofold.stats.arguments import whole


def critical_difference_text(facts: RankFacts, width: int = 80) -> str:
    """Return the diagram for a terminal: best first, a column for each bar, ranks on an axis.

    Columns show ┃ for members of a group and ┆ for learners that it skips; groups that have no room
    are listed below. ▸ marks highlights.
    """
    room = whole("width", width, 40)
    order = facts.best_first
    names = [facts.labels[i] for i in order]
    if facts.highlight:
        marks = ["▸ " if facts.learners[i] in facts.highlight else "  " for i in order]
    else:
        marks = [""] * len(order)
    longest = max(map(len, facts.rank_texts))
    ranks = [f"{facts.rank_texts[i]:>{longest}}" for i in order]

    # Names keep a few columns and the axis 17; bars leave them more if they can.
    start = len(marks[0]) + 2 + longest + 2
    least = 8 if facts.control is None else 8 + len(CONTROL)
    columns = _bar_columns(facts)
    fits = len(columns) <= room - start - 2 - least - 17
    drawn = columns if fits else []
    need = max(map(count_columns, names))
    between = " " if start + 2 * len(drawn) + 1 + min(need, 20) + 30 <= room else ""
    if drawn:
        ranks = [
            f"{rank}  {between.join(column[row] for column in drawn)}"
            for row, rank in enumerate(ranks)
        ]
        start += len(ranks[0]) - longest
    name_room = min(need, max(least, room - start - 30))
    names = shorten(names, [name_room] * len(names), [count_columns] * len(names))
    ruler = _ruler_label(facts)
    name_room = max(name_room, len(ruler) + 2 - start)
    start += name_room

    plot = min(room - start, 61) + 1 - len(str(facts.axis[1]))  # the last number needs room
    scale = (plot - 1) / (facts.axis[1] - facts.axis[0])
    lines = []
    if facts.critical_difference is not None:
        line = _ruler_line(facts, facts.critical_difference, scale, plot)
        lines.append(f"{ruler:>{start - 2}}  {line}")
    lines += [" " * start + line for line in _axis_lines(facts, scale, plot)]
    for i, mark, name, rank in zip(order, marks, names, ranks, strict=True):
        name += " " * (name_room - count_columns(name))
        position = round((facts.mean_ranks[i] - facts.axis[0]) * scale)
        lines.append(f"{mark}{name}  {rank}  {' ' * position}●")
    if not fits:
        lines += _list_groups(facts, room)
    for words in (facts.key, facts.caption):
        lines += textwrap.wrap(words, room)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _axis_lines(facts: RankFacts, scale: float, plot: int) -> tuple[str, str]:
    """Return the numbers and the axis of a text."""
    first, last = facts.axis
    numbers, axis = [" "] * plot, ["─"] * plot
    for rank in ticks(first, last, lambda step: len(str(last)) + 1 <= step * scale):
        at, text = round((rank - first) * scale), str(rank)
        numbers[at : at + len(text)] = text
        axis[at] = "┬"
    return "".join(numbers), "".join(axis)


def _ruler_label(facts: RankFacts) -> str:
    if facts.critical_difference is None:
        return ""
    return "± " * (facts.control is not None) + f"CD = {written(facts.critical_difference, 3)}"


def _ruler_line(facts: RankFacts, reach: float, scale: float, plot: int) -> str:
    """Return the critical difference, or the control's interval, above the axis of a text."""
    if facts.control is None:
        length = round(reach * scale)
        return f"├{'─' * (length - 1)}┤" if length < plot else f"├{'─' * (plot - 2)}▶"
    centre = facts.mean_ranks[facts.control] - facts.axis[0]
    ends = round((centre - reach) * scale), round((centre + reach) * scale)
    low, high = max(0, ends[0]), min(plot - 1, ends[1])
    cells = ["─"] * (high - low + 1)
    if low == ends[0]:
        cells[0] = "├"
    if high == ends[1]:
        cells[-1] = "┤"
    cells[round(centre * scale) - low] = "●"
    return " " * low + "".join(cells)


def _bar_columns(facts: RankFacts) -> list[list[str]]:
    """Return columns of signs, a row for each learner."""
    columns = []
    for groups in facts.bar_columns:
        signs = [" "] * len(facts.learners)
        for rows in groups:
            signs[rows[0] : rows[-1] + 1] = "┆" * (rows[-1] + 1 - rows[0])
            for row in rows:
                signs[row] = "┃"
        columns.append(signs)
    return columns


def _list_groups(facts: RankFacts, room: int) -> list[str]:
    """Return the groups in words, a paragraph each."""
    lines = ["Not told apart:"]
    for group in facts.bars:
        names = ", ".join(facts.learners[i] for i in group)
        lines += textwrap.wrap(names, room, initial_indent="- ", subsequent_indent="  ")
    return lines
