"""Studies: known rates come out, and the same table on any workers and after a kill."""

import csv
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from study_fakes import Coins, Cut, NoisyMajority, SlowCut

from twofold import InputError, TwofoldError
from twofold.execution.store import open_store
from twofold.studies import study
from twofold.studies.decisions import decide
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.plan import plan_experiments, share_splits, study_tests
from twofold.studies.run_study import read_pair
from twofold.studies.study_blocks import Block, Point, StudyContext
from waits import wait_until

CUTS = {"A": Cut(0.5), "B": Cut(0.25)}
# In either class each is right as often as the other, so that strata change nothing.
EVEN = {"A": Cut(0.5), "B": Cut(0.25, 0.75)}
QUIET = {"store": ":memory:", "workers": 0, "progress": False}


def count_blocks(learners, tests, *, rows=60, datasets=8, repetitions=4, source=None):
    experiments = plan_experiments(tests, None)
    context = StudyContext(
        [Point(source or Coins(), rows)],
        read_pair(learners),
        share_splits(experiments),
        repetitions,
        3,
    )
    done = context.do([Block(0, 0, datasets, split) for split in range(len(context.splits))])
    by_family = {
        design.family: ErrorCounts(**counts)
        for design, counts in zip(context.splits, done, strict=True)
    }
    return experiments, by_family, context


def test_mcnemar_rejects_as_often_as_the_binomial_distribution_says():
    # The learners disagree on half of the rows, and there either is right with chance one half.
    found = study(Coins(), EVEN, datasets=1500, repetitions=1, tests="mcnemar-exact", **QUIET)
    m, wins = np.arange(101), np.arange(101)[:, None]
    pvalue = 2 * stats.binom.cdf(np.minimum(wins, m - wins), m, 0.5)
    rejects = np.where(pvalue <= 0.05, stats.binom.pmf(wins, m, 0.5), 0).sum(axis=0)
    truth = (stats.binom.pmf(m, 100, 0.5) * rejects).sum()
    row = found.rows[0]
    assert row.rejected.low < truth < row.rejected.high
    assert row.rejected.half_width < 0.02
    assert row.for_a.value + row.for_b.value == pytest.approx(row.rejected.value)
    assert (row.consistent, row.replicability, row.fits) == (None, None, 2)


def test_independent_differences_have_the_level_of_the_t_test():
    # Learners that learn nothing have independent fold differences, whatever the training rows.
    found = study(Coins(), EVEN, datasets=1200, repetitions=1, tests="cv-t@1x10", rows=400, **QUIET)
    row = found.rows[0]
    assert row.rejected.low < 0.05 < row.rejected.high
    assert row.difference.low < 0 < row.difference.high


def test_a_better_learner_is_found_and_named():
    class Shifted(Coins):
        def draw(self, rows, rng):
            data = super().draw(rows, rng)
            right = (data.X[:, 0] > 0.5).astype(int)
            flip = rng.random(rows) < 0.1
            from dataclasses import replace

            return replace(data, y=np.where(flip, 1 - right, right))

    found = study(
        Shifted(name="shifted"),
        CUTS,
        datasets=20,
        repetitions=3,
        null=False,
        tests="corrected-cv-t,5x2cv-f,mcnemar",
        rows=200,
        **QUIET,
    )
    for row in found.rows:
        # A is right on 90 % of rows, B on 70 %: a quarter of the rows is cut wrongly.
        assert row.difference.low < 0.2 < row.difference.high
        assert row.for_b.value == 0
    assert found.find("corrected-cv-t").for_a.value == 1
    assert "power" in str(found)


def test_every_test_decides_as_it_does_by_itself():
    tests = "cv-t,corrected-cv-t@3x5,resampled-t@resample:6:0.2,mcnemar,proportions"
    tests += ",use-all-data(df=4)@3x5"
    experiments, counted, _ = count_blocks(CUTS, tests, rows=60)
    for experiment in experiments:
        found = decide(experiment, counted[experiment.design.family], 60, experiment.df)
        for d in range(8):
            for r in range(4):
                t = counted[experiment.design.family].part(slice(d, d + 1))
                p = by_hand(experiment, t, r)
                assert found.pvalue[d, r] == pytest.approx(p, abs=1e-12), experiment


