"""Findings come back from their JSON as they were, and files that hold others are refused."""

import json
from pathlib import Path

import pytest

from twofold import InputError
from twofold.execution import list_answers, open_store, read_answer
from twofold.learners.majority import Majority
from twofold.report import study_json
from twofold.studies import (
    calibrate,
    keep_findings,
    read_findings,
    study,
    study_data,
    study_table,
)
from twofold.studies.findings_json import parse_findings

SCORES = Path(__file__).parents[2] / "docs" / "tutorial" / "scores.csv"
SMALL = {"store": ":memory:", "workers": 0}
STUDIES = {
    "source": lambda: study(
        "task1", rows=40, datasets=4, repetitions=3, tests="cv-t,use-all-data", **SMALL
    ),
    "data": lambda: study_data(
        "iris", {"a": Majority(), "b": Majority()}, repetitions=2, design="2x2",
        tests="corrected-cv-t", **SMALL,
    ),
    "table": lambda: study_table(SCORES, draws=20, **SMALL),
    "calibration": lambda: calibrate("task1", rows=40, datasets=20, tests="use-all-data", **SMALL),
}  # fmt: skip


@pytest.fixture(scope="module", params=STUDIES)
def findings(request):
    return STUDIES[request.param]()


def test_findings_come_back_as_they_were(findings, tmp_path):
    file = tmp_path / "found.json"
    file.write_text(study_json(findings), "utf-8")
    assert read_findings(file) == findings


def test_the_store_keeps_the_same_findings_once(findings):
    with open_store(":memory:") as store:
        key = keep_findings(store, findings, "twofold study")
        assert keep_findings(store, findings, "twofold study") == key
        (kept,) = list_answers(store)
        assert (kept.key, kept.kind) == (key, "findings")
        texts = read_answer(store, key)
    assert texts["command"] == "twofold study"
    assert parse_findings(texts["answer"]) == findings


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"rows": []}', "[" * 100_000, '{"verdict": "A is better"}']
)
def test_what_is_no_file_of_findings_is_refused(text):
    with pytest.raises(InputError, match="no file of findings"):
        parse_findings(text)


def test_damaged_findings_are_refused_with_what_is_wrong():
    found = STUDIES["source"]().to_dict()
    for change, words in (
        ({"learners": ["A"]}, "no list of that length"),
        ({"rows": [{}]}, "'source' is missing"),
        ({"confidence": "high"}, "'confidence' is 'high'"),
        ({"rows": [found["rows"][0] | {"rejected": {"value": 0.1, "low": 0, "high": True}}]},
         "'high' is 'True'"),
        ({"notes": [{"code": "x", "title": "t", "detail": "d", "severity": "loud"}]}, "loud"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            parse_findings(json.dumps(found | change))


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_findings(tmp_path / "none.json")
