"""Letters that pdfLaTeX has no type for: a document that holds them still compiles."""

from __future__ import annotations

from collections.abc import Iterable

from twofold.escapes import escape_latex

LAST_LATIN = 0x17F
"""Up to here the usual fonts have the letters."""

COMMENT = "% Some names hold letters for which pdfLaTeX has no type: use LuaLaTeX, with a font that"


def declare_letters(names: Iterable[str]) -> list[str]:
    """Return lines by which pdfLaTeX writes letters that it lacks as their codes.

    What the document has declared itself stays; other engines skip the lines.
    """
    letters = sorted({sign for name in names for sign in escape_latex(name)})
    lacking = [letter for letter in letters if ord(letter) > LAST_LATIN]
    if not lacking:
        return []
    return [
        COMMENT,
        "% has them. pdfLaTeX writes their codes:",
        r"\expandafter\ifx\csname UTFviii@defined\endcsname\relax\else",
        r"\def\declareletter#1#2{\ifcsname u8:\detokenize{#1}\endcsname\else"
        r"\expandafter\gdef\csname u8:\detokenize{#1}\endcsname{{\tiny(#2)}}\fi}",
        *(rf"\declareletter{{{letter}}}{{{ord(letter):04X}}}" for letter in lacking),
        r"\fi",
    ]
