"""Pages about a table: how it was read, the answer, files; every state is in the address."""

import json
import re
from html import unescape
from io import BytesIO
from urllib.parse import parse_qsl
from zipfile import ZipFile

import pytest
from page_visitors import SCORES, open_client

import twofold
from twofold.cli import main

TWO_METRICS = b"dataset,learner,accuracy,auc\n" + b"".join(
    f"d{i},{name},{0.6 + 0.02 * i + bonus},{0.7 + 0.01 * i + bonus}\n".encode()
    for i in range(8)
    for name, bonus in (("nb", 0.0), ("c45", 0.013 * (i % 3)))
)
PREDICTIONS = b"truth,tree,never\n" + b"".join(
    f"{'yes' if i % 2 else 'no'},{'no' if i % 10 == 1 else 'yes' if i % 2 else 'no'},no\n".encode()
    for i in range(60)
)


def strip_tags(html):
    body = html[html.index("<main") :]
    body = re.sub(r"<template>.*?</template>|<script.*?</script>", " ", body, flags=re.S)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", body)))


def test_a_table_is_read_before_it_is_judged(visitor):
    response = visitor.upload(("scores.csv", SCORES))
    assert response.status_code == 200
    assert response.url.path == "/read"
    text = strip_tags(response.text)
    assert "Learners 4: C4.5, C4.5+m, C4.5+cf, C4.5+m+cf" in text
    assert "Data sets 14: adult (sample)" in text
    assert "Missing none of 56 cells" in text
    assert "higher is better" in text
    assert "14 rows and 5 columns" in text
    assert "differ" not in text  # no verdict yet
    assert "adult (sample) 0.763 0.768" in text
    assert "data set learner learner learner learner" in text


def test_the_answer_is_that_of_compare_and_its_lines_ask_the_same(
    visitor, tmp_path, monkeypatch, capsys
):
    query = visitor.read()
    page = visitor.get(f"/answer?{query}&control=C4.5&alpha=0.1&metric=AUC").text
    (tmp_path / "scores.csv").write_bytes(SCORES)
    monkeypatch.chdir(tmp_path)
    call = re.search(r"twofold\.compare\(.*?\)", unescape(page))[0]
    assert call == 'twofold.compare("scores.csv", control="C4.5", alpha=0.1, metric="AUC")'
    answer = eval(call, {"twofold": twofold})
    assert answer.verdict in strip_tags(page)
    command = "twofold compare scores.csv --control C4.5 --alpha 0.1 --metric AUC"
    assert f"<code>{command}</code>" in page
    assert main([*command.split()[1:], "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == answer.verdict


def test_guards_are_stated_whether_they_hold_or_not(visitor):
    text = strip_tags(visitor.get(f"/answer?{visitor.read()}").text)
    guards = text[text.rindex("Can you trust it?") :]
    assert "holds No cell is missing." in guards
    assert "holds No single data set decides." in guards
    assert re.search("does not hold Each pair by itself says the same .* C4.5 and C4.5\\+m", guards)
    missing = SCORES.replace(b"0.763", b"")
    text = strip_tags(visitor.get(f"/answer?{visitor.read(missing)}").text)
    assert "does not hold No cell is missing. Missing cells: 1 of 56 cells" in text
    assert "holds No cell is missing." not in text.replace("does not hold", "")


def test_one_state_has_one_address(visitor):
    query = visitor.read()
    response = visitor.get(f"/answer?alpha=0.05&control=&{query}&rope=&higher_is_better=")
    assert response.url.query.decode() == query
    response = visitor.get(f"/answer?alpha=0,1&{query}")
    assert dict(parse_qsl(response.url.query.decode()))["alpha"] == "0.1"


def test_reload_gives_the_same_page(visitor):
    query = visitor.read()
    assert visitor.get(f"/answer?{query}").text == visitor.get(f"/answer?{query}").text


def test_a_table_that_is_gone_is_said_to_be_and_comes_back_when_it_is_dropped_again(visitor):
    with open_client(count=1) as client:
        client.get("/?token=the-token")
        files = {"files": ("mine.csv", SCORES)}
        address = "/read?table=" + _find_key("mine.csv", SCORES)
        response = client.get(address)
        assert response.status_code == 410
        assert "Drop the same file again" in response.text
        client.post("/tables", files=files, headers={"origin": "http://127.0.0.1:8723"})
        assert client.get(address).status_code == 200


def _find_key(name, content):
    from twofold.page.kept_tables import KeptTables

    return KeptTables().add(name, content).key


def test_a_refused_table_shows_its_rows_and_the_remedy_as_a_link(visitor):
    wide = b"model,iris,accuracy\nnb,0.9,0.8\nc45,0.8,0.7\nnn,0.7,0.9\n"
    response = visitor.upload(("wide.csv", wide))
    assert response.status_code == 422
    text = strip_tags(response.text)
    assert "Is 'accuracy' a data set, as 'iris' seems to be, or a metric?" in text
    assert "nb 0.9 0.8" in text
    links = [unescape(link) for link in re.findall(r'href="(/read\?[^"]*)"', response.text)]
    transposed = next(link for link in links if "transpose=yes" in link)
    assert visitor.get(transposed).status_code == 200


def test_a_question_that_cannot_be_answered_keeps_its_form(visitor):
    query = visitor.read()
    response = visitor.get(f"/answer?{query}&test=mcnemar")
    assert response.status_code == 422
    assert 'role="alert"' in response.text
    assert '<select name="control"' in response.text
    assert "<code>twofold compare scores.csv --test mcnemar</code>" in response.text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("contol=nb", "There is no option 'contol'. Did you mean 'control'?"),
        ("ranks=maybe", "Write yes or no."),
        ("df=/etc/passwd", "no file is read here"),
        ("df=table.json", "no file is read here"),
        ("alpha=7", "alpha"),
        ("store=/tmp/x", "There is no option 'store'"),
    ],
)
def test_options_that_cannot_be_are_refused_in_two_lines(visitor, query, words):
    response = visitor.get(f"/answer?{visitor.read()}&{query}")
    assert response.status_code == 422
    assert words in strip_tags(response.text)


