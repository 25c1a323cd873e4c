"""Reruns every row of ../correctness.md and prints its tables.

    python peers.py            # Markdown tables: call | prints | right value | established by

Needs numpy, scipy and pandas, and whichever of the peers are installed (others are skipped): statsmodels,
autorank, aeon, statds, mlxtend, scikit-posthocs, pingouin, baycomp, matplotlib, scikit-learn.
"""

import importlib.metadata
import sys

from definitions import definition_rows
from figures_of_demsar import paper_rows
from of_aeon import aeon_rows
from of_autorank import autorank_rows
from of_baycomp import baycomp_rows
from of_mlxtend import mlxtend_rows
from of_pingouin import pingouin_rows
from of_posthocs import posthocs_rows
from of_scipy import scipy_rows
from of_statds import statds_rows
from of_statsmodels import statsmodels_rows

if __name__ == "__main__":
    print(
        "Python "
        + sys.version.split()[0]
        + ", "
        + ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("numpy", "scipy", "pandas"))
    )
    for section in (
        scipy_rows,
        statsmodels_rows,
        autorank_rows,
        aeon_rows,
        statds_rows,
        mlxtend_rows,
        posthocs_rows,
        pingouin_rows,
        baycomp_rows,
        definition_rows,
        paper_rows,
    ):
        section()
