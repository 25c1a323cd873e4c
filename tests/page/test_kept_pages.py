"""Studies and papers: what a store keeps, as pages that say what the reports say."""

import json
import re

import pytest
from page_visitors import HOST, TOKEN, Visitor, open_client
from test_hostile_tables import MARKUP, list_dangers
from test_pages import strip_tags

from twofold.cli import main
from twofold.execution import keep_answer, open_store
from twofold.report import save_study_report, study_json
from twofold.studies import study

papers = pytest.importorskip("twofold_papers")


@pytest.fixture(scope="module")
def findings():
    return study("task1", rows=40, datasets=4, repetitions=2, tests="cv-t", store=":memory:")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A page over a store in which a study and an item of a paper are kept."""
    store = str(tmp_path_factory.mktemp("kept") / "runs.sqlite")
    line = "study --source task1 --rows 40 --datasets 4 --repetitions 2 --tests cv-t"
    assert main([*line.split(), "--store", store]) == 0
    assert main(["reproduce", "demsar2006", "figure1", "--store", store]) == 0
    with open_store(store) as opened:
        keep_answer(opened, "findings", MARKUP, "damaged", {"answer": "{"})
        keep_answer(opened, "result", "x", "of other rules", {"answer": '{"rules": 0}'})
    with open_client(store=store, count=1) as client:
        client.get(f"/?token={TOKEN}")
        yield Visitor(client)


def test_names_in_a_store_are_text(findings, tmp_path):
    store, name = str(tmp_path / "hostile.sqlite"), MARKUP + "\u202e\x1b" + "x" * 10_000
    hostile = findings.to_dict() | {"learners": [name, MARKUP]}
    hostile["rows"] = [row | {"source": MARKUP, "test": row["test"]} for row in hostile["rows"]]
    with open_store(store) as opened:
        texts = {"answer": json.dumps(hostile), "command": name}
        key = keep_answer(opened, "findings", name, "hostile", texts)
    with open_client(store=store, count=1) as client:
        client.get(f"/?token={TOKEN}")
        for page in ("/studies", f"/studies?kept={key}"):
            response = client.get(page)
            assert response.status_code == 200
            assert list_dangers(response.text) == ["script"]
            assert "\u202e" not in response.text
            assert "\x1b" not in response.text


def list_links(page, what):
    return re.findall(rf'href="(/studies\?{what}=[^"#]*)"', page)


def test_findings_are_listed_with_their_command_and_open_as_their_report(kept, findings, tmp_path):
    listed = kept.get("/studies").text
    (link,) = list_links(listed, "kept")  # what is damaged is left out
    assert "twofold study --source task1 --rows 40" in strip_tags(listed)
    page = kept.get(link).text
    report = tmp_path / "report.html"
    save_study_report(findings, report)
    body, text = strip_tags(report.read_text("utf-8")), strip_tags(page)
    assert body[body.index("How do tests") :].strip() in text
    assert "twofold study --source task1" in text


def test_findings_are_downloaded_as_the_command_writes_them(kept, findings):
    (link,) = list_links(kept.get("/studies").text, "kept")
    key = link.partition("=")[2]
    assert kept.get(f"/kept?kept={key}&as=json").text == study_json(findings) + "\n"
    assert kept.get(f"/kept?kept={key}&as=csv").text.strip() == findings.to_csv().strip()
    for address in (f"/kept?kept={key}&as=xlsx", f"/kept?kept={key}&as=../x", "/kept?as=json"):
        assert kept.get(address).status_code == 422
    assert kept.get(f"/kept?kept={key}&as=svg&picture=none").status_code == 422


def test_papers_show_what_is_kept_and_the_command_for_the_rest(kept):
    listed = kept.get("/studies").text
    assert "1 of 13 items have a result" in listed
    assert len(list_links(listed, "paper")) == len(papers.PAPERS)
    page = kept.get("/studies?paper=demsar2006").text
    text = strip_tags(page)
    assert "What it asks" in text
    assert "twofold reproduce demsar2006 table6" in text
    (link,) = list_links(page, "kept")
    result = kept.get(link).text
    assert "2 of 2 claims hold" in strip_tags(result)
    assert 'src="data:image/svg+xml;base64,' in result
    assert set(list_dangers(result)) == {"img", "img src", "script"}
    assert set(re.findall(r'src="([^"]{0,26})', result)) == {"data:image/svg+xml;base64,"}
    address = re.search(r'href="(/kept\?[^"]*picture=[^"]*)"', result)[1].replace("&amp;", "&")
    assert b"<svg" in kept.get(address).content
    assert kept.get("/studies?paper=none").status_code == 422
    assert kept.get("/studies?kept=none").status_code == 422


def test_words_of_a_result_are_those_of_the_gallery():
    from twofold_papers.paper_page import write_section

    paper = papers.find_paper("demsar2006")
    item = papers.find_item(paper, "table6")
    result = papers.reproduce(paper, item, papers.ItemOptions("toy")).to_dict()
    result["seconds"] = 0.0
    from pathlib import Path

    section = "\n".join(write_section(result, Path()))
    view = papers.view_result(result)
    assert sum(number.agrees for number in view.numbers) == section.count("| agrees |")
    for number in view.numbers:
        assert f"| {number.printed} | {number.ours} | {number.interval} |" in section
    for claim in view.claims:
        assert claim.quote in section.replace("\\|", "|")
    assert view.origin in section
    assert view.command == "twofold reproduce demsar2006 table6 --toy"


def test_a_file_of_findings_that_is_dropped_opens_as_the_same_page(visitor, findings):
    response = visitor.upload(("found.json", study_json(findings).encode()))
    assert response.url.path == "/studies"
    text = strip_tags(response.text)
    assert "How do tests behave on A against B?" in text
    assert 'twofold.studies.read_findings("found.json")' in text
    key = dict(response.url.params)["table"]
    assert json.loads(visitor.get(f"/kept?table={key}&as=json").text) == json.loads(
        study_json(findings)
    )
    damaged = json.dumps(findings.to_dict() | {"confidence": MARKUP}).encode()
    response = visitor.upload(("found.json", damaged))
    assert response.status_code == 422
    assert "incomplete or damaged" in response.text
    assert list_dangers(response.text) == ["script"]


def test_the_result_of_an_item_that_is_dropped_opens_as_its_page(visitor):
    paper = papers.find_paper("demsar2006")
    item = papers.find_item(paper, "table2")
    result = papers.reproduce(paper, item, papers.ItemOptions("toy")).to_dict()
    response = visitor.upload(("demsar2006-table2.json", json.dumps(result).encode()))
    assert response.status_code == 200
    assert response.url.path == "/studies"
    text = strip_tags(response.text)
    assert "demsar2006 table2" in text
    assert "printed numbers agree" in text
    assert "twofold reproduce demsar2006 table2 --toy" in text
    damaged = {**result, "numbers": [1]}
    response = visitor.upload(("damaged.json", json.dumps(damaged).encode()))
    assert response.status_code == 422
    assert "This result is damaged." in response.text


def test_without_a_store_the_page_names_the_command(tmp_path):
    with open_client(store=str(tmp_path / "none.sqlite"), count=1) as client:
        client.get(f"/?token={TOKEN}")
        response = client.get("/studies")
        assert response.status_code == 200
        text = strip_tags(response.text)
        assert "No findings are kept yet" in text
        assert f"twofold study --source task1 --datasets 200 --store {tmp_path}" in text
        assert "Demšar (2006)" in text
        assert client.post("/studies", headers={"origin": HOST}).status_code == 404
        assert not list(tmp_path.iterdir())
