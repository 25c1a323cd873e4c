"""Pictures of studies and calibrations: what they show, when they fit, the same bytes each time."""

from dataclasses import replace
from functools import cache

import pytest

import twofold
from twofold import InputError
from twofold.plots import calibration_chart, chart_svg, study_chart, study_pictures
from twofold.plots.study_axis import find_axis
from twofold.plots.study_facts import MOST_LINES, split_evenly
from twofold.studies import Calibrated, Calibration, Estimate

SMALL = {"rows": 100, "datasets": 20, "repetitions": 3, "store": ":memory:"}
TESTS = ["cv-t@1x5", "corrected-cv-t@3x5", "mcnemar"]


@cache
def null():
    return twofold.study("task1:q=0.25", tests=TESTS, **SMALL)


@cache
def grid(**more):
    return twofold.study(["task1:q=0.25", "task1:q=0.3"], tests=TESTS, **SMALL)


def entry(test, df, rejections, **more):
    share = Estimate(0.04, 0.02, 0.07)
    facts = {"design": "10x10", "runs": 10, "folds": 10, "alpha": 0.05, "exact": df, "low": 2.0}
    facts |= {"high": 9.0, "at_most": False, "type_one": share, "textbook": 99.0}
    facts |= {"type_one_textbook": share, "datasets": 100, **more}
    return Calibrated(test=test, df=df, rejections=rejections, **facts)


def calibration(*entries):
    made = {"learners": ["a", "b"], "datasets": 100, "rows": 50, "source": "coins"}
    return Calibration(entries, made)


def test_rates_are_sorted_beside_the_level():
    (panel,) = study_chart(null(), "rates").panels
    values = [spot.value for spot in panel.spots]
    assert values == sorted(values, reverse=True)
    assert panel.level == 0.05
    assert panel.x_label == "Type I error"
    row = null().find("mcnemar")
    spot = next(one for one in panel.spots if one.name.startswith("mcnemar"))
    assert (spot.value, spot.low, spot.high) == (
        row.rejected.value,
        row.rejected.low,
        row.rejected.high,
    )


def test_tones_tell_who_errs_too_often():
    found = twofold.study("task1:q=0.25", tests=["resampled-t", "corrected-resampled-t"], **SMALL)
    (panel,) = study_chart(found, "rates").panels
    assert {spot.name.split()[0]: spot.tone for spot in panel.spots}["resampled-t"] == "high"
    # It errs half the time, and does not squeeze the other into a corner.
    assert panel.x_range[1] == pytest.approx(0.2)


def test_what_varies_decides_the_axis():
    assert find_axis(null()) is None
    assert study_pictures(null())[0] == "rates"
    assert find_axis(grid()).words == "q of the source"
    assert study_pictures(grid())[0] == "power"
    panels = study_chart(grid(), None).panels
    assert [line.x for line in panels[0].series] == [(0.25, 0.3)] * 3
    row = grid().find("mcnemar", source="task1:q=0.3")
    assert panels[0].series[2].y[1] == row.rejected.value
    sizes = twofold.study("task1:q=0.25", tests=TESTS, **{**SMALL, "rows": [50, 100]})
    assert find_axis(sizes).name == "rows"
    runs = ["corrected-cv-t@1x5", "corrected-cv-t@3x5", "cv-t@1x5"]
    by_runs = twofold.study("task1:q=0.25", tests=runs, **SMALL)
    assert find_axis(by_runs).name == "runs"
    assert study_chart(by_runs).panels[0].series[0].x == (1.0, 3.0)


def test_sources_of_other_kinds_stand_by_their_difference():
    pair, sources = ["majority", "nb"], ["binary:p=0.5", "epsilon:0.3"]
    found = twofold.study(sources, pair, tests=TESTS[:1], workers=0, **SMALL)
    axis = find_axis(found)
    assert axis.name == "difference"
    shown = [axis.of(row) for row in found.rows]
    assert sum(shown) >= 0  # the learner that is ahead is named first
    assert abs(shown[0]) == abs(found.rows[0].difference.value)


