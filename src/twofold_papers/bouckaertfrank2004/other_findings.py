"""Bouckaert and Frank (2004): what Table 1 says of the data sets, and opposite outcomes."""

from __future__ import annotations

from twofold.datasets import entry, find_dataset
from twofold_papers.bouckaertfrank2004.real_datasets import (
    FIVE,
    FIVE_BY_TWO,
    PAIRS,
    RANDOM,
    SUITE,
    TEN_BY_TEN,
)
from twofold_papers.claim_verdicts import judge_exact
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import PrintedItem

FEW = 3
"""Rejections of ten at which the paper has seen both directions."""


def describe_datasets(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rows, attributes and classes of the data sets, beside the printed ones."""
    names = options.pick(toy=SUITE.toys, quick=SUITE.datasets, full=SUITE.datasets)
    rows, differing, with_class = [], [], 0
    for name in names:
        dataset = find_dataset(name, options.data)
        ours = dataset.rows, len(dataset.attributes), len(dataset.classes or ())
        theirs = tuple(printed["properties"][name])
        mark = ""
        if ours != theirs:
            differing.append(name)
            counted = ours == (theirs[0], theirs[1] - 1, theirs[2])
            with_class += counted
            mark = "with the class" if counted else "differs"
        cells = [str(value) for pair in zip(theirs, ours, strict=True) for value in pair]
        rows.append((printed["names"].get(name, name), *cells, mark))
    return ItemResult(
        claims=printed.judge(
            same=judge_exact(
                not differing,
                f"{len(names) - len(differing)} of {len(names)} rows are the same; "
                f"{', '.join(differing) or 'none'} differ, {with_class} of them by the class, "
                "which the print counts among the attributes",
            )
        ),
        tables=(
            ResultTable(
                "Instances, attributes and classes: printed, then ours.",
                ("", "#inst.", "ours", "#atts.", "ours", "#cl.", "ours", ""),
                tuple(rows),
            ),
        ),
        trials=f"{len(names)} data sets",
        datasets={name: " ".join(entry(name).sha256) for name in names},
    )


def find_opposites(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Data sets on which repetitions of one test find A better, and others B."""
    runs = SUITE.run(options, FIVE_BY_TWO, TEN_BY_TEN, RANDOM)
    tests = {
        "5x2cv-t": (FIVE_BY_TWO, FIVE),
        "corrected-resampled-t, 10 runs": (RANDOM, "corrected-resampled-t@resample:10:0.1"),
        "cv-t, 1×10": (TEN_BY_TEN, "cv-t@1x10"),
        "corrected-cv-t, 10×10": (TEN_BY_TEN, "corrected-cv-t@10x10"),
    }
    rows, cases = [], []
    for name, (splitting, experiment) in tests.items():
        for pair in PAIRS:
            outcomes = runs.find_outcomes(pair, splitting, experiment, 0.05)
            for dataset, each in outcomes.items():
                a, b = int((each > 0).sum()), int((each < 0).sum())
                if a and b:
                    rows.append((dataset, name, pair, str(a), str(b), str(len(each) - a - b)))
                    if name == "5x2cv-t":
                        cases.append((a + b, dataset))
    most = max((count for count, _ in cases), default=0)
    whole = runs.repetitions
    return ItemResult(
        claims=printed.judge(
            seldom=judge_exact(
                most <= FEW,
                f"{len(cases)} of {len(PAIRS) * len(runs.names)} cases have both directions, with "
                f"at most {most} rejections of {whole}",
            ),
            no_part=judge_exact(
                all(0 < count < whole for count, _ in cases),
                f"none of these {len(cases)} is consistent"
                if most < whole
                else "one of them is consistent",
            ),
        ),
        tables=(
            ResultTable(
                "Data sets on which one test finds each learner better at least once.",
                ("", "test", "A vs B", "A better", "B better", "no difference"),
                tuple(rows) or (("none", "", "", "", "", ""),),
            ),
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )
