"""The gallery shows what the script draws."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def gallery():
    spec = importlib.util.spec_from_file_location("gallery", DOCS / "gallery.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["gallery"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_every_picture_of_the_page_is_there(gallery):
    text = (DOCS / "gallery.md").read_text("utf-8")
    named = re.findall(r"\]\((gallery/[^)]+)\)", text)
    pages = [f"gallery/{name}.png" for name in gallery.list_answers()]
    assert named == [*pages, *(f"gallery/{example.name}.svg" for example in gallery.GALLERY)]
    for name in named:
        assert 1000 < (DOCS / name).stat().st_size < 150_000, name
    assert text == gallery.page(), "run `make gallery`"


def test_every_kind_is_shown(gallery):
    from twofold.plots.comparison_plots import PICTURES

    assert {example.kind for example in gallery.GALLERY} == set(PICTURES)
    for example in gallery.GALLERY:
        assert example.kind in example.command or example.command.count("--picture") == 0


@pytest.mark.parametrize("name", ["ranks", "pairs"])
def test_the_script_draws(gallery, name, tmp_path):
    example = next(each for each in gallery.GALLERY if each.name == name)
    file = gallery.draw(example, tmp_path)
    assert file.read_bytes().startswith(b"<?xml")
    assert gallery.draw(example, tmp_path).read_bytes() == file.read_bytes()
