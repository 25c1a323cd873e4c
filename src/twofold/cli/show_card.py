"""What was measured of a test, for its page in the terminal."""

from __future__ import annotations

import textwrap
from typing import Any

from twofold.rounding import written
from twofold.stats.cards import Cards, Measured, Share, cards, format_rate

LEVEL = 0.05
WIDTH = 79
STANDINGS = {
    "above": "Its Type I error is above its level of .05 where there is nothing to learn",
    "below": "Its Type I error is below its level of .05 where there is nothing to learn",
    "holds": "Its Type I error agrees with its level of .05 where there is nothing to learn",
}


def format_card(test: str) -> list[str]:
    """Return the lines of a card, none where the test was not measured."""
    table = cards()
    null, other = table.find(test, "none", LEVEL), table.find(test, "some", LEVEL)
    if null is None or other is None:
        return []
    origin = table.made
    a, b = origin["learners"]
    about = (
        f"{a} (A) against {b} (B), {origin['rows']} rows, {origin['datasets']} data sets, each "
        f"{origin['repetitions']} times; {null.design}, {null.fits} fits"
    )
    if null.df is not None:
        about += f", df {null.df:g} (calibrated)"
    gap = abs(other.difference[0])
    lines = ["", "Measured", *_wrap(describe_standing(table, test)), *_wrap(f"{about}:")]
    better = f"{'B' if other.difference[0] < 0 else 'A'} better by {written(gap, 3)}"
    lines.append(f"  {'':<22}{'no difference':<22}{better}")
    for words, pair in _list_rows(test, null, other):
        cells = [_format_interval(share) for share in pair]
        lines.append(f"  {words:<22}{cells[0]:<22}{cells[1]}".rstrip())
    lines += _format_bins(other)
    lines += _format_halves(table, test)
    names = (
        f"no difference: {table.sources['none']}; a difference: {table.sources['some']}; "
        f"something to learn and no difference: {table.sources['halves']}"
    )
    return [*lines, *_wrap(f"In brackets {origin['confidence']:.0%} intervals. {names}")]


def describe_standing(table: Cards, test: str) -> str:
    """Say how errors compare with the level on both null hypotheses."""
    null = table.find(test, "none", LEVEL)
    assert null is not None
    high = table.above(test, LEVEL)
    levels = table.levels_of(test, LEVEL)
    first = STANDINGS[null.standing]
    if high:
        listed = ", ".join(f"{level.learner} {format_rate(level.rejected[0])}" for level in high)
        link = "and" if null.standing == "above" else "but"
        return f"{first}, {link} above it where there is: {listed}."
    low = all(level.standing == "below" for level in levels)
    return f"{first}, and {'below' if low else 'not above'} it where there is."


def _format_halves(table: Cards, test: str) -> list[str]:
    """Return the errors where there is something to learn."""
    halves = table.made["halves"]
    lines = _wrap(
        "Type I error where there is something to learn, the same learner on either half of "
        f"exchangeable attributes, {halves['datasets']} data sets each:"
    )
    lines.append(f"  {'':<22}{'α = .05':<22}α = .01")
    pairs = zip(table.levels_of(test, LEVEL), table.levels_of(test, 0.01), strict=True)
    for usual, strict in pairs:
        cells = _format_interval(usual.rejected), _format_interval(strict.rejected)
        lines.append(f"  {usual.learner:<22}{cells[0]:<22}{cells[1]}")
    return lines


def _list_rows(
    test: str, null: Measured, other: Measured
) -> list[tuple[str, tuple[Share | None, Share | None]]]:
    rows: list[tuple[str, tuple[Share | None, Share | None]]] = [
        ("rejects at α = .05", (null.rejected, other.rejected))
    ]
    strict = cards().find(test, "none", 0.01), cards().find(test, "some", 0.01)
    if strict[0] is not None and strict[1] is not None:
        rows.append(("rejects at α = .01", (strict[0].rejected, strict[1].rejected)))
    for words, name in (
        ("R", "replicability"),
        ("R(p)", "replicability_p"),
        ("consistent", "consistent"),
        ("repetitions agree", "agreement"),
        ("… as predicted", "predicted"),
    ):
        pair = getattr(null, name), getattr(other, name)
        if pair != (None, None):
            rows.append((words, pair))
    return rows


def _format_bins(other: Measured) -> list[str]:
    """Return predictions beside what came of them, where there is a difference."""
    bins = [(x, y) for x, y, count in other.came_true if count >= 10]
    if not bins:
        return []
    texts = [f"{format_rate(x)}→{format_rate(y)}" for x, y in bins]
    return _wrap(f"predicted → came true, in bins, with a difference: {', '.join(texts)}")


def _format_interval(share: Share | None) -> str:
    if share is None:
        return "—"
    return f"{format_rate(share[0])} ({format_rate(share[1])}–{format_rate(share[2])})"


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def describe_card(test: str) -> list[dict[str, Any]]:
    """Return a card as plain data: what was measured with a difference and without."""
    from dataclasses import asdict

    return [asdict(row) for row in cards().find_rows(test)]


def describe_levels(test: str) -> list[dict[str, Any]]:
    """Return as plain data how often it errs where there is something to learn."""
    from dataclasses import asdict

    return [asdict(level) for level in cards().levels if level.test == test]
