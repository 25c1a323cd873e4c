"""Numbers as they are shown. Rounding errors, which differ between processors, decide no digit.

A mean of 0.74025 may come out as 0.7402499999999999 on another machine. Each number is therefore
rounded to twelve significant digits first, and then to what is shown, halves away from zero.
"""

from __future__ import annotations

import math

SIGNIFICANT = 12
"""Digits of a number that mean something; the rest may be rounding errors."""
_HALVES_AWAY = 1 + 2.0**-50


def written(value: float, decimals: int, *, plus: bool = False) -> str:
    """Return a number with so many decimals and a true minus sign, never "−0.00".

    >>> written(0.74025, 4), written(0.7402499999999999, 4), written(-0.125, 2)
    ('0.7403', '0.7403', '−0.13')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = settled(value, f".{decimals}f")
    if float(text) == 0:
        text = text.removeprefix("-")
    elif plus and value > 0:
        text = "+" + text
    return text.replace("-", "−")


def number(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits, as people write it.

    >>> number(-0.012345), number(0.5), number(1234567)
    ('−0.0123', '0.5', '1.23e+06')
    """
    return settled(value + 0.0, f".{digits}g").replace("-", "−").replace("inf", "∞")


def percentage(share: float, decimals: int = 0) -> str:
    """Return a share in percent.

    >>> percentage(0.125), percentage(0.9876, 1)
    ('13%', '98.8%')
    """
    return settled(share, f".{decimals}%").replace("-", "−")


def settle(value: float) -> float:
    """Return a number to twelve significant digits, for comparisons that choose what is shown."""
    return float(f"{value:.{SIGNIFICANT - 1}e}")


def settled(value: float, spec: str) -> str:
    """Return a number in a format of Python, rounded by the rule of this module."""
    text = format(value, spec)
    if len([c for c in text.lstrip("+-0.,") if c.isdigit()]) >= SIGNIFICANT:
        return text  # every digit that means something is shown
    return format(settle(value) * _HALVES_AWAY, spec)
