"""Every number of a Bayesian answer stands beside the words for what it is."""

import re

import numpy as np
import pytest

from twofold import compare, stats
from twofold.plots.bayes_facts import posterior_facts, simplex_facts
from twofold.report import html, latex, markdown

OVER_DATA_SETS = ("bayes-sign", "bayes-signed-rank", "bayes-hierarchical")
KEYS = ("a_better", "equivalent", "b_better")


def folds(n=30, gap=0.011, metric="accuracy"):
    """Ours is ahead by a little on most of many data sets."""
    draw = np.random.default_rng(4)
    rows = []
    for d in range(n):
        own = draw.normal(gap, 0.02)
        for name, mean in (("ours", 0.7 + own), ("theirs", 0.7)):
            noise = draw.normal(0, 0.015, (1, 10))
            sign = 1 if metric == "accuracy" else -1
            rows += [
                {"dataset": f"d{d}", "learner": name, "run": 0, "fold": f,
                 metric: 2 + sign * (mean + noise[0, f])}
                for f in range(10)
            ]  # fmt: skip
    return rows


def result_of(answer, test, rope):
    """The same test, run by itself on the answer's scores."""
    flip = 1 if answer.higher_is_better else -1
    table = flip * answer.scores.means()
    a, b = (table[:, answer.scores.index_of(name)] for name in ("ours", "theirs"))
    if test == "bayes-sign":
        return stats.bayes_sign(a, b, rope=rope)
    return stats.bayes_signed_rank(a, b, rope=rope)


def three(probabilities):
    return [f"{probabilities[key]:.3f}" for key in KEYS]


@pytest.mark.parametrize("metric", ["accuracy", "log loss"])
@pytest.mark.parametrize("test", OVER_DATA_SETS)
def test_next_data_set_and_likeliest_answer_are_told_apart(test, metric):
    answer = compare(folds(metric=metric), test=test, rope=0.005)
    pair, posterior = answer.pairs[0], answer.pairs[0].beside[-1]
    assert (pair.a, pair.b) == ("ours", "theirs")
    coming = posterior["next_data_set"]
    assert posterior["probability_of"] == "likeliest"
    assert sum(coming.values()) == pytest.approx(1)
    # The case that was misread: hardly more than even on a new data set, yet surely the likeliest.
    assert coming["a_better"] < 0.8
    assert posterior["a_better"] > 0.85
    if test != "bayes-hierarchical":
        alone = result_of(answer, test, 0.005)
        assert posterior["a_better"] == pytest.approx(float(alone.posterior.a_better), abs=0.02)
        assert coming["a_better"] == pytest.approx(
            float(alone.details["next_data_set"]["a_better"])
        )
    two = " on a new data set"
    if test == "bayes-signed-rank":
        two = " for the mean of two new data sets"
    for text in (str(answer), html(answer), markdown(answer), latex(answer)):
        flat = " ".join(re.sub(r"<[^>]*>|\\allowbreak\{\}", " ", text).split())
        assert f"likeliest answer{two}" in flat
    flat = " ".join(str(answer).split())
    a, equal, b = three(coming)
    line = f"ours better {a}, practically equal {equal}, theirs better {b}"
    assert f"On a new data set: {line}" in flat
    a, equal, b = three(posterior)
    line = f"ours better {a}, practically equal {equal}, theirs better {b}"
    assert f"Probability of being the likeliest answer{two}: {line}" in flat
    # The number of the one question never stands behind the words of the other.
    assert f"On a new data set: {line}" not in flat
    assert flat.index("On a new data set") < flat.index("likeliest")


def test_pictures_print_both():
    answer = compare(folds(), test="bayes-hierarchical", rope=0.005)
    posterior = answer.pairs[0].beside[-1]
    coming = three(posterior["next_data_set"])
    facts = posterior_facts(answer)
    assert f"on a new data set: ours better {coming[0]}, practically equal {coming[1]}" in (
        facts.caption
    )
    assert f"likeliest answer on a new data set: ours better {posterior['a_better']:.3f}" in (
        facts.caption
    )
    assert "shares of this density, of the mean difference over data sets" in facts.caption
    (triangle,) = simplex_facts(answer).triangles
    assert [f"{p:.3f}" for p in triangle.coming] == coming
    pytest.importorskip("matplotlib")
    texts = [text.get_text() for text in answer.plot(kind="simplex").texts]
    assert set(coming) <= set(texts)
    assert {f" ({p})" for p in three(posterior)} <= set(texts)


def test_on_one_data_set_it_is_the_mean_difference():
    rows = [row for row in folds(1, 0.02) if row["dataset"] == "d0"]
    answer = compare(rows, rope=0.005)
    (posterior,) = answer.pairs[0].beside
    assert posterior["next_data_set"] is None
    assert posterior["probability_of"] == "mean"
    flat = " ".join(str(answer).split())
    assert f"Mean difference on this data set: ours better {posterior['a_better']:.3f}" in flat
    assert "new data set" not in flat
    assert "mean difference on this data set" in posterior_facts(answer).caption


def test_without_a_rope_nothing_is_practically_equal():
    answer = compare(
        {"ours": [0.8, 0.7, 0.9, 0.6], "theirs": [0.7, 0.7, 0.8, 0.5]}, rows="datasets"
    )
    flat = " ".join(str(answer).split())
    assert "On a new data set: ours better 0.667, equal 0.333, theirs better 0.000" in flat


def test_the_next_data_set_by_hand():
    """Three wins, one within the rope, one loss: Dirichlet means with a pseudo data set at zero."""
    gaps = [0.1, 0.2, 0.05, 0.0, -0.3]
    coming = stats.bayes_sign(gaps, rope=0.01).details["next_data_set"]
    assert [coming[key] for key in KEYS] == pytest.approx([3 / 6, 2 / 6, 1 / 6])
    coming = stats.bayes_signed_rank(gaps, rope=0.01).details["next_data_set"]
    assert [coming[key] for key in KEYS] == pytest.approx([3 / 5.5, 1.5 / 5.5, 1 / 5.5])
    # The share of draws of the sign test has these means.
    draws = stats.sign_draws(gaps, rope=0.01).mean(axis=0)
    assert draws == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=0.005)


def test_intervals_have_the_level_that_is_printed():
    wide, narrow = (compare(folds(6), test="bayes-hierarchical", alpha=a) for a in (0.01, 0.3))
    ends = [pair.interval for answer in (wide, narrow) for pair in answer.pairs]
    assert ends[0][0] < ends[1][0] < ends[1][1] < ends[0][1]
    assert "70% interval" in narrow.verdict
