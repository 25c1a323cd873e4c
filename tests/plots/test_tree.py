"""Pictures of C4.5 trees: everything the tree says, in its place, and nothing over anything."""

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from twofold import InputError, plots
from twofold.datasets import read_datasets
from twofold.learners.c45 import C45
from twofold.plots.fonts import measure
from twofold.plots.shapes import Area, Stroke, Word
from twofold.plots.tree_facts import tree_facts
from twofold.plots.tree_picture import arrange_tree

DOCS = Path(__file__).parents[2] / "docs"

# Quinlan's fourteen Saturdays: outlook, humidity and wind decide about playing.
OUTLOOK = (
    "sunny sunny overcast rain rain rain overcast sunny sunny rain sunny overcast overcast rain"
)
HUMIDITY = [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80]
WINDY = [0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1]
PLAY = [0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0]
NAMES = ["outlook", "humidity", "windy"]
VALUES = [("sunny", "overcast", "rain"), None, ("false", "true")]


@pytest.fixture(scope="module")
def weather():
    outlook = [VALUES[0].index(word) for word in OUTLOOK.split()]
    X = np.column_stack([outlook, HUMIDITY, WINDY]).astype(float)
    model = C45(nominal=np.array([True, False, True]), values=np.array([3, 0, 2]))
    return model.fit(X, np.array(PLAY))


def facts_of(model, **options):
    given = {"names": NAMES, "values": VALUES, "classes": ["no", "yes"], **options}
    return tree_facts(model, **given)


def test_the_tree_of_quinlan(weather):
    root = facts_of(weather).root
    # Quinlan (1993), chapter 2: outlook first; humidity at 75 if sunny, windy if it rains.
    assert root.text == "outlook"
    assert [child.question for child in root.children] == ["= sunny", "= overcast", "= rain"]
    sunny, overcast, rain = root.children
    assert (sunny.text, rain.text) == ("humidity", "windy")
    assert [child.question for child in sunny.children] == ["≤ 75", "> 75"]
    assert [child.text for child in sunny.children] == ["yes (2)", "no (3)"]
    assert overcast.text == "yes (4)"
    assert [(child.question, child.text) for child in rain.children] == [
        ("= false", "yes (3)"),
        ("= true", "no (2)"),
    ]


def test_it_says_what_the_text_says(weather):
    said = weather.text(names=NAMES, values=VALUES)
    leaves = re.findall(r": (\S+ \([^)]*\))", said)
    shown = [leaf.text for leaf in facts_of(weather, classes=None).root.ends()]
    assert shown == leaves


def extent(shape):
    if isinstance(shape, Word):
        wide = measure(shape.text, shape.size, shape.bold)
        left = shape.at[0] - (wide / 2 if shape.align == "center" else 0)
        return left, shape.at[1] - 0.2 * shape.size, left + wide, shape.at[1] + 0.75 * shape.size
    xs, ys = zip(*shape.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize("name", ["weather", "breast_cancer"])
def test_nothing_covers_anything(name, weather):
    if name == "weather":
        facts = facts_of(weather)
    else:
        data = read_datasets(name)[0]
        # Unpruned, so that there are many leaves close together.
        model = C45(prune=False, m=1, **C45.parameters_of(data)).fit(data.X, data.y)
        facts = tree_facts(model, data)
    drawing = arrange_tree(facts, measure)
    boxes = [extent(one) for one in drawing.shapes if isinstance(one, Area)]
    words = [one for one in drawing.shapes if isinstance(one, Word)]
    questions = [extent(one) for one in words if one.role.startswith("question")]
    assert len(boxes) == len(questions) + 1 == sum(1 for _ in facts.root.all())
    things = boxes + questions
    for i, (left, bottom, right, top) in enumerate(things):
        assert 0 <= left < right <= drawing.width
        assert 0 <= bottom < top <= drawing.height
        for other in things[i + 1 :]:
            apart = other[0] >= right or other[2] <= left or other[1] >= top or other[3] <= bottom
            assert apart, (things[i], other)
    uprights = [
        extent(one)
        for one in drawing.shapes
        if isinstance(one, Stroke) and one.role.startswith("upright")
    ]
    for x, low, _, high in uprights:
        for left, bottom, right, top in things:
            assert not (left < x < right and bottom < high and top > low)


def test_a_large_tree_can_be_cut(weather):
    facts = facts_of(weather, depth=1)
    assert [node.text for node in facts.root.ends()] == [
        "… 2 leaves (5)",
        "yes (4)",
        "… 2 leaves (5)",
    ]
    assert "first 1 questions" in facts.caption


def test_files_and_figures(weather, tmp_path):
    for suffix, start in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        file = plots.tree(weather, tmp_path / f"t{suffix}", names=NAMES)
        assert file.read_bytes().startswith(start)
    again = plots.tree(weather, tmp_path / "again.svg", names=NAMES)
    assert again.read_bytes() == (tmp_path / "t.svg").read_bytes()
    figure = plots.tree(weather)
    assert {text.get_text() for text in figure.axes[0].texts} >= {"a0", "a1", "a2", "= 0", "≤ 75"}


def test_a_tree_of_one_leaf(tmp_path):
    model = C45().fit(np.zeros((5, 1)), np.array([0, 1, 1, 1, 1]))
    assert plots.tree(model, tmp_path / "t.svg").exists()
    assert tree_facts(model).root.text == "1 (5/1)"


def test_what_cannot_be_drawn(weather, tmp_path):
    from sklearn.tree import DecisionTreeClassifier

    with pytest.raises(InputError, match="not fitted"):
        plots.tree(C45())
    with pytest.raises(InputError, match="not a C4"):
        plots.tree(DecisionTreeClassifier().fit([[0], [1]], [0, 1]))
    with pytest.raises(InputError, match="`names` has 2"):
        plots.tree(weather, names=["a", "b"])
    with pytest.raises(InputError, match="3 attributes"):
        plots.tree(weather, data=read_datasets("iris")[0])
    with pytest.raises(InputError, match="suffix"):
        plots.tree(weather, tmp_path / "t.tex")
    with pytest.raises(InputError, match="depth"):
        plots.tree(weather, depth=0)


def test_too_many_leaves_are_refused():
    rows = np.arange(2100.0)[:, None]
    one_value_each = {"nominal": np.array([True]), "values": np.array([2100])}
    model = C45(prune=False, m=1, **one_value_each).fit(rows, np.arange(2100) % 2)
    with pytest.raises(InputError, match="too large to open"):
        plots.tree(model)


def test_the_picture_of_the_page_is_there():
    text = (DOCS / "reference" / "learners.md").read_text("utf-8")
    assert "](tree.svg)" in text
    assert 1000 < (DOCS / "reference" / "tree.svg").stat().st_size < 150_000


def test_a_tree_in_words_needs_no_model():
    from twofold.plots import TreeFacts, TreeNode, svg_of, tree_figure

    leaves = (TreeNode(1, 1, "one", "first leaf", 0, 1.0), TreeNode(2, 1, "many", "second leaf"))
    facts = TreeFacts(TreeNode(0, 0, "", "domains", children=leaves), ("boxed",), "a caption")
    text = svg_of(tree_figure(facts), "title", facts.caption)
    assert all(word in text for word in ("domains", "one", "many", "first leaf", "second leaf"))
