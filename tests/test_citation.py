"""CITATION.cff is about this version."""

import re
from pathlib import Path

import twofold


def test_the_version_is_cited():
    text = (Path(__file__).parents[1] / "CITATION.cff").read_text("utf-8")
    assert re.search(r"^version: (.+)$", text, re.M)[1] == twofold.__version__
    for key in ("cff-version", "message", "title", "abstract", "authors", "license"):
        assert re.search(rf"^{key}:", text, re.M)
