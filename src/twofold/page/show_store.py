"""The store for the page, to look at: nothing is run, changed or removed."""

from __future__ import annotations

from typing import Any

from twofold.execution.store_overview import (
    format_bytes,
    group_parts,
    group_runs,
    make_groups_visible,
)
from twofold.page.page_jobs import StoreOverview
from twofold.page.store_to_read import open_to_read

MOST_ROWS = 1000


def show_store(where: str) -> StoreOverview:
    """Return what a store holds, what was saved last first."""
    with open_to_read(where) as store:
        groups = make_groups_visible(group_runs(store.tasks()))
        wholes = make_groups_visible(group_parts(store.arrays.parts()))
        name = str(getattr(store, "where", where))
    return StoreOverview(
        name,
        tuple(_list_row(group, "dataset learner design seed runs") for group in _sort(groups)),
        tuple(_list_row(group, "kind name parts") for group in _sort(wholes)),
    )


def _sort(groups: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(groups, key=lambda group: str(group["last_saved"]), reverse=True)[:MOST_ROWS]


def _list_row(group: dict[str, Any], names: str) -> tuple[str, ...]:
    saved = str(group["last_saved"]).replace("T", " ")
    return *(str(group[name]) for name in names.split()), format_bytes(group["bytes"]), saved
