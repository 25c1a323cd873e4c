"""What a study found, in plain words: who keeps the level, who repeats itself, who is cheap."""

from __future__ import annotations

from collections.abc import Iterable

from twofold.report.methods_text import listed
from twofold.studies import Calibration, Estimate, Finding, Findings
from twofold.studies.findings_table import label, short

NAMED = 8
"""Tests that a sentence names before it counts the others."""

NEARLY = 0.9
"""A test with this part of the best one's power is a fair offer where it costs less."""

Point = tuple[str, int, float]


def points(found: Findings) -> dict[Point, list[Finding]]:
    """Return findings by source, size and level."""
    groups: dict[Point, list[Finding]] = {}
    for row in found.rows:
        groups.setdefault((row.source, row.rows, row.alpha), []).append(row)
    return groups


def of_point(rows: list[Finding], too_often: Iterable[tuple[str, float]] = ()) -> list[str]:
    """Return sentences on one source, size and level.

    ``too_often`` are experiments and levels known to err too often, whose power is worth nothing.
    """
    if rows[0].null:
        return _of_null(rows)
    return _of_power(rows, set(too_often))


def erring(rows: Iterable[Finding]) -> set[tuple[str, float]]:
    """Return experiments and levels whose Type I error is above the level, interval and all."""
    return {
        (row.experiment, row.alpha) for row in rows if row.null and row.rejected.low > row.alpha
    }


def headline(found: Findings) -> str:
    """Return the most important of all sentences."""
    groups = points(found)
    if not groups:
        return "Nothing was found."
    null = [rows for rows in groups.values() if rows[0].null]
    rest = [rows for rows in groups.values() if not rows[0].null]
    said = [_short_of_null(null[0])] if null else []
    return " ".join([*said, *(of_point(rest[0], erring(found.rows))[:1] if rest else [])])


def _short_of_null(rows: list[Finding]) -> str:
    over = [row for row in rows if row.rejected.low > row.alpha]
    over.sort(key=lambda row: -row.rejected.value)
    level = short(rows[0].alpha).rstrip("0")
    if not over:
        which = (
            f"None of {len(rows)} tests errs" if len(rows) > 1 else f"{label(rows[0])} does not err"
        )
        far = f"as far as {rows[0].datasets} data sets tell"
        return f"{which} more often than α = {level} allows, {far}."
    names = _names(over, rates=True, most=4)
    does = _do(over, "finds", "find")
    rest = f"; the other {len(rows) - len(over)} do not" if len(rows) - len(over) > 1 else ""
    than = "more often than it may" if len(over) == 1 else "more often than they may"
    return f"At α = {level} {names} {does} a difference that is not there {than}{rest}."


def _of_null(rows: list[Finding]) -> list[str]:
    alpha = rows[0].alpha
    over = sorted(
        (row for row in rows if row.rejected.low > alpha), key=lambda row: -row.rejected.value
    )
    under = [row for row in rows if row.rejected.high < alpha]
    fair = [row for row in rows if row not in over and row not in under]
    said = []
    level = short(alpha).rstrip("0")
    if fair:
        all_ = f"All {len(rows)} tests" if len(fair) == len(rows) > 1 else _names(fair)
        said.append(
            f"At α = {level} {all_} {_do(fair, 'keeps', 'keep')} the level, as far as "
            f"{rows[0].datasets} data sets tell."
        )
    if over:
        said.append(
            f"{_names(over, rates=True)} {_do(over, 'finds', 'find')} a difference that is not "
            f"there more often than α = {level} allows."
        )
    if under:
        said.append(
            f"{_names(under, rates=True)} {_do(under, 'errs', 'err')} less often than that."
        )
    kept = fair + under
    said += _most_replicable(kept, "that do not err too often") + _cheapest(kept)
    if under:
        said.append("A test that hardly ever rejects agrees with itself; look at its power, too.")
    return said


