"""From a table as it came to what it holds: scores on data sets, or scores of items."""

from __future__ import annotations

from twofold.options import Reading
from twofold.scores.columns import recognise
from twofold.scores.crossed_metrics import take_named_metric
from twofold.scores.item_columns import holds_items
from twofold.scores.items import Items
from twofold.scores.read_items import read_items
from twofold.scores.scores import Scores
from twofold.tables import RawTable


def recognise_table(raw: RawTable, options: Reading) -> Scores | Items:
    """Recognise what a table holds, and return it."""
    raw, options = take_named_metric(raw, options)
    return read_items(raw, options) if holds_items(raw, options) else recognise(raw, options)
