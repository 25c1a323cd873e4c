"""Every item of every paper at toy size, from end to end: run, written, drawn, put on the page."""

import json
from typing import get_args

import pytest

from datasets.folder import real_data
from twofold_papers import ItemOptions, find_obstacle, papers, reproduce
from twofold_papers.claim_verdicts import Word
from twofold_papers.draw_figure import draw_as_printed
from twofold_papers.gallery import write_gallery
from twofold_papers.paper_page import escape
from twofold_papers.reproduction import is_finished, save_result

ITEMS = [(paper, item) for paper in papers() for item in paper.items]


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """Items that share fits find them in one store."""
    return ItemOptions(
        "toy", 1, real_data(), str(tmp_path_factory.mktemp("store") / "kept.sqlite"), 1
    )


@pytest.mark.parametrize(
    ("paper", "item"), ITEMS, ids=[f"{paper.key}-{item.name}" for paper, item in ITEMS]
)
def test_item(paper, item, toy, tmp_path):
    lacking = find_obstacle(item, toy.data)
    if lacking:
        pytest.skip(lacking)
    reproduction = reproduce(paper, item, toy)
    outcome = reproduction.result
    assert outcome.trials
    assert outcome.numbers or outcome.claims
    assert all(each.low <= each.high for each in outcome.numbers)
    assert all(each.verdict in get_args(Word) for each in outcome.claims)
    assert len({each.label for each in outcome.numbers}) == len(outcome.numbers)

    file = save_result(tmp_path, reproduction)
    saved = json.loads(file.read_text("utf-8"))
    assert len(saved["numbers"]) == len(outcome.numbers)
    assert is_finished(tmp_path, paper, item, toy)
    assert not is_finished(tmp_path, paper, item, ItemOptions("full"))

    for figure in outcome.figures:
        first = draw_as_printed(figure, item.name)
        assert first == draw_as_printed(figure, item.name)
        assert "<svg" in first
        assert "nan" not in first.lower().replace("finance", "")

    index = write_gallery(tmp_path).read_text("utf-8")
    page = (tmp_path / f"{paper.key}.md").read_text("utf-8")
    assert f"### {paper.key} {item.name}\n" in page
    assert all(escape(each.text) in page for each in outcome.claims)
    agreed = sum(each.agrees for each in outcome.numbers)
    counted = [each.verdict for each in outcome.claims if not each.uncounted]
    assert f"of {len(counted)} claims {counted.count('holds')} hold" in index
    assert (
        f"Of {len(outcome.numbers)} published numbers, {agreed} lie within" in index
    ) != paper.own
