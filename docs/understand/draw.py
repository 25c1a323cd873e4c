"""Draws the pictures of this folder and writes the tables of measured numbers into its pages.

`make docs` does it in the repository, the build of the site in its copy: python docs/understand/draw.py [FOLDER].
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import measure
import numpy as np
import schemes

from twofold.plots.chart_panels import chart_figure
from twofold.plots.charts import Chart, Panel, Series, Spot
from twofold.plots.matplotlib_svg import figure_svg
from twofold.stats.cards import cards

Row = tuple[float, float, float]


def mark_misses(rows: list[Row], truth: float = 0.0) -> tuple[Spot, ...]:
    """Return a spot for each interval; those that miss the truth stand out."""
    return tuple(
        Spot("", value, low, high, "plain" if low <= truth <= high else "high")
        for value, low, high in rows
    )


def draw_intervals() -> Chart:
    """Return the intervals of two tests on the same cross-validations."""
    panels = tuple(
        Panel(
            name,
            "accuracy of naive Bayes − accuracy of C4.5",
            level=0,
            spots=mark_misses(rows),
            x_range=(-0.2, 0.2),
        )
        for name, rows in measure.measure_intervals().items()
    )
    caption = (
        "Twenty-five data sets whose class is a coin, ten runs of ten folds each. The true difference is zero; "
        "intervals that miss it are orange."
    )
    return Chart("What two tests make of the same cross-validations", panels, caption, columns=2)


def draw_type_one() -> Chart:
    """Return how often the two tests err, by the number of runs."""
    series = tuple(
        Series(
            name,
            measure.RUNS,
            [each.value for each in shares],
            [each.low for each in shares],
            [each.high for each in shares],
        )
        for name, shares in measure.measure_type_one().items()
    )
    panel = Panel(
        "",
        "runs of ten folds",
        "finds a difference (there is none)",
        series,
        ticks=measure.RUNS,
        level=measure.LEVEL,
        y_range=(0, 0.75),
    )
    return Chart(
        "Type I error by the number of runs",
        (panel,),
        "500 data sets, 95 % intervals shaded. Broken line: the level of .05 that both tests promise.",
    )


def draw_levels() -> Chart:
    """Return what is left after the correction, from the tests' measured cards."""
    learners = ("1-NN", "5-NN", "tree", "naive Bayes")
    panels = []
    for learner in learners:
        spots = []
        for test in ("cv-t", "corrected-cv-t", "two-level-cv-t", "half-sample-t"):
            (level,) = (
                level
                for level in cards().levels_of(test, measure.LEVEL)
                if level.learner == learner
            )
            tone = {"above": "high", "below": "low"}.get(level.standing, "plain")
            spots.append(Spot(test, *level.rejected, tone))
        panels.append(
            Panel(
                learner, "Type I error", level=measure.LEVEL, spots=tuple(spots), x_range=(0, 0.21)
            )
        )
    caption = "1,000 data sets for each learner. Orange: above .05; blue: below it."
    return Chart(
        "Type I error where there is something to learn", tuple(panels), caption, columns=4
    )


def draw_again() -> Chart:
    """Return the p values of one experiment that is done forty times."""
    p = measure.repeat_one_experiment()
    series = Series("", range(1, len(p) + 1), p.tolist(), kind="marks")
    panel = Panel(
        "", "repetition of the experiment", "p", (series,), level=measure.LEVEL, y_log=True
    )
    return Chart(
        "The same experiment, forty times",
        (panel,),
        "Each time 20 new data sets and the same true difference, .66 standard deviations; Wilcoxon's test, power .8.",
    )


def draw_by_p() -> Chart:
    """Return what a p value tells of the null hypothesis, and of a repetition."""
    rows = measure.measure_by_p()
    names = tuple(name for name, *_ in rows)
    at = range(len(rows))

    def make_series(name: str, column: int) -> Series:
        shares = [row[column] for row in rows]
        return Series(
            name, at, [s.value for s in shares], [s.low for s in shares], [s.high for s in shares]
        )

    panels = (
        Panel(
            "no difference is true", "p", "share of experiments", (make_series("", 1),), names,
            y_range=(0, 1),
        ),
        Panel(
            "a repetition finds the same", "p", "share of experiments", (make_series("", 2),), names,
            y_range=(0, 1),
        ),
    )  # fmt: skip
    return Chart(
        "What p tells of the null hypothesis, and of a repetition",
        panels,
        "60,000 simulated experiments on 20 data sets and a repetition of each; half of them without any difference.",
        columns=1,
    )


def draw_sizes() -> Chart:
    """Return differences that have the same p."""
    spots = tuple(
        Spot(f"{n:,} items", value, low, high)
        for n, value, low, high in measure.intervals_at_one_p()
    )
    panel = Panel("", "difference of means, 95 % interval", level=0, spots=spots)
    return Chart(
        "Four experiments with p = .03",
        (panel,),
        "Each item's difference varies with a standard deviation of .1.",
    )


