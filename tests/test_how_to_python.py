"""The page on Python is run, so that it stays true."""

import shutil
from pathlib import Path

import pytest

from page_examples import run_examples

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "how-to" / "python.md").read_text("utf-8")


def test_examples(tmp_path, monkeypatch):
    for library in ("sklearn", "pandas", "matplotlib", "openpyxl"):
        pytest.importorskip(library)
    shutil.copy(DOCS / "tutorial" / "scores.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    blocks, failures = run_examples(PAGE, "python.md")
    assert blocks > 3
    assert failures == 0
    assert {"answer.html", "answer.bib", "answer.xlsx", "table.tex", "ranks.pdf", "long.csv"} <= {
        path.name for path in tmp_path.iterdir()
    }
