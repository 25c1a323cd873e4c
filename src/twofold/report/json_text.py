"""JSON text, laid out as `json.dumps` with an indent does, which for that is slow by design."""

from __future__ import annotations

import json
import math
from json.encoder import encode_basestring
from typing import Any


def write_json(value: Any) -> str:
    """Return plain data, whose keys are strings, as JSON indented by two."""
    return _write(value, "\n")


def _write(value: Any, margin: str) -> str:
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is int or (kind is float and math.isfinite(value)):
        return repr(value)
    if value is None:
        return "null"
    if not value or kind not in (dict, list):
        return json.dumps(value, ensure_ascii=False)
    inner = margin + "  "
    if kind is list:
        return f"[{inner}{f',{inner}'.join([_write(item, inner) for item in value])}{margin}]"
    items = [f"{encode_basestring(key)}: {_write(item, inner)}" for key, item in value.items()]
    return f"{{{inner}{f',{inner}'.join(items)}{margin}}}"
