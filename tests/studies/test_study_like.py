"""A study of a situation of one's own: the right protocol, and what was matched is there."""

import json
import shlex

import numpy as np
import pytest

import twofold
from twofold import InputError
from twofold.cli import main
from twofold.scores import read_scores
from twofold.seeds import rng
from twofold.studies import study_like
from twofold.studies.matched_errors import match_errors

QUIET = {"store": ":memory:", "workers": 0, "progress": False}


def fold_table(*, learners=("nb", "c45"), rows=1000, runs=10, folds=10, metric="accuracy"):
    """Scores on folds: A errs on one row in ten, B on 16 in 100, just one of them on 12."""
    random = rng(3, "rows")
    kind = random.choice(4, size=rows, p=[0.03, 0.07, 0.09, 0.81])
    wrong = {"a": kind <= 1, "b": (kind == 1) | (kind == 2)}
    lines = [f"dataset,learner,run,fold,n_train,n_test,{metric}"]
    for run in range(runs):
        fold_of_row = random.permutation(rows) % folds
        for fold in range(folds):
            tested = fold_of_row == fold
            n = int(tested.sum())
            for i, name in enumerate(learners):
                error = wrong["ab"[min(i, 1)]][tested].mean()
                lines.append(f"mine,{name},{run},{fold},{rows - n},{n},{1 - error:.6f}")
    truth = [float(wrong[x].mean()) for x in "ab"], float((wrong["a"] != wrong["b"]).mean())
    return "\n".join(lines), truth


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, _ = fold_table()
    (tmp_path / "folds.csv").write_text(text, "utf-8")
    return "folds.csv"


def test_rates_and_disagreement_of_a_table_are_those_of_its_rows(table):
    _, ((a, b), share) = fold_table()
    match = match_errors(read_scores(table))
    assert match.learners == ("nb", "c45")
    assert match.error_a == pytest.approx(a, abs=1e-4)
    assert match.error_b == pytest.approx(b, abs=1e-4)
    # 100 folds of 100 rows: a variance is known to 15 %.
    assert match.disagree == pytest.approx(share, rel=0.2)
    assert (match.rows, match.design) == (1000, "10x10")
    sources = match.list_sources()
    error = np.sqrt(match.disagree / 1000)
    gaps = [0, error, 2 * error, 3 * error, 4 * error, b - a]
    assert [-pair.difference for pair in sources] == pytest.approx(gaps, abs=2e-4)


def test_folds_of_two_learners_are_simulated_and_the_command_gives_the_same(table, capsys):
    found = study_like(table, datasets=20, repetitions=2, **QUIET)
    assert found.learners == ("nb", "c45")
    assert {row.null for row in found.rows} == {True, False}
    assert {row.experiment for row in found.rows} == {
        "cv-t@1x10",
        "corrected-cv-t@10x10",
        "use-all-data@10x10",
        "two-level-cv-t@10x10",
    }
    assert found.rows[0].rows == 1000
    note = found.notes[0]
    assert note.code == "like"
    assert "Matched: error rates of .1" in note.detail
    assert "Assumed: " in note.detail
    command = note.detail.partition("The same explicitly: twofold ")[2]
    assert command
    more = ["--store", ":memory:", "--workers", "0", "--format", "json"]
    assert main([*shlex.split(command), *more]) == 0
    explicit = json.loads(capsys.readouterr().out)
    assert explicit["rows"] == json.loads(json.dumps(found.to_dict()))["rows"]


def test_a_given_disagreement_and_number_of_rows():
    random = rng(5, "scores")
    scores = {"A": random.normal(0.9, 0.01, 10).clip(0, 1), "B": random.normal(0.8, 0.01, 10)}
    scores = read_scores(scores, rows="folds")
    with pytest.raises(InputError, match="does not say how many rows"):
        match_errors(scores)
    match = match_errors(scores, rows=500, disagree=0.15)
    assert (match.disagree, match.rows, match.design) == (0.15, 500, "1x10")
    assert any("as you say" in text for text in match.matched)
    # Differences that hardly vary leave as little disagreement as there can be.
    assert match_errors(scores, rows=20).disagree == pytest.approx(0.1, abs=0.02)
    with pytest.raises(InputError, match=r"on which just one errs, not 0\.05"):
        match_errors(scores, rows=500, disagree=0.05)
    with pytest.raises(InputError, match="too few for 10 folds"):
        match_errors(scores, rows=12)


def test_per_cent_errors_and_random_splits():
    errors = read_scores(
        {"A": [10.0, 12.0, 11.0], "B": [20.0, 22.0, 19.0]},
        rows="splits", metric="error", n_train=90, n_test=10,
    )  # fmt: skip
    match = match_errors(errors)
    assert match.error_a == pytest.approx(0.11)
    assert match.design == "resample:3:0.1"
    assert "that they are per cent" in match.assumed


