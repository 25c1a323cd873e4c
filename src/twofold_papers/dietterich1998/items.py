"""Dietterich (1998), Approximate statistical tests for comparing supervised learning algorithms.

Figures 4 to 6 have simulated learners that err on a point with probability ε(x), 300 points, 1000
trials. The experiments with C4.5 and nearest neighbour are in `real_learners`.
"""

from __future__ import annotations

from twofold_papers.collection import build_paper
from twofold_papers.dietterich1998.contingency_tables import contingency
from twofold_papers.dietterich1998.fold_dependence import correlation, numerator
from twofold_papers.dietterich1998.point_errors import figure3
from twofold_papers.dietterich1998.real_learners import draw_power, figure2, figure7, figure8
from twofold_papers.dietterich1998.replications import replications
from twofold_papers.dietterich1998.simulated_learners import figure4, figure5, figure6
from twofold_papers.dietterich1998.taxonomy import figure1
from twofold_papers.dietterich1998.wild_rates import wild

PAPER = build_paper(
    "dietterich1998",
    *(figure1, correlation, numerator, figure2, replications, figure3, figure4, figure5, figure6),
    *(contingency, figure7, figure8, wild),
    figure9=draw_power,
    figure10=draw_power,
    figure11=draw_power,
)