def draw_nulls() -> Chart:
    """Return the differences of models fitted on several data sets, and their mean."""
    spots, _, mean = measure.measure_fitted_models()
    rows = (*mark_misses(sorted(spots[:25])), Spot("mean of 100 data sets", *mean, 0))
    panel = Panel("", "accuracy of A − accuracy of B", level=0, spots=rows)
    return Chart(
        "Two learners that are equally good over data sets",
        (panel,),
        "A row for each data set (25 of 100): both models were trained on it and tried on 4,000 new rows. "
        "Orange: the interval misses zero. Blue: the mean over the data sets.",
    )


def draw_agreement() -> Chart:
    """Return how often tests agree with themselves, by how often they find a difference."""
    power = np.linspace(0, 1, 41)
    coins = Series("two coins with that chance", power, 1 - 2 * power * (1 - power))
    tests = ("mcnemar", "cv-t", "5x2cv-f", "resampled-t", "corrected-resampled-t", "corrected-cv-t")
    marks = []
    for test in tests:
        row = cards().find(test, "some", 0.05)
        (x, *_), (y, low, high) = row.rejected, row.replicability
        marks.append(Series(test, (x,), (y,), (low,), (high,), kind="marks", whiskers=True))
    panel = Panel(
        "", "how often the test finds the difference (power)", "two repetitions agree",
        (coins, *marks), x_range=(0, 1), y_range=(0.45, 1.01),
    )  # fmt: skip
    return Chart(
        "Power and replicability",
        (panel,),
        "1,000 data sets on which C4.5 beats naive Bayes by .027 on average, each experiment ten times with other splits.",
    )


PICTURES: dict[str, tuple[Callable[[], Chart], str]] = {
    "intervals": (draw_intervals, "two-column"),
    "type-one": (draw_type_one, "text"),
    "levels": (draw_levels, "two-column"),
    "again": (draw_again, "text"),
    "by-p": (draw_by_p, "text"),
    "sizes": (draw_sizes, "text"),
    "nulls": (draw_nulls, "text"),
    "agreement": (draw_agreement, "text"),
}


MEASURED = re.compile(r"(<!-- measured: (\S+) -->\n).*?(<!-- end -->)", re.S)


def make_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table of Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def write_type_one() -> str:
    """Return the table of errors by runs."""
    found = measure.measure_type_one()
    rows = zip(
        map(str, measure.RUNS), *(map(str, shares) for shares in found.values()), strict=True
    )
    return make_table(("runs of ten folds", *found), list(rows))


def write_by_p() -> str:
    """Return the table of what p tells."""
    head = (
        "p",
        "no difference is true",
        "a repetition finds the same",
        "… where there is a difference",
    )
    return make_table(head, [(name, *map(str, shares)) for name, *shares in measure.measure_by_p()])


def write_again() -> str:
    """Return a sentence on the p values of one experiment."""
    p = np.sort(measure.repeat_one_experiment())
    below = measure.share(p < measure.LEVEL)
    return (
        f"The least of the forty is {p[0]:.5f}, the largest {p[-1]:.2f}; {int((p < measure.LEVEL).sum())} lie "
        f"below .05, a share of {below}.\n"
    )


def write_nulls() -> str:
    """Return a sentence on fitted models and their learners."""
    spots, found, (mean, low, high) = measure.measure_fitted_models()
    return (
        f"Of {len(spots)} pairs of models the test on 4,000 new rows tells {found} apart. Averaged over the data sets the "
        f"difference is {mean:.3f} (95 % interval {low:.3f} to {high:.3f}).\n".replace("-0.", "−0.")
    )


TABLES: dict[str, Callable[[], str]] = {
    "type-one": write_type_one,
    "by-p": write_by_p,
    "again": write_again,
    "nulls": write_nulls,
}
"""What stands between `<!-- measured: NAME -->` and `<!-- end -->` in the pages."""


def fill_tables(text: str) -> str:
    """Return a page with the numbers as they are measured now."""
    return MEASURED.sub(lambda match: match[1] + TABLES[match[2]]() + match[3], text)


def write_all(folder: Path) -> None:
    """Draw every picture into a folder, and fill the tables of the pages in it."""
    for name, (draw, width) in PICTURES.items():
        chart = draw()
        svg = figure_svg(chart_figure(chart, width), chart.title, chart.caption)
        (folder / f"{name}.svg").write_text(svg + "\n", "utf-8")
    for name, picture in schemes.PICTURES.items():
        (folder / f"{name}.svg").write_text(picture(), "utf-8")
    for page in sorted(folder.glob("*.md")):
        page.write_text(fill_tables(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
