"""The experiments of the papers, each one declared in its own file, run again and compared."""

from twofold.papers.collection import PAPERS, find_item, find_paper, papers
from twofold.papers.item import Claim, Item, Number, Outcome, Paper, Setting
from twofold.papers.reproducing import Reproduction, available, reproduce

__all__ = [
    "PAPERS",
    "Claim",
    "Item",
    "Number",
    "Outcome",
    "Paper",
    "Reproduction",
    "Setting",
    "available",
    "find_item",
    "find_paper",
    "papers",
    "reproduce",
]
