"""Dietterich (1998), sections 3.4 and 3.5: what folds of one cross-validation have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats as distributions

from twofold.designs import parse_design
from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.learners import nearest_by_size, read_learner
from twofold.rounding import number, percentage, written
from twofold.seeds import rng
from twofold.studies import many_runs
from twofold_papers.claim_verdicts import judge_all, judge_exact
from twofold_papers.dietterich1998.damage import predict_tree, scale_columns
from twofold_papers.dietterich1998.error_bars import ACCEPTABLE, LEVEL
from twofold_papers.dietterich1998.learning_tasks import ROWS, Floats, LearningTask, exp6
from twofold_papers.dietterich1998.real_learners import TASKS, run_task
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.measured import MeasuredNumber, judge_positive, measure
from twofold_papers.printed import Number, PrintedItem

FOLDS = 10
TRAINED = ROWS - ROWS // FOLDS
AT_ONCE = 20  # trials of a job


def correlate_folds(x: Floats) -> float:
    """Return the correlation between two columns of a table, over all pairs of them."""
    x = x - x.mean()
    count = x.shape[1]
    square = (x**2).sum(axis=1)
    product = (x.sum(axis=1) ** 2 - square).mean() / (count * (count - 1))
    spread = square.mean() / count
    return float(product / spread) if spread > 0 else 0.0


def correlate_tables(x: Floats, y: Floats) -> float:
    """Return the correlation between columns of two tables, over all pairs of columns."""
    x, y = x - x.mean(), y - y.mean()
    spread = float(np.sqrt((x**2).mean() * (y**2).mean()))
    return float((x.mean(axis=1) * y.mean(axis=1)).mean()) / spread if spread > 0 else 0.0


def jackknife(function: Callable[..., float], *tables: Floats) -> MeasuredNumber:
    """Return a number computed from tables, with its standard error over blocks of their rows."""
    n = len(tables[0])
    blocks = np.array_split(np.arange(n), min(n, 100))
    without = np.array(
        [function(*(np.delete(table, block, axis=0) for table in tables)) for block in blocks]
    )
    count = len(blocks)
    error = float(np.sqrt((count - 1) / count * ((without - without.mean()) ** 2).sum()))
    return MeasuredNumber(function(*tables), error)


def correlation(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The correlation between folds on Letter, and between independent data sets."""
    _, trials = run_task("Letter", options)
    folds = trials.folds
    same = jackknife(correlate_folds, folds)
    # Each data set with the next one; the last with the first.
    apart = jackknife(correlate_tables, folds, np.roll(folds, -1, axis=0))
    shared = count_shared_rows()
    pairs = len(folds) * FOLDS * (FOLDS - 1) // 2
    pvalues = [_naive_pvalue(each.value, pairs) for each in (same, apart)]
    return ItemResult(
        numbers=tuple(
            _compare(printed, label, each, len(folds))
            for label, each in zip(printed.numbers, (same, apart), strict=True)
        ),
        claims=printed.judge(
            overlap=judge_exact(
                shared == 0.8 * ROWS,
                f"{shared} of {ROWS} rows, {percentage(shared / TRAINED)} of the {TRAINED} of a "
                "training "
                "set",
            ),
            verified=judge_positive(same, f"{same}"),
            significant=judge_exact(
                pvalues[0] < 1e-10,
                f"p = {number(pvalues[0], 2)}, {pairs:,} pairs taken as independent",
            ),
            apart=judge_exact(pvalues[1] > LEVEL, f"{apart}, p = {number(pvalues[1], 2)}"),
        ),
        trials=f"{len(folds)} data sets of {ROWS} rows, one 10-fold cross-validation on each",
    )


def _compare(printed: PrintedItem, label: str, ours: MeasuredNumber, trials: int) -> Number:
    # Theirs rests on 1000 data sets.
    reach = 1.96 * ours.error * float(np.sqrt(1 + trials / 1000))
    return printed.compare(label, ours.value, reach)


def _naive_pvalue(r: float, pairs: int) -> float:
    """Return the p value of a correlation as if all pairs were independent."""
    t = r * np.sqrt((pairs - 2) / (1 - r**2))
    return float(2 * distributions.t.sf(abs(t), pairs - 2))


