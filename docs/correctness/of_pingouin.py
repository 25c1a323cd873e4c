"""What pingouin prints."""

import pandas as pd
from known import CONVENTION, FLIP_DROP, FLIPS, PERMUTATIONS, SAME, A, B
from printing import row, table


def pingouin_rows():
    if not table("pingouin", "pingouin"):
        return
    import pingouin as pg

    row(
        "`wilcoxon(b, a, method='exact')`, T2",
        lambda: pg.wilcoxon(B, A, method="exact")["p_val"].iloc[0],
        FLIP_DROP,
        "all sign flips; R",
    )
    row(
        "`wilcoxon(a, a)`, 14 data sets",
        lambda: pg.wilcoxon(A, A)["p_val"].iloc[0],
        1,
        "every flip alike",
    )
    row(
        "`ttest(a, a, paired=True)`",
        lambda: pg.ttest(A, A, paired=True)["p_val"].iloc[0],
        CONVENTION,
        FLIPS,
    )
    long = pd.DataFrame(SAME).reset_index().melt(id_vars="index")
    row(
        "`friedman`, three identical learners",
        lambda: pg.friedman(data=long, dv="value", within="variable", subject="index")[
            "p_unc"
        ].iloc[0],
        CONVENTION,
        PERMUTATIONS,
    )
    row(
        "`pairwise_tests(parametric=False)`, same: columns of p",
        lambda: str(
            sum(
                c.startswith("p_") and c != "p_adjust"
                for c in pg.pairwise_tests(
                    data=long,
                    dv="value",
                    within="variable",
                    subject="index",
                    parametric=False,
                    padjust="holm",
                ).columns
            )
        ),
        "p = 1 thrice",
        "every flip alike",
    )
