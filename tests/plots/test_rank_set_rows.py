"""The picture of ranks that learners may have shows what the answer says."""

import re

import pytest

pytest.importorskip("matplotlib")

from situations import folds, many

from twofold import InputError
from twofold.plots.fitting_pictures import pictures_for
from twofold.plots.rank_set_facts import rank_set_facts
from twofold.plots.rank_set_rows import arrange_rank_sets


def measure(text, size, bold):
    return 0.5 * size * len(text)


def find(drawing, role):
    return {
        int(shape.role.split()[-1]): shape
        for shape in drawing.shapes
        if re.fullmatch(rf"{role} \d+", shape.role)
    }


@pytest.mark.parametrize(("k", "n"), [(5, 20), (40, 60), (200, 40)])
def test_bars_reach_from_the_lowest_to_the_highest_rank(k, n):
    answer = many(k, n)
    facts = rank_set_facts(answer)
    drawing = arrange_rank_sets(facts, 486, measure)
    bars, places, names = (find(drawing, role) for role in ("set", "place", "name"))
    assert len(bars) == len(places) == len(names) == k
    widest = max(bar.points[1][0] - bar.points[0][0] for bar in bars.values())
    unit = max((row.highest - row.lowest + 1, widest) for row in facts.rows)
    unit = unit[1] / unit[0]
    scores = {score.learner: score for score in answer.learner_scores}
    zero = places[0].centre[0] - facts.rows[0].place * unit
    for i, row in enumerate(facts.rows):
        score = scores[row.learner]
        assert (row.lowest, row.highest) == score.rank_set
        assert (row.place, row.tier) == (score.rank, score.tier)
        (left, y), (right, _) = bars[i].points
        assert left == pytest.approx(zero + (row.lowest - 0.5) * unit, abs=0.01)
        assert right == pytest.approx(zero + (row.highest + 0.5) * unit, abs=0.01)
        assert places[i].centre == pytest.approx((zero + row.place * unit, y), abs=0.01)
        assert 0 < left < right < drawing.width
        assert 0 < y < drawing.height
    heights = [bars[i].points[0][1] for i in range(k)]
    assert heights == sorted(heights, reverse=True)


def test_rows_go_by_tier_and_tiers_are_told_apart_without_colour():
    answer = many(12, 60)
    facts = rank_set_facts(answer)
    tiers = [row.tier for row in facts.rows]
    assert tiers == sorted(tiers)
    assert tiers[-1] >= 3
    drawing = arrange_rank_sets(facts, 486, measure)
    assert set(find(drawing, "tier")) == set(tiers)
    bands = [shape for shape in drawing.shapes if shape.role == "band"]
    assert len(bands) == tiers[-1] // 2


def test_it_fits_where_there_are_sets():
    assert "rank-sets" in pictures_for(many(4))
    assert "rank-sets" in pictures_for(folds(3))
    assert "rank-sets" not in pictures_for(folds(2))
    with pytest.raises(InputError, match="no control"):
        many(4, control="Random forest").plot(kind="rank-sets")


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_it_is_saved(tmp_path, suffix):
    path = many(6, 30, missing=True).plot(
        tmp_path / f"sets.{suffix}", kind="rank-sets", width="one-column", caption=True
    )
    assert path.stat().st_size > 1000
    (caption,) = tmp_path.glob("*.txt")
    assert "pair by pair" in caption.read_text("utf-8")


def test_long_names_leave_room_for_the_axis():
    answer = many(5)
    facts = rank_set_facts(answer, ["Naive Bayes"])
    drawing = arrange_rank_sets(facts, 234, lambda text, size, bold: 3 * size * len(text))
    left = min(bar.points[0][0] for bar in find(drawing, "set").values())
    assert left < 0.62 * 234
