"""What baycomp prints."""

import numpy as np
from known import A, B
from printing import row, show, table


def baycomp_rows():
    if not table("baycomp", "baycomp"):
        return
    import baycomp as bc

    z = np.full(10, 0.8)
    args = {"nsamples": 20000, "random_state": 1}
    row(
        "`SignedRankTest.probs(z, z, rope=0)`",
        lambda: bc.SignedRankTest.probs(z, z, 0, **args),
        "(.5, .5)",
        "symmetry; its `two_on_single` gives it",
    )
    row(
        "`SignTest.probs(z, z, rope=0)`",
        lambda: bc.SignTest.probs(z, z, 0, **args),
        "(.5, .5) by convention",
        "0/0; symmetry",
    )
    row(
        "`SignTest.probs(all nan, b, rope=.01)`",
        lambda: bc.SignTest.probs(A * np.nan, B, 0.01, **args),
        "an error",
        "no data is no evidence of equality",
    )
    holes = A.copy()
    holes[0] = np.nan
    drop = bc.SignedRankTest.probs(A[1:], B[1:], 0, **args)
    row(
        "`SignedRankTest.probs(T2 with one nan, rope=0)`",
        lambda: bc.SignedRankTest.probs(holes, B, 0, **args),
        f"an error, or {show(drop)} without that data set",
        "nan counts as a win of the first",
    )
