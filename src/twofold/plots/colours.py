"""Colours that the colour-blind can tell apart and that carry black type."""

from __future__ import annotations

BETTER, WORSE = (0x5B, 0xA3, 0xD0), (0xF5, 0xA1, 0x4F)  # blue and orange
DARK = (0x2B, 0x6C, 0xA3)
PAPER = (0xFF, 0xFF, 0xFF)


def mix(share: float, end: tuple[int, int, int]) -> str:
    """Return white for 0, the colour for 1, and what lies between.

    >>> mix(0, BETTER), mix(1, BETTER)
    ('#FFFFFF', '#5BA3D0')
    """
    part = min(max(share, 0.0), 1.0)
    mix = (round(p + (e - p) * part) for p, e in zip(PAPER, end, strict=True))
    return "#" + "".join(f"{value:02X}" for value in mix)


def diverging(value: float, limit: float) -> str:
    """Return blue for what is good, orange for what is bad, white for nothing."""
    if not limit:
        return mix(0.0, BETTER)
    return mix(abs(value) / limit, BETTER if value > 0 else WORSE)
