"""Results of items in the store, where `twofold serve` shows them; with their figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from twofold.escapes import make_all_visible
from twofold.execution import keep_answer, open_store
from twofold_papers.reproduction import RULES, Reproduction

FIGURE = "figure "
"""How the names of the texts begin that hold figures as SVG."""


def keep_result(reproduction: Reproduction, drawings: Mapping[str, str]) -> None:
    """Keep the result of an item in the store that it ran with; a newer one takes its place."""
    options = reproduction.options
    paper, item = reproduction.paper.key, reproduction.item.name
    texts = {"answer": json.dumps(reproduction.to_dict(), ensure_ascii=False)}
    texts |= {f"{FIGURE}{name}": svg for name, svg in drawings.items()}
    identity = f"{paper} {item} {options.size} {options.seed}"
    with open_store(options.store) as store:
        keep_answer(store, "result", f"{paper} {item}", identity, texts)


def parse_result(text: str) -> dict[str, Any] | None:
    """Return a result that was kept, None where it was made under other rules, or is none."""
    try:
        result = make_all_visible(json.loads(text))
        return result if result["rules"] == RULES else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
