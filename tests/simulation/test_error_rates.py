"""Two learners by their error rates: closed forms, Task I as a case of them, and their bounds."""

import numpy as np
import pytest

from twofold.errors import InputError
from twofold.seeds import rng
from twofold.simulation import (
    ErrorRates,
    Task1,
    fold_counts,
    read_source,
    resample_counts,
)


def test_four_kinds_of_rows():
    pair = read_source("errors:a=0.10:b=0.12:disagree=0.08")
    assert pair.name == "errors:a=0.1:b=0.12:disagree=0.08"
    assert read_source(pair.name) == pair
    (only_b_right, both_wrong), (only_a_right, both_right) = pair.outcomes
    # Solved by hand: x + w = .10, z + w = .12, x + z = .08.
    assert only_b_right == pytest.approx(0.03)
    assert only_a_right == pytest.approx(0.05)
    assert both_wrong == pytest.approx(0.07)
    assert both_right == pytest.approx(0.85)
    assert pair.difference == pytest.approx(-0.02)
    assert pair.accuracies == pytest.approx((0.9, 0.88))
    assert pair.bayes_accuracy == pytest.approx(0.85 + 0.05)


def test_left_out_errors_are_independent():
    pair = read_source("errors:0.2:0.3")
    assert pair.disagreement == pytest.approx(0.2 * 0.7 + 0.3 * 0.8)
    assert pair.outcomes[0, 1] == pytest.approx(0.06)


def test_drawn_rows_have_these_rates():
    pair, rows = ErrorRates(0.1, 0.25, 0.2), 400_000
    X, y = pair.draw_many(1, rows, rng(1, "pair"))
    a, b = X[0, :, 0] != y[0], X[0, :, 1] != y[0]
    close = 4 * np.sqrt(0.25 / rows)
    assert a.mean() == pytest.approx(0.1, abs=close)
    assert b.mean() == pytest.approx(0.25, abs=close)
    assert (a != b).mean() == pytest.approx(0.2, abs=close)
    assert y.mean() == pytest.approx(0.5, abs=close)
    data = pair.draw(50, rng(2, "pair"))
    assert [attribute.name for attribute in data.attributes] == ["x1", "x2"]


@pytest.mark.parametrize("step", [0, 6, 37, 100])
def test_task_one_is_one_of_them(step):
    task = Task1.from_step(step)
    pair = ErrorRates(0.5, 1 - 2 * task.q, 0.5)
    assert pair.outcomes == pytest.approx(task.outcomes)
    for draw, design in ((fold_counts, (2, 10)), (resample_counts, (3, 0.1))):
        one, other = (draw(each, 1000, *design, 40, rng(5, "same")) for each in (task, pair))
        assert (one.a_only == other.a_only).all()
        assert (one.b_only == other.b_only).all()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("errors", "'errors' needs the error rate `a`"),
        ("errors:a=0.1", "'errors' needs the error rate `b`"),
        ("errors:a=1.2:b=0.1", "`a` must be a number from 0 to 1"),
        ("errors:a=nan:b=0.1", "`a` must be a number from 0 to 1"),
        ("errors:a=0.1:b=x", "`b` must be a number from 0 to 1"),
        ("errors:a=0.1:b=0.12:disagree=0.01", "leave 0.02 to 0.22 of all rows"),
        ("errors:a=0.1:b=0.12:disagree=0.3", "just one errs, not 0.3"),
        ("errors:a=0.9:b=0.8:disagree=0.4", "leave 0.1 to 0.3 of all rows"),
        ("errors:a=0.1:b=0.12:disagree=-0.1", "`disagree` must be a number from 0 to 1"),
        ("errors:a=0.1:b=0.12:differ=0.1", "'errors' has no parameter 'differ'"),
        ("error:a=0.1:b=0.12", "There is no source 'error'"),
    ],
)
def test_what_cannot_be_is_refused(text, rule):
    with pytest.raises(InputError) as refused:
        read_source(text)
    assert rule in refused.value.rule
    assert refused.value.remedy


def test_bounds_themselves_are_fine():
    assert ErrorRates(0.1, 0.3, 0.2).outcomes.min() == pytest.approx(0)
    assert ErrorRates(0.1, 0.3, 0.4).outcomes[0, 1] == pytest.approx(0)
    assert ErrorRates(0.0, 0.0).outcomes[1, 1] == 1
