"""Numbers of a plan as people write them."""

from __future__ import annotations

from twofold.rounding import settle, settled, written


def format_chance(share: float) -> str:
    """Return a probability as papers have it; none is certain.

    >>> format_chance(0.8032), format_chance(0.9999), format_chance(0.0001)
    ('.80', '> .99', '< .01')
    """
    share = settle(share)
    if share > 0.995:
        return "> .99"
    return "< .01" if share < 0.005 else written(share, 2).replace("0.", ".", 1)


def format_number(value: float) -> str:
    """Return a number with three digits.

    >>> format_number(0.05), format_number(1234.5), format_number(0.012345)
    ('0.05', '1,230', '0.0123')
    """
    rounded = float(settled(value, ".3g"))
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"


def format_count(n: float) -> str:
    """Return a whole number; numbers of thousands have commas."""
    return settled(n, ",.0f")
