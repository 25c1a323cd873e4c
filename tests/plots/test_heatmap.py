"""Heat maps: as large as their content, every column named, words that can be read."""

import pytest

from twofold.plots.heatmap import arrange_heatmap
from twofold.plots.heatmap_facts import HeatmapFacts
from twofold.plots.shapes import Area, Word
from twofold.plots.style import _find_luminance


def table(learners, datasets):
    """Facts of a table in which the i-th data set prefers learners from the i-th on."""
    names = tuple(f"learner {j}" for j in range(learners))
    rows = tuple(f"data {i}" for i in range(datasets))
    top = max(learners - 1, 1)
    shares = [[(i + j) % learners / top for j in range(learners)] for i in range(datasets)]
    return HeatmapFacts(
        datasets=rows,
        learners=names,
        texts=tuple(tuple(f"{share:.3f}" for share in row) for row in shares),
        shares=tuple(map(tuple, shares)),
        caption="colour: rank",
    )


def arrange(learners, datasets, width):
    facts = table(learners, datasets)
    return arrange_heatmap(facts, width, lambda text, size, bold: 0.6 * size * len(text))


def words(drawing, role):
    return [s for s in drawing.shapes if isinstance(s, Word) and s.role.split()[0] == role]


@pytest.mark.parametrize("width", [234.0, 486.0])
@pytest.mark.parametrize(("learners", "datasets"), [(2, 5), (10, 30), (40, 30), (60, 30)])
def test_every_row_and_column_is_named_once(learners, datasets, width):
    drawing = arrange(learners, datasets, width)
    assert len(words(drawing, "head")) + len(words(drawing, "name")) == learners + datasets
    assert drawing.width <= width + 0.01


def test_columns_too_narrow_for_upright_names_are_named_above_and_below_in_turn():
    drawing = arrange(40, 30, 234.0)
    heads = {int(word.role.split()[1]): word for word in words(drawing, "head")}
    assert len({word.at[1] for n, word in heads.items() if n % 2}) == 1
    assert heads[0].at[1] > heads[1].at[1]
    assert {word.turned for word in heads.values()} == {True}


def test_a_picture_is_no_wider_than_its_content():
    assert arrange(2, 5, 486.0).width < 250


def test_data_sets_without_room_have_no_names_and_learners_numbers():
    drawing = arrange(40, 142, 486.0)
    assert not words(drawing, "head")
    assert len(words(drawing, "name")) == 40
    assert drawing.caption.endswith("columns: 142 data sets")
    drawing = arrange(120, 120, 234.0)
    assert words(drawing, "head")[0].text == "10"
    assert "; 120: learner 119" in drawing.caption


def test_numbers_can_be_read_on_their_cells():
    drawing = arrange(10, 30, 486.0)
    cells = (s for s in drawing.shapes if isinstance(s, Area) and s.role.startswith("cell "))
    fills = {cell.role[5:]: cell.colour for cell in cells}
    values = words(drawing, "value")
    assert len(values) == 300
    for word in values:
        lights = sorted(_find_luminance(c) + 0.05 for c in (word.colour, fills[word.role[6:]]))
        assert lights[1] / lights[0] > 4
