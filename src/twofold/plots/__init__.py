"""Pictures of answers: for a paper, for a web page, for the terminal."""

from twofold.plots.critical_difference import (
    critical_difference_figure,
    critical_difference_text,
    critical_difference_tikz,
    save,
)
from twofold.plots.facts import RankFacts
from twofold.plots.of_comparison import plot, rank_facts

__all__ = [
    "RankFacts",
    "critical_difference_figure",
    "critical_difference_text",
    "critical_difference_tikz",
    "plot",
    "rank_facts",
    "save",
]
