"""Calibrated degrees of freedom against the tests themselves, and against theory."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from study_fakes import Coins, Cut

from twofold import InputError
from twofold.stats import calibration_table, entry, mean_runs
from twofold.stats.calibration_table import calibrated_df, load_shipped_table
from twofold.studies import calibrate
from twofold.studies.calibration import calibrate_counts
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.plan import TAKES_DF, plan_experiments

LEVELS = (0.01, 0.025, 0.05, 0.1)


def made_up(datasets, runs, folds, seed=0, shared=0.5):
    """ErrorCounts whose differences are normal, with a part that all folds of a data set share."""
    rng = np.random.default_rng(seed)
    shape = (datasets, 1, runs, folds)
    x = rng.normal(size=shape) + shared * rng.normal(size=(datasets, 1, 1, 1))
    wins = np.round(x * 1000).astype(np.int32)
    size = np.full(shape, 100_000, dtype=np.int32)
    return ErrorCounts(np.maximum(-wins, 0), np.maximum(wins, 0), np.zeros_like(wins), size)


def calibrated(tests, counts, rows, **options):
    experiments = [one for one in plan_experiments(tests, None) if one.test in TAKES_DF]
    families = {one.design.family: counts for one in experiments}
    return calibrate_counts(experiments, families, LEVELS, rows, **options)


@pytest.mark.parametrize("design", ["4x5", "resample:20:0.2"])
def test_each_df_is_the_largest_at_which_the_test_itself_keeps_its_level(design):
    runs, folds = (4, 5) if design == "4x5" else (20, 1)
    counts = made_up(300, runs, folds)
    names = [one for one in TAKES_DF if (one.find("resampled") < 0) == (design == "4x5")]
    experiments = [f"{one}@{'1x5' if one == 'cv-t' else design}" for one in sorted(names)]
    found = calibrated(experiments, counts, 500_000, most=40)
    assert len({one.test for one in found}) == len(names)
    for one in found:
        kept = counts.differences()[:, 0]
        x = kept[..., 0] if design != "4x5" else kept[:, 0] if one.test == "cv-t" else kept
        options = {"n_train": 4.0, "n_test": 1.0} if one.test.startswith("corrected") else {}
        errors = {
            df: (np.asarray(entry(one.test).load()(x, df=float(df), **options).pvalue) <= one.alpha)
            for df in range(2, 41)
        }
        good = [df for df, rejected in errors.items() if rejected.mean() <= one.alpha + 1e-9]
        assert one.df == (max(good) if good else None), (one.test, one.alpha)
        if one.df is not None:
            assert one.type_one.value == pytest.approx(errors[int(one.df)].mean())
            assert one.at_most == (one.df == 40)
            assert one.df <= one.exact <= max(one.df + 1, 40)
        assert one.low <= one.high


def test_independent_folds_calibrate_at_the_textbook():
    # Ten independent normal values: the t test with 9 degrees of freedom has its level.
    counts = made_up(20_000, 1, 10, seed=3, shared=0.0)
    for one in calibrated("cv-t@1x10,use-all-data@1x10", counts, 1_000_000):
        assert one.textbook == 9
        assert one.low <= 9.05
        assert one.high >= 8.95
        assert one.high - one.low < 2
        assert one.type_one_textbook.low < one.alpha < one.type_one_textbook.high


def test_intervals_of_df_cover():
    # With 10 values the true df is 9; its interval should hold it 19 times of 20.
    hits = 0
    for seed in range(200):
        counts = made_up(200, 1, 10, seed=seed, shared=0.0)
        (one,) = calibrate_counts(
            plan_experiments("cv-t@1x10", None), {"folds:10": counts}, [0.1], 1_000_000
        )
        hits += one.low <= 9 <= one.high
    assert stats.binom.cdf(hits, 200, 0.95) > 0.001


def test_groups_without_spread_and_of_both_signs_have_an_answer():
    # Every fold number has the same difference in each run: warnings are errors here.
    x = np.array([[0.1, -0.1, 0.0], [0.1, -0.1, 0.0]])
    for variance in ("averaged-var", "averaged-t"):
        assert mean_runs(x, variance=variance).pvalue == 1.0
        assert mean_runs(x + 0.2, variance=variance).pvalue == 0.0


def test_a_table_is_saved_and_read(tmp_path, monkeypatch):
    learners = {"A": Cut(0.5), "B": Cut(0.25, 0.75)}
    options = {"store": ":memory:", "workers": 0, "progress": False}
    found = calibrate(Coins(), learners, rows=60, datasets=60, design="3x5", **options)
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "use-all-data 3x5" in text
    assert {one.runs for one in found.entries} == {1, 2, 3}
    assert found.to_csv().count("\n") == len(found.entries) + 1
    file = tmp_path / "table.json"
    found.save(file)
    kept = json.loads(file.read_text("utf-8"))
    assert kept["made"]["rows"] == 60
    table = calibration_table.read_calibration(file)
    monkeypatch.setattr(calibration_table, "load_shipped", lambda: table)
    for one in found.entries:
        assert calibrated_df(one.test, one.runs, one.folds, one.alpha) == one.df
    assert calibrated_df("use-all-data", 3, 5, 0.07) is None
    with pytest.raises(InputError, match="was not calibrated"):
        found.find("use-all-data", 9, 9, 0.05)


def test_the_shipped_table_is_whole_and_says_how_it_was_made():
    table = load_shipped_table()
    assert {"source", "rows", "learners", "datasets", "seed"} <= set(table["made"])
    for one in table["entries"]:
        assert one["test"] in TAKES_DF
        if one["df"] is not None:
            assert one["type_one"]["value"] <= one["alpha"] + 1e-9
    # Bouckaert (2003): use all data about 10, mean folds at most 7, for ten runs of ten folds.
    assert 9 <= calibrated_df("use-all-data", 10, 10, 0.05) <= 11
    assert (calibrated_df("mean-folds", 10, 10, 0.05) or 0) <= 7


def test_the_page_shows_the_shipped_table():
    page = Path(__file__).parents[2] / "docs" / "reference" / "calibration.py"
    found = runpy.run_path(str(page))
    assert found["page"]() == page.with_suffix(".md").read_text("utf-8")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tests": "mcnemar"}, "degrees of freedom to calibrate"),
        ({"rows": [30, 40]}, "One source and one size"),
        ({"datasets": 3}, "`datasets`"),
        ({"most": 2}, "`most`"),
        ({"alpha": 2}, "`alpha`"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(changes, says):
    options = {"store": ":memory:", "workers": 0, "progress": False, "rows": 30, "datasets": 20}
    with pytest.raises(InputError, match=says):
        calibrate(
            Coins(), {"A": Cut(0.5), "B": Cut(0.2)}, **{"design": "2x3", **options, **changes}
        )
