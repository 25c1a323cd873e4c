"""What workers do about kept answers, running work and plans, done here."""

import json

import pytest

from twofold import InputError
from twofold.execution import keep_answer, open_store, work_notices
from twofold.page.do_jobs import do_job
from twofold.page.dropped_answers import holds_answer
from twofold.page.page_jobs import PageJob
from twofold.report import save_study, study_json
from twofold.studies import study
from waits import wait_until

papers = pytest.importorskip("twofold_papers")

STUDY = {"rows": 40, "datasets": 4, "repetitions": 2, "tests": "cv-t", "store": ":memory:"}
SVG = "<svg xmlns='http://www.w3.org/2000/svg'></svg>"


@pytest.fixture(scope="module")
def findings():
    return study("task1", **STUDY)


@pytest.fixture(scope="module")
def result():
    paper = papers.find_paper("demsar2006")
    item = papers.find_item(paper, "figure1")
    return papers.reproduce(paper, item, papers.ItemOptions("toy")).to_dict() | {"seconds": 0.0}


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Do a job over a store; this process is back in its own folder afterwards."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job").mkdir()

    def do(kind, **facts):
        return do_job(PageJob(kind, folder=str(tmp_path / "job"), **facts), None)

    return do


@pytest.fixture
def kept(tmp_path, findings, result):
    """Return the name of a store with both kinds of answers, and their keys."""
    store = str(tmp_path / "kept.sqlite")
    figures = {f"{papers.FIGURE}{name}": SVG for name, _ in papers.view_result(result).figures}
    with open_store(store) as opened:
        found = {"answer": study_json(findings), "command": "twofold study --source task1"}
        one = keep_answer(opened, "findings", "task1", "a study", found)
        other = keep_answer(
            opened, "result", "demsar2006", "a result", {"answer": json.dumps(result)} | figures
        )
        keep_answer(opened, "findings", "broken", "damaged", {"answer": "{"})
    return store, one, other


def test_kept_answers_are_listed_with_verdict_and_command(work, kept, findings):
    store, one, other = kept
    overview = work("kept", store=store)
    (line,) = overview.findings  # what is damaged is left out
    assert line.key == one
    assert line.command == "twofold study --source task1"
    assert line.verdict == save_study.summarize_answer(findings)
    lines = [line for paper in overview.papers for item in paper.items for line in item.kept]
    assert [line.key for line in lines] == [other]
    assert overview.problem is None
    missing = work("kept", store=store + ".none")
    assert "no store" in missing.problem[0].lower() or "no such" in missing.problem[0].lower()


def test_findings_are_shown_and_written_as_their_report(work, kept, findings):
    store, one, _ = kept
    part = work("kept page", store=store, key=one)
    assert part.title == save_study.view_answer(findings)["verdict"]
    assert part.command == "twofold study --source task1"
    made = work("kept file", store=store, key=one, target="found.json")
    assert made.content.decode().strip() == study_json(findings)
    dropped = work("kept page", files=(("found.json", study_json(findings).encode()),))
    assert dropped.body == part.body


def test_files_with_whole_answers_are_told_from_tables(tmp_path, findings, result):
    texts = {"found": study_json(findings), "result": json.dumps(result), "other": "[1]", "no": "{"}
    for name, text in texts.items():
        (tmp_path / f"{name}.json").write_text(text)
    (tmp_path / "table.csv").write_text("a,b\n")
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    names = [*(f"{name}.json" for name in texts), "table.csv", "bytes.json", "none.json"]
    assert [name for name in names if holds_answer(str(tmp_path / name))] == names[:2]


def test_results_are_shown_with_their_figures(work, kept, result):
    store, _, other = kept
    part = work("kept page", store=store, key=other)
    assert part.title.startswith("demsar2006 figure1: ")
    assert "data:image/svg+xml;base64," in part.body
    name = part.figures[0]
    assert work("kept file", store=store, key=other, picture=name).content == SVG.encode()
    made = work("kept file", store=store, key=other, target="result.json")
    assert json.loads(made.content) == result


def test_what_is_not_there_is_refused(work, kept):
    store, one, other = kept
    with pytest.raises(InputError, match="not kept any more"):
        work("kept page", store=store, key="none")
    with pytest.raises(InputError, match="no such figure"):
        work("kept file", store=store, key=other, picture="none")
    old = {"files": (("result.json", json.dumps({"rules": 0, "paper": "x"}).encode()),)}
    with pytest.raises(InputError):
        work("kept page", **old)
    assert one != other


def test_what_is_running_is_described(work, tmp_path):
    store = str(tmp_path / "running.sqlite")
    assert not work("running", target=store).has_store
    facts = work_notices.WorkFacts(
        "nb, c45 on iris", "twofold compare", "runs", 3, 20, 61.0, True, "nb is better", 1e9
    )
    with open_store(store) as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(work_notices, "FIRST_AFTER", 0.0)
        notice = work_notices.post_notice(opened, lambda: facts)
        wait_until(lambda: work_notices.list_notices(opened))
        (running,) = work("running", target=store).works
        notice.close()
    assert (running.title, running.done, running.total) == ("nb, c45 on iris", 3, 20)
    assert running.left == "at most about 1:01 min left"
    assert running.so_far == "nb is better"


def test_learners_and_data_are_offered(work):
    offer = work("offer")
    assert "c45" in dict(offer.learners)
    assert "iris" in offer.datasets


def test_a_plan_is_written_as_a_file(work):
    facts = {"situation": "items", "options": {"difference": 0.05, "discordant": 0.2}}
    text = work("plan file", target="plan.json", **facts).content
    assert json.loads(text)["situation"] == "items"
    assert b"<svg" in work("plan file", target="plan.svg", **facts).content
