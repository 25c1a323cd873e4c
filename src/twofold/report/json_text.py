"""A comparison as JSON text, pair by pair: all pairs of 200 learners make 17 MB."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any

from twofold.comparison import Comparison, Comparisons
from twofold.comparison.plain_data import to_plain_pair


def json_parts(c: Comparison | Comparisons) -> Iterator[str]:
    """Yield the JSON text of ``c.to_dict()`` in parts, as ``json.dumps`` with indent=2 makes it."""
    if isinstance(c, Comparisons):
        yield from _write_metrics(c)
        return
    separator = "{"
    for key, value in c.outline().items():
        yield f"{separator}\n  {encode_basestring(key)}: "
        separator = ","
        if key != "pairs" or not c.pairs:
            yield _write(value, "\n  ")
            continue
        opening = "["
        for pair in c.pairs:
            yield f"{opening}\n    {_write(to_plain_pair(pair), _PAIR)}"
            opening = ","
        yield "\n  ]"
    yield "\n}\n"


def _write_metrics(answers: Comparisons) -> Iterator[str]:
    head = _write({k: v for k, v in answers.outline().items() if k != "answers"}, "\n")
    yield f'{head.removesuffix("}").rstrip()},\n  "answers": {{'
    separator = "\n    "
    for metric, answer in answers.items():
        yield f"{separator}{encode_basestring(metric)}: "
        # Texts hold no line ends as they are, so that these are all between values.
        yield "".join(json_parts(answer)).rstrip().replace("\n", "\n    ")
        separator = ",\n    "
    yield "\n  }\n}\n"


_PAIR = "\n    "
"""What begins a line of the list of pairs."""


def _write(value: Any, line: str) -> str:
    """Return plain data as text; ``line`` begins a line of what the value stands in."""
    # The json module takes four times as long to indent, since it yields each token by itself.
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is float:
        return float.__repr__(value)
    if kind is dict and value:
        inner = line + "  "
        items = [f"{encode_basestring(key)}: {_write(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(items)}{line}}}"
    if kind is list and value:
        inner = line + "  "
        return f"[{inner}{f',{inner}'.join([_write(item, inner) for item in value])}{line}]"
    return str(value) if kind is int else json.dumps(value)
