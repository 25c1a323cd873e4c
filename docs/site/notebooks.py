"""Runs the notebooks of docs/notebooks, and writes each as .ipynb and as a page.

Their source is plain Python with cells, `# %%` for code and `# %% [markdown]` for text. They use nothing that
only Jupyter has, so that no kernel is needed to run them: a cell is executed, and what it prints, and the value of its last
line as it shows itself in a notebook, are kept. A cell that fails ends the build.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TUTORIAL = Path(__file__).parents[1] / "tutorial"
"""Files that notebooks read as if they lay beside them."""
MARK = "# %%"


@dataclass
class Cell:
    """A cell: text or code, with what it printed and what it shows, by type of content."""

    kind: str
    text: str
    printed: str = ""
    shown: dict[str, str] = field(default_factory=dict)


def read_cells(text: str) -> list[Cell]:
    """Return the cells of a source."""
    cells = []
    for part in text.split(MARK)[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            lines = [line.removeprefix("#").removeprefix(" ") for line in body.strip().split("\n")]
            cells.append(Cell("markdown", "\n".join(lines)))
        else:
            cells.append(Cell("code", body.strip()))
    return cells


def run_cells(cells: list[Cell], name: str) -> None:
    """Run code from top to bottom in a folder of its own, and keep what it prints and shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(TUTORIAL, folder, dirs_exist_ok=True)
        os.chdir(folder)
        try:
            for number, cell in enumerate(cells, 1):
                if cell.kind == "code":
                    _run_cell(cell, names, f"{name}, cell {number}")
        finally:
            os.chdir(before)


def _run_cell(cell: Cell, names: dict[str, Any], place: str) -> None:
    body = ast.parse(cell.text).body
    last = body.pop().value if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(ast.Module(body, []), place, "exec"), names)
            value = eval(compile(ast.Expression(last), place, "eval"), names) if last else None
    except Exception:
        traceback.print_exc()
        raise SystemExit(f"The notebook failed: {place}.") from None
    cell.printed = printed.getvalue()
    if value is not None:
        cell.shown = show_value(value)


def show_value(value: Any) -> dict[str, str]:
    """Return what a notebook shows of a value: a picture, a page, or its text."""
    figure = getattr(value, "figure", None)
    if figure is not None and hasattr(figure, "savefig"):
        stream = io.BytesIO()
        figure.savefig(
            stream, format="png", dpi=110, bbox_inches="tight", metadata={"Software": None}
        )
        return {
            "image/png": base64.b64encode(stream.getvalue()).decode(),
            "text/plain": f"<{type(value).__name__}>",
        }
    shown = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        shown["text/html"] = value._repr_html_()
    return shown


def make_notebook(cells: list[Cell]) -> dict[str, Any]:
    """Return the notebook with its outputs, in Jupyter's format 4.5; the same each time."""
    made = []
    for number, cell in enumerate(cells, 1):
        common = {"id": f"cell-{number}", "metadata": {}, "source": cell.text}
        if cell.kind == "markdown":
            made.append({"cell_type": "markdown", **common})
            continue
        outputs: list[dict[str, Any]] = []
        if cell.printed:
            outputs.append({"output_type": "stream", "name": "stdout", "text": cell.printed})
        if cell.shown:
            result = {"output_type": "execute_result", "execution_count": number, "metadata": {}}
            outputs.append(result | {"data": cell.shown})
        made.append({"cell_type": "code", **common, "execution_count": number, "outputs": outputs})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": made}


def make_page(cells: list[Cell], name: str) -> str:
    """Return the notebook as a page of Markdown, with a link to it."""
    parts = []
    for cell in cells:
        if cell.kind == "markdown":
            parts.append(cell.text)
            continue
        parts.append(f"```python\n{cell.text}\n```")
        if cell.printed:
            parts.append(_show_on_page("text/plain", cell.printed.rstrip()))
        parts += [_show_on_page(kind, content) for kind, content in _richest(cell.shown)]
    title, *rest = "\n\n".join(parts).split("\n", 1)
    link = f"[Download this notebook]({name}.ipynb)"
    files = [file.name for file in sorted(TUTORIAL.iterdir()) if f'"{file.name}"' in "".join(parts)]
    for file in files:
        link += f", and [{file}](../tutorial/{file}), which it reads"
    return "\n".join([title, "", f"{link}.", *rest, ""])


def _richest(shown: dict[str, str]) -> list[tuple[str, str]]:
    kinds = [kind for kind in ("image/png", "text/html", "text/plain") if kind in shown]
    return [(kind, shown[kind]) for kind in kinds[:1]]


def _show_on_page(kind: str, content: str) -> str:
    if kind == "text/plain":
        return f"```{{code-block}} text\n:class: output\n\n{content}\n```"
    if kind == "image/png":
        content = (
            f'<img alt="The picture that the cell draws" src="data:image/png;base64,{content}">'
        )
    return f"````{{raw}} html\n{content}\n````"


def write_notebooks(folder: Path) -> None:
    """Run the notebooks of a folder, and write the .ipynb and the page of each beside its source."""
    os.environ["MPLBACKEND"] = "agg"
    index = folder / "index.md"
    text = index.read_text("utf-8")
    for source in sorted(folder.glob("*.py")):
        cells = read_cells(source.read_text("utf-8"))
        run_cells(cells, source.name)
        notebook = json.dumps(make_notebook(cells), ensure_ascii=False, indent=1)
        source.with_suffix(".ipynb").write_text(notebook + "\n", "utf-8")
        source.with_suffix(".md").write_text(make_page(cells, source.stem), "utf-8")
        text = text.replace(f"]({source.name})", f"]({source.stem}.md)")
    index.write_text(text, "utf-8")


if __name__ == "__main__":
    write_notebooks(Path(sys.argv[1]).resolve())
