"""Bouckaert (2005), figures 1 to 4: power and replicability of four kinds of experiments."""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from twofold.studies import Finding
from twofold_papers.bouckaert2005.task_one import (
    DATASETS,
    MCNEMAR,
    READING,
    REPETITIONS,
    ROWS,
    STEPS,
    agreed,
    at,
    at_all,
)
from twofold_papers.figure import Figure, FigurePanel, Series
from twofold_papers.item import Claim, Item, ItemOptions, ItemResult

FIGURES = {
    "figure1": (
        "McNemar's test",
        {
            "90 %/10 %": MCNEMAR,
            "66 %/33 %": "mcnemar@holdout:1/3",
            "50 %/50 %": "mcnemar@holdout:1/2",
        },
    ),
    "figure2": (
        "Corrected resampling",
        {f"{r}×": f"corrected-resampled-t@resample:{r}:0.1" for r in (10, 100, 500)},
    ),
    "figure3": (
        "Corrected repeated 10-fold cross-validation",
        {f"{r}×": f"corrected-cv-t@{r}x10" for r in (1, 10, 50)},
    ),
    "figure4": (
        "Sorted 10-fold cross-validation",
        {f"{r}×": f"sorted-cv-t@{r}x10" for r in (1, 10, 50)},
    ),
}


def last_step(name: str, rows: int) -> float:
    """Return the step beyond which nothing happens any more: two and a half that of half power."""
    half = (900 if name == "figure1" else 330) / np.sqrt(rows)
    return float(min(STEPS, 2.5 * half))


def steps_for(setting: ItemOptions, name: str, rows: int) -> list[int]:
    """Return the steps to look at: all of the paper's, or some where the power rises."""
    if setting.size == "full":
        return list(range(STEPS + 1))
    count = setting.pick(toy=3, quick=15, full=0)
    return sorted({round(one) for one in np.linspace(0, last_step(name, rows), count)})


def tests_of(setting: ItemOptions, name: str) -> list[str]:
    """Return the experiments of a figure; at toy size with at most a dozen runs."""
    tests = list(FIGURES[name][1].values())
    if setting.size != "toy":
        return tests
    return [
        re.sub(r"(@|@resample:)\d+(?=x|:)", rf"\g<1>{2 + 5 * place}", one)
        if "mcnemar" not in one
        else one
        for place, one in enumerate(tests)
    ]