def by_hand(experiment, t, r):
    """The p value from scipy and the formulas in the papers."""
    runs, k = experiment.design.runs, experiment.design.parts
    x = t.differences()[0, r, :runs].ravel()
    a, b, both, n = (one[0, r, 0, 0] for one in t.arrays().values())
    m, s, count = x.mean(), x.std(ddof=1) if len(x) > 1 else 0, len(x)
    match experiment.test:
        case "mcnemar":
            return 1.0 if a + b == 0 else stats.chi2.sf(max(abs(a - b) - 1, 0) ** 2 / (a + b), 1)
        case "proportions":
            p = (a + b + 2 * both) / (2 * n)
            return 2 * stats.norm.sf(abs(a - b) / n / np.sqrt(2 * p * (1 - p) / n))
        case "use-all-data":
            t_value, df = m / s * np.sqrt(5), 4
        case "corrected-cv-t":
            t_value, df = m / np.sqrt((1 / count + 1 / (k - 1)) * s**2), count - 1
        case _:
            t_value, df = m / np.sqrt(s**2 / count), count - 1
    return 2 * stats.t.sf(abs(t_value), df)


def test_replicability_by_brute_force():
    learners = {"A": NoisyMajority(0.2), "B": Cut(0.5)}
    found = study(
        Coins(0.6),
        learners,
        rows=40,
        datasets=6,
        repetitions=4,
        seed=3,
        design="2x4",
        tests="corrected-cv-t",
        alpha=[0.1, 0.3],
        **QUIET,
    )
    (experiment,), counted, _ = count_blocks(
        learners, "corrected-cv-t@2x4", rows=40, datasets=6, source=Coins(0.6)
    )
    p = decide(experiment, counted["folds:4"], 40, None).pvalue
    assert [row.alpha for row in found.rows] == [0.1, 0.3]
    for row in found.rows:
        rejects = p <= row.alpha
        agree = [
            np.mean([one[i] == one[j] for i, j in combinations(range(4), 2)]) for one in rejects
        ]
        assert row.replicability.value == pytest.approx(np.mean(agree))
        assert row.consistent.value == pytest.approx(
            np.mean([len(set(one)) == 1 for one in rejects])
        )
        assert row.almost_consistent.value == pytest.approx(
            np.mean([min(one.sum(), 4 - one.sum()) <= 1 for one in rejects])
        )
        assert row.replicability_p.value == pytest.approx(1 - 2 * p.var(axis=1, ddof=1).mean())
        assert row.rejected.value == pytest.approx(rejects.mean())


def test_a_kernel_and_single_fits_count_the_same():
    fast = count_blocks(CUTS, "cv-t,mcnemar,5x2cv-t")[1]
    slow = count_blocks({"A": SlowCut(0.5), "B": SlowCut(0.25)}, "cv-t,mcnemar,5x2cv-t")[1]
    for family in fast:
        for name, array in fast[family].arrays().items():
            assert np.array_equal(array, slow[family].arrays()[name]), (family, name)
    assert (fast["folds:10"].size == 6).all()
    assert (fast["random:1/3"].size == 20).all()
    # Something was counted.
    assert fast["folds:2"].only_a.sum() > 0


def test_one_run_is_the_first_of_ten():
    one = study(Coins(), CUTS, datasets=30, repetitions=2, tests="cv-t,corrected-cv-t", **QUIET)
    alone = study(
        Coins(),
        CUTS,
        datasets=30,
        repetitions=2,
        tests="cv-t@1x10,corrected-cv-t@3x10,mcnemar",
        **QUIET,
    )
    shared = plan_experiments("cv-t,corrected-cv-t", None)
    assert len(share_splits(shared)) == 1
    assert one.find("cv-t").design == "1x10"
    # More kinds of splits beside it change nothing of a kind.
    more = study(
        Coins(), CUTS, datasets=30, repetitions=2, tests="mcnemar,cv-t,corrected-cv-t", **QUIET
    )
    assert more.find("corrected-cv-t") == one.find("corrected-cv-t")
    assert alone.find("mcnemar") == more.find("mcnemar")


