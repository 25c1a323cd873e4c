"""What scikit-posthocs prints."""

import numpy as np
import pandas as pd
from known import FRAME, SAME, A, B
from printing import row, show, table


def posthocs_rows():
    if not table("scikit-posthocs", "scikit-posthocs"):
        return
    import scikit_posthocs as sp

    wide = pd.DataFrame({"a": A, "b": A, "c": B})
    row(
        "`posthoc_wilcoxon`, learners a and b identical, 14 data sets",
        lambda: sp.posthoc_wilcoxon(wide.melt(), val_col="value", group_col="variable").loc[
            "a", "b"
        ],
        1,
        "every flip alike",
    )
    row(
        "`posthoc_conover_friedman`, three identical learners, p of a pair",
        lambda: sp.posthoc_conover_friedman(pd.DataFrame(SAME)).iloc[0, 1],
        1,
        "every permutation alike",
    )
    row(
        "`posthoc_quade`, same",
        lambda: sp.posthoc_quade(pd.DataFrame(SAME)).iloc[0, 1],
        1,
        "every permutation alike",
    )
    holes = FRAME.copy()
    holes.iloc[0, 0] = np.nan
    row(
        "`posthoc_nemenyi_friedman(T6 with one missing cell)`, C4.5 and C4.5+m+cf, no warning",
        lambda: sp.posthoc_nemenyi_friedman(holes).iloc[0, 3],
        f"{show(sp.posthoc_nemenyi_friedman(FRAME).iloc[0, 3])} with the cell",
        "the whole data set is dropped: say so",
    )
