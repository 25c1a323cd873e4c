"""What statsmodels prints."""

import numpy as np
from known import CONVENTION, PERMUTATIONS
from printing import row, table


def statsmodels_rows():
    if not table("statsmodels", "statsmodels"):
        return
    from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
    from statsmodels.stats.multitest import multipletests

    row(
        "`mcnemar([[60, 0], [0, 40]], exact=False)`, p",
        mcnemar([[60, 0], [0, 40]], exact=False).pvalue,
        CONVENTION,
        "0/0; the exact test's p is 1",
    )
    row(
        "`multipletests([.01, .02, nan], method='holm')`, reject",
        multipletests([0.01, 0.02, np.nan], method="holm")[0],
        "nan is not a rejection",
        "R's p.adjust: .02, .02, NA",
    )
    row(
        "`cochrans_q(ones)`, all always right, p",
        cochrans_q(np.ones((10, 3)), return_object=True).pvalue,
        CONVENTION,
        PERMUTATIONS,
    )