def figure(name: str, setting: ItemOptions) -> ItemResult:
    """Power and replicability against the difference, three designs, three sizes."""
    title, designs = FIGURES[name]
    few = name != "figure1"
    datasets = setting.pick(toy=6, quick=60 if few else 1000, full=DATASETS)
    tests = tests_of(setting, name)
    curves: dict[tuple[str, int], list[Finding]] = {}
    steps = {rows: steps_for(setting, name, rows) for rows in ROWS}
    # Where every test always rejects, a few data sets show it.
    few_sets = max(1, datasets // 20)
    jobs = [
        (rows, step, datasets if step <= last_step(name, rows) + 1 else few_sets)
        for rows in ROWS
        for step in steps[rows]
    ]
    for (rows, _, _), found in zip(jobs, at_all(setting, tests, jobs), strict=True):
        for label, row in zip(designs, found, strict=True):
            curves.setdefault((label, rows), []).append(row)
    panels = tuple(_panel(label, curves, steps) for label in designs)
    return ItemResult(
        claims=CLAIMS[name](_Curves(curves, tuple(designs), steps, setting, datasets)),
        figures=(
            Figure(
                "curves",
                f"{title}: power (full lines) and replicability 2R − 1 (broken lines) against the "
                "difference in accuracy.",
                panels,
            ),
        ),
        trials=f"{datasets} data sets at each step and size, each experiment {REPETITIONS} times; "
        f"{', '.join(f'{len(steps[rows])} steps at {rows:,} rows' for rows in ROWS)}"
        + (
            f"; {few_sets} data sets beyond the steps where all tests always reject"
            if setting.size == "full"
            else ""
        ),
        remarks=READING[:1],
    )


def _panel(
    label: str, curves: dict[tuple[str, int], list[Finding]], steps: dict[int, list[int]]
) -> FigurePanel:
    series = []
    for rows in ROWS:
        x = [0.5 * step for step in steps[rows]]
        found = curves[label, rows]
        power = [100 * one.rejected.value for one in found]
        series.append(Series(f"power, {rows:,}", x, power))
    for rows in ROWS:
        x = [0.5 * step for step in steps[rows]]
        again = [100 * agreed(one).value for one in curves[label, rows]]
        series.append(Series(f"replicability, {rows:,}", x, again, dashed=True))
    return FigurePanel(
        label, "difference in accuracy (points)", "%", tuple(series), y_range=(0, 102)
    )


class _Curves:
    """Numbers that the claims are about, by design and size."""

    def __init__(
        self,
        curves: dict[tuple[str, int], list[Finding]],
        designs: tuple[str, ...],
        steps: dict[int, list[int]],
        setting: ItemOptions,
        datasets: int,
    ) -> None:
        self.curves, self.designs, self.steps = curves, designs, steps
        self.setting, self.datasets = setting, datasets

    def type_one(self, design: str) -> float:
        """Replicability where A and B are alike, over all sizes."""
        return float(np.mean([agreed(self.curves[design, rows][0]).value for rows in ROWS]))

    def worst(self, design: str, rows: int) -> float:
        return min(agreed(one).value for one in self.curves[design, rows])

    def mean_worst(self, design: str) -> float:
        return float(np.mean([self.worst(design, rows) for rows in ROWS]))

    def power_at_worst(self, design: str, rows: int) -> float:
        found = self.curves[design, rows]
        return min(found, key=lambda one: agreed(one).value).rejected.value

    def power(self, design: str, rows: int) -> float:
        """Area under the power curve."""
        y = [one.rejected.value for one in self.curves[design, rows]]
        return float(np.trapezoid(y, self.steps[rows]) / self.steps[rows][-1])

    def mean_power(self, design: str) -> float:
        return float(np.mean([self.power(design, rows) for rows in ROWS]))

    def half(self, design: str, rows: int) -> float:
        """The step at which the power is a half."""
        y = [one.rejected.value for one in self.curves[design, rows]]
        return float(np.interp(0.5, np.maximum.accumulate(y), self.steps[rows]))


def _three(values: list[float]) -> str:
    return ", ".join(f"{one:.3f}" for one in values)


def _spread(c: _Curves, design: str) -> float:
    """How much the worst case varies over sizes; only where a step comes near half power."""
    near = [rows for rows in ROWS if 0.35 < c.power_at_worst(design, rows) < 0.65]
    worst = [c.worst(design, rows) for rows in near]
    return max(worst) - min(worst) if worst else 0.0


def _shared(c: _Curves) -> tuple[Claim, ...]:
    spread = [_spread(c, d) for d in c.designs]
    at_worst = [c.power_at_worst(d, rows) for d in c.designs for rows in ROWS]
    worst = [c.mean_worst(d) for d in c.designs]
    return (
        Claim(
            "Power increases with the size of the data set.",
            all(c.half(d, 1000) > c.half(d, 2000) > c.half(d, 10_000) for d in c.designs),
        ),
        Claim(
            "Replicability is worst where the power is about a half.",
            float(np.median(np.abs(np.array(at_worst) - 0.5))) < 0.15,
            f"power there: {min(at_worst):.2f} to {max(at_worst):.2f}",
        ),
        Claim(
            "Worst-case replicability does not change with the size of the data set.",
            max(spread) < 0.15,
            f"it varies by at most {max(spread):.3f}, over sizes that have a step near half power",
        ),
        Claim(
            "More testing raises worst-case replicability (from left to right).",
            worst[0] < worst[1] < worst[2],
            _three(worst),
        ),
    )


def _claims1(c: _Curves) -> tuple[Claim, ...]:
    typed = [c.type_one(d) for d in c.designs]
    return (
        *_shared(c),
        Claim(
            "Increasing the test set increases power.",
            c.half(c.designs[0], 1000) > c.half(c.designs[1], 1000) > c.half(c.designs[2], 1000),
        ),
        Claim(
            "It does not increase Type I replicability.",
            max(typed) - min(typed) < 0.05,
            f"{_three(typed)}. The overlap of test sets raises it, the smaller continuity "
            "correction lowers it",
        ),
    )


def _claims2(c: _Curves) -> tuple[Claim, ...]:
    typed = [c.type_one(d) for d in c.designs]
    power = [c.mean_power(d) for d in c.designs]
    (mcnemar,) = at(c.setting, 1000, 0, [MCNEMAR], 10 * c.datasets)
    return (
        *_shared(c),
        Claim(
            "Type I replicability is lower than that of McNemar's test with 10 %.",
            typed[0] < agreed(mcnemar).value,
            f"{typed[0]:.3f} against {agreed(mcnemar).value:.3f} at 1000 rows",
        ),
        Claim(
            "Type I replicability remains about the same from 10 to 100 resamples.",
            abs(typed[1] - typed[0]) < 0.05,
            f"{_three(typed)}. If the sentence means larger data sets, it holds: "
            f"{_three([agreed(c.curves[c.designs[1], rows][0]).value for rows in ROWS])} "
            "at 1, 2 and 10 thousand rows",
        ),
        Claim(
            "Power rises from 10 to 100 resamples, and hardly from 100 to 500.",
            power[1] > power[0] and abs(power[2] - power[1]) < (power[1] - power[0]) / 2,
            f"area under the curve {_three(power)}",
        ),
    )


def _claims3(c: _Curves) -> tuple[Claim, ...]:
    power = [c.mean_power(d) for d in c.designs]
    tests = tests_of(c.setting, "figure2")
    steps = c.steps[1000]
    last = last_step("figure2", 1000) + 1
    jobs = [(1000, step, c.datasets if step <= last else c.datasets // 20 + 1) for step in steps]
    other = at_all(c.setting, tests, jobs)
    resampled = [float(np.mean([row[i].rejected.value for row in other])) for i in range(3)]
    folds = [float(np.mean([one.rejected.value for one in c.curves[d, 1000]])) for d in c.designs]
    typed = [agreed(c.curves[d, 1000][0]).value for d in c.designs]
    typed_resampled = [agreed(one).value for one in other[0]]
    worst_resampled = [min(agreed(row[i]).value for row in other) for i in range(3)]
    worst = [c.worst(d, 1000) for d in c.designs]
    return (
        *_shared(c),
        Claim(
            "Cross-validation has slightly better power than resampling at the same effort.",
            all(a > b - 0.01 for a, b in zip(folds, resampled, strict=True)),
            f"mean power {_three(folds)} against {_three(resampled)} at 1000 rows. The 1×10 fold "
            "test is so conservative that it has less power than 10 resamples",
        ),
        Claim(
            "It has considerably better Type I replicability.",
            all(a > b for a, b in zip(typed, typed_resampled, strict=True)),
            f"{_three(typed)} against {_three(typed_resampled)}",
        ),
        Claim(
            "It has considerably better worst-case replicability.",
            all(a > b for a, b in zip(worst, worst_resampled, strict=True)),
            f"{_three(worst)} against {_three(worst_resampled)}",
        ),
        Claim(
            "More repeats do not increase power after 100 samples.",
            abs(power[2] - power[1]) < 0.03,
            f"area under the curve {_three(power)}",
        ),
    )


def _claims4(c: _Curves) -> tuple[Claim, ...]:
    steps = c.steps[1000]
    corrected = [
        at(c.setting, 1000, step, ["corrected-cv-t@1x10"], c.datasets)[0] for step in steps
    ]
    one = c.designs[0]
    typed, typed_cv = agreed(c.curves[one, 1000][0]).value, agreed(corrected[0]).value
    worst, worst_cv = c.worst(one, 1000), min(agreed(row).value for row in corrected)
    low = corrected[0].rejected.value
    return (
        *_shared(c),
        Claim(
            "The Type I error of corrected 1×10 cross-validation is too low, and so its Type I "
            "replicability is higher than that of the sorted test.",
            low < 0.05 and typed_cv > typed,
            f"Type I error {low:.3f}; replicability {typed_cv:.3f} against {typed:.3f}",
        ),
        Claim(
            "Worst-case replicability is higher for sorted than for corrected 1×10.",
            worst > worst_cv,
            f"{worst:.3f} against {worst_cv:.3f}",
        ),
    )


CLAIMS = {"figure1": _claims1, "figure2": _claims2, "figure3": _claims3, "figure4": _claims4}


MINUTES = {"figure1": 1, "figure2": 2, "figure3": 3, "figure4": 2}
ITEMS = tuple(
    Item(name, title, partial(figure, name), minutes=MINUTES[name])
    for name, (title, _) in FIGURES.items()
)
