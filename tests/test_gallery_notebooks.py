"""Notebooks of the documentation: their cells are run, a cell that fails ends the build."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS / "site"))
import notebooks  # noqa: E402  (docs/site/notebooks.py)

SOURCE = """# %% [markdown]
# # A title
#
# Some text.

# %%
x = 2
print("two")
x + 1

# %%
y = x
"""


@pytest.fixture(autouse=True)
def _same_folder(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    here = os.getcwd()
    yield
    assert os.getcwd() == here


def test_cells_are_read_run_and_written():
    cells = notebooks.read_cells(SOURCE)
    notebooks.run_cells(cells, "example")
    assert [cell.kind for cell in cells] == ["markdown", "code", "code"]
    assert (cells[1].printed, cells[1].shown) == ("two\n", {"text/plain": "3"})
    assert not cells[2].shown
    made = notebooks.make_notebook(cells)
    assert json.loads(json.dumps(made)) == made
    assert made["cells"][1]["outputs"][1]["data"] == {"text/plain": "3"}
    page = notebooks.make_page(cells, "example")
    assert page.startswith("# A title\n\n[Download this notebook](example.ipynb).")
    shown = re.findall(r"^```\{code-block\} text\n:class: output\n\n(.*?)\n```$", page, re.M | re.S)
    assert shown == ["two", "3"]


def test_a_cell_that_fails_ends_the_build(capsys):
    cells = notebooks.read_cells("# %%\nx = 1\n\n# %%\nx / 0\n")
    with pytest.raises(SystemExit, match="bad, cell 2"):
        notebooks.run_cells(cells, "bad")
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_an_answer_shows_itself_and_a_picture_is_one():
    """The first notebook, from top to bottom; the site's build runs the others."""
    cells = notebooks.read_cells((DOCS / "notebooks" / "demsar.py").read_text("utf-8"))
    notebooks.run_cells(cells, "demsar")
    kinds = [sorted(cell.shown) for cell in cells if cell.shown]
    assert ["text/html", "text/plain"] in kinds
    assert ["image/png", "text/plain"] in kinds
    verdict = "C4.5+m+cf and C4.5+m are better than C4.5; "
    assert any(verdict in cell.printed for cell in cells)
    page = notebooks.make_page(cells, "demsar")
    assert "[scores.csv](../tutorial/scores.csv)" in page
    assert 'src="data:image/png;base64,' in page


def test_each_example_of_the_gallery_has_a_notebook():
    from runpy import run_path

    examples = run_path(str(DOCS / "whole_answers.py"))["EXAMPLES"]
    listed = re.findall(r"\]\((\w+)\.py\)", (DOCS / "notebooks" / "index.md").read_text("utf-8"))
    assert set(listed) == set(examples) == {p.stem for p in (DOCS / "notebooks").glob("*.py")}
    for name in listed:
        kinds = {
            cell.kind
            for cell in notebooks.read_cells((DOCS / f"notebooks/{name}.py").read_text("utf-8"))
        }
        assert kinds == {"markdown", "code"}
