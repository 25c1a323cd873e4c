"""Whole folders: read as `compare` reads them, under names that stay within the worker's folder."""

import gzip
import json
import os
from io import BytesIO
from pathlib import Path

import pytest
from page_visitors import SCORES, TOKEN, open_client
from test_pages import strip_tags

import twofold
from twofold.page import page_limits

RESULTS = os.environ.get("TWOFOLD_RESULTS", "")


def make_runs(models=("a", "b"), tasks=20):
    """Files as time series classifiers write them: one for each learner."""
    return [
        (f"runs/{name}_accuracy.csv", b"Dataset,0,1\n" + b"".join(
            f"d{i},0.{(i * 7 + j) % 80 + 10},0.{(i * 5 + j) % 80 + 10}\n".encode()
            for i in range(tasks)
        ))
        for j, name in enumerate(models)
    ]  # fmt: skip


def test_a_folder_is_read_as_compare_reads_it(visitor, tmp_path, monkeypatch):
    files = [*make_runs(), ("runs/README.md", b"not a table"), ("runs/.hidden/x.csv", b"a,b\n")]
    response = visitor.upload(*files)
    assert response.status_code == 200
    query = response.url.query.decode()
    page = visitor.get(f"/answer?{query}").text
    assert "<code>twofold compare runs</code>" in page
    for name, content in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    monkeypatch.chdir(tmp_path)
    answer = twofold.compare("runs")
    assert answer.verdict in strip_tags(page)
    report = visitor.get(f"/download?{query}&as=json").json()
    assert report["verdict"] == answer.verdict
    assert "2 files" not in visitor.get("/").text
    assert "3 files" in visitor.get("/").text  # what is hidden was left out


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd/scores.csv",
        "runs/../../../../tmp/scores.csv",
        "/absolute/scores.csv",
        "C:\\\\Users\\\\me\\\\scores.csv",
        "runs/" + "x" * 300 + "/scores.csv",
        "runs/\u202e<img src=x>/scores.csv",
    ],
)
def test_names_of_files_stay_within_their_folder(visitor, name, tmp_path):
    before = sorted(Path("/tmp").glob("scores.csv"))
    response = visitor.upload((name, SCORES))
    assert response.status_code == 200
    assert "Learners 4" in strip_tags(response.text)
    assert "<img src=x>" not in response.text
    assert sorted(Path("/tmp").glob("scores.csv")) == before


def test_what_is_too_deep_or_hidden_is_left_out_and_nothing_left_is_said(visitor):
    deep = "runs/" + "a/" * (page_limits.MOST_LEVELS + 1) + "scores.csv"
    response = visitor.upload((deep, SCORES), ("runs/.git/config.csv", SCORES))
    assert response.status_code == 422
    assert "is empty" in response.text


def test_too_many_files_are_refused_in_words(visitor, monkeypatch):
    monkeypatch.setattr(page_limits, "MOST_FILES", 3)
    response = visitor.upload(*make_runs(models="abcd"))
    assert response.status_code == 413
    assert "There are more than 3 files." in response.text


def test_the_same_folder_has_the_same_address_whatever_the_order_of_its_files(visitor):
    files = make_runs()
    first, second = visitor.upload(*files), visitor.upload(*reversed(files))
    assert first.url == second.url
    assert visitor.upload(*files[:1]).url != first.url


def test_a_folder_may_be_named_on_the_command_line(tmp_path):
    folder = tmp_path / "my runs"
    for name, content in [*make_runs(), (".git/x.csv", SCORES)]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with open_client(files=(str(folder),), count=1) as client:
        page = client.get(f"/?token={TOKEN}").text
        assert str(folder) in page
        assert "2 files" in page
        key = page.partition("/read?table=")[2][:12]
        text = strip_tags(client.get(f"/answer?table={key}").text)
        assert f"twofold compare '{folder}'" in text


def make_tables():
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(BytesIO(SCORES))
    excel, parquet = BytesIO(), BytesIO()
    frame.to_excel(excel, index=False)
    frame.to_parquet(parquet)
    records = frame.to_dict("records")
    columns = list(frame.columns)
    rows = [" | ".join(map(str, row)) for row in frame.itertuples(index=False)]
    markdown = [" | ".join(columns), " | ".join("---" for _ in columns), *rows]
    return {
        "scores.xlsx": excel.getvalue(),
        "scores.parquet": parquet.getvalue(),
        "scores.csv.gz": gzip.compress(SCORES),
        "scores.tsv": frame.to_csv(sep="\t", index=False).encode(),
        "scores.json": json.dumps(records).encode(),
        "scores.jsonl": "".join(json.dumps(each) + "\n" for each in records).encode(),
        "scores.md": "".join(f"| {row} |\n" for row in markdown).encode(),
    }


def test_every_plain_format_gives_the_same_answer(visitor):
    for name, content in make_tables().items():
        text = strip_tags(visitor.upload((name, content)).text)
        assert "Learners 4: C4.5, C4.5+m, C4.5+cf, C4.5+m+cf" in text, name
        assert "Data sets 14" in text, name


@pytest.mark.skipif(not RESULTS, reason="TWOFOLD_RESULTS names no folder of results")
@pytest.mark.parametrize("folder", ["lm-eval", "inspect/json", "inspect/eval", "tsc"])
def test_folders_of_other_tools_are_answered(visitor, folder):
    if folder.endswith("eval"):
        pytest.importorskip("backports.zstd")
    root = Path(RESULTS) / folder
    paths = [path for path in sorted(root.rglob("*")) if path.is_file()]
    files = [(f"{root.name}/{path.relative_to(root)}", path.read_bytes()) for path in paths]
    response = visitor.upload(*files)
    assert response.status_code == 200
    page = visitor.get(f"/answer?{response.url.query.decode()}")
    assert twofold.compare(root).verdict in strip_tags(page.text)
