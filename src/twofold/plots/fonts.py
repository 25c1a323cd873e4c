"""The type of pictures: the family a venue asks for, and others for letters that it lacks."""

from __future__ import annotations

import logging
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from twofold.errors import InputError, suggest

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

LIKE_TIMES = ("Times New Roman", "Nimbus Roman", "Liberation Serif", "TeX Gyre Termes")
LIKE_HELVETICA = ("Helvetica", "Arial", "Nimbus Sans", "Liberation Sans", "TeX Gyre Heros")
VENUES = {
    "serif": (*LIKE_TIMES, "STIXGeneral", "DejaVu Serif"),
    "sans": (*LIKE_HELVETICA, "DejaVu Sans"),
}
"""Families that are alike, those that papers use first; matplotlib brings the last."""

BROUGHT = ("STIXGeneral", "DejaVu Serif", "DejaVu Sans")

SERIFS = ("serif", "roman", "times", "termes", "pagella", "palatino", "georgia", "garamond", "stix")
"""Words in the names of families with serifs."""

PREFERRED = ("Noto Sans", "Source Han Sans", "WenQuanYi", "IPA", "Noto Emoji", "Symbola")
"""Beginnings of families that have many letters, for names that the chosen family cannot write."""


FAMILIES = "'DejaVu Sans',Verdana,sans-serif"
"""Matplotlib's family and others as wide, for text that a browser sets."""


class MissingLettersWarning(UserWarning):
    """No installed font has the letters of some names: boxes stand for them."""


@dataclass(frozen=True)
class Typeface:
    """Families in the order in which letters are looked up, for matplotlib and for browsers.

    ``unwritable`` are the texts with letters that none of them has.
    """

    families: tuple[str, ...]
    css: str
    unwritable: tuple[str, ...] = ()

    def warn(self) -> None:
        """Warn of texts that cannot be written."""
        if self.unwritable:
            listed = ", ".join(map(repr, self.unwritable[:5]))
            more = f" and {len(self.unwritable) - 5} more" if len(self.unwritable) > 5 else ""
            message = (
                f"No installed font has all letters of {listed}{more}: boxes stand for them.\n"
                "Install one that has them, such as Noto Sans CJK or Symbola; or write .svg, "
                "which takes the fonts of whoever reads it."
            )
            warnings.warn(message, MissingLettersWarning, stacklevel=2)


def choose_typeface(font: str | None, texts: Iterable[str]) -> Typeface:
    """Return the families for a picture: "serif", "sans", an installed one, or matplotlib's own."""
    from matplotlib import rcParams

    if font is None:
        first = tuple(rcParams["font.family"])
        alike: tuple[str, ...] = (_resolve(first[0]), "DejaVu Sans", "Verdana")
        generic = "sans-serif"
    else:
        alike = VENUES.get(font, (font,))
        first = tuple(name for name in alike if name in _list_families())[:1]
        if not first or (first[0] in BROUGHT and font != first[0]):
            _add_new_fonts()
            first = tuple(name for name in alike if name in _list_families())[:1]
        if not first:
            remedy = "Pass 'serif', 'sans' or the name of an installed family."
            raise InputError(
                f"`font` names {font!r}, which is not installed.",
                suggest(font, _list_families(), remedy),
            )
        serifs = font == "serif" or any(word in font.lower() for word in SERIFS)
        generic = "serif" if serifs and "sans" not in font.lower() else "sans-serif"
        alike = (*first, *alike, *(VENUES["serif"][:1] if generic == "serif" else ()))
    families, unwritable = _add_families((*first, "DejaVu Sans"), tuple(dict.fromkeys(texts)))
    quoted = (f"'{name}'" if " " in name else name for name in dict.fromkeys(alike))
    return Typeface(families, ",".join([*quoted, generic]), unwritable)


def _resolve(family: str) -> str:
    """Return the family that matplotlib takes for a generic name."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=[family]).get_name()


@lru_cache(maxsize=1)
def _list_families() -> dict[str, str]:
    """Return a file for each installed family, those with many letters first."""
    from matplotlib.font_manager import fontManager

    files: dict[str, str] = {}
    for font in sorted(fontManager.ttflist, key=lambda font: (font.weight != 400, font.fname)):
        if not font.name.startswith("Last Resort"):  # which has a box for every letter
            files.setdefault(font.name, font.fname)
    return dict(sorted(files.items(), key=lambda item: (not item[0].startswith(PREFERRED), item)))


@lru_cache(maxsize=1)
def _add_new_fonts() -> None:
    """Let matplotlib know fonts that were installed after it listed them, once."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    listed = {font.fname for font in fontManager.ttflist}
    for file in sorted(set(findSystemFonts()) - listed):
        with suppress(Exception):  # a font that cannot be read is none
            fontManager.addfont(file)
    _list_families.cache_clear()


@lru_cache(maxsize=64)
def _add_families(
    families: tuple[str, ...], texts: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return families with those that have further letters, and the texts that none can write."""
    letters = {letter for text in texts for letter in text if _is_drawn(letter)}
    for family in families:
        letters -= _find_letters(_find_file(family), frozenset(letters))
    added: list[str] = []
    for _ in range(2):
        for family, file in _list_families().items() if letters else ():
            found = _find_letters(file, frozenset(letters))
            if found:
                added.append(family)
                letters -= found
        if letters:
            _add_new_fonts()
    unwritable = tuple(text for text in texts if not letters.isdisjoint(text))
    return tuple(dict.fromkeys((*families, *added))), unwritable


def _is_drawn(letter: str) -> bool:
    """Tell letters from marks that change the letter before them, and from plain ASCII."""
    return letter > "~" and unicodedata.category(letter) not in ("Mn", "Me", "Cf", "Zs")


def _find_file(family: str) -> str:
    from matplotlib.font_manager import FontProperties, findfont

    return str(findfont(FontProperties(family=[family])))


def _find_letters(file: str, letters: frozenset[str]) -> set[str]:
    """Return the letters that a font has; one of coloured bitmaps cannot be drawn."""
    from matplotlib.font_manager import get_font

    if not letters:
        return set()
    try:
        font = get_font(file)
        return {letter for letter in letters if font.get_char_index(ord(letter))}
    except (OSError, RuntimeError):
        return set()


def measure(text: str, size: float, bold: bool) -> float:
    """Return the width of a text in points, in matplotlib's type face."""
    from matplotlib import rcParams

    return size * _unit_width(text, bold, tuple(rcParams["font.family"]))


@lru_cache(maxsize=50_000)
def _unit_width(text: str, bold: bool, family: tuple[str, ...]) -> float:
    """Return the width of a text in type of one point; widths grow with the size."""
    from matplotlib.textpath import text_to_path

    with allow_missing_letters():
        extent = text_to_path.get_text_width_height_descent
        width = extent(join_lines(text), font_of(100.0, bold), ismath=False)[0]
    return 1.03 * float(width) / 100  # on a screen, letters are moved to whole pixels


def join_lines(text: str) -> str:
    """Return a text on one line, from left to right.

    A difference must not turn round because its first name is written from right to left.
    """
    line = " ".join(text.split()) if not text.isprintable() else text
    if line.isascii():
        return line
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in line)
    return "\N{LEFT-TO-RIGHT MARK}" + line if turns else line


@contextmanager
def allow_missing_letters() -> Iterator[None]:
    """Draw a box for a letter that no font has, and plain letters where none are bold, silently."""
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            yield
    finally:
        log.setLevel(level)


def font_of(size: float, bold: bool) -> FontProperties:
    """Return type of a size, in the type face of matplotlib's settings."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=size, weight="bold" if bold else "normal")
