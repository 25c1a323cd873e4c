"""The experiments of the papers, each one declared in its own file, run again and compared."""

from twofold_papers.collection import PAPERS, find_item, find_paper, papers
from twofold_papers.item import Claim, Item, ItemOptions, ItemResult, Number, ReproducedPaper
from twofold_papers.reproduction import Reproduction, available, reproduce

__all__ = [
    "PAPERS",
    "Claim",
    "Item",
    "ItemOptions",
    "ItemResult",
    "Number",
    "ReproducedPaper",
    "Reproduction",
    "available",
    "find_item",
    "find_paper",
    "papers",
    "reproduce",
]
