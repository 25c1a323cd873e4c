"""The style of all pictures: type, margins, and colours that the colour-blind can tell apart."""

from __future__ import annotations

SMALLEST_TYPE = 7.0
MARGIN = 4.0
RISE = 0.36  # from the base line to the middle of a digit, in sizes of type
INK, CONNECTOR, ACCENT = "#1A1A1A", "#666666", "#0072B2"  # the blue of Okabe and Ito
FAINT, BAND, WHITE = "#B8B8B8", "#E9E9E9", "#FFFFFF"
DARK, WORSE = (0x2B, 0x6C, 0xA3), (0xF5, 0xA1, 0x4F)  # blue and orange


def mix(share: float, end: tuple[int, int, int]) -> str:
    """Return white for 0, the colour for 1, and what lies between.

    >>> mix(0, DARK), mix(1, DARK)
    ('#FFFFFF', '#2B6CA3')
    """
    part = min(max(share, 0.0), 1.0)
    channels = (round(0xFF + (value - 0xFF) * part) for value in end)
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def mix_both_ways(value: float, limit: float) -> str:
    """Return blue for what is good, orange for what is bad, white for nothing.

    The blue is the darker of both, so that they differ without colour too.
    """
    if not limit:
        return WHITE
    return mix(abs(value) / limit, DARK if value > 0 else WORSE)


def ink_on(fill: str) -> str:
    """Return black or white, whichever is easier to read on a colour.

    >>> ink_on("#FFFFFF") == INK, ink_on("#2B6CA3") == WHITE
    (True, True)
    """
    light = _find_luminance(fill) + 0.05
    return INK if light / (_find_luminance(INK) + 0.05) >= 1.05 / light else WHITE


def _find_luminance(colour: str) -> float:
    """Return how light a colour is, from 0 to 1, as the guidelines on contrast define it."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
