"""The JSON of every kind of answer is what the schema and the page about it promise."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from answers import MAKERS, answer, crowd
from referencing import Registry, Resource

from twofold import compare

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SCHEMA = json.loads((REFERENCE / "comparison.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def check_schema(c):
    plain = json.loads(json.dumps(c.to_dict(), allow_nan=False))
    VALIDATOR.validate(plain)
    return plain


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", MAKERS)
def test_answers_fit(name):
    check_schema(answer(name))


def test_unusual_answers_fit():
    check_schema(crowd(10))
    check_schema(compare({"a": [0.5, 0.5, 0.5], "b": [0.5, 0.5, 0.5]}, rows="datasets"))
    check_schema(
        compare(
            {"a": [1, 2, 3.0], "b": [0, 1, 2.0]},
            control="a",
            alternative="greater",
            rows="datasets",
        )
    )
    flat = [
        {"learner": n, "run": 0, "fold": f, "value": v}
        for n, v in (("a", 1.0), ("b", 0.5))
        for f in range(5)
    ]
    plain = check_schema(compare(flat))
    assert plain["pairs"][0]["statistic"] is None  # infinite


def test_answers_by_several_metrics_fit():
    schema = json.loads((REFERENCE / "comparisons.schema.json").read_text("utf-8"))
    resources = [("comparison.schema.json", Resource.from_contents(SCHEMA))]
    registry = Registry().with_resources(resources)
    validator = jsonschema.Draft202012Validator(schema, registry=registry)
    rows = [
        {"dataset": d, "learner": learner, "metric": metric, "value": value + d / 100}
        for metric in ("accuracy", "logloss")
        for learner, value in (("A", 0.5), ("B", 0.6))
        for d in range(6)
    ]
    rows.append({"dataset": 0, "learner": "A", "metric": "f1", "value": 0.5})
    for across in (None, "holm"):
        answers = compare(rows, metric="all", across_metrics=across)
        plain = json.loads(json.dumps(answers.to_dict(), allow_nan=False))
        validator.validate(plain)
        page = (REFERENCE / "comparison.md").read_text("utf-8")
        assert all(f"`{key}`" in page for key in plain)
        plain["answers"]["accuracy"].pop("verdict")
        assert not validator.is_valid(plain)


def test_undocumented_keys_fail():
    plain = check_schema(answer("many, mean ranks"))
    for spoil in (
        lambda x: x.update(more=1),
        lambda x: x["pairs"][0].update(more=1),
        lambda x: x["pairs"][0]["details"].update(more=1),
        lambda x: x["pairs"][0]["replicability"].update(more=1),
        lambda x: x["notes"][0].update(more=1),
        lambda x: x["critical_difference"].update(more=1),
        lambda x: x.pop("verdict"),
    ):
        copy = json.loads(json.dumps(plain))
        spoil(copy)
        assert not VALIDATOR.is_valid(copy)


def test_the_page_names_every_key():
    page = (REFERENCE / "comparison.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)`", page))
    keys = set(SCHEMA["properties"])
    for part in SCHEMA["$defs"].values():
        keys |= set(part["properties"])
    keys |= set(SCHEMA["$defs"]["pair"]["properties"]["details"]["properties"])
    assert keys <= named
