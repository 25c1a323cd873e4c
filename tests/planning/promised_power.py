"""Experiments whose truth is known, decided by the tests themselves: what was promised, came true?

`python tests/planning/promised_power.py` prints the table of docs/how-to/plan.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import mannwhitneyu

import twofold
from twofold import stats
from twofold.seeds import rng

RUNS = 20_000
CHUNK = 500


class Promise(NamedTuple):
    """A plan, and how to draw decisions of experiments as it describes them."""

    name: str
    plan: dict[str, Any]
    draw: Callable[[Any, int, twofold.Plan], Any]
    """From a stream, a number of experiments and the plan to decisions: 1 right, −1 wrong."""


def _decide(estimate: Any, pvalue: Any, alpha: float) -> Any:
    return np.sign(np.asarray(estimate)) * (np.asarray(pvalue) <= alpha)


def draw_right_wrong(stream: Any, runs: int, plan: Any) -> Any:
    share, n = plan.assumptions[0].value, plan.n
    ahead = (share + plan.difference) / 2
    counts = stream.multinomial(n, [ahead, share - ahead, 1 - share], size=runs)
    result = stats.mcnemar(counts[:, 1], counts[:, 0], n, method="midp", confidence=None)
    return _decide(result.estimate, result.pvalue, plan.level)


def draw_grades(stream: Any, runs: int, plan: Any) -> Any:
    x = stream.normal(plan.difference, plan.assumptions[0].value, (runs, plan.n))
    result = stats.sign_flip(x, confidence=None)
    return _decide(result.estimate, result.pvalue, plan.level)


def draw_clusters(stream: Any, runs: int, plan: Any) -> Any:
    sd, size, icc = (each.value for each in plan.assumptions)
    size = int(size)
    count = plan.n // size
    shared = stream.normal(0, sd * icc**0.5, (runs, count, 1))
    x = shared + stream.normal(plan.difference, sd * (1 - icc) ** 0.5, (runs, count, size))
    clusters = np.repeat(np.arange(count), size)
    flat = x.reshape(runs, -1)
    result = stats.sign_flip(flat, clusters=clusters, confidence=None)
    return _decide(result.estimate, result.pvalue, plan.level)


def draw_data_sets(stream: Any, runs: int, plan: Any) -> Any:
    x = stream.normal(plan.difference, plan.assumptions[0].value, (runs, plan.n))
    result = stats.wilcoxon(x, confidence=None)
    return _decide(x.mean(axis=1), result.pvalue, plan.level)


def draw_table(stream: Any, runs: int, plan: Any) -> Any:
    """Draw tables in which the first learner is apart; decide about it and the second."""
    sd = plan.assumptions[0].value / 2**0.5
    x = stream.normal(0, sd, (runs, plan.n, plan.learners)) + stream.normal(0, 1, (runs, plan.n, 1))
    x[..., 0] += plan.difference
    if plan.test == "nemenyi":
        result = stats.nemenyi(stats.ranks(x), are_ranks=True, confidence=None)
        return _decide(-result.estimate[:, 0], result.pvalue[:, 0], plan.alpha)
    gaps = x[..., 0] - x[..., 1]
    result = stats.wilcoxon(gaps, confidence=None)
    return _decide(gaps.mean(axis=1), result.pvalue, plan.level)


def draw_runs(stream: Any, runs: int, plan: Any) -> Any:
    folds, (sd, between) = 10, (assumed.value for assumed in plan.assumptions)
    shared = stream.normal(plan.difference, sd * (1 / (folds - 1)) ** 0.5, (runs, 1, 1))
    within = stream.normal(0, sd, (runs, plan.n, folds))
    within -= within.mean(axis=2, keepdims=True) * (1 - between**0.5)
    result = stats.two_level_cv_t(shared + within, confidence=None)
    return _decide(result.estimate, result.pvalue, plan.level)


def draw_seeds(stream: Any, runs: int, plan: Any) -> Any:
    from scipy.special import ndtri

    gap = 2**0.5 * ndtri(plan.probability)
    x, y = stream.normal(gap, 1, (runs, plan.n)), stream.normal(0, 1, (runs, plan.n))
    p = mannwhitneyu(x, y, axis=1, alternative="greater", method="asymptotic").pvalue
    return (p <= plan.level).astype(float)


PROMISES = [
    Promise("items right or wrong", {"difference": 0.05, "discordant": 0.2}, draw_right_wrong),
    Promise("items right or wrong, few", {"difference": 0.15, "discordant": 0.3}, draw_right_wrong),
    Promise(
        "items right or wrong, 4 learners",
        {"difference": 0.05, "discordant": 0.2, "learners": 4},
        draw_right_wrong,
    ),
    Promise("items with grades", {"difference": 0.1, "sd": 0.3}, draw_grades),
    Promise("items with grades, few", {"difference": 0.3, "sd": 0.3}, draw_grades),
    Promise(
        "items in clusters",
        {"difference": 0.1, "sd": 0.5, "cluster_size": 5, "icc": 0.2},
        draw_clusters,
    ),
    Promise(
        "items in few clusters",
        {"difference": 0.2, "sd": 0.5, "cluster_size": 10, "icc": 0.3},
        draw_clusters,
    ),
    Promise(
        "items in eight clusters",
        {"difference": 0.4, "sd": 0.5, "cluster_size": 10, "icc": 0.5, "n": 80},
        draw_clusters,
    ),
    Promise("data sets, effect 0.3", {"difference": 0.006, "sd": 0.02}, draw_data_sets),
    Promise("data sets, effect 0.5", {"difference": 0.01, "sd": 0.02}, draw_data_sets),
    Promise("data sets, effect 0.8", {"difference": 0.016, "sd": 0.02}, draw_data_sets),
    Promise("data sets, effect 1.5", {"difference": 0.03, "sd": 0.02}, draw_data_sets),
    Promise("data sets, 20 given", {"difference": 0.01, "sd": 0.02, "n": 20}, draw_data_sets),
    Promise("data sets, 4 learners", {"difference": 0.02, "sd": 0.02, "learners": 4}, draw_table),
    Promise(
        "data sets, 4 learners, Nemenyi",
        {"difference": 0.02, "sd": 0.02, "learners": 4, "adjust": "nemenyi"},
        draw_table,
    ),
    Promise("data sets, 10 learners", {"difference": 0.02, "sd": 0.02, "learners": 10}, draw_table),
    Promise(
        "data sets, 6 learners, replicability .9",
        {"difference": 0.02, "sd": 0.02, "learners": 6, "replicability": 0.9},
        draw_table,
    ),
    Promise(
        "data sets, control of 6 learners",
        {"difference": 0.02, "sd": 0.02, "learners": 6, "control": "first"},
        draw_table,
    ),
    Promise("runs of ten folds", {"difference": 1.0, "sd": 1.0, "n": 10}, draw_runs),
    Promise("runs of ten folds, three", {"difference": 1.0, "sd": 1.0, "n": 3}, draw_runs),
    Promise("seeds", {"probability": 0.75}, draw_seeds),
    Promise("seeds, power .8", {"probability": 0.7, "power": 0.8}, draw_seeds),
]
SITUATIONS = {"items": "items", "data": "datasets", "runs": "runs", "seeds": "seeds"}


class Kept(NamedTuple):
    """What was promised, and what came true."""

    plan: twofold.Plan
    power: float
    agreement: float


def keep(promise: Promise, runs: int = RUNS) -> Kept:
    """Plan, draw experiments as planned, and count how often the difference is found."""
    situation = SITUATIONS[promise.name.split()[0].rstrip(",")]
    plan = twofold.plan(situation, **promise.plan)
    stream = rng(1, "promised power", promise.name)
    parts = [promise.draw(stream, min(CHUNK, runs - i), plan) for i in range(0, runs, CHUNK)]
    verdicts = np.concatenate(parts)
    shares = [(verdicts == verdict).mean() for verdict in (-1, 0, 1)]
    return Kept(plan, float(shares[2]), float(sum(share**2 for share in shares)))


def main() -> None:
    """Print the table."""
    print("| situation | n | power: promised | came true | replicability: promised | came true |")
    print("|---|---:|---:|---:|---:|---:|")
    for promise in PROMISES:
        plan, power, agreement = keep(promise)
        reach = 1.96 * (power * (1 - power) / RUNS) ** 0.5
        # Of runs the prediction is about the same data, which these draws are not.
        again = "" if promise.name.startswith("runs") else f"{agreement:.3f}"
        print(
            f"| {promise.name} | {plan.n} | {plan.power:.3f} | {power:.3f} ± {reach:.3f} "
            f"| {plan.replicability:.3f} | {again} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
