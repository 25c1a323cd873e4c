"""Degrees of freedom: from a measured table, a number, or those of the textbook.

Bouckaert's tests keep their level with calibrated degrees of freedom only, so that these are what
they take unless another choice is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twofold.comparison.defaults import CHOSEN_DF, FOLDS
from twofold.errors import InputError
from twofold.result import Note
from twofold.rounding import written
from twofold.stats import catalog, entry
from twofold.stats.arguments import positive
from twofold.stats.calibration_table import (
    CalibrationTable,
    describe_calibration,
    load_shipped,
    read_calibration,
)

if TYPE_CHECKING:
    from twofold.options import Question

CALIBRATED = "calibrated"
TEXTBOOK = "textbook"

_REMEDY = (
    "Say 'calibrated', 'textbook', a number such as 10, or a file of `twofold calibrate -o "
    "FILE.json`."
)


@dataclass(frozen=True, slots=True)
class Freedom:
    """Degrees of freedom and where they come from, in short and as a note."""

    df: float
    short: str
    note: Note


@lru_cache(maxsize=1)
def tests_with_df() -> tuple[str, ...]:
    """Return the tests whose degrees of freedom may be chosen, in the order of the catalog."""
    return tuple(
        test.name for test in catalog() if test.group == "one data set" and test.takes("df")
    )


def check_df(df: Any, test: str | None) -> None:
    """Refuse invalid degrees of freedom before anything is run."""
    if isinstance(df, str) and df == TEXTBOOK:
        if test is None:
            raise InputError(
                "The degrees of freedom of the textbook need a test to go with.",
                "Name it, `test='use-all-data'`; or leave out `df`, and the default test decides.",
            )
        return
    if df is None or (isinstance(df, str) and df == CALIBRATED):
        return
    if isinstance(df, str | Path):
        if _number(df) is None:
            _table(df)
        return
    positive("df", df, _REMEDY)


def refuse_df(options: Question, situation: str) -> None:
    """Refuse chosen degrees of freedom where no test takes them."""
    if options.df is not None:
        raise InputError(
            f"`df` is for tests on the folds of one data set, not for {situation}.",
            "Leave it out.",
        )


def check_runs(options: Question, option: str, effect: str) -> None:
    """Refuse tabulated degrees of freedom where the number of runs is not fixed beforehand."""
    test = options.test or (CHOSEN_DF if options.df is not None else None)
    if test is None or not _is_looked_up(_choose(test, options)):
        return
    ways = "Give the runs in the design, 10x10, or a number of degrees of freedom, `df=10`"
    if options.test is not None:
        ways += f"; or leave out the test, as {FOLDS} needs none"
    raise InputError(
        f"Calibrated degrees of freedom of `{test}` hold for one number of runs, and `{option}` "
        f"{effect}.",
        f"{ways}.",
    )


def choose_freedom(test: str, runs: int, parts: int, options: Question) -> Freedom | None:
    """Return the degrees of freedom to use, or None for those of the textbook."""
    df = _choose(test, options)
    if df is None:
        return None
    if test not in tests_with_df():
        names = ", ".join(tests_with_df()[:6])
        raise InputError(f"`{test}` takes no `df`.", f"Leave it out, or use one of {names}, ….")
    if df == TEXTBOOK:
        return None
    if _is_looked_up(df):
        return _look_up(test, runs, parts, options, _table(df))
    value = float(df)
    note = Note(
        "given-df",
        "Degrees of freedom given",
        f"df = {value:g} for {entry(test).in_words}, as you said. Whether the test has its level "
        "with them depends on the design; `twofold calibrate` measures it.",
    )
    return Freedom(value, f"df = {value:g}, as given", note)


def _choose(test: str, options: Question) -> Any:
    """Return the choice of the user, or the default of the test."""
    if options.df is not None:
        return options.df
    return CALIBRATED if entry(test).calibrated else None


def _is_looked_up(df: Any) -> bool:
    """Tell whether degrees of freedom are looked up, for one number of runs and one level."""
    return isinstance(df, str | Path) and df != TEXTBOOK and _number(df) is None


def _look_up(
    test: str, runs: int, parts: int, options: Question, table: CalibrationTable
) -> Freedom:
    if entry(test).on_splits:
        raise InputError(
            f"No table has degrees of freedom for `{test}`: on random splits they depend on the "
            "share tested on.",
            "Give a number, `df=10`, or use a test on folds such as use-all-data.",
        )
    # The tables are of two-sided tests; one side at α is both sides at 2α, as the null is even.
    one_sided = options.alternative != "two-sided"
    level = 2 * options.alpha if one_sided else options.alpha
    row = table.find(test, runs, parts, level)
    if row is None or row["df"] is None:
        raise InputError(*_explain_missing(test, runs, parts, level, row is not None, table))
    df, more = float(row["df"]), ""
    error = row.get("type_one")
    if error:
        more = f" (Type I error there {written(error['value'], 3)})".replace(" 0.", " .")
    limit = " (the most that was tried)" if row.get("at_most") else ""
    side = f", that is {level:g} on both sides," if one_sided else ""
    detail = (
        f"df = {df:g}{limit} for {entry(test).in_words} on {runs}x{parts} folds at α = "
        f"{options.alpha:.4g}{side} is from {table.name}: {describe_calibration(table)}, where "
        f"neither is better{more}. It holds for learners and data that behave like those, and for "
        "this level."
    )
    note = Note("calibrated-df", "Calibrated degrees of freedom", detail)
    return Freedom(df, f"df = {df:g}, from {table.name}", note)


def _explain_missing(
    test: str, runs: int, parts: int, level: float, tried: bool, table: CalibrationTable
) -> tuple[str, str]:
    """Return the rule and the remedy where a table has nothing for a design."""
    rule = (
        f"There are no degrees of freedom in {table.name} for `{test}` on {runs}x{parts} folds at "
        f"a two-sided level of {level:g}"
    )
    if tried:
        return f"{rule}: with any, it errs too often there.", (
            f"Use {FOLDS}, which needs none; `df='textbook'` is unsafe."
        )
    command = (
        f"twofold calibrate --tests {test} --design {runs}x{parts} --runs {runs} "
        f"--alpha {level:g} -o own.json"
    )
    return f"{rule}.", f"Run `{command}`, then say `df='own.json'`.{_designs(test, parts, table)}"


def _designs(test: str, parts: int, table: CalibrationTable) -> str:
    """Say for how many runs of so many folds a table has degrees of freedom of a test."""
    entries = [design for design in table.designs(test) if design[1] == parts]
    if not entries:
        return ""
    runs, levels = ({design[i] for design in entries} for i in (0, 2))
    return (
        f" The table has {', '.join(map(str, sorted(runs)))} run{'s' if runs != {1} else ''} of "
        f"{parts} folds at levels {', '.join(f'{level:g}' for level in sorted(levels))}."
    )


def _number(df: str | Path) -> float | None:
    """Return the number in a text, or None."""
    try:
        value = float(str(df))
    except ValueError:
        return None
    return positive("df", value, _REMEDY)


def _table(df: str | Path) -> CalibrationTable:
    return load_shipped() if str(df) == CALIBRATED else read_calibration(df)
