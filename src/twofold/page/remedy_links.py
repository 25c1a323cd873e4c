"""Options that a message names between backquotes, as links that set them."""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

from twofold.page.address import PageState, list_options

_BACKQUOTED = re.compile(r"`([^`]+)`")


class MessagePart(NamedTuple):
    """A piece of a message: text, code, or code with an address that does what it says."""

    text: str
    is_code: bool = False
    query: str = ""


def link_remedies(text: str, state: PageState) -> list[MessagePart]:
    """Return the parts of a message.

    >>> link_remedies("Say `rows='folds'`.", PageState(("k",)))[1]
    MessagePart(text="rows='folds'", is_code=True, query='table=k&rows=folds')
    """
    parts: list[MessagePart] = []
    end = 0
    for match in _BACKQUOTED.finditer(text):
        parts.append(MessagePart(text[end : match.start()]))
        options = _read_options(match[1], state.situation)
        query = (
            state.set(**options).write() if options and (state.tables or state.situation) else ""
        )
        parts.append(MessagePart(match[1], True, query))
        end = match.end()
    parts.append(MessagePart(text[end:]))
    return [part for part in parts if part.text]


def _read_options(text: str, situation: str) -> dict[str, Any]:
    """Return options with plain values, as in `rows='folds', n_test=10`; nothing for other code."""
    try:
        call = ast.parse(f"call({text})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            return {}
        options = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    known = {option.name for option in list_options(situation)}
    plain = (str, int, float, bool)
    fits = all(
        name in known and isinstance(value, plain) and name != "df"
        for name, value in options.items()
    )
    return options if fits else {}
