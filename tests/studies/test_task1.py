"""Learners that ignore their training rows: counts are drawn, and no row is."""

import json

import numpy as np
import pytest
from scipy import stats
from study_fakes import Cut

from twofold import InputError, read_source
from twofold.cli import main
from twofold.designs import parse_design
from twofold.simulation.task1 import Task1
from twofold.stats import mcnemar_worst_case
from twofold.studies import study
from twofold.studies.study_blocks import Block, Point, StudyContext

QUIET = {"store": ":memory:", "workers": 0, "progress": False}


class SaysOne(Cut):
    """Learner A of Task I."""

    def predict(self, X):
        return np.ones(len(X), dtype=int)


class SaysX(Cut):
    """Learner B of Task I."""

    def predict(self, X):
        return np.asarray(X)[:, 0].astype(int)


def test_drawn_counts_and_real_rows_tell_the_same():
    task = Task1.with_difference(0.08)
    options = {
        "rows": 100,
        "datasets": 250,
        "repetitions": 4,
        "tests": "cv-t@1x10,mcnemar,proportions,5x2cv-f,corrected-cv-t@3x10",
    }
    drawn = study(task, **options, **QUIET)
    learners = {"A": SaysOne(), "B": SaysX()}
    real = study(task, learners, **options, stratify=False, seed=5, **QUIET)
    for one, other in zip(drawn.rows, real.rows, strict=True):
        for name, rate in one.rates().items():
            half = (rate.half_width, other.rates()[name].half_width)
            assert abs(rate.value - other.rates()[name].value) < 1.6 * np.hypot(*half), name
        assert one.for_b.value > one.for_a.value
        assert one.null is False
        assert other.null is None
    assert drawn.notes[0].code == "plain-splits"


def test_mcnemar_replicates_as_theory_says_whatever_the_size():
    # Bouckaert (2005), appendix: at power one half, two repetitions agree with ½ + arcsin(t)/π.
    for rows, seed in ((20_000, 1), (200_000, 2)):
        # Half of the test rows tell the learners apart; power ½ where the mean of z is 1.96.
        tested = rows * 0.1
        task = Task1.with_difference(float(stats.norm.ppf(0.975) * np.sqrt(tested / 2) / tested))
        found = study(
            task, rows=rows, datasets=600, seed=seed, tests="mcnemar@holdout:0.1", **QUIET
        ).rows[0]
        assert 0.44 < found.rejected.value < 0.54
        # The power is not quite one half, which the formula is for.
        assert found.agreement.low - 0.01 < mcnemar_worst_case(0.1) < found.agreement.high + 0.01


def test_a_longer_study_begins_with_the_shorter(tmp_path):
    options = {"rows": 1000, "tests": "cv-t@1x5", "repetitions": 2}
    one = study(Task1(), datasets=30, **options, **QUIET)
    grown = study(Task1(), datasets=30, precision=0.001, max_datasets=300, **options, **QUIET)
    whole = study(Task1(), datasets=300, **options, **{**QUIET, "store": tmp_path / "kept.sqlite"})
    assert grown.rows == whole.rows
    assert one.rows[0].datasets == 30
    assert (
        study(Task1(), datasets=300, **options, **{**QUIET, "store": tmp_path / "kept.sqlite"}).rows
        == whole.rows
    )
    assert one.rows[0].null is True


def test_the_cost_does_not_depend_on_the_rows():
    # Forty shuffles of a million rows on each of twenty data sets would take minutes.
    found = study(Task1(), rows=10**6, datasets=20, repetitions=2, tests="cv-t", **QUIET)
    assert found.rows[0].difference.half_width < 2e-3


def test_sources_without_learners_of_their_own_need_some():
    with pytest.raises(ValueError, match="needs two learners"):
        study("binary:p=0.5", tests="cv-t", **QUIET)


def test_dietterichs_simulated_learners_err_as_he_says():
    """Rates by his section 4: both err ε; just one errs on 2ε − 3ε²/2 of the rows (0.185 − 2β²)."""
    design = parse_design("1x10")
    context = StudyContext([Point(read_source("epsilon:0.1"), 300)], (), [design], 1, 7)
    counts = [context.do([Block(0, first, first + 250, 0)])[0] for first in range(0, 1000, 250)]
    total = {name: sum(int(part[name].sum()) for part in counts) for name in counts[0]}
    assert total["size"] == 300_000
    # Four standard errors of a share of 300,000 rows.
    assert (total["only_a"] + total["both"]) / 300_000 == pytest.approx(0.1, abs=0.0023)
    assert (total["only_b"] + total["both"]) / 300_000 == pytest.approx(0.1, abs=0.0023)
    assert (total["only_a"] + total["only_b"]) / 300_000 == pytest.approx(0.1847, abs=0.0029)


def test_dietterichs_simulated_learners_are_studied(capsys):
    options = ["--rows", "100", "--datasets", "250", "--repetitions", "2", "--store", ":memory:"]
    code = main(["study", "--source", "epsilon:0.1", *options, "--tests", "cv-t", "mcnemar",
                 "--format", "json"])  # fmt: skip
    out = capsys.readouterr().out
    assert code == 0
    assert {row["test"] for row in json.loads(out)["rows"]} == {"cv-t", "mcnemar"}
    with pytest.raises(InputError, match="needs two learners"):
        study("binary:p=0.5", **QUIET)
