"""Reports and pictures of studies of a table: a whole page, JSON as documented, colour and mark."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

import twofold
from table_examples import QUIET, as_columns, make_table, study_five, study_two
from twofold import InputError
from twofold.plots import table_chart, table_pictures
from twofold.report import save_study_report, study_json, table_findings_html
from twofold.report.save_study import summarize_answer, view_answer

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def schema():
    return json.loads((REFERENCE / "table-study.schema.json").read_text("utf-8"))


CONTROL = {"control": "L1", "tests": ("friedman", "rm-anova", "dunnett", "mean-rank-z")}
FEW = ("friedman", "wilcoxon", "mean-rank-z")


@pytest.mark.parametrize("found", [study_two, study_five, lambda: study_five(**CONTROL)])
def test_json_is_as_documented(found):
    text = study_json(found())
    checker = jsonschema.Draft202012Validator(schema())
    checker.validate(json.loads(text))
    for spoil in (
        lambda x: x.update(more=1),
        lambda x: x.pop("made"),
        lambda x: x["rows"][0].pop("type_one"),
        lambda x: x["best"][0].update(more=1),
    ):
        copy = json.loads(text)
        spoil(copy)
        assert not checker.is_valid(copy)


def test_the_page_names_every_key():
    named = set(re.findall(r"`(\w+)`", (REFERENCE / "table-study.md").read_text("utf-8")))
    rules = schema()
    keys = set(rules["properties"])
    for part in rules["$defs"].values():
        keys |= set(part["properties"])
    assert keys <= named


class Tags(HTMLParser):
    """Tags that are open, and all text."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in {"meta", "br", "input", "img", "link", "path", "use", "rect", "circle"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_holds_everything(tmp_path):
    found = study_five(**CONTROL)
    page = table_findings_html(found)
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    text = " ".join(" ".join(tags.text).split())
    assert found.verdict in text
    assert summarize_answer(found) == view_answer(found)["verdict"] == found.verdict
    for best in found.best:
        assert best.strongest[0] in text
    for note in found.notes:
        assert note.title in text
    assert page.count("<svg") >= len(table_pictures(found))
    assert not re.findall(r"https?://(?!www\.w3\.org/)", page)
    for suffix in (".html", ".json", ".csv", ".txt"):
        save_study_report(found, tmp_path / f"found{suffix}")
        assert (tmp_path / f"found{suffix}").stat().st_size > 500


def test_names_are_escaped():
    columns = as_columns(make_table())
    found = twofold.study_table(
        {"<b>A</b>": columns["L0"], "B&B": columns["L1"]},
        draws=20,
        bias=0,
        **QUIET,
    )
    page = table_findings_html(found)
    assert "<b>A</b>" not in page
    assert "&lt;b&gt;A&lt;/b&gt;" in page
    assert "&lt;b&gt;A" in found._repr_html_()


def test_pictures_fit_what_varies():
    assert table_pictures(study_two()) == ("power", "pvalues", "replicability", "level")
    assert "datasets" in table_pictures(study_two(sizes=(6, 12)))
    assert table_pictures(study_five(subsets=3, bias=0, tests="friedman")) == ("learners", "level")
    with pytest.raises(InputError, match="number of data sets"):
        table_chart(study_two(), "datasets")
    with pytest.raises(InputError, match="no picture 'powr'"):
        table_chart(study_two(), "powr")


def test_lines_are_the_rows():
    found = study_two()
    (panel,) = table_chart(found, "power").panels
    assert panel.level == 0.05
    for line in panel.series:
        label = line.name.split(" = ")[0]
        rows = [row for row in found.rows if row.label == label]
        assert list(line.y) == [row.rejected.value for row in rows]
        assert list(line.low) == [row.rejected.low for row in rows]
    # One line for tests that did the same everywhere.
    assert any(line.name == "wilcoxon = wilcoxon-pratt" for line in panel.series)
    (panel,) = table_chart(found, "level").panels
    assert [spot.name for spot in panel.spots] == list(dict.fromkeys(r.label for r in found.rows))
    by_e, by_p = table_chart(found, "replicability").panels
    assert (by_e.y_label, by_p.y_label) == ("R(e)", "R(p)")


def test_panels_of_one_kind_share_their_scale():
    found = study_two(sizes=(6, 12))
    few, many = table_chart(found, "power").panels
    assert few.y_range == many.y_range
    assert (few.title, many.title) == ("6 data sets", "12 data sets")
    even, biased = table_chart(found, "datasets").panels[:2]
    assert (even.title, biased.title) == ("k = 0", "k = 20")


def test_pictures_are_saved(tmp_path):
    found = study_five(subsets=3, tests=FEW)
    for kind in table_pictures(found):
        found.plot(tmp_path / f"{kind}.svg", kind=kind)
        assert (tmp_path / f"{kind}.svg").stat().st_size > 1000


def test_long_names_of_one_line_are_shortened():
    found = study_five(control="L1", tests=("mean-rank-z", "bonferroni-dunn"))
    names = [line.name for panel in table_chart(found, "power").panels for line in panel.series]
    assert "mean-rank-z, bonferroni (+1)" in names
    assert "did just the same" in table_chart(found, "power").caption