def _of_power(rows: list[Finding], too_often: set[tuple[str, float]]) -> list[str]:
    fair = [row for row in rows if (row.experiment, row.alpha) not in too_often]
    if not fair:
        return ["All of these tests err too often where there is no difference."]
    best = max(fair, key=lambda row: row.rejected.value)
    if best.rejected.value == 0:
        return ["None of these tests finds a difference on any data set."]
    size = abs(rows[0].difference.value)
    which = "of those that do not err too often " if len(fair) < len(rows) else ""
    said = [
        f"With a difference of accuracy of {size:.4f} {which}{label(best)} finds one most often: "
        f"{_with_interval(best.rejected)}."
    ]
    if rows[0].null is None:
        said = [f"{label(best)} finds a difference most often: {_with_interval(best.rejected)}."]
    enough = [row for row in fair if row.rejected.value >= NEARLY * best.rejected.value]
    cheap = min(enough, key=lambda row: row.fits)
    if cheap.fits < best.fits:
        said.append(
            f"With {cheap.fits} fits instead of {best.fits}, {label(cheap)} comes close: "
            f"{_with_interval(cheap.rejected)}."
        )
    return said + _most_replicable(fair, "asked about")


def _most_replicable(rows: list[Finding], which: str) -> list[str]:
    known = [row for row in rows if row.replicability is not None]
    if len(known) < 2:
        return []
    best = max(known, key=lambda row: row.replicability.value if row.replicability else 0.0)
    assert best.replicability is not None
    return [
        f"Of the tests {which} {label(best)} agrees with itself most often: two repetitions "
        f"decide alike with a chance of {_with_interval(best.replicability)}."
    ]


def _cheapest(rows: list[Finding]) -> list[str]:
    if len({row.fits for row in rows}) < 2:
        return []
    least = min(row.fits for row in rows)
    cheap = [row for row in rows if row.fits == least]
    return [f"{_names(cheap)} {_do(cheap, 'is', 'are')} the cheapest of them, with {least} fits."]


def _names(rows: list[Finding], *, rates: bool = False, most: int = NAMED) -> str:
    names = [f"{label(row)} ({short(row.rejected.value)})" if rates else label(row) for row in rows]
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most} others"]
    return listed(names)


def _do(rows: list[Finding], one: str, many: str) -> str:
    return one if len(rows) == 1 else many


def _with_interval(one: Estimate) -> str:
    return f"{short(one.value)} ({short(one.low)} to {short(one.high)})"


def of_calibration(found: Calibration) -> list[str]:
    """Return sentences on the longest design at the usual level."""
    level = min((one.alpha for one in found.entries), key=lambda alpha: abs(alpha - 0.05))
    folds = max(one.folds for one in found.entries)
    of_folds = [one for one in found.entries if one.alpha == level and one.folds == folds]
    most = max(one.runs for one in of_folds)
    rows = [one for one in of_folds if one.runs == most]
    done = [one for one in rows if one.df is not None]
    never = [one for one in rows if one.df is None]
    where = f"on {rows[0].design} at α = {short(level).rstrip('0')}"
    said = []
    if done:
        texts = [
            f"{one.test} with {'at least ' if one.at_most else ''}{one.df:g}"
            for one in done[:NAMED]
        ]
        more = [f"{len(done) - NAMED} others"] if len(done) > NAMED else []
        said.append(
            f"Degrees of freedom with which tests keep their level {where}: "
            f"{listed([*texts, *more])}."
        )
    if never:
        names = listed([one.test for one in never])
        with_ = "errs" if len(never) == 1 else "err"
        said.append(f"{names} {with_} too often there with any that were tried.")
    usual = max(rows, key=lambda one: one.type_one_textbook.value)
    said.append(
        f"With the textbook's degrees of freedom, {usual.textbook:g}, {usual.test} would err with "
        f"a chance of {_with_interval(usual.type_one_textbook)}."
    )
    return said
