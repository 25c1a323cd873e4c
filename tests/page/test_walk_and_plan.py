"""The walk to the right test, and plans: both are what the library itself says."""

import re
from html import unescape

import pytest
from page_visitors import HOST, SCORES
from test_pages import strip_tags

import twofold
from twofold.comparison.question_tree import TREE, QuestionLeaf, list_leaves


def list_paths(node=TREE, path=()):
    if isinstance(node, QuestionLeaf):
        yield (*path, node.data), node
        return
    for child in node.children:
        ahead = path if isinstance(child, QuestionLeaf) else (*path, child.text)
        yield from list_paths(child, ahead)


def find_links(html, path):
    return [unescape(link) for link in re.findall(rf'href="({path}\?[^"]*)"', html)]


def test_every_question_is_reached_by_clicking_and_its_example_answers_it(visitor):
    answered = 0
    for path, leaf in list_paths():
        page = visitor.get("/questions").text
        for text in path:
            links = find_links(page, "/questions")
            wanted = [link for link in links if link.endswith(f"step={_quote(text)}")]
            page = visitor.get(wanted[-1]).text
        assert f"Question {leaf.number}:" in page
        assert f"<code>{leaf.method}</code>" in page
        for link in find_links(page, "/read"):
            assert visitor.get(link).status_code == 200
            answer = visitor.get(link.replace("/read", "/answer")).text
            data = visitor.get(link.replace("/read", "/download") + "&as=json").json()
            assert data["method"] == leaf.method
            assert data["verdict"] in strip_tags(answer)
            answered += 1
        if "/read?" not in page:
            assert re.search(r"<code>twofold compare nb( c45)? --data FILE --design", page)
    assert answered == len(list_leaves()) - 2  # two run learners, which the page does not
    assert visitor.get("/questions?step=nowhere").status_code == 422


def _quote(text):
    from urllib.parse import quote_plus

    return quote_plus(text)


@pytest.mark.parametrize(
    "query",
    [
        "what=items&difference=0.05&discordant=0.2",
        "what=datasets&difference=0.01&sd=0.02&n=20&alpha=0.01",
        "what=seeds&probability=0.75",
    ],
)
def test_a_plan_is_that_of_the_library_and_its_lines_ask_the_same(visitor, query):
    response = visitor.get(f"/plan?{query}")
    assert response.status_code == 200
    call = re.search(r"<code>(twofold\.plan\(.*?\))</code>", unescape(response.text))[1]
    plan = eval(call, {"twofold": twofold})
    assert plan.verdict in strip_tags(response.text)
    situation = query.split("&")[0].removeprefix("what=")
    assert f"twofold plan {situation} --" in response.text


def test_a_plan_takes_its_spread_from_a_pilot(visitor):
    query = visitor.read()
    response = visitor.get(f"/plan?what=datasets&{query}&difference=0.02&metric=AUC")
    assert response.status_code == 200
    assert "--pilot scores.csv --difference 0.02" in strip_tags(response.text)
    assert "95% interval" in strip_tags(response.text)


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("", 200, "How much is enough?"),
        ("what=items", 200, "How much is enough?"),
        ("what=castles", 422, "There is no such plan."),
        ("what=items&difference=0.05", 422, "discordant"),
        ("what=runs&data=/etc/passwd", 422, "There is no option 'data'"),
        ("what=runs&store=/tmp/x", 422, "There is no option 'store'"),
        ("what=items&pilot=/etc/passwd", 422, "There is no option 'pilot'"),
        ("what=datasets&table=gone&difference=1", 410, "not here any more"),
    ],
)
def test_plans_that_cannot_be_made_say_why(visitor, query, status, words):
    response = visitor.get(f"/plan?{query}")
    assert response.status_code == status
    assert words in strip_tags(response.text)


def test_a_pilot_is_dropped_on_the_plan_itself(visitor):
    response = visitor.client.post(
        "/tables?plan=datasets",
        files=[("files", ("pilot.csv", SCORES))],
        headers={"origin": HOST},
    )
    assert response.url.path == "/plan"
    assert dict(response.url.params)["what"] == "datasets"
    assert "pilot.csv" in response.text
    assert response.text.count(" selected>pilot.csv") == 1
    elsewhere = visitor.client.post(
        "/tables?plan=//evil.example",
        files=[("files", ("pilot.csv", SCORES))],
        headers={"origin": HOST},
    )
    assert elsewhere.url.path == "/read"


def test_plans_are_downloaded_as_the_library_writes_them(visitor, tmp_path):
    from twofold.report.plan_files import plan_json

    query = "what=datasets&difference=0.01&sd=0.02"
    answer = twofold.plan("datasets", difference=0.01, sd=0.02, store=":memory:")
    assert visitor.get(f"/plan/file?{query}&as=json").text.strip() == plan_json(answer).strip()
    assert answer.verdict in visitor.get(f"/plan/file?{query}&as=md").text
    assert b"<svg" in visitor.get(f"/plan/file?{query}&as=svg").content
    page = visitor.get(f"/plan?{query}").text
    assert page.count('href="/plan/file?') == 7
    for wrong in ("xlsx", "tex", "../x", ""):
        assert visitor.get(f"/plan/file?{query}&as={wrong}").status_code == 422
    assert visitor.get("/plan/file?what=none&as=json").status_code == 422