def test_each_level_has_its_panel():
    found = twofold.study("task1:q=0.25", tests=TESTS, alpha=[0.05, 0.01], **SMALL)
    assert [one.title for one in study_chart(found, "rates").panels] == ["α = 0.05", "α = 0.01"]
    (only,) = study_chart(found, "qq").panels
    assert only.diagonal


def test_df_curves_mark_the_choice():
    found = calibration(entry("use-all-data", 3.0, (1, 4, 9)), entry("mean-runs", None, (8, 9, 9)))
    (panel,) = calibration_chart(found).panels
    first, second = panel.series
    assert first.x == (2.0, 3.0, 4.0)
    assert first.y == (0.01, 0.04, 0.09)
    assert first.mark == (3.0, 0.04)
    assert second.mark is None
    assert panel.level == 0.05
    runs = [entry("use-all-data", 3.0, (1, 2), runs=r, design=f"{r}x10") for r in (1, 5)]
    (panel,) = calibration_chart(calibration(*runs)).panels
    assert [line.name for line in panel.series] == ["1 run: 3", "5 runs: 3"]
    with pytest.raises(InputError, match="Calibrate anew"):
        calibration_chart(calibration(entry("mean-runs", 3.0, ())))


@pytest.mark.parametrize("kind", ["rates", "power", "replicability", "qq", "predicted"])
def test_the_same_bytes_again(kind, tmp_path):
    found = null() if kind != "predicted" else _many()
    first = chart_svg(study_chart(found, kind))
    assert first == chart_svg(study_chart(found, kind))
    assert first.startswith("<svg")
    target = tmp_path / "picture.png"
    assert found.plot(target, kind=kind) == target
    assert target.read_bytes()[:4] == b"\x89PNG"


@cache
def _many():
    options = {**SMALL, "datasets": 60}
    return twofold.study("task1:q=0.28", tests=["corrected-cv-t@3x5"], **options)


def test_predictions_are_shown_where_data_sets_are_many_enough():
    curve = _many().rows[0].came_true
    (panel,) = study_chart(_many(), "predicted").panels
    kept = [place for place, count in enumerate(curve.datasets) if count >= 10]
    assert panel.series[0].x == tuple(curve.x[place] for place in kept)


def test_odd_names_are_no_formulas(tmp_path):
    odd = replace(null(), learners=(r"a$\frac$", "<b>&\tb"))
    for kind in ("rates", "qq"):
        text = odd.plot(tmp_path / "odd.svg", kind=kind).read_text("utf-8")
        assert "$\\frac$" in text  # in the description of the picture


def test_groups_of_lines_are_even():
    assert [len(part) for part in split_evenly(list(range(21)), 5)] == [4, 4, 5, 4, 4]
    assert [len(part) for part in split_evenly(list(range(MOST_LINES)))] == [MOST_LINES]


def test_refusals():
    with pytest.raises(InputError, match="no picture 'pie'"):
        null().plot(kind="pie")
    assert [one.title for one in study_chart(grid(), "qq").panels] == [""]  # of q = .25 alone
    with pytest.raises(InputError, match="needs data on which neither"):
        twofold.study("task1:q=0.3", tests=TESTS[:1], **SMALL).plot(kind="qq")
    once = twofold.study("task1:q=0.25", tests=TESTS[:1], **{**SMALL, "repetitions": 1})
    with pytest.raises(InputError, match="lack what is drawn"):
        once.plot(kind="predicted")
    sources = [f"task1:q={0.25 + 0.001 * i:.3f}" for i in range(14)]
    many = twofold.study(sources, tests=TESTS[:1], **SMALL)
    with pytest.raises(InputError, match="too many"):
        many.plot(kind="rates")
    with pytest.raises(InputError, match="suffix"):
        null().plot("picture.tex")
