"""Bouckaert and Frank (2004), Evaluating the replicability of significance tests.

Naive Bayes, C4.5 and nearest neighbour on 27 data sets; every test ten times on each data set with
other random splits. Folds are stratified, random splits (90 % to train on) are not. Table 5 draws
1000 data sets of 300 rows from each of four networks instead.
"""

from __future__ import annotations

from twofold_papers.bouckaertfrank2004.other_findings import describe_datasets, find_opposites
from twofold_papers.bouckaertfrank2004.real_datasets import (
    PAIRS,
    SUITE,
    TEN_BY_TEN,
    compare_stratified,
    compare_uncorrected,
    table1,
    table2,
    table3,
    table4,
)
from twofold_papers.bouckaertfrank2004.simulated_sources import table5
from twofold_papers.collection import build_paper

__all__ = ["PAIRS", "PAPER", "SUITE", "TEN_BY_TEN"]

PAPER = build_paper(
    "bouckaertfrank2004",
    *(table1, table2, table3, table4, table5),
    properties=describe_datasets,
    opposite=find_opposites,
    uncorrected=compare_uncorrected,
    stratified=compare_stratified,
    datasets=SUITE.datasets,
    learners=SUITE.learners,
)
