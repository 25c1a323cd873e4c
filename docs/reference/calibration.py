"""Write calibration.md beside this file from the shipped table: python docs/reference/calibration.py."""

from __future__ import annotations

from pathlib import Path

from twofold.stats.calibration_table import load_shipped_table

PAGE = Path(__file__).with_suffix(".md")
WORDS = """# Calibrated degrees of freedom

Folds of a cross-validation share training rows, so that a t test on their differences finds too much. Bouckaert (2003) keeps the form
of the test, m / √(s²/(df+1)) on t with df degrees of freedom, and lowers df until its Type I error is the level. How low depends on the
design, and is measured on data on which neither learner is better.

It depends on the learners too: the shipped table was made where there is nothing to learn, and with neighbours and trees these df are too
many where there is ([levels](../levels.md)). `twofold calibrate --source halves --learners knn` makes a table for a learner of your own.

`twofold calibrate` does that: for each test that takes df, each number of runs and each level it finds the largest whole df at
which the error is not above the level. A test rejects where |m|/s ≥ t(df)·√(1/(df+1)), and the right side falls as df grows; so one
number per data set is sorted once, and every df is read off. The interval is that of the quantile of |m|/s, by order
statistics; `exact` is the df with its fraction.

## The shipped table

Made by

```
twofold calibrate --source binary:p=0.5:various=1 --learners nb,c45 --rows {rows} --datasets {datasets} --design 10x10 10x5 10x2 \\
    --runs 1 2 3 4 5 6 8 10 --seed {seed} -o src/twofold/stats/calibration_table.json
```

that is, {datasets} data sets of {rows} rows with ten independent binary attributes, each with a chance of its own, and a class that is a coin;
naive Bayes and C4.5 as in Weka; stratified folds. Read it by `twofold.stats.calibration_table.calibrated_df(test, runs, folds, alpha)`. Levels
are .01, .025, .05 and .1; below are those for .05. "none": even df = 2 errs too often. "≥ 100": as many as were considered.

For use-all-data on 10 × 10 folds it has df {df:g} (interval of the exact value {low:.1f} to {high:.1f}; Type I error at {df:g}: {error}).
Bouckaert (2003) prints 10, from 1000 data sets. For mean-folds next to no df will do; he finds at most 7. Data matter a little: where all
attributes have a chance of one half, df is one higher.

`twofold compare folds.csv --test use-all-data` uses it, and says so, and likewise for all of Bouckaert's tests; other tests take it by `--df
calibrated` (in Python `df="calibrated"`). Where it has no df for the design or level, you are told the command that measures one. `--df
textbook` takes those of the textbook instead, with a warning. The df hold for one number of runs: with `--until` and `--budget`, where
that is not known beforehand, give a number, `--df 10`. The tests of the table are two-sided; a one-sided test at α takes the df of 2α, since under the
null both directions are as likely.

A table for other learners or data of your own is a command away (`-o own.json`), and `--df own.json` uses it. These df are for learners and data that behave like those
above; a corrected test ([corrected-cv-t](tests.md)) needs no such table.
"""


def page() -> str:
    table = load_shipped_table()
    entries = {(e["test"], e["runs"], e["folds"], e["alpha"]): e for e in table["entries"]}
    ten = entries["use-all-data", 10, 10, 0.05]
    made = {name: table["made"][name] for name in ("rows", "datasets", "seed")}
    error = f"{ten['type_one']['value']:.3f}".removeprefix("0")
    text = WORDS.format(**made, df=ten["df"], low=ten["low"], high=ten["high"], error=error)
    parts = [text.rstrip()]
    tests = dict.fromkeys(e["test"] for e in table["entries"])
    for folds in sorted({key[2] for key in entries}, reverse=True):
        runs = sorted({key[1] for key in entries if key[2] == folds})
        head = " | ".join(f"{r} run{'s' if r > 1 else ''}" for r in runs)
        lines = [
            f"### {folds} folds, α = .05",
            "",
            f"| test | {head} |",
            "|---|" + "---|" * len(runs),
        ]
        for test in tests:
            cells = [_cell(entries.get((test, r, folds, 0.05))) for r in runs]
            if any(cells):
                lines.append(f"| {test} | {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _cell(entry: dict | None) -> str:
    if entry is None:
        return ""
    if entry["df"] is None:
        return "none"
    return ("≥ " if entry["at_most"] else "") + f"{entry['df']:g}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
