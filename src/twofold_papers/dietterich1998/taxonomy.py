"""Dietterich (1998), figure 1: a taxonomy of nine questions, and how well the answers work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold import stats
from twofold.designs import parse_design
from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.learners import read_learner
from twofold.plots import TreeFacts, TreeNode
from twofold.rounding import written
from twofold.seeds import rng
from twofold.simulation import CurvedSource
from twofold.studies import many_runs
from twofold_papers.claim_verdicts import judge_all
from twofold_papers.dietterich1998.damage import predict_tree
from twofold_papers.dietterich1998.fold_dependence import correlate_tables, jackknife
from twofold_papers.dietterich1998.learning_tasks import ROWS, Floats, exp6
from twofold_papers.figure import Figure
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.measured import judge_near, judge_positive, measure
from twofold_papers.printed import PrintedItem

SETS = 5
"""Disjoint training sets for question 5."""
AT_ONCE = 20  # trials of a job
COVERAGE = 0.95


def build_tree(branches: list[list[str]], boxed: str) -> TreeNode:
    """Return a tree from the paths to its leaves: what each branch says, and the leaf's text.

    A path is question, answer, question, answer, …, leaf.
    """
    counter = iter(range(len(branches) ** 2 * 10))

    def grow(paths: list[list[str]], level: int, answer: str) -> TreeNode:
        number = next(counter)
        text = paths[0][0]
        if len(paths[0]) == 1:
            best = 0 if text.startswith(boxed) else -1
            return TreeNode(number, level, answer, text, best, 1.0)
        answers = dict.fromkeys(path[1] for path in paths)
        children = tuple(
            grow([path[2:] for path in paths if path[1] == each], level + 1, each)
            for each in answers
        )
        return TreeNode(number, level, answer, text, children=children)

    return grow(branches, 0, "")


@dataclass(eq=False)
class AnswerWork:
    """Answers questions 1, 2, 5 and 6 about C4.5 on EXP6; a job is a stretch of trials."""

    seed: int

    def describe(self, job: tuple[int, int]) -> str:
        """Return a job in words, for errors."""
        return f"trials {job[0] + 1} to {job[1]}"

    def do(self, job: tuple[int, int]) -> Arrays:
        """Return for each trial what is true and what the answers say."""
        return {"answers": np.array([self._run_trial(number) for number in range(*job)])}

    def _run_trial(self, number: int) -> list[float]:
        task, source = exp6(), CurvedSource()
        random = rng(self.seed, "nine questions", number)
        grid, truth = source.grid()
        training = [_draw(source, random) for _ in range(SETS)]
        X, y = training[0]
        test, labels = _draw(source, random)
        right = [predict_tree(task, *each, test, (ROWS,))[0] == labels for each in training]
        accuracy = float((predict_tree(task, X, y, grid, (ROWS,))[0] == truth).mean())
        binomial: Any = stats.clopper_pearson(int(right[0].sum()), ROWS)
        crossed: Any = stats.learner_accuracy(np.array(right, dtype=float))
        mean, interval = crossed
        dataset = task.build_dataset(X, y)
        folds = many_runs(parse_design("1x10"), dataset, 1, random, stratify=True)
        estimator: Any = read_learner("c45").estimator
        validated = float((estimator.predict_folds(dataset, folds)[0] == y).mean())
        covered = binomial.low <= accuracy <= binomial.high
        return [accuracy, validated, mean, interval.low, interval.high, float(covered)]


def _draw(source: CurvedSource, random: np.random.Generator) -> tuple[Floats, Any]:
    X, y = source.draw_many(1, ROWS, random)
    return X[0], y[0].astype(np.intp)


def figure1(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The tree of questions, and four of the answers tried on C4.5."""
    trials = options.pick(toy=4, quick=60, full=1000)
    answers = _run(trials, options)
    accuracy, validated, mean, low, high, covered = answers.T
    expected = float(accuracy.mean())
    binomial, crossed = measure(covered), measure((low <= expected) & (expected <= high))
    bias = measure(validated - accuracy)
    follows = jackknife(correlate_tables, validated[:, None], accuracy[:, None])
    errors = measure(np.abs(validated - accuracy))
    root = build_tree(printed["branches"], printed["boxed"])
    facts = TreeFacts(root, ("subject of the paper",), printed.captions["tree"])
    table = ResultTable(
        "The nine questions, and the answer of twofold to each",
        ("question", "answer"),
        tuple((leaf.text, printed["answers"][leaf.text.partition(".")[0]]) for leaf in root.ends()),
    )
    return ItemResult(
        claims=printed.judge(
            interval=judge_near(
                binomial, COVERAGE, 0.03, f"the interval holds the accuracy in {binomial}"
            ),
            validation=judge_near(
                bias, 0.0, 0.02, f"its mean is {bias} from the accuracy, {errors} on one data set"
            ),
            classifier=judge_positive(
                0.05 - errors,
                f"{errors} off, for a mean accuracy of {written(expected, 3)}; over data sets the "
                f"estimate does not follow the accuracy of the classifier: correlation {follows}",
            ),
            disjoint=judge_all(
                [
                    judge_near(measure(mean - accuracy), 0.0, 0.02),
                    judge_near(crossed, COVERAGE, 0.03),
                ],
                f"mean {measure(mean)}, accuracy {measure(accuracy)}; the interval holds it in "
                f"{crossed}",
            ),
        ),
        figures=(Figure("tree", facts.caption, tree=facts),),
        tables=(table,),
        trials=f"{trials} data sets of {ROWS} rows from the stand-in for EXP6, C4.5",
    )


def _run(trials: int, options: ItemOptions) -> Floats:
    learner = read_learner("c45").key
    jobs = {}
    for first in range(0, trials, AT_ONCE):
        job = (first, min(first + AT_ONCE, trials))
        key = digest("nine questions", 1, job, options.seed, learner)
        jobs[job] = Part(key, "reproduction", "dietterich1998: nine questions")
    stretches = compute_arrays(AnswerWork(options.seed), jobs, **options.engine).values()
    return np.concatenate([each["answers"] for each in stretches])
