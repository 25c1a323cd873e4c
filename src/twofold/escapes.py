"""Text that stays text, whatever signs it holds: on a terminal, in LaTeX, Markdown and CSV.

Control characters are made visible where names, notes and errors are made (`Scores`, `Dataset`,
`Learner`, `Note`, `TwofoldError`), so that no output has to think of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

# Signs that terminals and programs obey or that reorder what is read: C0 and C1, marks of
# direction, ends of lines, tags; and those that no file in UTF-8 or XML may hold.
_CONTROLS = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
    r"\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_SPACES = re.compile(r"\s*[\t\n\v\f\r]\s*")

# What spreadsheets take for a formula, also behind spaces and in wide letters; and comments.
_FORMULA = re.compile(r"'*\s*[#=+\-@\t\r\uff1d\uff0b\uff0d\uff20\u2212]")

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


def make_visible(text: str) -> str:
    r"""Return text on one line in which control characters are written out.

    >>> make_visible("a\x1b[31m\nb")
    'a\\x1b[31m b'
    """
    if text.isprintable():
        return text
    return show_controls(_SPACES.sub(" ", text))


def show_controls(text: str, keep: str = "") -> str:
    """Return text in which control characters, but for those in ``keep``, are written out."""
    return _CONTROLS.sub(lambda match: match[0] if match[0] in keep else _spell(match[0]), text)


def make_names_visible(names: Iterable[str]) -> tuple[str, ...]:
    """Return names without control characters; those that differed still differ."""
    raw = tuple(names)
    if all(map(str.isprintable, raw)):
        return raw
    visible = {name: name for name in raw if make_visible(name) == name}
    taken, count = set(visible), Counter[str]()
    for name in dict.fromkeys(raw):
        if name in visible:
            continue
        base = visible[name] = make_visible(name)
        while visible[name] in taken:
            count[base] += 1
            visible[name] = f"{base} ({count[base] + 1})"
        taken.add(visible[name])
    return tuple(visible[name] for name in raw)


def _spell(letter: str) -> str:
    code = ord(letter)
    if code < 256:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def escape_cell(text: str) -> str:
    """Return text that is no formula for a spreadsheet and begins no comment.

    `unescape_cell` takes it back.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_cell(text: str) -> str:
    """Return the text that `escape_cell` was given."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text) else text


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


def make_all_visible(value: Any) -> Any:
    """Return plain values, as JSON has them, with the control characters of texts written out.

    >>> make_all_visible({"names": ["a", "b\\x1b"], "count": 2})
    {'names': ['a', 'b\\\\x1b'], 'count': 2}
    """
    if isinstance(value, dict):
        return {make_all_visible(key): make_all_visible(item) for key, item in value.items()}
    if isinstance(value, list):
        return [make_all_visible(item) for item in value]
    return make_visible(value) if isinstance(value, str) else value
