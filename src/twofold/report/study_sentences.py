"""What a study found, in sentences: which tests keep the level, repeat themselves, cost little."""

from __future__ import annotations

from collections.abc import Iterable

from twofold.result import join_names
from twofold.rounding import written
from twofold.stats.cards import format_rate
from twofold.studies import Calibration, Estimate, Finding, Findings
from twofold.studies.findings_table import label

MOST_NAMES = 8
"""Tests that a sentence names before it counts the rest."""

NEARLY = 0.9
"""A test with this part of the best one's power is a fair offer where it costs less."""


def describe_point(rows: list[Finding], too_often: Iterable[tuple[str, float]] = ()) -> list[str]:
    """Return sentences on one source, size and level.

    ``too_often`` are experiments and levels known to err too often, whose power is worth nothing.
    """
    return _describe_level(rows) if rows[0].null else _describe_power(rows, set(too_often))


def list_erring(rows: Iterable[Finding]) -> set[tuple[str, float]]:
    """Return experiments and levels whose Type I error is above the level, interval and all."""
    return {(row.experiment, row.alpha) for row in rows if row.null and _errs_too_often(row)}


def summarize(findings: Findings) -> str:
    """Return the most important of all sentences."""
    groups = findings.group_by_point()
    if not groups:
        return "Nothing was found."
    null = [rows for rows in groups.values() if rows[0].null]
    rest = [rows for rows in groups.values() if not rows[0].null]
    sentences = [_summarize_level(null[0])] if null else []
    if rest:
        sentences += describe_point(rest[0], list_erring(findings.rows))[:1]
    return " ".join(sentences)


def _errs_too_often(row: Finding) -> bool:
    return row.rejected.low > row.alpha


def _sort_erring(rows: list[Finding]) -> list[Finding]:
    """Return those that err too often, the worst first."""
    return sorted(filter(_errs_too_often, rows), key=lambda row: -row.rejected.value)


def _format_alpha(alpha: float) -> str:
    return f"α = {format_rate(alpha).rstrip('0')}"


def _summarize_level(rows: list[Finding]) -> str:
    over, level = _sort_erring(rows), _format_alpha(rows[0].alpha)
    if not over:
        subject = f"None of {len(rows)} tests errs"
        if len(rows) == 1:
            subject = f"{label(rows[0])} does not err"
        far = f"as far as {rows[0].datasets} data sets tell"
        return f"{subject} more often than {level} allows, {far}."
    names = _name_tests(over, rates=True, most=4)
    finds, they = ("finds", "it") if len(over) == 1 else ("find", "they")
    rest = f"; the other {len(rows) - len(over)} do not" if len(rows) - len(over) > 1 else ""
    difference = f"{finds} a difference that is not there more often than {they} may"
    return f"At {level} {names} {difference}{rest}."


def _describe_level(rows: list[Finding]) -> list[str]:
    over, level = _sort_erring(rows), _format_alpha(rows[0].alpha)
    under = [row for row in rows if row.rejected.high < row.alpha]
    fair = [row for row in rows if row not in over and row not in under]
    sentences = []
    if fair:
        names = f"all {len(rows)} tests" if len(fair) == len(rows) > 1 else _name_tests(fair)
        sentences.append(
            f"At {level} {names} {_conjugate(fair, 'keeps', 'keep')} the level, as far as "
            f"{rows[0].datasets} data sets tell."
        )
    if over:
        sentences.append(
            f"{_name_tests(over, rates=True)} {_conjugate(over, 'finds', 'find')} a difference "
            f"that is not there more often than {level} allows."
        )
    if under:
        errs = _conjugate(under, "errs", "err")
        sentences.append(f"{_name_tests(under, rates=True)} {errs} less often than that.")
    safe = fair + under
    sentences += _name_most_replicable(safe, "that do not err too often") + _name_cheapest(safe)
    if under:
        sentences.append(
            "A test that hardly ever rejects agrees with itself; look at its power, too."
        )
    return sentences


