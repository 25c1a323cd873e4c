"""Which test? The page and the figure name what `compare` takes, tried for every leaf of both."""

import json
import re
import shlex
import sys
from html import unescape
from pathlib import Path

import pytest

import twofold
from twofold.cli import main
from twofold.comparison import defaults
from twofold.comparison.question_tree import list_leaves
from twofold.comparison.situation_tree import SITUATIONS, SituationLeaf, list_situations
from twofold.stats import catalog, entry

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))
import which_test  # noqa: E402
import which_test_figure  # noqa: E402
from situation_tables import make_table  # noqa: E402

PAGE = which_test.FILE.read_text("utf-8")
FIGURE = which_test.FILE.with_suffix(".svg").read_text("utf-8")
SITUATION = [
    pytest.param(leaf, " ".join(path), id="-".join(path).replace(" ", "_"))
    for path, leaf in list_situations()
]
CASES = [
    pytest.param(leaf, count, id=f"{leaf.table}-{leaf.method}-{count}")
    for _, leaf in list_situations()
    for count in leaf.counts
]
LEAF_OF_PAGE = re.compile(
    r"^\*\*(?P<title>.*)\*\* \(\[`(?P<name>[\w-]+)`\].*\nNull hypothesis: (?P<null>.*)\n"
    r"(?:.*\n)*?```console\n\$ (?P<command>.*)\n```\n\n"
    r"```python\n>>> (?P<call>.*)\n(?P<said>.*)\n```",
    re.M,
)


def test_page_and_figure_are_current():
    """`python docs/which_test.py` writes them."""
    assert which_test.write_page() == PAGE
    assert which_test_figure.draw_svg() == FIGURE


def test_every_default_has_a_leaf_or_has_to_be_asked_for():
    """A new default needs a leaf."""
    names = {test.name for test in catalog()}
    named = set()
    for key, value in vars(defaults).items():
        if key.isupper() and key not in ("STUDIED", "ACROSS_METRICS"):
            values = value.values() if isinstance(value, dict) else value
            named |= {*values} if isinstance(value, dict | tuple) else {value}
    leaves = {test for _, leaf in list_situations() for test in (leaf.method, leaf.first)}
    requested = {
        defaults.CHOSEN_DF, defaults.HALF_SAMPLES, defaults.ONE_DATA_SET_BAYESIAN,
        defaults.ANYTIME_DATA_SETS, defaults.ANYTIME_RIGHT_OR_WRONG, defaults.ANYTIME_ITEMS,
        defaults.MEANS_AT_MARGIN, defaults.TWO_LEARNERS_BAYESIAN, defaults.ALL_FOLDS_BAYESIAN,
        defaults.OMNIBUS_OF_MEANS, defaults.EXACT_ACCURACY, defaults.BOOTSTRAP,
    }  # fmt: skip
    beside = {
        defaults.TWO_LEARNERS_SECOND, defaults.OMNIBUS[1], defaults.RANK_SETS, defaults.ADJUSTMENT,
        defaults.CRITICAL_DIFFERENCE["control"], defaults.MEAN_RANKS,
    }  # fmt: skip
    assert (named & names) - requested - beside == leaves - {""}


def test_the_nine_questions_have_the_same_tests():
    found = {}
    for _, leaf in list_situations():
        for number in leaf.questions:
            found.setdefault(number, set()).add(leaf.method)
    for leaf in list_leaves():
        assert leaf.method in found[leaf.number]


def test_all_leaves_of_the_page_are_those_of_the_tree():
    shown = [match.groupdict() for match in LEAF_OF_PAGE.finditer(PAGE)]
    leaves = [leaf for _, leaf in list_situations()]
    assert [each["name"] for each in shown] == [leaf.method for leaf in leaves]
    assert [each["title"] for each in shown] == [entry(leaf.method).title for leaf in leaves]
    assert len(re.findall(r"<details ", PAGE)) == len(re.findall(r"</details>", PAGE))
    names = re.findall(r'<details class="choice" name="([^"]+)" id="([^"]+)">', PAGE)
    assert len({name for _, name in names}) == len(names) > len(leaves)


