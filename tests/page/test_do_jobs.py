"""What workers do, done here: each kind of job, in a folder of its own."""

import pytest
from page_visitors import SCORES

import twofold
from twofold import InputError
from twofold.page.do_jobs import do_job
from twofold.page.page_jobs import PageJob

LONG = b"dataset,learner,run,fold,accuracy,auc\n" + b"".join(
    b"iris,%s,%d,%d,%f,%f\n"
    % (name, run, fold, 0.9 + 0.01 * ((run + fold) % 3) - bonus, 0.8 + 0.02 * fold - bonus * run)
    for name, bonus in ((b"nb", 0.0), (b"c45", 0.005))
    for run in range(3)
    for fold in range(2)
)
ONE_CELL = b"dataset,nb,c45\niris,0.9,0.8\n"


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Do a job; this process is back in its own folder afterwards."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "job"
    folder.mkdir()

    def do(kind, *files, **facts):
        named = tuple((f"{name}.csv", content) for name, content in files)
        return do_job(PageJob(kind, named, folder=str(folder), **facts), None)

    return do


def test_a_wide_table_is_described(work):
    reading = work("read", ("scores", SCORES), options={"metric": "AUC"})
    facts = dict(reading.facts)
    assert facts["Data sets"].startswith("14: ")
    assert facts["Metric"] == "AUC"
    assert facts["Direction"] == "higher is better"
    assert reading.roles == ("data set", "learner", "learner", "learner", "learner")
    assert reading.problem is None
    assert reading.choices.learners == ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
    assert "wilcoxon" in dict(reading.choices.tests)
    assert reading.weight > 0


def test_a_long_table_is_described_with_its_metrics_and_repetitions(work):
    reading = work("read", ("long", LONG), options={"metric": "accuracy"})
    facts = dict(reading.facts)
    assert facts["Other metrics"] == "auc"
    assert facts["Repetitions"].startswith("3 runs of 2 folds")
    roles = dict(zip(reading.header, reading.roles, strict=True))
    assert roles["learner"] == "learner"
    assert roles["accuracy"] == "metric, read"
    assert roles["auc"] == "metric"
    both = work("read", ("long", LONG), options={"metric": "all"})
    assert set(both.choices.metrics) == {"accuracy", "auc"}
    assert dict(both.facts)["Metrics"] == "accuracy, auc"
    assert [role for role in both.roles if "metric" in role] == ["metric, read"] * 2
    lower = LONG.replace(b"auc", b"brier")
    read = work("read", ("long", lower), options={"metric": ["accuracy", "brier"]})
    directions = "accuracy: higher is better; brier: lower is better"
    assert dict(read.facts)["Direction"] == directions


def test_what_can_be_read_and_not_compared_is_described_beside_the_problem(work):
    reading = work("read", ("one", ONE_CELL))
    assert "cannot carry a test" in reading.problem[0]
    assert dict(reading.facts)["Learners"] == "2: nb, c45"


def test_what_cannot_be_read_has_a_problem_and_its_columns(work):
    reading = work("read", ("no", b"\x00\x01"))
    assert reading.problem is not None
    assert reading.header == ()
    reading = work("read", ("words", b"a,b\nx,y\nz,w\n"))
    assert reading.header == ("a", "b")
    assert reading.problem is not None


def test_labels_and_items_are_described(work):
    labels = b"truth,a,b\n" + b"x,x,y\ny,y,y\n" * 20
    reading = work("read", ("labels", labels), options={"predictions": True, "truth": "truth"})
    assert reading.roles == ("true label", "learner", "learner")
    items = b"q,p,a,b\n" + b"".join(
        b"%d,p%d,%d,%d\n" % (i, i // 4, i % 2, i % 3 > 0) for i in range(40)
    )
    reading = work("read", ("items", items), options={"items": True, "cluster": "p"})
    assert dict(reading.facts)["Items"] == "40 in 10 clusters"
    named = items.replace(b"q,p,", b"item,passage,")
    reading = work("read", ("items", named))
    assert reading.roles == ("item", "cluster", "learner", "learner")
    dropped = work("read", ("items", named), options={"drop": ("passage",)})
    assert dropped.roles == ("item", "", "learner", "learner")


def test_answers_have_the_parts_of_a_report_and_guards(work):
    part = work("answer", ("scores", SCORES), highlight=("C4.5",))
    assert part.verdict in part.body.replace("&#39;", "'")
    assert 'class="guards"' in part.body
    assert part.has_table
    assert "ranks" in dict(part.pictures)
    assert part.weight == len(part.body)
    both = work("answer", ("long", LONG), options={"metric": "all"})
    assert both.body.count('class="guards"') == 2


@pytest.mark.parametrize(
    ("target", "picture"),
    [("a.json", ""), ("a.bib", ""), ("a.csv", "table"), ("a.svg", "ranks")],
)
def test_files_are_made_of_answers(work, target, picture):
    made = work("file", ("scores", SCORES), target=target, picture=picture)
    assert made.weight == len(made.content) > 100


def test_pictures_of_several_metrics_are_packed(work):
    job = {"options": {"metric": "all"}, "target": "a.svg", "picture": "folds"}
    assert work("file", ("long", LONG), **job).content.startswith(b"PK")


def test_plans_questions_and_stores_are_shown(work, tmp_path):
    plan = work("plan", options={"difference": 0.05, "discordant": 0.2}, situation="items")
    assert "626 items" in plan.verdict
    plan = work("plan", ("scores", SCORES), options={"difference": 0.02}, situation="datasets")
    assert plan.body
    tree = work("questions")
    assert tree.steps[0].text == "one kind of data"
    assert tree.weight > 0
    store = tmp_path / "runs.sqlite"
    twofold.run("majority", "iris", design="2x2", store=str(store), workers=0)
    overview = work("runs", target=str(store))
    assert overview.runs[0][:2] == ("iris", "majority")
    assert overview.weight == 0
    with pytest.raises(InputError):
        work("runs", target=str(tmp_path / "none.sqlite"))
