"""Text that stays text in LaTeX and in Markdown, whatever signs it holds."""

from __future__ import annotations

import re
import unicodedata

# Commands that every document knows, whatever its fonts.
_LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"}
_LATEX |= {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "`": r"\`{}",
    '"': r"{\char34}",
    "“": "``",
    "”": "''",
    "<": "$<$",
    ">": "$>$",
    "−": "$-$",
    "²": "$^2$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "[": "{[}",  # after \\ or \toprule a bracket would be an option
    "]": "{]}",
    "*": "{*}",  # and so would a star
}
_LATEX |= {
    sign: f"$\\{name}$"
    for sign, name in zip(
        "∞×±≤≥αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        "infty times pm leq geq alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda "
        "mu nu xi pi rho sigma tau upsilon varphi chi psi omega "
        "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
        strict=True,
    )
}
# Dashes, quotes or commas in a row would become one other sign.
_LATEX_SIGNS = re.compile(
    rf"""([-–—](?=[-–—])|['”](?=['”])|,(?=,))|[{re.escape("".join(_LATEX))}]"""
)
_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>|#~$&])")
_MARKDOWN_START = re.compile(r"^([-+=]|\d+[.)](?= ))")


def escape_latex(text: str) -> str:
    """Return text on one line in which LaTeX sees no commands."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return _LATEX_SIGNS.sub(
        lambda match: _LATEX.get(match[0], match[0]) + "{}" * bool(match[1]), plain
    )


def escape_markdown(text: str) -> str:
    """Return text on one line in which Markdown sees no marks."""
    plain = _MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))
    return _MARKDOWN_START.sub(lambda match: f"{match[1][:-1]}\\{match[1][-1]}", plain)