def test_workers_and_blocks_do_not_change_the_findings(monkeypatch, tmp_path):
    learners = {"A": NoisyMajority(0.2), "B": SlowCut(0.4)}
    options = {"rows": [30, 40], "datasets": 12, "repetitions": 2, "tests": "cv-t@1x3,mcnemar"}
    one = study(Coins(), learners, **options, **QUIET)
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0)
    monkeypatch.setattr("twofold.studies.study_blocks.RUNS_IN_A_BLOCK", 10)
    two = study(Coins(), learners, **options, **{**QUIET, "workers": 2})
    assert one == two
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())
    kept = study(Coins(), learners, **options, **{**QUIET, "store": tmp_path / "kept.sqlite"})
    assert kept == one
    assert study(Coins(), learners, **options, **{**QUIET, "seed": 1}) != one


def test_kept_blocks_are_used_and_damaged_ones_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr("twofold.studies.study_blocks.RUNS_IN_A_BLOCK", 16)
    options = {"rows": 30, "datasets": 9, "repetitions": 2, "tests": "cv-t@1x3"}
    kept = {**QUIET, "store": tmp_path / "kept.sqlite"}
    first = study(Coins(), CUTS, **options, **kept)
    with open_store(kept["store"]) as store:
        keys = [record.part.key for record in store.arrays.parts()]
    assert len(keys) == 2  # eight data sets, and one
    done = []
    real = StudyContext.do

    def do(self, blocks):
        done.extend(blocks)
        return real(self, blocks)

    monkeypatch.setattr(StudyContext, "do", do)
    assert study(Coins(), CUTS, **options, **kept) == first
    # Another test or level on the same splits, and another name of a learner, need no fit.
    study(
        Coins(),
        {"x": Cut(0.5), "y": Cut(0.25)},
        **{**options, "tests": "corrected-cv-t@1x3"},
        alpha=0.1,
        **kept,
    )
    assert not done
    with sqlite3.connect(kept["store"]) as raw:
        raw.execute(
            "UPDATE twofold_parts SET data = substr(data, 1, length(data) - 9) WHERE id = ?",
            keys[:1],
        )
    raw.close()
    assert study(Coins(), CUTS, **options, **kept) == first
    assert len(done) == 1
    # Another learner, seed or source of the same name is other work.
    study(Coins(), {"A": Cut(0.5), "B": Cut(0.3)}, **options, **kept)
    study(Coins(), CUTS, **options, **kept, seed=1)
    study(Coins(0.9), CUTS, **options, **kept)
    assert len(done) == 7
    # A further kind of split does not redo the first.
    study(Coins(), CUTS, **{**options, "tests": "cv-t@1x3,mcnemar"}, **kept)
    assert all(block.split == 1 for block in done[7:])
    assert len(done) > 7


BLOCKS = {"rows": 30, "datasets": 40, "repetitions": 2, "tests": "cv-t@1x5", "workers": 0}
SCRIPT = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from study_fakes import Coins, Cut
import twofold.studies.study_blocks as blocks
from twofold.studies import study

blocks.RUNS_IN_A_BLOCK = 5
real, done = blocks.StudyContext.do, []
def do(self, block):
    while len(done) == 3:  # until it is killed
        time.sleep(1)
    done.append(block)
    return real(self, block)
