"""Demšar's Table 6: four versions of C4.5 on 14 data sets, compared as in his paper.

Run it with `make demo`, or `python examples/demsar_table6.py`.
"""

import textwrap
from pathlib import Path

import twofold
from twofold.report import save_report
from twofold.stats import (
    adjust,
    critical_difference,
    friedman,
    groups,
    iman_davenport,
    kendalls_w,
    mean_rank_z,
    nemenyi,
    ranks,
    wilcoxon,
)

LEARNERS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]

# AUC as printed; the paper ranks the last two on "voting" 2 and 3, from unrounded scores.
SCORES = {
    "adult (sample)": [0.763, 0.768, 0.771, 0.798],
    "breast cancer": [0.599, 0.591, 0.590, 0.569],
    "breast cancer wisconsin": [0.954, 0.971, 0.968, 0.967],
    "cmc": [0.628, 0.661, 0.654, 0.657],
    "ionosphere": [0.882, 0.888, 0.886, 0.898],
    "iris": [0.936, 0.931, 0.916, 0.931],
    "liver disorders": [0.661, 0.668, 0.609, 0.685],
    "lung cancer": [0.583, 0.583, 0.563, 0.625],
    "lymphography": [0.775, 0.838, 0.866, 0.875],
    "mushroom": [1.000, 1.000, 1.000, 1.000],
    "primary tumor": [0.940, 0.962, 0.965, 0.962],
    "rheum": [0.619, 0.666, 0.614, 0.669],
    "voting": [0.972, 0.981, 0.975, 0.975],
    "wine": [0.957, 0.978, 0.946, 0.970],
}


def paper_ranks():
    """Return the ranks that the paper used."""
    table = ranks(list(SCORES.values()))
    table[list(SCORES).index("voting")] = [4, 1, 2, 3]
    return table


def bars(means, cd):
    """Draw the mean ranks as text, best first, with a bar for each group not told apart."""
    order = sorted(range(len(means)), key=lambda j: means[j])
    bands = groups(means, cd)
    for j in order:
        marks = "".join(" ┃" if j in band else "  " for band in bands)
        print(f"  {LEARNERS[j]:<10} {means[j]:.3f} {marks}")


def main() -> None:
    """Print the analysis."""
    table = paper_ranks()
    n, k = table.shape
    # As the paper prints them, without correction for ties; the exact test needs none.
    paper = {"are_ranks": True, "ties": "plain"}
    omnibus, f = friedman(table, **paper), iman_davenport(table, **paper)
    means = omnibus.details["mean_ranks"]
    print("Demšar (2006), Table 6: AUC of four versions of C4.5 on 14 data sets\n")
    print("Do they differ at all?")
    print(f"  Friedman        χ² {omnibus.statistic:.3f}, df 3         p {omnibus.pvalue:.4f}")
    print(f"  Iman–Davenport  F  {f.statistic:.3f}, df 3 and 39  p {f.pvalue:.4f}")
    better = iman_davenport(table, are_ranks=True)
    print(f"  corrected for ties F  {better.statistic:.3f}, df 3 and 39  p {better.pvalue:.4f}")
    exact = friedman(table, are_ranks=True, method="exact")
    print(f"  exact, given the ties                  p {exact.pvalue:.4f}")
    w = kendalls_w(table)
    print(f"  agreement of the data sets: Kendall's W {w.estimate:.2f}", end="")
    print(f" (95 % {w.interval.low:.2f} to {w.interval.high:.2f})\n")
    for alpha in (0.05, 0.10):
        cd = critical_difference(k, n, alpha=alpha)
        found = int((nemenyi(table, are_ranks=True).pvalue <= alpha).sum())
        print(f"Which pairs? Nemenyi at {alpha:.2f}: CD {cd:.3f}, {found} of 6 pairs differ")
        bars(means, cd)
        print()
    control = mean_rank_z(table, are_ranks=True, control=0)
    print("Does tuning help? Each against C4.5, two-sided, adjusted:")
    print(f"  {'':<10} {'z':>6} {'p':>7} {'Holm':>7} {'Hochberg':>9} {'Hommel':>7}")
    adjusted = {name: adjust(control.pvalue, name) for name in ("holm", "hochberg", "hommel")}
    for i, (_, j) in enumerate(control.pairs):
        row = f"  {LEARNERS[j]:<10} {control.statistic[i]:>6.3f} {control.pvalue[i]:>7.4f}"
        print(f"{row} {adjusted['holm'][i]:>7.4f} ", end="")
        print(f"{adjusted['hochberg'][i]:>8.4f} {adjusted['hommel'][i]:>7.4f}")
    pair = wilcoxon([row[1] for row in SCORES.values()], [row[0] for row in SCORES.values()])
    print("\nC4.5+m against C4.5 alone, whatever the other learners (Wilcoxon, Table 2):")
    print(f"  R+ {pair.details['r_plus']:g}, R− {pair.details['r_minus']:g}, exact p ", end="")
    print(f"{pair.pvalue:.4f}; typical gain {pair.estimate:.4f} AUC", end="")
    print(f" (95 % {pair.interval.low:.4f} to {pair.interval.high:.4f})")
    print("\nNotes")
    for note in omnibus.notes + control.notes:
        text = f"{note.title}: {note.detail}"
        print(textwrap.fill(text, 79, initial_indent="  ", subsequent_indent="    "))
    report = Path("build") / "demo.html"
    report.parent.mkdir(exist_ok=True)
    columns = {name: table[:, j] for j, name in enumerate(LEARNERS)}
    answer = twofold.compare({"dataset": list(SCORES), **columns}, ranks=True, alpha=0.10)
    save_report(answer, report)
    print(f"\nA report of the same table is in {report}: open it in a browser.")


if __name__ == "__main__":
    main()