@pytest.mark.parametrize(
    ("scores", "rule"),
    [
        ({"A": [0.9, 0.8, 0.7], "B": [0.8, 0.7, 0.9], "C": [0.5, 0.6, 0.7]}, "Folds of 3 learners"),
        ({"A": [9.0, 800.0, 7.0], "B": [8.0, 700.0, 9.0]}, "neither accuracies nor error rates"),
        ({"A": [-0.9, 0.8, 0.7], "B": [0.8, 0.7, 0.9]}, "neither accuracies nor error rates"),
    ],
)
def test_what_cannot_be_simulated_is_refused(scores, rule):
    with pytest.raises(InputError) as refused:
        match_errors(read_scores(scores, rows="folds"), rows=100)
    assert rule in refused.value.rule
    assert refused.value.remedy


def test_other_metrics_are_no_errors(tmp_path):
    (tmp_path / "auc.csv").write_text(fold_table(metric="auc", runs=1)[0], "utf-8")
    with pytest.raises(InputError, match="for accuracies, not for 'auc'"):
        study_like(tmp_path / "auc.csv", **QUIET)
    with pytest.raises(InputError, match="There is no learner"):
        study_like(tmp_path / "auc.csv", learners=["nb", "nothing"], **QUIET)


def test_two_of_three_learners(tmp_path):
    text = fold_table(learners=("nb", "c45", "knn"), runs=1)[0]
    (tmp_path / "three.csv").write_text(text, "utf-8")
    with pytest.raises(InputError, match="Folds of 3 learners"):
        study_like(tmp_path / "three.csv", **QUIET)
    found = study_like(
        tmp_path / "three.csv", learners="nb,knn".split(","), datasets=10, repetitions=1, **QUIET
    )
    assert found.learners == ("nb", "knn")


def test_a_table_over_data_sets_is_drawn_from(tmp_path):
    random = rng(6, "table")
    base = random.uniform(0.6, 0.9, 20)
    table = {
        "dataset": [f"d{i}" for i in range(20)],
        "A": (base + random.normal(0.02, 0.02, 20)).tolist(),
        "B": base.tolist(),
    }
    found = study_like(table, datasets=20, tests=["wilcoxon", "sign"], **QUIET)
    assert found.notes[0].code == "like"
    assert "Demšar" in found.notes[0].detail
    assert {row.test for row in found.rows} == {"wilcoxon", "sign"}
    with pytest.raises(InputError, match="`disagree` plays no part"):
        study_like(table, disagree=0.1, **QUIET)
    assert "--table TABLE --draws 20 --tests wilcoxon sign" in found.notes[0].detail


def test_draws_of_a_table_are_called_draws_too(table, tmp_path):
    rows = [f"d{i},{0.7 + i / 99},{0.72 + i / 90}" for i in range(8)]
    (tmp_path / "sets.csv").write_text("\n".join(["dataset,a,b", *rows]))
    options = {"tests": "wilcoxon"}
    one, other = (study_like("sets.csv", **{name: 30}, **options, **QUIET)
                  for name in ("draws", "datasets"))  # fmt: skip
    assert one.to_dict()["rows"] == other.to_dict()["rows"]
    with pytest.raises(InputError, match="the same here"):
        study_like("sets.csv", draws=30, datasets=30, **QUIET)
    with pytest.raises(InputError, match="`draws` plays no part"):
        study_like("folds.csv", draws=30, **QUIET)


