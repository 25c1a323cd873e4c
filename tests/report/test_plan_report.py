"""Plans as text, JSON, Markdown, page and picture: the same numbers everywhere."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from twofold import InputError, plan
from twofold.plots.plan_picture import chart_plan

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SCORES = {"A": [0.81, 0.72, 0.93, 0.64, 0.85, 0.77], "B": [0.7, 0.75, 0.8, 0.66, 0.7, 0.71]}
PLANS = {
    "items": lambda: plan("items", difference=0.05, discordant=0.2),
    "pilot": lambda: plan("datasets", pilot=SCORES, difference=0.05, rows="datasets"),
    "many": lambda: plan("datasets", difference=0.02, sd=0.02, learners=5),
    "power": lambda: plan("datasets", difference=0.02, sd=0.02, n=12, budget=3000),
    "limit": lambda: plan("runs", difference=1, sd=1, power=0.9),
    "seeds": lambda: plan("seeds", probability=0.75),
    "gap": lambda: plan("seeds", n=20, power=0.8),
}


@pytest.fixture(scope="module", params=PLANS)
def made(request):
    return PLANS[request.param]()


def test_json_is_as_documented(made):
    schema = json.loads((REFERENCE / "plan.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    plain = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    jsonschema.validate(plain, schema, jsonschema.Draft202012Validator)
    page = (REFERENCE / "plan.md").read_text("utf-8")
    documented = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", page, re.M))))
    assert documented == set(plain)


def test_text_fits_the_terminal(made):
    text = str(made)
    assert max(map(len, text.split("\n"))) <= 80
    assert " ".join(made.verdict.split()) in " ".join(text.split())
    assert made.sentence in " ".join(text.split())


def test_page_is_whole_and_says_the_same(made, tmp_path):
    made.save(tmp_path / "plan.html")
    page = (tmp_path / "plan.html").read_text("utf-8")
    parser = HTMLParser()
    parser.feed(page)
    words = re.sub(r"\s+", " ", page)
    assert made.verdict in words
    assert "<svg" in page
    assert page.count('class="n"') >= 3 * len(made.curve)
    assert "<html" not in made._repr_html_()


def test_files_by_suffix(tmp_path):
    made = PLANS["items"]()
    for suffix, part in ((".json", '"n": 626'), (".md", "626 items"), (".txt", "626 items")):
        made.save(tmp_path / f"plan{suffix}")
        assert part in (tmp_path / f"plan{suffix}").read_text("utf-8")
    with pytest.raises(InputError, match="what kind of report"):
        made.save(tmp_path / "plan.docx")


def test_picture_shows_the_curve(made, tmp_path):
    chart = chart_plan(made)
    power, again = chart.panels[0].series
    assert list(power.y) == [point.power for point in made.curve]
    assert list(again.y) == [point.replicability for point in made.curve]
    assert (power.mark is None) == (made.n is None)
    assert made.plot(tmp_path / "plan.svg").read_text("utf-8").startswith("<?xml")
