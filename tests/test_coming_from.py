"""What the page for users of other tools says of twofold is run, so that it stays true."""

import re
import shutil
from pathlib import Path

import pytest

from page_examples import run_examples

HOW_TO = Path(__file__).parents[1] / "docs" / "how-to"
PAGE = (HOW_TO / "coming-from.md").read_text("utf-8")


def test_examples(tmp_path, monkeypatch):
    shutil.copytree(HOW_TO / "tables", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    assert run_examples(PAGE, "coming-from.md") == (3, 0)


@pytest.mark.parametrize("tool", ["autorank", "scikit-posthocs", "baycomp", "Weka", "lm-eval"])
def test_each_tool_has_its_part(tool):
    assert re.search(rf"^## .*{tool}", PAGE, re.M)