def test_the_explicit_command_for_a_table_gives_the_same(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = rng(6, "table")
    lines = [f"d{i},{a:.3f},{a - 0.02 + b:.3f}" for i, (a, b) in enumerate(random.random((15, 2)))]
    (tmp_path / "table.csv").write_text("\n".join(["dataset,A,B", *lines]), "utf-8")
    found = study_like("table.csv", datasets=20, tests="wilcoxon", **QUIET)
    command = found.notes[0].detail.partition("The same explicitly: twofold ")[2]
    more = ["--store", ":memory:", "--workers", "0", "--format", "json"]
    assert main([*shlex.split(command), *more]) == 0
    explicit = json.loads(capsys.readouterr().out)
    assert explicit["rows"] == json.loads(json.dumps(found.to_dict()))["rows"]
    like = ["study", "--like", "table.csv", "--datasets", "20", "--tests", "wilcoxon"]
    assert main([*like, *more, "--picture", "level", "--plot", "level.svg"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == explicit["rows"]


def write_experiment(folder, learners, rows=200):
    random = rng(7, "file")
    X = random.normal(size=(rows, 2))
    y = X[:, 0] + random.normal(size=rows) > 0.6
    lines = [f"{a:.4f},{b:.4f},{'yes' if c else 'no'}" for (a, b), c in zip(X, y, strict=True)]
    (folder / "mine.csv").write_text("\n".join(["u,v,class", *lines]), "utf-8")
    names = ", ".join(f'"{name}"' for name in learners)
    file = folder / "experiment.toml"
    file.write_text(
        f'learners = [{names}]\ndata = ["mine.csv"]\n[running]\ndesign = "2x5"\n'
        '[reading]\ntarget = "class"\n[question]\nalpha = 0.1\n',
        "utf-8",
    )
    return file


def test_two_classifiers_on_a_file_are_damaged(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_experiment(tmp_path, ["nb", "majority"])
    found = study_like("experiment.toml", datasets=6, repetitions=2, tests="cv-t", **QUIET)
    assert found.damage
    assert found.rows[0].null is True
    assert (found.rows[0].rows, found.rows[0].alpha, found.rows[0].design) == (100, 0.1, "1x5")
    command = found.notes[0].detail.partition("The same explicitly: twofold ")[2]
    more = ["--store", ":memory:", "--workers", "0", "--format", "json"]
    assert main([*shlex.split(command), *more]) == 0
    explicit = json.loads(capsys.readouterr().out)
    assert explicit["rows"] == json.loads(json.dumps(found.to_dict()))["rows"]


def test_more_learners_are_repeated_on_the_data_as_they_are(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_experiment(tmp_path, ["nb", "majority", "logistic"], rows=60)
    found = study_like("experiment.toml", repetitions=2, tests="cv-t", **QUIET)
    assert "Bouckaert & Frank" in found.notes[0].detail
    with pytest.raises(InputError, match="`rows` plays no part"):
        study_like("experiment.toml", rows=30, **QUIET)


def test_an_experiment_on_several_data_sets_is_studied_over_data_sets(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    file = write_experiment(tmp_path, ["nb", "majority", "nn"], rows=240)
    head, *lines = (tmp_path / "mine.csv").read_text("utf-8").splitlines()
    for n in range(6):
        part = [head, *lines[40 * n : 40 * n + 40]]
        (tmp_path / f"part{n}.csv").write_text("\n".join(part), "utf-8")
    names = ", ".join(f'"part{n}.csv"' for n in range(6))
    file.write_text(file.read_text("utf-8").replace('"mine.csv"', names), "utf-8")
    found = study_like("experiment.toml", datasets=40, tests=["friedman"], **QUIET)
    assert (found.learners, len(found.datasets)) == (("nb", "majority", "nn"), 6)
    assert {row.alpha for row in found.rows} == {0.1}
    assert 0 <= found.rows[0].type_one.value <= 1
    # The commands of the note give the same.
    assert main(["run", "experiment.toml", "-o", "scores.csv", "--store", ":memory:"]) == 0
    assert "twofold run experiment.toml -o scores.csv" in found.notes[0].detail
    command = found.notes[0].detail.partition("The same explicitly: twofold ")[2]
    capsys.readouterr()
    assert main([*shlex.split(command), "--store", ":memory:", "--format", "json"]) == 0
    explicit = json.loads(capsys.readouterr().out)
    assert explicit["rows"] == json.loads(json.dumps(found.to_dict()))["rows"]
    with pytest.raises(InputError, match="`rows` plays no part"):
        study_like("experiment.toml", rows=30, **QUIET)
    # With repetitions it is the splits that are drawn.
    found = study_like("experiment.toml", repetitions=2, tests="cv-t", **QUIET)
    assert "3 learners on 6 data sets: everything is repeated" in found.notes[0].detail


def test_a_test_of_the_experiment_is_studied_and_what_a_command_cannot_say_is_said(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    file = write_experiment(tmp_path, ["nb", "majority"])
    text = file.read_text("utf-8").replace("[reading]", '[reading]\ndrop = ["v"]')
    text = text.replace("[question]", '[question]\ntest = "two-level-cv-t"')
    file.write_text(text, "utf-8")
    found = study_like("experiment.toml", datasets=4, repetitions=1, **QUIET)
    assert "two-level-cv-t" in {row.test for row in found.rows}
    assert found.notes[0].detail.endswith("(which reads the file without the experiment's drop)")


def test_the_command_line(table, capsys):
    words = ["study", "--like", table, "--datasets", "10", "--repetitions", "2", "--tests", "cv-t"]
    words += ["--store", ":memory:", "--workers", "0"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "nb (A) against c45 (B)" in out
    assert "Your situation: " in out
    assert main([*words, "--source", "task1"]) == 2
    assert "--source and --like" in capsys.readouterr().err
    assert main([*words, "--rows", "100", "200"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2
    assert main(["study", "--like", "nothing.csv"]) == 2
    assert "nothing.csv" in capsys.readouterr().err


def test_the_same_on_any_number_of_workers(table):
    options = {"datasets": 300, "repetitions": 2, "tests": "cv-t", "progress": False}
    one, two = (
        twofold.study_like(table, workers=n, store=":memory:", **options).to_dict() for n in (0, 2)
    )
    assert json.dumps(one) == json.dumps(two)


def test_scores_of_single_holdouts_assume_independent_errors():
    scores = read_scores({"A": [0.9], "B": [0.8]}, rows="splits", n_train=200, n_test=100)
    match = match_errors(scores)
    assert match.disagree == pytest.approx(0.1 * 0.8 + 0.2 * 0.9)
    assert match.design == "holdout:0.3333"
    assert any("independent errors" in text for text in match.assumed)
    assert np.isclose(match.list_sources()[0].difference, 0)
