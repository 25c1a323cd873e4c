"""What scikit-posthocs prints."""

import pandas as pd
from known import CONVENTION, PERMUTATIONS, SAME, A, B
from printing import row, table


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
        CONVENTION,
        PERMUTATIONS,
    )
    row(
        "`posthoc_quade`, same",
        lambda: sp.posthoc_quade(pd.DataFrame(SAME)).iloc[0, 1],
        CONVENTION,
        PERMUTATIONS,
    )
