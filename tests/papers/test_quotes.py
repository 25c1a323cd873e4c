"""Claims quote their papers word for word."""

import os
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from twofold_papers import papers

ROOT = Path(__file__).parents[2]
# A sentence that only this paper has, since texts may come without their title.
MARKS = {
    "demsar2006": "Statistical Comparisons of Classifiers over Multiple Data Sets Janez",
    "bouckaertfrank2004": "Evaluating the Replicability of Significance Tests",
    "bouckaert2003": "Choosing between two learning algorithms given a single dataset is not",
    "bouckaert2005": "Low Replicability of Machine Learning Experiments is not a Small Data Set",
    "dietterich1998": "This paper reviews five approximate statistical tests for determining",
}
SYMBOLS = {"α": "alpha", "β": "beta", "ε": "epsilon", "Δ": "delta", "×": "x", "\\times": "x"}


def reduce(text):
    """Return letters and digits alone: line breaks, hyphens and marks of type differ."""
    for symbol, word in SYMBOLS.items():
        text = text.replace(symbol, word)
    text = unicodedata.normalize("NFKD", re.sub(r"</?\w+>", "", text)).lower()
    return "".join(letter for letter in text if letter.isalnum())


@cache
def paper_texts():
    """Return the texts of the papers: TWOFOLD_PAPERS, or a folder ``shared/seeds`` beside us."""
    named = os.environ.get("TWOFOLD_PAPERS")
    folder = Path(named) if named else ROOT.parent / "shared" / "seeds"
    texts = [reduce(file.read_text("utf-8")) for file in sorted(folder.glob("*.txt"))]
    return {key: next((t for t in texts if reduce(mark) in t), None) for key, mark in MARKS.items()}


@pytest.mark.parametrize("paper", [each for each in papers() if not each.own], ids=lambda p: p.key)
def test_claims_quote_the_paper(paper):
    text = paper_texts()[paper.key]
    if text is None:
        pytest.skip("no text of the paper; set TWOFOLD_PAPERS to the folder of the papers' texts")
    claims = [claim for item in paper.items for claim in item.printed.claims.values()]
    quotes = [claim.quote for claim in claims if claim.section and not claim.completed]
    # What is left out of a quote is written as […].
    missing = [q for q in quotes if not all(reduce(part) in text for part in q.split("[…]"))]
    assert missing == []


def test_a_quote_that_was_reworded_is_noticed():
    text = reduce("the sin-gle test\nrejects the null hypoth-esis ($\\alpha = 0.05$)")
    assert reduce("single test rejects the null hypothesis (α = 0.05)") in text
    assert reduce("one test rejects") not in text
