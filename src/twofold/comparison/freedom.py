"""Degrees of freedom that were chosen: a number, the shipped table, or a table of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import twofold.stats
from twofold.errors import InputError
from twofold.result import Note
from twofold.stats import catalog, entry
from twofold.stats.arguments import positive
from twofold.stats.calibration_table import (
    CalibrationTable,
    read_calibration,
    shipped,
    words_on,
)

if TYPE_CHECKING:
    from twofold.comparison.options import Options

CALIBRATED = "calibrated"
DEFAULT = "use-all-data"
"""The test that Bouckaert (2003) recommends, where calibration is asked for and no test named."""

_REMEDY = "Say 'calibrated', a number such as 10, or a file of `twofold calibrate -o FILE.json`."


@dataclass(frozen=True, slots=True)
class Freedom:
    """Degrees of freedom, and whence they come: two sentences for people."""

    df: float
    short: str
    note: Note


@lru_cache(maxsize=1)
def tests_with_df() -> tuple[str, ...]:
    """Return the tests whose degrees of freedom may be chosen, in the order of the catalog."""
    return tuple(
        one.name
        for one in catalog()
        if one.group == "one data set"
        and "df" in signature(getattr(twofold.stats, one.function)).parameters
    )


def check_df(df: Any) -> None:
    """Refuse what cannot be degrees of freedom before anything is run."""
    if df is None or df == CALIBRATED:
        return
    if isinstance(df, str | Path):
        if _number(df) is None:
            _table(df)
        return
    positive("df", df, _REMEDY)


def refuse_df(options: Options, what: str) -> None:
    """Refuse chosen degrees of freedom where no test takes them."""
    if options.df is not None:
        raise InputError(
            f"`df` is for tests on the folds of one data set, not for {what}.", "Leave it out."
        )


def fixed_runs(df: Any) -> bool:
    """Tell whether the degrees of freedom hold for one number of runs only."""
    return df == CALIBRATED or (isinstance(df, str | Path) and _number(df) is None)


def freedom_for(test: str, runs: int, parts: int, options: Options) -> Freedom | None:
    """Return the degrees of freedom that were asked for, or None for those of the textbook."""
    df = options.df
    if df is None:
        return None
    if test not in tests_with_df():
        names = ", ".join(tests_with_df()[:6])
        raise InputError(f"`{test}` takes no `df`.", f"Leave it out, or use one of {names}, ….")
    given = _number(df) if isinstance(df, str | Path) else float(df)
    if given is not None:
        note = Note(
            "given-df",
            "Degrees of freedom given",
            f"df = {given:g} for {test}, as you said. Whether the test has its level with them "
            "depends on the design; `twofold calibrate` measures it.",
        )
        return Freedom(given, f"df = {given:g}, as given", note)
    return _from_table(test, runs, parts, options, _table(df))


def _from_table(
    test: str, runs: int, parts: int, options: Options, table: CalibrationTable
) -> Freedom:
    if entry(test).data == "splits":
        raise InputError(
            f"No table has degrees of freedom for `{test}`: on random splits they depend on the "
            "share tested on.",
            "Give a number, --df 10, or use a test on folds such as use-all-data.",
        )
    # The tables are of two-sided tests; one side at α is both sides at 2α, as the null is even.
    one_sided = options.alternative != "two-sided"
    level = 2 * options.alpha if one_sided else options.alpha
    found = table.find(test, runs, parts, level)
    if found is None or found["df"] is None:
        raise InputError(*_missing(test, runs, parts, level, found is not None, table))
    df, more = float(found["df"]), ""
    error = found.get("type_one")
    if error:
        more = f" (Type I error there {error['value']:.3f})".replace(" 0.", " .")
    limit = " (the most that was tried)" if found.get("at_most") else ""
    side = f", that is {level:g} on both sides," if one_sided else ""
    detail = (
        f"df = {df:g}{limit} for {test} on {runs}x{parts} folds at α = {options.alpha:g}{side} "
        f"is from {table.name}: {words_on(table)}, where neither is better{more}. It holds for "
        "learners and data that behave like those, and for this level."
    )
    note = Note("calibrated-df", "Calibrated degrees of freedom", detail)
    return Freedom(df, f"df = {df:g}, from {table.name}", note)


def _missing(
    test: str, runs: int, parts: int, level: float, tried: bool, table: CalibrationTable
) -> tuple[str, str]:
    """Return the rule and the remedy where a table has nothing for a design."""
    where = f"{runs}x{parts} folds at a two-sided level of {level:g}"
    rule = f"{table.name[0].upper()}{table.name[1:]} has no degrees of freedom for `{test}` on "
    rule += where + ("." if not tried else ": with any, it errs too often there.")
    known = table.designs(test)
    if not known:
        others = list(dict.fromkeys(str(one["test"]) for one in table.entries))
        listed = ", ".join(others[:6]) + (", …" if len(others) > 6 else "")
        return rule, f"It has some for {listed or 'no test'}; or give a number, --df 10."
    levels = sorted({alpha for *_, alpha in known})
    by_folds: dict[int, set[int]] = {}
    for r, k, alpha in known:
        if alpha == round(level, 6) or round(level, 6) not in levels:
            by_folds.setdefault(k, set()).add(r)
    designs = "; ".join(
        f"{', '.join(map(str, sorted(found)))} run{'s' if found != {1} else ''} of {k} folds"
        for k, found in sorted(by_folds.items(), reverse=True)
    )
    at = ", ".join(f"{one:g}" for one in levels)
    return rule, f"It has {designs} (levels {at}); or give a number, --df 10."


def _number(df: str | Path) -> float | None:
    """Return the number that a text is, None where it is not one."""
    try:
        value = float(str(df))
    except ValueError:
        return None
    return positive("df", value, _REMEDY)


def _table(df: str | Path) -> CalibrationTable:
    return shipped() if df == CALIBRATED else read_calibration(df)
