"""Pictures of answers: for a paper, for a web page, for the terminal."""

from twofold.plots.critical_difference import critical_difference_figure, save
from twofold.plots.facts import RankFacts
from twofold.plots.of_comparison import pictures_for, plot, rank_facts, svg
from twofold.plots.text import critical_difference_text
from twofold.plots.tikz import critical_difference_tikz
from twofold.plots.tree import tree

__all__ = [
    "RankFacts",
    "critical_difference_figure",
    "critical_difference_text",
    "critical_difference_tikz",
    "pictures_for",
    "plot",
    "rank_facts",
    "save",
    "svg",
    "tree",
]
