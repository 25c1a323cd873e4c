"""The style of all pictures: type, margins, and colours that the colour-blind can tell apart."""

from __future__ import annotations

SMALLEST_TYPE = 7.0
MARGIN = 4.0
RISE = 0.36  # from the base line to the middle of a digit, in sizes of type
INK, CONNECTOR, ACCENT = "#1A1A1A", "#666666", "#0072B2"  # the blue of Okabe and Ito
FAINT, BAND, WHITE = "#B8B8B8", "#E9E9E9", "#FFFFFF"
BETTER, WORSE = (0x5B, 0xA3, 0xD0), (0xF5, 0xA1, 0x4F)  # blue and orange
DARK = (0x2B, 0x6C, 0xA3)


def mix(share: float, end: tuple[int, int, int]) -> str:
    """Return white for 0, the colour for 1, and what lies between.

    >>> mix(0, BETTER), mix(1, BETTER)
    ('#FFFFFF', '#5BA3D0')
    """
    part = min(max(share, 0.0), 1.0)
    channels = (round(0xFF + (value - 0xFF) * part) for value in end)
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def mix_both_ways(value: float, limit: float) -> str:
    """Return blue for what is good, orange for what is bad, white for nothing."""
    if not limit:
        return mix(0.0, BETTER)
    return mix(abs(value) / limit, BETTER if value > 0 else WORSE)
