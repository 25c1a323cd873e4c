"""Links of the documentation lead somewhere."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda p: p.stem)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    for target, anchor in re.findall(r"\]\((?!http)([^)#\s]*)(#[^)]*)?\)", text):
        there = page if not target else (page.parent / target)
        assert there.exists(), f"{page.name}: {target}"
        if anchor and there.suffix == ".md":
            wanted = anchor[1:]
            heads = re.findall(r"^#+ (.*)$", there.read_text("utf-8"), flags=re.M)
            slugs = {re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-") for h in heads}
            slugs |= set(re.findall(r'<a (?:id|name)="([^"]+)"', there.read_text("utf-8")))
            assert wanted in slugs, f"{page.name}: {anchor}"