blocks.StudyContext.do = do
study(Coins(), {{"A": Cut(0.5), "B": Cut(0.25)}}, **{BLOCKS}, store=sys.argv[1])
"""


def test_a_killed_study_goes_on_and_ends_the_same(tmp_path, monkeypatch):
    file = tmp_path / "kept.sqlite"
    killed = subprocess.Popen([sys.executable, "-c", SCRIPT, str(file)])
    wait_until(lambda: len(saved_parts(file)) >= 2, killed)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    before = saved_parts(file)
    assert 2 <= len(before) <= 3  # of 20 blocks
    monkeypatch.setattr("twofold.studies.study_blocks.RUNS_IN_A_BLOCK", 5)
    resumed = study(Coins(), CUTS, **BLOCKS, store=file)
    fresh = study(Coins(), CUTS, **BLOCKS, store=":memory:")
    assert resumed.to_csv() == fresh.to_csv()
    after = saved_parts(file)
    assert len(after) == 20
    assert before == {key: after[key] for key in before}


def saved_parts(file):
    """Return when each part was saved."""
    if not file.exists():
        return {}
    with open_store(file) as store:
        return {record.part.key: record.saved for record in store.arrays.parts()}


def test_precision_adds_data_sets():
    options = {"rows": 30, "repetitions": 1, "tests": "mcnemar-midp,cv-t@1x3"}
    found = study(Coins(), CUTS, datasets=40, precision=0.03, **options, **QUIET)
    widths = [rate.half_width for row in found.rows for rate in row.rates().values()]
    assert max(widths) <= 0.03
    assert 40 < found.rows[0].datasets < 1000
    assert [note.code for note in found.notes] == ["precise"]
    short = study(Coins(), CUTS, datasets=40, precision=0.03, max_datasets=60, **options, **QUIET)
    assert short.rows[0].datasets == 60
    assert [note.code for note in short.notes] == ["not-precise"]
    # The first data sets are the same: a longer study holds the shorter one.
    assert study(Coins(), CUTS, datasets=60, **options, **QUIET).rows == short.rows


def test_looks_see_findings_on_the_way(monkeypatch):
    monkeypatch.setattr("twofold.studies.study_blocks.RUNS_IN_A_BLOCK", 10)
    clock = iter(range(0, 10_000, 5))
    monkeypatch.setattr("twofold.execution.progress.time.monotonic", lambda: float(next(clock)))
    seen = []
    final = study(
        Coins(),
        CUTS,
        rows=30,
        datasets=12,
        repetitions=2,
        tests="cv-t@1x3",
        look=seen.append,
        **QUIET,
    )
    assert seen
    assert not seen[0].complete
    assert seen[0].rows[0].datasets < 12
    assert final.complete


def test_findings_as_text_csv_and_json():
    found = study(
        Coins(),
        CUTS,
        rows=50,
        datasets=5,
        repetitions=3,
        tests="all",
        alpha=[0.05, 0.01],
        null=True,
        **QUIET,
    )
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "Type I error" in text
    assert "α = 0.01" in text
    lines = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(lines) == len(found.rows) == 2 * len(study_tests())
    for line, row in zip(lines, found.rows, strict=True):
        assert line["test"] == row.test
        assert float(line["rejected_high"]) == row.rejected.high
        assert (line["predicted"] == "") == (row.predicted is None)
    again = json.loads(json.dumps(found.to_dict()))
    assert again["rows"][0]["rejected"]["value"] == found.rows[0].rejected.value
    assert found.find("cv-t", alpha=0.01).test == "cv-t"
    with pytest.raises(InputError, match="2 rows are of 'cv-t'"):
        found.find("cv-t")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"learners": ["nb"]}, "compares two learners"),
        ({"rows": 1}, "`rows` must be a whole number"),
        ({"datasets": 0}, "`datasets`"),
        ({"alpha": 5}, "Did you mean 0.05"),
        ({"alpha": []}, "No level"),
        ({"precision": 2}, "precision"),
        ({"max_datasets": 10}, "goes with `precision`"),
        ({"source": "nowhere"}, "nowhere"),
        ({"source": []}, "needs a source"),
        ({"seed": -1}, "seed"),
        ({"store": __file__}, "damaged, or is not a store"),
        ({"store": Path(__file__).parent}, "is a folder; a store is a file"),
        ({"rows": 5}, "too few for 10 folds"),
    ],
)
def test_what_cannot_be_used_is_refused(changes, says):
    options = {"source": Coins(), "learners": CUTS, "datasets": 2, "repetitions": 1, **QUIET}
    with pytest.raises(InputError, match=says):
        study(**{"tests": "cv-t", **options, **changes})


def test_a_learner_that_fails_is_named():
    class Broken(SlowCut):
        def fit(self, X, y):
            raise RuntimeError("no memory of it")

    with pytest.raises(TwofoldError, match=r"'B' failed .* RuntimeError: no memory of it"):
        study(Coins(), {"A": Cut(), "B": Broken()}, rows=30, datasets=2, tests="cv-t", **QUIET)