def test_several_files_are_one_table(visitor):
    header, *rows = TWO_METRICS.splitlines(keepends=True)
    nb, c45 = (header + b"".join(rows[i::2]) for i in (0, 1))
    response = visitor.upload(("nb.csv", nb), ("c45.csv", c45))
    text = strip_tags(response.text)
    assert "Learners 2: nb, c45" in text
    assert "Data sets 8" in text
    assert "<code>twofold compare nb.csv c45.csv</code>" in response.text


def test_files_that_are_no_one_table_are_read_one_at_a_time(visitor):
    response = visitor.upload(("first.csv", SCORES), ("second.csv", SCORES))
    assert response.status_code == 422
    links = re.findall(r'href="(/read\?table=\w+)"><bdi>', response.text)
    assert len(links) == 2
    assert visitor.get(links[0]).status_code == 200


def test_a_table_can_be_pasted(visitor):
    response = visitor.upload(text=SCORES.decode())
    assert "Learners 4" in strip_tags(response.text)
    assert "pasted.csv" in response.text


def test_nothing_sent_is_refused(visitor):
    response = visitor.upload(("", b""), text=" ")
    assert response.status_code == 422


def test_several_metrics_are_answered_side_by_side(visitor):
    query = visitor.read(TWO_METRICS, "two.csv")
    page = visitor.get(f"/answer?{query}&metric=all").text
    text = strip_tags(page)
    assert "By accuracy" in text
    assert "By auc" in text
    assert text.count("Can you trust it?") >= 2
    assert "--metric all" in page
    packed = visitor.get(f"/download?{query}&metric=all&as=svg&picture=differences")
    names = ZipFile(BytesIO(packed.content)).namelist()
    assert len(names) == 2


def test_predictions_are_answered(visitor):
    query = visitor.read(PREDICTIONS, "labels.csv")
    text = strip_tags(visitor.get(f"/answer?{query}&predictions=yes").text)
    assert "accuracy" in text
    assert "does not hold No class prevails" in text
    assert "The same is predicted for every row by never" in text


def test_items_are_read_without_giving_the_verdict_away(visitor):
    rows = "".join(f"q{i},p{i // 5},{i % 3 // 2},{(i + 1) % 7 // 2 % 2}\n" for i in range(60))
    query = visitor.read(f"item,passage,a,b\n{rows}".encode(), "items.csv")
    text = strip_tags(visitor.get(f"/read?{query}").text)
    assert "Items 60 in 12 clusters" in text
    assert "repeat" not in text
    text = strip_tags(visitor.get(f"/answer?{query}&cluster=passage").text)
    assert "holds Every item was scored for all learners." in text


