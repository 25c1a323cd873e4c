"""The page of a paper: its story, and links from its parts to the items that they became."""

import re

from twofold_papers import find_paper, papers
from twofold_papers.paper_page import write_page


def test_parts_link_to_their_items(tmp_path):
    page = write_page(find_paper("demsar2006"), {}, tmp_path)
    assert "; [table3](#demsar2006-table3), one-sided in the print |" in page
    assert "| `--test paired-t`, `--test relative-t` |" in page
    assert "## What it recommends, and the command for it" in page


def test_every_link_has_its_heading(tmp_path):
    for paper in papers():
        page = write_page(paper, {}, tmp_path)
        heads = {head.replace(" ", "-") for head in re.findall(r"^### (.+)$", page, re.MULTILINE)}
        assert set(re.findall(r"\(#([^)]+)\)", page)) <= heads


def test_items_of_other_papers_are_on_their_pages(tmp_path):
    items = {f"{paper.key}-{item.name}" for paper in papers() for item in paper.items}
    page = write_page(find_paper("bouckaertfrank2004"), {}, tmp_path)
    assert "Δ accuracy in [bouckaert2003 table3](bouckaert2003.md#bouckaert2003-table3)" in page
    for paper in papers():
        links = re.findall(r"\((\w+)\.md#([^)]+)\)", write_page(paper, {}, tmp_path))
        assert all(item in items and item.startswith(f"{key}-") for key, item in links)


def test_every_item_is_named_among_the_parts_of_its_paper():
    for paper in papers():
        became = " ".join(part.became for part in paper.story.contents)
        missing = [i.name for i in paper.items if not re.search(rf"\b{i.name}\b", became)]
        assert paper.own or missing == [], paper.key