@pytest.mark.parametrize(("leaf", "path"), SITUATION)
def test_the_figure_has_the_test_its_null_and_the_command(leaf, path):
    texts = [unescape(text) for text in re.findall(r"<text [^>]*>(.*?)</text>", FIGURE)]
    command = texts.index(f"$ {which_test.ask(leaf)}")
    box = texts[command - 3 : command + 1]
    assert box[0].endswith(entry(leaf.method).title)
    assert box[1].split(";")[0] == leaf.method
    assert box[2] == f"H0: {which_test.say_null(leaf)}"


def test_nothing_of_the_figure_leaves_its_box():
    """By the widths of matplotlib's own type, which is a wide one."""
    fonts = pytest.importorskip("matplotlib.font_manager")
    text_path = pytest.importorskip("matplotlib.textpath")
    x, width = which_test_figure.COLUMNS[2]
    for mark in which_test_figure.draw_marks():
        if not isinstance(mark, which_test_figure.Text):
            continue
        family = "DejaVu Sans Mono" if mark.mono else "DejaVu Sans"
        prop = fonts.FontProperties(family=family, weight="bold" if mark.bold else "normal")
        shown = mark.text.replace("$", r"\$")
        long = text_path.TextPath((0, 0), shown, size=mark.size, prop=prop).get_extents().width
        long *= which_test_figure.POINT
        start = mark.x - long if mark.right else mark.x
        assert start > 0
        assert start + long <= which_test_figure.WIDTH - which_test_figure.MARGIN, mark.text
    assert x + width <= which_test_figure.WIDTH - which_test_figure.MARGIN


@pytest.mark.parametrize(("leaf", "count"), CASES)
def test_compare_takes_the_test_that_is_named(leaf, count, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command, call = which_test.ask(leaf), which_test.ask(leaf, python=True)
    if leaf.learners:
        for library in ("sklearn", "numba"):
            pytest.importorskip(library)
        if count == 3:
            command = command.replace("c45", "c45 nn")
            call = call.replace('"c45"', '"c45", "nn"')
    else:
        (tmp_path / leaf.table).write_text(
            make_table(leaf.table, 3 if "only" in leaf.options else count)
        )
    answer = eval(call, {"twofold": twofold})
    assert answer.method == which_test.decide(leaf, count)
    assert [test.method for test in answer.omnibus][-1:] == (
        [leaf.first] if count > 2 and leaf.first else []
    )
    assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
    in_shell = json.loads(capsys.readouterr().out)
    assert in_shell["method"] == answer.method
    assert in_shell["verdict"] == answer.verdict
    if count == leaf.counts[0]:
        (shown,) = [m for m in LEAF_OF_PAGE.finditer(PAGE) if m["command"] == command]
        assert shown["call"] == f"{call}.method"
        assert eval(shown["said"]) == answer.method


def test_few_clusters_are_few_items(tmp_path):
    """The leaf says so, and its table has few items."""
    (tmp_path / "few.csv").write_text(make_table("few clusters", 2))
    answer = twofold.compare(tmp_path / "few.csv", cluster="passage")
    assert answer.method == defaults.FLIPS


@pytest.mark.parametrize("most", [defaults.LEAST_ITEMS - 1, defaults.LEAST_ITEMS])
def test_few_is_what_the_leaf_says(most, tmp_path):
    rows = make_table("items.csv", 2).splitlines()[: most + 1]
    (tmp_path / "items.csv").write_text("\n".join(rows))
    few = most < defaults.LEAST_ITEMS
    taken = twofold.compare(tmp_path / "items.csv", items=True).method
    assert taken == (defaults.FLIPS if few else defaults.RIGHT_OR_WRONG)


def test_questions_are_asked_where_there_is_a_choice():
    def check(node):
        if isinstance(node, SituationLeaf):
            return
        assert node.question.endswith("?")
        assert len({child.answer for child in node.children}) == len(node.children) > 1
        for child in node.children:
            check(child)

    check(SITUATIONS)
