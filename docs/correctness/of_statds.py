"""What statds prints."""

import contextlib
import io

import numpy as np
import pandas as pd
from known import CONVENTION, FLIP_DROP, FLIPS, FRAME, MEANRANK, NAMES, SE, A, B
from printing import row, show, table
from scipy import stats


def statds_rows():
    if not table("statds", "statds"):
        return
    import matplotlib.pyplot as plt
    from statds import no_parametrics as npar
    from statds import parametrics as par

    two = FRAME.iloc[:, :2]
    row(
        "`t_test_paired(T2)`, p and verdict",
        lambda: (lambda r: (r[1], r[3][:17]))(par.t_test_paired(two)),
        stats.ttest_rel(A, B).pvalue,
        "scipy, R",
    )
    row(
        "… the two columns swapped",
        lambda: (lambda r: (r[1], r[3][:9]))(par.t_test_paired(two.iloc[:, ::-1])),
        stats.ttest_rel(A, B).pvalue,
        "scipy, R",
    )
    row(
        "`t_test_paired(a, a)`",
        lambda: (lambda r: (r[1], r[3][:9]))(par.t_test_paired(pd.DataFrame({"a": A, "b": A}))),
        f"fail to reject, p = {CONVENTION}",
        FLIPS,
    )
    ds = list(range(12))
    row(
        "`friedman`, k = 2, each wins 6 of 12",
        lambda: (lambda r: (r[1], r[4][:9]))(
            npar.friedman(pd.DataFrame({"d": ds, "a": [1.0, 0] * 6, "b": [0.0, 1] * 6}))
        ),
        "fail to reject, p = 1",
        "sign test 6:6",
    )
    row(
        "`friedman`, k = 2, one wins 12 of 12",
        lambda: (lambda r: (r[1], r[4][:17]))(
            npar.friedman(pd.DataFrame({"d": ds, "a": [1.0] * 12, "b": [0.0] * 12}))
        ),
        f"reject, p = {show(2 * 0.5**12)}",
        "sign test 12:0",
    )
    row(
        "`quade`, 8 data sets all ranking a > b > c alike",
        lambda: npar.quade(
            pd.DataFrame({"d": range(8), "a": [3.0] * 8, "b": [2.0] * 8, "c": [1.0] * 8})
        )[1:3],
        6.0**-7,
        "(1/k!)^(N−1), as R's quade.test",
    )
    se = np.array([(MEANRANK["C4.5"] - MEANRANK[n]) / SE for n in NAMES[1:]])
    p = 2 * stats.norm.sf(se)
    order = np.argsort(p)
    adj = np.empty(3)

    def step(values, up=False):
        values = np.minimum.accumulate(values[::-1])[::-1] if up else np.maximum.accumulate(values)
        adj[order] = np.minimum(values, 1)
        return adj.copy()

    s, m = p[order], np.array([3, 2, 1])
    right = {
        "holm": step(s * m),
        "hochberg": step(s * m, True),
        "finner": step(1 - (1 - s) ** (3 / np.array([1, 2, 3]))),
    }
    for name, r in right.items():

        def adjusted(name=name):
            out = getattr(npar, name)(MEANRANK, 14, control="C4.5")[0]
            plt.close("all")
            return list(out["Adjusted p-value"])

        row(
            f"`{name}`, T6 ranks, control C4.5: adjusted p of +m, +cf, +m+cf",
            adjusted,
            list(r),
            "by hand" + ("" if name == "finner" else "; R's p.adjust"),
        )

    def level(name, i):
        out = getattr(npar, name)(MEANRANK, 14, control="C4.5")[0]["Adjusted alpha"].iloc[i]
        plt.close("all")
        return out

    row(
        "`hochberg`: level for the second smallest p of three",
        lambda: level("hochberg", 0),
        0.025,
        "α/2",
    )
    for name in ("finner", "holland"):
        row(
            f"`{name}`: level for the smallest p of three",
            lambda name=name: level(name, 2),
            1 - 0.95 ** (1 / 3),
            "1 − (1 − α)^(1/3)",
        )

    def rom():
        out = npar.rom(MEANRANK, 14, control="C4.5")[0]["Results"].iloc[0]
        plt.close("all")
        return out

    row("`rom`: C4.5+m, p = .0192", rom, "Reject H0", "second largest p ≤ α/2, as in Hochberg")

    def shaffer():
        out = npar.shaffer(MEANRANK, 14)[0].iloc[2]
        plt.close("all")
        return f"adjusted p {show(out['Adjusted p-value'])}, {out['Results']}"

    row(
        "`shaffer`: C4.5 and C4.5+m+cf, α = .05",
        shaffer,
        "adjusted p .0943, do not reject",
        ".0943 > .05",
    )

    def mc():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            npar.mcnemar([1, 1, 0], [1, 1, 0], [1, 0, 0])
        return out.getvalue().split(" with")[0]

    row(
        "`mcnemar` of a classifier with itself",
        mc,
        "fail to reject",
        "no case on which they differ; exact test",
    )
    row(
        "`wilcoxon(T2)` with pandas 3",
        lambda: show(npar.wilcoxon(two)[1]),
        FLIP_DROP,
        "all sign flips",
    )