def test_models_of_lm_eval_are_told_apart_without_their_folders(visitor):
    """A browser sends names of files only; the folder of each model is lost."""
    times = ("2026-01-02T03-04-05.678901", "2026-01-02T04-04-05.678901")
    lines = [
        {"doc_id": i, "doc": {"q": i}, "target": "1", "arguments": {}, "resps": [], "acc": i % 2,
         "filtered_resps": [], "filter": "none", "metrics": ["acc"], "doc_hash": str(i),
         "prompt_hash": str(i), "target_hash": str(i)}
        for i in range(30)
    ]  # fmt: skip
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    response = visitor.upload(*((f"samples_quiz_{time}.jsonl", content) for time in times))
    text = strip_tags(response.text)
    assert f"Learners 2: {times[0]}, {times[1]}" in text


FILES = {
    "html": b"<!doctype html>",
    "tex": b"% Made by twofold",
    "bib": b"@",
    "md": b"",
    "json": b"{",
    "txt": b"Assuming higher is better: C4.5+m is better than C4.5",
    "xlsx": b"PK\x03\x04",
}


@pytest.mark.parametrize("kind", FILES)
def test_answers_are_downloaded_as_the_command_line_writes_them(visitor, kind):
    query = visitor.read()
    response = visitor.get(f"/download?{query}&as={kind}")
    assert response.status_code == 200
    assert response.content.startswith(FILES[kind])
    assert response.headers["content-disposition"].startswith(
        f'attachment; filename="scores.{kind}"'
    )


@pytest.mark.parametrize(
    ("kind", "picture", "begin"),
    [
        ("svg", "ranks", b"<?xml"),
        ("pdf", "matrix", b"%PDF"),
        ("png", "heatmap", b"\x89PNG"),
        ("tikz", "ranks", b""),
        ("csv", "table", b"data set"),
        ("tex", "table", b""),
    ],
)
def test_pictures_and_tables_are_downloaded(visitor, kind, picture, begin):
    response = visitor.get(f"/download?{visitor.read()}&as={kind}&picture={picture}")
    assert response.status_code == 200
    assert response.content.startswith(begin)
    if kind == "tikz":
        assert b"tikzpicture" in response.content


@pytest.mark.parametrize(
    "query", ["as=exe", "as=svg", "as=tikz&picture=matrix", "as=svg&picture=../../x", "", "as=csv"]
)
def test_files_that_are_not_offered_are_refused(visitor, query):
    assert visitor.get(f"/download?{visitor.read()}&{query}").status_code == 422


def test_the_report_is_byte_for_byte_that_of_the_command_line(visitor, tmp_path, monkeypatch):
    (tmp_path / "scores.csv").write_bytes(SCORES)
    monkeypatch.chdir(tmp_path)
    assert main("compare scores.csv --control C4.5 --report scores.html".split()) == 0
    response = visitor.get(f"/download?{visitor.read()}&control=C4.5&as=html")
    assert response.content == (tmp_path / "scores.html").read_bytes()


def test_highlighted_learners_are_emphasised_in_pictures(visitor):
    query = visitor.read()
    plain = visitor.get(f"/download?{query}&as=svg&picture=ranks").content
    bold = visitor.get(f"/download?{query}&highlight=C4.5&as=svg&picture=ranks").content
    assert plain != bold
    shown = visitor.get(f"/answer?{query}&highlight=C4.5").text
    assert shown != visitor.get(f"/answer?{query}").text


def test_files_named_at_the_start_are_at_hand(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(SCORES)
    with open_client(files=(str(path),), count=1) as client:
        page = client.get("/?token=the-token").text
        assert str(path) in page
        key = re.search(r"/read\?table=(\w+)", page)[1]
        assert f'twofold.compare("{path}")' in unescape(client.get(f"/read?table={key}").text)


def test_examples_are_answered(visitor):
    page = visitor.get("/").text
    links = re.findall(r'href="(/read\?[^"]*)"', page)
    examples = [unescape(link) for link in links]
    assert len(examples) >= 4
    for link in examples[-4:]:
        assert visitor.get(link).status_code == 200
        assert visitor.get(link.replace("/read", "/answer")).status_code == 200


def test_every_picture_that_is_offered_can_be_downloaded(visitor):
    page = visitor.get(f"/answer?{visitor.read()}").text
    links = [unescape(link) for link in re.findall(r'href="(/download\?[^"]*as=svg[^"]*)"', page)]
    assert any("rank-sets" in link for link in links)
    assert [visitor.get(link).status_code for link in links] == [200] * len(links)
