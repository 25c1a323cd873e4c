"""Sentences in LaTeX: names are text, statistics and p values are mathematics."""

from __future__ import annotations

import re
from functools import cache

from twofold.escapes import escape_latex
from twofold.stats import catalog

_MARK = "\ue002"  # no name contains it
_SYMBOLS = {"χ²": r"\chi^2", "χ²_F": r"\chi^2_F"}
"""Statistics whose symbols are more than a letter."""


def write_latex(text: str) -> str:
    r"""Return text for LaTeX, with statistics and p values between dollar signs.

    >>> write_latex("F(3, 39) = 3.99, p = .014")
    '$F(3, 39) = 3.99$, $p = .014$'
    """
    formulas: list[str] = []

    def take_out(match: re.Match[str]) -> str:
        formula = match[0].replace("−", "-").replace("∞", r"\infty")
        symbol = match["symbol"]
        if symbol in _SYMBOLS:
            formula = _SYMBOLS[symbol] + formula[len(symbol) :]
        formulas.append(f"${formula}$")
        return _MARK

    escaped = escape_latex(_find_mathematics().sub(take_out, text))
    return re.sub(_MARK, lambda _: formulas.pop(0), escaped)


@cache
def _find_mathematics() -> re.Pattern[str]:
    """Return the pattern of "F(3, 39) = 3.99" and "p < .001"."""
    symbols = sorted({test.symbol for test in catalog()} - {""}, key=len, reverse=True)
    statistic = rf"(?P<symbol>{'|'.join(symbols)})(\([\d., ]+\))? = (−?\d+(\.\d+)?|−?∞)"
    return re.compile(rf"(?<!\w)({statistic}|p [=<] \.\d+)(?!\w)")