def _describe_power(rows: list[Finding], too_often: set[tuple[str, float]]) -> list[str]:
    fair = [row for row in rows if (row.experiment, row.alpha) not in too_often]
    if not fair:
        return ["All of these tests err too often where there is no difference."]
    best = max(fair, key=lambda row: row.rejected.value)
    if best.rejected.value == 0:
        return ["None of these tests finds a difference on any data set."]
    rate = _with_interval(best.rejected)
    if rows[0].null is None:
        sentences = [f"{label(best)} finds a difference most often: {rate}."]
    else:
        size = abs(rows[0].difference.value)
        which = "of those that do not err too often " if len(fair) < len(rows) else ""
        sentences = [
            f"With a difference of accuracy of {written(size, 4)} {which}{label(best)} finds one "
            "most "
            f"often: {rate}."
        ]
    enough = [row for row in fair if row.rejected.value >= NEARLY * best.rejected.value]
    cheap = min(enough, key=lambda row: row.fits)
    if cheap.fits < best.fits:
        sentences.append(
            f"With {cheap.fits} fits instead of {best.fits}, {label(cheap)} comes close: "
            f"{_with_interval(cheap.rejected)}."
        )
    return sentences + _name_most_replicable(fair, "asked about")


def _name_most_replicable(rows: list[Finding], which: str) -> list[str]:
    rates = [(row.replicability, row) for row in rows if row.replicability is not None]
    if len(rates) < 2:
        return []
    rate, best = max(rates, key=lambda pair: pair[0].value)
    return [
        f"Of the tests {which} {label(best)} agrees with itself most often: two repetitions "
        f"decide alike with a probability of {_with_interval(rate)}."
    ]


def _name_cheapest(rows: list[Finding]) -> list[str]:
    if len({row.fits for row in rows}) < 2:
        return []
    least = min(row.fits for row in rows)
    cheap = [row for row in rows if row.fits == least]
    are = _conjugate(cheap, "is", "are")
    return [f"{_name_tests(cheap)} {are} the cheapest of them, with {least} fits."]


def _name_tests(rows: list[Finding], *, rates: bool = False, most: int = MOST_NAMES) -> str:
    names = [
        f"{label(row)} ({format_rate(row.rejected.value)})" if rates else label(row) for row in rows
    ]
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most} others"]
    return join_names(names)


def _conjugate(rows: list[Finding], singular: str, plural: str) -> str:
    return singular if len(rows) == 1 else plural


def _with_interval(rate: Estimate) -> str:
    return f"{format_rate(rate.value)} ({format_rate(rate.low)} to {format_rate(rate.high)})"


def describe_calibration(calibration: Calibration) -> list[str]:
    """Return sentences on the longest design at the usual level."""
    entries = calibration.entries
    level = min((entry.alpha for entry in entries), key=lambda alpha: abs(alpha - 0.05))
    at_level = [entry for entry in entries if entry.alpha == level]
    folds = max(entry.folds for entry in entries)
    runs = max(entry.runs for entry in at_level if entry.folds == folds)
    rows = [entry for entry in at_level if (entry.folds, entry.runs) == (folds, runs)]
    done = [entry for entry in rows if entry.df is not None]
    never = [entry for entry in rows if entry.df is None]
    sentences = []
    if done:
        texts = [
            f"{entry.test} with {'at least ' if entry.at_most else ''}{entry.df:g}"
            for entry in done[:MOST_NAMES]
        ]
        more = [f"{len(done) - MOST_NAMES} others"] if len(done) > MOST_NAMES else []
        sentences.append(
            f"Degrees of freedom with which tests keep their level on {rows[0].design} at "
            f"{_format_alpha(level)}: {join_names([*texts, *more])}."
        )
    if never:
        names, errs = (
            join_names([entry.test for entry in never]),
            "errs" if len(never) == 1 else "err",
        )
        sentences.append(f"{names} {errs} too often there with any that were tried.")
    worst = max(rows, key=lambda entry: entry.type_one_textbook.value)
    sentences.append(
        f"With the textbook's degrees of freedom, {worst.textbook:g}, {worst.test} would err with "
        f"a probability of {_with_interval(worst.type_one_textbook)}."
    )
    return sentences
