"""The page on Python is run, so that it stays true."""

import doctest
import re
import shutil
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "how-to" / "python.md").read_text("utf-8")
EXAMPLES = [code for code in re.findall(r"```python\n(.*?)```", PAGE, re.S) if ">>>" in code]


def test_examples(tmp_path, monkeypatch):
    for library in ("sklearn", "pandas", "matplotlib", "openpyxl"):
        pytest.importorskip(library)
    shutil.copy(DOCS / "tutorial" / "scores.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    names = {}
    for code in EXAMPLES:
        example = doctest.DocTestParser().get_doctest(code, names, "python.md", None, 0)
        runner.run(example, clear_globs=False)
        names = example.globs
    assert runner.failures == 0
    assert {"answer.html", "answer.bib", "answer.xlsx", "table.tex", "ranks.pdf", "long.csv"} <= {
        path.name for path in tmp_path.iterdir()
    }