def count_shared_rows() -> int:
    """Return how many rows two training sets of 10-fold cross-validation share."""
    X = np.zeros((ROWS, 1))
    task = LearningTask("rows", lambda random: (X, X, X, X), 2)
    dataset = task.build_dataset(X, np.arange(ROWS) % 2)
    (folds,) = many_runs(parse_design("1x10"), dataset, 1, rng(0, "shared rows"), stratify=False)
    return int(((folds != 0) & (folds != 1)).sum())


@dataclass(eq=False)
class DisjointWork:
    """Tries learners on ten training sets that share no row; a job is a stretch of trials."""

    task: LearningTask
    amount: float
    seed: int

    def describe(self, job: tuple[int, int]) -> str:
        """Return a job in words, for errors."""
        return f"trials {job[0] + 1} to {job[1]} on {self.task.name}"

    def do(self, job: tuple[int, int]) -> Arrays:
        """Return differences in accuracy, (trials, training sets)."""
        return {"differences": np.array([self._run_trial(number) for number in range(*job)])}

    def _run_trial(self, number: int) -> list[float]:
        random = rng(self.seed, "disjoint", self.task.name, number)
        differences = []
        for _ in range(FOLDS):
            X, y = self.task.draw(random)[:2]
            train, test, truth = X[:TRAINED], X[TRAINED:], y[TRAINED:]
            a = predict_tree(self.task, train, y[:TRAINED], test, (TRAINED,))[0]
            b = nearest_by_size(
                scale_columns(train, self.amount),
                y[:TRAINED],
                scale_columns(test, self.amount),
                (TRAINED,),
            )[0]
            differences.append(float((a == truth).mean() - (b == truth).mean()))
        return differences


def run_disjoint(amount: float, trials: int, options: ItemOptions) -> Floats:
    """Return differences on ten disjoint training sets of EXP6; finished work is kept."""
    learner = read_learner("c45").key
    jobs = {}
    for first in range(0, trials, AT_ONCE):
        job = (first, min(first + AT_ONCE, trials))
        key = digest("disjoint", 1, job, amount, options.seed, learner)
        jobs[job] = Part(key, "reproduction", "dietterich1998: disjoint training sets of exp6")
    work = DisjointWork(exp6(), amount, options.seed)
    stretches = compute_arrays(work, jobs, **options.engine).values()
    return np.concatenate([each["differences"] for each in stretches])


