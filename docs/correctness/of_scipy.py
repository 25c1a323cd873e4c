"""What scipy prints."""

from known import CONVENTION, FLIP_DROP, FLIP_KEEP, FLIPS, PERMUTATIONS, X01, Y01, A, D, sign_flip_p
from printing import row, table
from scipy import stats


def scipy_rows():
    if not table("scipy", "scipy"):
        return
    flips = "all sign flips; R"
    row(
        "`wilcoxon(d, method='exact')`, T2",
        stats.wilcoxon(D, method="exact").pvalue,
        FLIP_DROP,
        flips,
    )
    row(
        "`wilcoxon(d, zero_method='zsplit', method='exact')`, T2",
        stats.wilcoxon(D, zero_method="zsplit", method="exact").pvalue,
        FLIP_KEEP,
        "all sign flips",
    )
    row(
        "`wilcoxon(d, zero_method='pratt', method='exact')`, T2",
        stats.wilcoxon(D, zero_method="pratt", method="exact").pvalue,
        FLIP_KEEP,
        flips,
    )
    row(
        "`wilcoxon(y, x)`, gains and losses all of .01",
        stats.wilcoxon(Y01, X01).pvalue,
        sign_flip_p(Y01 - X01, True),
        "all sign flips; = sign test 8:2",
    )
    row("`wilcoxon(a, a)`, 14 data sets", stats.wilcoxon(A, A).pvalue, 1, "every flip alike")
    row("`ttest_rel(a, a)`", stats.ttest_rel(A, A).pvalue, CONVENTION, FLIPS)
    row(
        "`friedmanchisquare(a, a, a)`",
        stats.friedmanchisquare(A, A, A).pvalue,
        CONVENTION,
        PERMUTATIONS,
    )
