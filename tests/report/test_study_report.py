"""Reports of studies and calibrations: true sentences, a whole page, JSON as it is documented."""

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

import twofold
from twofold import InputError
from twofold.cli import main
from twofold.report import calibration_html, findings_html, save_study_report, study_json
from twofold.report.save_study import summarize_answer, view_answer
from twofold.report.study_sentences import (
    describe_calibration,
    describe_point,
    list_erring,
    summarize,
)
from twofold.studies import Estimate

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SMALL = {"rows": 100, "datasets": 20, "repetitions": 3, "store": ":memory:"}
TESTS = ["cv-t@1x5", "corrected-cv-t@3x5", "mcnemar"]
VOID = {"meta", "br", "input", "img", "link", "path", "use", "rect", "circle"}


@cache
def findings():
    return twofold.study("task1:q=0.25", tests=TESTS, alpha=[0.05, 0.01], **SMALL)


@cache
def calibration():
    options = {"rows": 40, "datasets": 40, "design": "2x3", "workers": 0, "store": ":memory:"}
    return twofold.calibrate(learners=["majority", "knn(n_neighbors=3)"], **options)


def with_rates(rates, *, null=True, fits=(2, 20, 200), again=(0.9, 0.95, 0.99)):
    """The findings with rates of our choosing, each ± .01."""
    rows = []
    for row, rate, cost, r in zip(findings().rows[:3], rates, fits, again, strict=True):
        near, same = Estimate(rate, rate - 0.01, rate + 0.01), Estimate(r, r - 0.01, r + 0.005)
        rows.append(replace(row, rejected=near, null=null, fits=cost, replicability=same))
    return rows


def test_who_keeps_the_level():
    rows = with_rates([0.05, 0.3, 0.02])
    keeps, over, under, again, cheap, _ = describe_point(rows)
    assert keeps.startswith("At α = .05 cv-t 1x5 keeps the level")
    assert over.startswith("corr-cv-t 3x5 (.300) finds a difference that is not there more often")
    assert under.startswith("mcnemar 1/3 (.020) errs less often")
    # The one that errs too often would be the most replicable and is not offered.
    assert "mcnemar 1/3 agrees with itself most often" in again
    assert cheap == "cv-t 1x5 is the cheapest of them, with 2 fits."
    assert list_erring(rows) == {("corrected-cv-t@3x5", 0.05)}


def test_power_counts_where_the_level_is_kept():
    null = with_rates([0.05, 0.3, 0.02])
    rows = with_rates([0.6, 0.9, 0.58], null=False, fits=(100, 20, 2))
    sentences = describe_point(rows, list_erring(null))
    assert "of those that do not err too often cv-t 1x5 finds one most often: .600" in sentences[0]
    assert sentences[1].startswith("With 2 fits instead of 100, mcnemar 1/3 comes close: .580")
    assert "corr-cv-t 3x5 finds one most often" in describe_point(rows)[0]


def test_nothing_found():
    (only,) = describe_point(with_rates([0.0, 0.0, 0.0], null=False))
    assert only == "None of these tests finds a difference on any data set."


def test_headline():
    wild = replace(findings(), rows=tuple(with_rates([0.05, 0.3, 0.02])))
    assert summarize(wild).startswith("At α = .05 corr-cv-t 3x5 (.300) finds a difference")
    calm = replace(findings(), rows=tuple(with_rates([0.05, 0.05, 0.02])))
    assert summarize(calm).startswith("None of 3 tests errs more often than α = .05 allows")
    power = tuple(replace(row, source="other") for row in with_rates([0.6, 0.9, 0.5], null=False))
    both = summarize(replace(wild, rows=(*wild.rows, *power)))
    # The most powerful one errs too often, and is not praised.
    assert "cv-t 1x5 finds one most often: .600" in both


