"""The experiments of papers about comparing learners, run again on twofold's public interface.

A paper is a folder. To add an item, write a table with its name in the folder's printed.toml (what
is printed, and where) and a function of the same name in items.py, which takes the options and that
table and returns an `ItemResult`: numbers beside the printed ones, and a verdict on each claim.
"""

from twofold_papers.collection import PAPERS, find_item, find_paper, papers
from twofold_papers.item import Item, ItemOptions, ItemResult, ReproducedPaper
from twofold_papers.kept_results import FIGURE, parse_result
from twofold_papers.printed import Claim, Number
from twofold_papers.reproduction import Reproduction, find_obstacle, name_apart, reproduce
from twofold_papers.result_view import view_papers, view_result

__all__ = [
    "FIGURE",
    "PAPERS",
    "Claim",
    "Item",
    "ItemOptions",
    "ItemResult",
    "Number",
    "ReproducedPaper",
    "Reproduction",
    "find_item",
    "find_obstacle",
    "find_paper",
    "name_apart",
    "papers",
    "parse_result",
    "reproduce",
    "view_papers",
    "view_result",
]
