"""What statsmodels prints."""

import numpy as np
import pandas as pd
from known import SAME
from printing import row, table


def statsmodels_rows():
    if not table("statsmodels", "statsmodels"):
        return
    from statsmodels.stats.anova import AnovaRM
    from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
    from statsmodels.stats.multitest import multipletests

    row(
        "`mcnemar([[60, 0], [0, 40]], exact=False)`, p",
        mcnemar([[60, 0], [0, 40]], exact=False).pvalue,
        1,
        "exact binomial, 0 of 0",
    )
    row(
        "`multipletests([.01, .02, nan], method='holm')`, reject",
        multipletests([0.01, 0.02, np.nan], method="holm")[0],
        "nan is not a rejection",
        "R's p.adjust: .02, .02, NA",
    )
    long = pd.DataFrame(SAME).reset_index().melt(id_vars="index")
    row(
        "`AnovaRM` on three identical columns, p",
        lambda: (
            AnovaRM(long, "value", "index", within=["variable"]).fit().anova_table["Pr > F"].iloc[0]
        ),
        1,
        "SS between = 0",
    )
    row(
        "`cochrans_q(ones)`, all always right, p",
        cochrans_q(np.ones((10, 3)), return_object=True).pvalue,
        1,
        "every permutation alike",
    )