class Whole(HTMLParser):
    """Checks that elements are closed in order, and that nothing is loaded from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            assert not (name in ("src", "href") and "//" in (value or "")), value
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("kind", ["findings", "calibration"])
def test_the_page_is_whole(kind):
    text = findings_html(findings()) if kind == "findings" else calibration_html(calibration())
    page = Whole()
    page.feed(text)
    assert not page.open
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert "How this was made" in page.text
    assert f"twofold {twofold.__version__}" in page.text
    assert "<svg" in text
    assert "nan" not in page.text.lower().replace("finance", "")


def test_the_table_has_every_row():
    text = findings_html(findings())
    for row in findings().rows:
        assert f">{row.rejected.value:.3f}".replace(">0.", ">.") in text
    assert text.count("<tr>") == len(findings().rows) + 2  # and a head for each level
    assert findings()._repr_html_().startswith('<div class="twofold">')
    assert calibration()._repr_html_().startswith('<div class="twofold">')


def test_sentences_on_a_calibration():
    sentences = " ".join(describe_calibration(calibration()))
    entry = calibration().find("use-all-data", 2, 3, 0.05)
    if entry.df is None:
        assert re.search(r"use-all-data.* err too often there", sentences)
    else:
        assert f"use-all-data with {entry.df:g}" in sentences


def schema(name):
    return json.loads((REFERENCE / name).read_text("utf-8"))


@pytest.mark.parametrize("kind", ["findings", "calibration"])
def test_json_is_as_documented(kind):
    answer = findings() if kind == "findings" else calibration()
    text = study_json(answer)
    plain = json.loads(text)
    assert plain == json.loads(json.dumps(answer.to_dict()))
    checker = jsonschema.Draft202012Validator(schema(f"{kind}.schema.json"))
    checker.validate(plain)
    for spoil in (
        lambda x: x.update(more=1),
        lambda x: x.pop("made"),
        lambda x: next(iter(x.get("rows") or x["entries"])).update(more=1),
        lambda x: next(iter(x.get("rows") or x["entries"])).pop("alpha"),
    ):
        copy = json.loads(text)
        spoil(copy)
        assert not checker.is_valid(copy)


@pytest.mark.parametrize("name", ["findings", "calibration"])
def test_the_page_names_every_key(name):
    page = (REFERENCE / "findings.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)`", page))
    rules = schema(f"{name}.schema.json")
    keys = set(rules["properties"])
    for part in rules["$defs"].values():
        keys |= set(part["properties"])
    assert keys <= named


def test_lists_of_numbers_take_one_line():
    text = study_json(findings())
    assert re.search(r'"x": \[0\.001, 0\.002, .*\]\n?,?', text)
    assert max(map(len, text.splitlines())) < 1000


def test_what_stands_on_top_of_the_page_is_what_lists_say():
    for answer in (findings(), calibration()):
        assert summarize_answer(answer) in view_answer(answer)["verdict"]


def test_saving(tmp_path):
    for suffix in (".html", ".json", ".csv", ".txt"):
        save_study_report(findings(), tmp_path / f"found{suffix}")
        assert (tmp_path / f"found{suffix}").stat().st_size > 500
    with pytest.raises(InputError, match="what kind of report"):
        save_study_report(findings(), tmp_path / "found.pdf")


def test_on_the_command_line(tmp_path, capsys):
    words = ["study", "--source", "task1:q=0.25", "--rows", "100", "--datasets", "20"]
    words += ["--repetitions", "2", "--tests", *TESTS, "--store", ":memory:"]
    files = [tmp_path / "page.html", tmp_path / "picture.svg"]
    more = ["--report", str(files[0]), "--plot", str(files[1]), "--picture", "qq"]
    assert main([*words, *more]) == 0
    assert files[0].read_text("utf-8").startswith("<!doctype html>")
    assert "Distribution of p values" in files[1].read_text("utf-8")
    capsys.readouterr()
    for wrong in (["--picture", "qq"], ["--plot", "x.tex"], ["--report", "x.pdf"]):
        # Refused at once, before any work.
        assert main([*words[:-1], str(tmp_path / "kept"), *wrong]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 2
    assert not (tmp_path / "kept").exists()


def test_a_calibration_on_the_command_line(tmp_path, capsys):
    words = ["calibrate", "--learners", "majority,knn(n_neighbors=3)", "--rows", "30"]
    words += ["--datasets", "20", "--design", "2x3", "--workers", "0", "--store", ":memory:"]
    files = [tmp_path / "page.html", tmp_path / "picture.png", tmp_path / "own.json"]
    more = ["--report", str(files[0]), "--plot", str(files[1]), "-o", str(files[2])]
    assert main([*words, *more]) == 0
    assert all(file.stat().st_size > 500 for file in files)
