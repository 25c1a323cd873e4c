"""Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests.

Naive Bayes and C4.5 on 1000 data sets of 300 rows and 10 independent binary attributes: with how
many degrees of freedom does each test have its level? The tables are not readable in the text at
hand; what is checked is what the text says of them.
"""

from __future__ import annotations

from twofold_papers.bouckaert2003.calibrated_signs import study_signs
from twofold_papers.bouckaert2003.four_sources import figure4, table3
from twofold_papers.bouckaert2003.level_tables import table4, table5, table6
from twofold_papers.bouckaert2003.null_sources import figure2, table2, table7
from twofold_papers.bouckaert2003.test_definitions import table1
from twofold_papers.collection import build_paper

PAPER = build_paper(
    "bouckaert2003",
    *(table1, figure2, table2, table3, figure4, table4, table5, table6, table7),
    signs=study_signs,
)
