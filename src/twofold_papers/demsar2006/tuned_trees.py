"""Demšar (2006), the experiment behind Tables 2 and 6: C4.5 with m and cf tuned for AUC.

Each of five folds is predicted by C4.5 whose m, or cf, or both had the best AUC in a
cross-validation of five folds within its training set. The AUC is that of Orange at the time, of
the second class against all others: so data sets with more than two classes have one as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from twofold.dataset import Dataset
from twofold.datasets import find_dataset
from twofold.designs import parse_design
from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.learners import read_learner
from twofold.seeds import rng
from twofold.studies import many_runs
from twofold_papers.item import ItemOptions

Floats = NDArray[np.float64]
# m = 0 allows what m = 1 allows; cf = 0 is not defined for ours, and .001 prunes nearly all.
M = (1, 2, 3, 5, 10, 15, 20, 50)
CF = (0.001, 0.1, 0.25, 0.5)
CANDIDATES = tuple((m, cf) for m in M for cf in CF)
LEARNERS = tuple(f"c45(m={m}, cf={cf})" for m, cf in CANDIDATES)
# Which candidates each of the four compared learners chooses from.
CHOICES: dict[str, list[int]] = {
    "C4.5": [i for i, pair in enumerate(CANDIDATES) if pair == (1, 0.25)],
    "C4.5+m": [i for i, (_, cf) in enumerate(CANDIDATES) if cf == 0.25],
    "C4.5+cf": [i for i, (m, _) in enumerate(CANDIDATES) if m == 1],
    "C4.5+m+cf": list(range(len(CANDIDATES))),
}
# Table 6's names and ours. Rheum is in no public collection.
DATASETS = {
    "adult (sample)": "adult-sample",
    "breast cancer": "breast-cancer",
    "breast cancer wisconsin": "breast-w",
    "cmc": "cmc",
    "ionosphere": "ionosphere",
    "iris": "iris",
    "liver disorders": "liver-disorders",
    "lung cancer": "lung-cancer",
    "lymphography": "lymph",
    "mushroom": "mushroom",
    "primary tumor": "primary-tumor",
    "voting": "vote",
    "wine": "wine",
}
TOYS = ("breast cancer", "iris", "lung cancer", "lymphography", "wine")
SECOND = 1


@dataclass(frozen=True, slots=True)
class TuningJob:
    """All candidates on one data set in one cross-validation."""

    dataset: int
    again: int


@dataclass(eq=False)
class TuningWork:
    """What all jobs share. Sent to each worker once."""

    datasets: Sequence[Dataset]
    seed: int

    def describe(self, job: TuningJob) -> str:
        """Return a job in words, for errors."""
        return f"C4.5 tuned on {self.datasets[job.dataset].name}"

    def do(self, job: TuningJob) -> Arrays:
        """Return the AUC of each of the four learners."""
        dataset = self.datasets[job.dataset]
        random = rng(self.seed, "demsar tuning", dataset.fingerprint, job.again)
        outer = many_runs(parse_design("1x5"), dataset, 1, random)[0]
        inner = many_runs(parse_design("1x5"), dataset, 1, random)[0]
        tested, within = measure_candidates(dataset, outer, inner)
        within = within + 1e-9 * random.random(within.shape)  # equals are drawn from, as in Orange
        chosen = [np.array(own)[within[own].argmax(axis=0)] for own in CHOICES.values()]
        return {"auc": np.array([np.nanmean(tested[best, np.arange(5)]) for best in chosen])}

    def build_part(self, job: TuningJob) -> Part:
        """Return what the AUC is kept under."""
        keys = [read_learner(text).key for text in LEARNERS]
        fingerprint = self.datasets[job.dataset].fingerprint
        key = digest("demsar tuning", 1, fingerprint, keys, job.again, self.seed)
        return Part(key, "reproduction", "demsar2006: C4.5 tuned")


def measure_candidates(
    dataset: Dataset, outer: NDArray[Any], inner: NDArray[Any]
) -> tuple[Floats, Floats]:
    """Return AUC of candidates on each outer fold, and within its training rows, (32, folds) each.

    One run for each outer and inner fold: tested are the rows of either, learnt from the others.
    """
    folds, parts = int(outer.max()) + 1, int(inner.max()) + 1
    pairs = [(f, g) for f in range(folds) for g in range(parts)]
    runs = [outer, *(np.where((outer == f) | (inner == g), 0, -1) for f, g in pairs)]
    positive = dataset.y == SECOND
    tested, within = np.empty((2, len(LEARNERS), folds))
    for index, text in enumerate(LEARNERS):
        estimator: Any = read_learner(text).estimator
        probability = estimator.predict_proba_folds(dataset, np.array(runs, dtype=np.int32))
        probability = probability[..., SECOND]
        for f in range(folds):
            tested[index, f] = compute_auc(probability[0, outer == f], positive[outer == f])
            rows = np.full(dataset.rows, np.nan)
            for run, (fold, part) in enumerate(pairs, 1):
                if fold == f:
                    rows[inner == part] = probability[run, inner == part]
            within[index, f] = compute_auc(rows[outer != f], positive[outer != f])
    return tested, within


def compute_auc(score: Floats, positive: NDArray[np.bool_]) -> float:
    """Return the probability that a positive row scores above a negative one, ties counting half.

    NaN where one of them is missing.
    """
    n = int(positive.sum())
    m = len(positive) - n
    if not n or not m:
        return float("nan")
    return float((rankdata(score)[positive].sum() - n * (n + 1) / 2) / (n * m))


def measure_auc(options: ItemOptions) -> tuple[tuple[str, ...], Floats]:
    """Return Table 6's names of the data sets, and AUC (cross-validations, data sets, learners)."""
    names = options.pick(toy=TOYS, quick=tuple(DATASETS), full=tuple(DATASETS))
    again = options.pick(toy=2, quick=3, full=8)
    datasets = [find_dataset(DATASETS[name], options.data) for name in names]
    jobs = [TuningJob(index, number) for number in range(again) for index in range(len(names))]
    work = TuningWork(datasets, options.seed)
    arrays = compute_arrays(work, {job: work.build_part(job) for job in jobs}, **options.engine)
    values = np.array([each["auc"] for each in arrays.values()])
    return names, values.reshape(again, len(names), len(CHOICES))