def numerator(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Why the cross-validated t is too large, and what a single fold in its numerator does."""
    by_task = {name: run_task(name, options) for name in TASKS}
    damage, trials = by_task["EXP6"]
    apart = run_disjoint(damage.amounts[0.0, TRAINED], len(trials.folds), options)
    spread = [measure(x.var(axis=1, ddof=1)) for x in (apart, trials.folds)]
    means = [measure(x.mean(axis=1) ** 2) for x in (apart, trials.folds)]
    single = {name: _reject_single(each.folds) for name, (_, each) in by_task.items()}
    usual = {name: _reject_mean(each.folds) for name, (_, each) in by_task.items()}
    variances = {name: _replicate_variances(each.halves) for name, (_, each) in by_task.items()}
    zero = {name: measure(v[:, 0] == 0) for name, v in variances.items()}
    fewer = [measure((v[:, 0] == 0) * 1.0 - (v == 0).all(axis=1)) for v in variances.values()]
    noise = {name: [_vary(v[:, 0]), _vary(v.mean(axis=1))] for name, v in variances.items()}
    dependence = {name: _measure_dependence(each) for name, (_, each) in by_task.items()}
    return ItemResult(
        claims=printed.judge(
            variance=judge_positive(
                spread[0] - spread[1],
                f"mean variance of ten differences: {_small(spread[0])} with disjoint training "
                f"sets, {_small(spread[1])} in cross-validation",
            ),
            means=judge_positive(
                means[1] - means[0],
                f"mean square of the mean difference: {_small(means[1])} in cross-validation, "
                f"{_small(means[0])} with disjoint training sets",
            ),
            single=judge_all(
                [
                    part
                    for name in TASKS
                    for part in (
                        judge_positive(ACCEPTABLE - measure(single[name])),
                        judge_positive(measure(usual[name] - single[name])),
                    )
                ],
                "Type I error with one fold and with the mean in the numerator: "
                + ", ".join(f"{n} {measure(single[n])} and {measure(usual[n])}" for n in TASKS),
            ),
            zero=judge_all(
                [
                    *(judge_positive(each) for each in fewer),
                    *(judge_exact(one > 1) for one, _ in noise.values()),
                ],
                "zero in "
                + ", ".join(f"{name} {each}" for name, each in zero.items())
                + " of the trials; its standard deviation over its mean, and that of five: "
                + ", ".join(
                    f"{n} {written(one, 2)} and {written(five, 2)}"
                    for n, (one, five) in noise.items()
                ),
            ),
            halves=judge_all(
                [
                    judge_positive(abs_of(each["folds of 10"]) - abs_of(each["folds of 2"]))
                    for each in dependence.values()
                ],
                _describe(dependence, "folds of 2", "folds of 10"),
            ),
            least=judge_all(
                [
                    judge_positive(abs_of(each[other]) - abs_of(each["variances"]))
                    for each in dependence.values()
                    for other in ("folds of 2", "numerator and variances")
                ],
                _describe(dependence, "variances", "folds of 2", "numerator and variances"),
            ),
        ),
        tables=(_tabulate(dependence),),
        trials=f"{len(trials.folds)} data sets of {ROWS} rows from each task",
    )


def _describe(dependence: dict[str, dict[str, MeasuredNumber]], *names: str) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{task} {each[name]}" for task, each in dependence.items())
        for name in names
    )


def abs_of(number: MeasuredNumber) -> MeasuredNumber:
    """Return the size of a number whatever its sign."""
    return MeasuredNumber(abs(number.value), number.error)


def _small(number: MeasuredNumber) -> str:
    return f"{written(1000 * number.value, 3)} ± {written(1000 * number.error, 3)} (thousandths)"


def _replicate_variances(halves: Floats) -> Floats:
    """Return s² of each replication of 2-fold cross-validation."""
    return np.asarray(((halves - halves.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1))


def _vary(variances: Floats) -> float:
    """Return the standard deviation over the mean."""
    return float(variances.std() / variances.mean()) if variances.any() else 0.0


def _reject_mean(folds: Floats) -> Floats:
    error = folds.std(axis=1, ddof=1) / np.sqrt(FOLDS)
    return _compare_with_t(folds.mean(axis=1), error)


def _reject_single(folds: Floats) -> Floats:
    """Put the first fold in the numerator, and what it varies by in the denominator."""
    return _compare_with_t(folds[:, 0], folds.std(axis=1, ddof=1))


def _compare_with_t(top: Floats, bottom: Floats) -> Floats:
    critical = distributions.t.ppf(1 - LEVEL / 2, FOLDS - 1)
    return (np.abs(top) > critical * bottom).astype(float)


def _measure_dependence(trials: Any) -> dict[str, MeasuredNumber]:
    """Return correlations that the derivation of the 5x2cv test takes to be zero."""
    halves = trials.halves
    variances = _replicate_variances(halves)

    def correlate_halves(x: Floats) -> float:
        return correlate_folds(x.reshape(-1, 2))

    def correlate_numerator(x: Floats, s: Floats) -> float:
        return correlate_tables(x[:, 0, :1] ** 2, s.mean(axis=1, keepdims=True))

    return {
        "folds of 10": jackknife(correlate_folds, trials.folds),
        "folds of 2": jackknife(correlate_halves, halves),
        "variances": jackknife(correlate_folds, variances),
        "numerator and variances": jackknife(correlate_numerator, halves, variances),
    }


def _tabulate(dependence: dict[str, dict[str, MeasuredNumber]]) -> ResultTable:
    names = list(next(iter(dependence.values())))
    head = ("correlation between", *dependence)
    words = {
        "folds of 10": "differences on two folds of 10-fold cross-validation",
        "folds of 2": "differences on the two folds of one replication",
        "variances": "variances of two replications",
        "numerator and variances": "square of the numerator and mean variance",
    }
    rows = tuple((words[n], *(str(each[n]) for each in dependence.values())) for n in names)
    return ResultTable("What the 5x2cv test assumes to be independent", head, rows)
