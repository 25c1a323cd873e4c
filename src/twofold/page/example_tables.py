"""Small tables to try the page with."""

from __future__ import annotations

from importlib.resources import files

from twofold.page.kept_tables import KeptTable, KeptTables

EXAMPLES = {
    "scores.csv": "Four versions of C4.5 on 14 data sets (Demšar 2006, Table 6)",
    "folds.csv": "Three learners on one data set, ten runs of ten folds",
    "items.csv": "Right and wrong answers of three models to 150 questions on 30 passages",
    "classifiers.csv": "Predicted labels of two classifiers on one test set",
    "classifier.csv": "Predicted labels of one classifier",
}
"""Files in the folder `examples`, and what they hold."""


def add_examples(tables: KeptTables) -> dict[str, KeptTable]:
    """Put the examples among the tables at hand."""
    folder = files("twofold") / "page" / "examples"
    return {name: tables.add(name, (folder / name).read_bytes(), "example") for name in EXAMPLES}
