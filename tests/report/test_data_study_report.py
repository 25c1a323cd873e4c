"""Pages, sentences and pictures of studies on data sets of one's own."""

from dataclasses import replace
from functools import cache

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from test_study_report import Whole

import twofold
from twofold import InputError
from twofold.plots import data_study_chart
from twofold.report.data_study_html import data_findings_html
from twofold.result import Note
from twofold.studies import Estimate
from twofold.studies.data_sentences import describe_rows, summarize_data

LEARNERS = {"nb": GaussianNB(), "one": KNeighborsClassifier(1), "nine": KNeighborsClassifier(9)}


@cache
def findings():
    return twofold.study_data(
        ["iris", "wine"],
        LEARNERS,
        tests=["cv-t@1x4", "corrected-cv-t@2x4"],
        repetitions=3,
        alpha=[0.05, 0.2],
        workers=0,
        store=":memory:",
    )


def with_names(names):
    """The findings with other names of data sets."""
    new = dict(zip(findings().names, names, strict=True))
    rows = tuple(replace(row, dataset=new[row.dataset]) for row in findings().datasets)
    sets = [entry | {"name": new[entry["name"]]} for entry in findings().made["datasets"]]
    return replace(findings(), datasets=rows, made={**findings().made, "datasets": sets})


def test_sentences_say_what_rows_say():
    rows = findings().group_by_pair()[None, 0.05]
    first, second = (
        replace(row, replicability=Estimate(r, r - 0.1, r + 0.05), flipped_cells=flips)
        for row, r, flips in zip(rows, (0.7, 0.9), (0, 2), strict=True)
    )
    first = replace(first, rejected=Estimate(0.3, 0.2, 0.4))
    sentences = describe_rows([first, replace(second, rejected=Estimate(0.0, 0.0, 0.2))])
    # One that never rejects agrees with itself, and is not praised for it.
    assert sentences[0] == (
        "Two repetitions of cv-t 1x4 decide alike with a probability of .700 (.600–.750)."
    )
    assert f"on {first.consistent_cells} of 6 pairs on data sets" in sentences[1]
    assert sentences[2] == "corr-cv-t 2x4 found no difference anywhere, which repeats itself."
    sentences = describe_rows([first, replace(second, rejected=Estimate(0.1, 0.0, 0.2))])
    assert sentences[0] == (
        "Two repetitions of corr-cv-t 2x4 decide alike with a probability of .900 (.800–.950); of "
        "cv-t 1x4, .700 (.600–.750)."
    )
    assert sentences[2] == "Both learners won, in different repetitions: corr-cv-t 2x4 (2)."
    assert sentences[3].startswith("Single repetitions of corr-cv-t 2x4 predicted an agreement of ")
    for low, high, says in (
        (-0.2, 0.1, "cannot be told from it (predicted − true: −0.200 to +0.100)."),
        (-0.2, -0.1, "is too low (predicted − true: −0.200 to −0.100)."),
        (0.1, 0.2, "is too high (predicted − true: +0.100 to +0.200)."),
    ):
        row = replace(second, prediction_error=Estimate((low + high) / 2, low, high))
        assert describe_rows([first, row])[-1].endswith(says)
    (sentence,) = describe_rows([replace(first, rejected=Estimate(0.0, 0.0, 0.2))])
    assert sentence.startswith("The test found no difference in any repetition")


def test_the_answer_comes_first():
    summary = summarize_data(findings())
    assert summary.startswith("At α = 0.05: ")
    assert summary in data_findings_html(findings())
    assert summary in " ".join(str(findings()).split("\n\n")[1].split())


def test_the_page_is_whole_and_escapes_names():
    found = with_names(["<b>&' $x$", "名前" * 20])
    found = replace(found, notes=(Note("few-data-sets", "A <title>", "`x` & <y>"),))
    page = data_findings_html(found)
    reader = Whole()
    reader.feed(page)
    assert not reader.open
    assert "<b>&'" not in page
    assert "&lt;b&gt;" in page
    assert page.count("<svg") == 2
    assert "http://" not in page.replace("http://www.w3.org", "")
    # Every pair and level has its table, and every pair its data sets.
    assert page.count("<caption>") == 2 * (1 + 3) + 3
    assert found._repr_html_().count("<svg") == 2


def test_a_page_does_not_grow_with_hundreds_of_pairs(monkeypatch):
    monkeypatch.setattr("twofold.report.data_study_html.MOST_PAIRS", 2)
    page = data_findings_html(findings())
    assert page.count("<caption>") == 2  # all pairs, at two levels
    assert "3 pairs: each of them is in JSON and CSV." in page


def test_text_has_80_columns_whatever_names_are():
    for names in (["x" * 120, "y" * 90], ["名前" * 30, "b"]):
        for line in str(with_names(names)).splitlines():
            assert sum(2 if ord(letter) > 0x2E80 else 1 for letter in line) <= 80


def test_pictures_show_what_was_found():
    chart = data_study_chart(findings())
    assert [panel.title for panel in chart.panels][:3] == [
        "All 3 pairs, α = 0.05",
        "All 3 pairs, α = 0.2",
        "nb (A) against one (B), α = 0.05",
    ]
    assert chart.columns == 2  # levels side by side, a line for each pair
    assert chart.panels[0].spots[0].value == findings().find("cv-t", alpha=0.05).replicability.value
    squares = data_study_chart(findings(), "rejections")
    assert squares.rows == ("iris", "wine")
    for row in findings().datasets:
        if row.alpha == 0.05 and row.test == "cv-t":
            panel = squares.panels[findings().pairs.index((row.a, row.b))]
            cell = panel.cells[squares.rows.index(row.dataset)][0]
            assert abs(cell.shade) == row.rejections / 3
            assert (cell.shade > 0) == (row.for_a >= row.for_b and row.rejections > 0)


def test_a_picture_that_does_not_fit_is_refused(tmp_path):
    with pytest.raises(InputError, match="no picture 'qq' of a study of data"):
        findings().plot(kind="qq")
    for suffix in ("svg", "png", "pdf"):
        file = tmp_path / f"a.{suffix}"
        findings().plot(file, kind="rejections")
        before = file.read_bytes()
        findings().plot(file, kind="rejections")
        assert file.read_bytes() == before
