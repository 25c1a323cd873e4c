"""Running: done once, kept, the same on any number of workers and after any accident."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from twofold import InputError, TwofoldError, compare, run
from twofold.execution.store import MemoryStore, open_store
from twofold.experiments.context import Context
from twofold.options import Reading, Running
from waits import wait_until

FILE = Path(__file__).parents[1] / "execution" / "learners_for_tests.py"
TREE = DecisionTreeClassifier(max_depth=3)


def same(a, b):
    for name in ("dataset", "learner", "run", "fold", "n_train", "n_test", "value"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert (a.datasets, a.learners) == (b.datasets, b.learners)


def codes(answer):
    return {note.code for note in answer.notes}


def test_workers_do_not_change_the_table(monkeypatch):
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0)
    learners = {"tree": TREE, "forest": "forest(n_estimators=3)"}
    alone = run(learners, ["iris", "wine"], design="3x5", store=":memory:", workers=0)
    four = run(learners, ["iris", "wine"], design="3x5", store=":memory:", workers=4)
    same(alone, four)
    # What is named differently or asked in another order has the same scores.
    swapped = run(
        {"f": "forest(n_estimators=3)", "t": TREE},
        ["wine", "iris"],
        design="3x5",
        store=":memory:",
        workers=0,
    )
    assert sorted(swapped.value) == sorted(alone.value)
    assert swapped.means() == pytest.approx(alone.means()[::-1, ::-1], abs=0)


def test_dask_gives_the_same_table():
    pytest.importorskip("distributed")
    here = run([TREE, "nb"], "iris", design="3x5", store=":memory:", workers=0)
    there = run([TREE, "nb"], "iris", design="3x5", store=":memory:", workers=2, on="dask")
    same(here, there)


def test_work_is_done_once():
    store = MemoryStore()
    first = run([TREE, "nb"], "iris", design="2x5", store=store, workers=0)
    assert len(store.tasks()) == 4

    def experiment(learners, metric=None, seed=0, design="2x5"):
        running = Running(design=design, store=store, workers=0)
        with Context(learners, "iris", None, Reading(metric=metric), running, seed) as context:
            context.carry_out(None)
            return context.experiment

    assert (experiment([TREE, "nb"]).fitted, experiment([TREE, "nb"]).reused) == (0, 4)
    # Another metric needs no fit, a longer design only the new runs, another parameter its own.
    assert experiment([TREE, "nb"], metric="f1").fitted == 0
    assert experiment([TREE, "nb"], design="3x5").fitted == 2
    assert experiment([DecisionTreeClassifier(max_depth=4), "nb"]).fitted == 2
    assert experiment({"other name": TREE}).fitted == 0
    assert experiment([TREE], seed=1).fitted == 2
    # Probabilities were not asked for before; once they are there, they serve other metrics.
    assert experiment(["nb"], metric="log_loss").fitted == 2
    assert experiment(["nb"], metric="auc").fitted == 0
    same(first, run([TREE, "nb"], "iris", design="2x5", store=store, workers=0))


def test_a_failing_learner_is_reported_and_not_kept():
    store = MemoryStore()
    learners = [f"bad={FILE}:Failing", "nb", "tree"]
    answer = compare(learners, "iris", design="2x5", store=store, workers=0)
    assert answer.learners == ("nb", "tree")
    note = next(n for n in answer.notes if n.code == "learner-failed")
    assert "bad on iris, run 1, fold 1: RuntimeError: I cannot learn this" in note.detail
    assert {record.task.learner for record in store.tasks()} == {"nb", "tree"}
    with pytest.raises(TwofoldError, match="I cannot learn this"):
        run([f"bad={FILE}:Failing"], "iris", design="2x5", store=store, workers=0)


def test_other_odd_learners():
    answer = compare(
        [f"{FILE}:Warning_", f"{FILE}:Lazy", "nb"],
        "iris",
        design="2x5",
        store=":memory:",
        workers=0,
    )
    texts = [note.detail for note in answer.notes]
    assert any("not quite converged" in text for text in texts)
    assert any("answers for 30 rows" in text for text in texts)
    assert answer.learners == ("Warning_", "nb")


def test_adding_runs_until_it_is_settled_uses_the_runs_of_the_fixed_design():
    learners = ["nb", "tree"]
    settled = compare(learners, "wine", until=0.9, store=":memory:", workers=0)
    runs = int(settled.scores.run.max()) + 1
    assert "stopped-early" in codes(settled)
    assert min(pair.replicability.limit for pair in settled.pairs) >= 0.9
    fixed = run(learners, "wine", design=f"{runs}x10", store=":memory:", workers=0)
    same(settled.scores, fixed)
    if runs > 5:
        before = compare(learners, "wine", design=f"{runs - 1}x10", store=":memory:", workers=0)
        assert min(pair.replicability.limit for pair in before.pairs) < 0.9


def test_running_ahead_does_not_change_where_it_stops(monkeypatch):
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0)
    alone = compare(["nb", "tree"], "wine", until=0.97, store=":memory:", workers=0)
    many = compare(["nb", "tree"], "wine", until=0.97, store=":memory:", workers=6)
    same(alone.scores, many.scores)
    assert alone.verdict == many.verdict


def test_several_data_sets_settle_too():
    answer = compare(
        ["nb", "tree", "nn"], ["iris", "wine", "breast_cancer"], until=0.8, max_runs=6,
        store=":memory:", workers=0,
    )  # fmt: skip
    assert codes(answer) & {"stopped-early", "not-settled"}
    assert all(0 <= pair.replicability.limit <= 1 for pair in answer.pairs)


def test_the_clock_stops_it(monkeypatch):
    now = [0.0]
    sleep = time.sleep

    def pass_time(seconds):
        if threading.current_thread() is not threading.main_thread():
            sleep(seconds)  # of a library that other tests have loaded
            return
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", pass_time)
    answer = compare(
        [f"a={FILE}:Slow", f"b={FILE}:Slow"], "iris", design="50x5", budget="1s",
        store=":memory:", workers=0,
    )  # fmt: skip
    assert "out-of-time" in codes(answer)
    # A run is ten fits of 0.02 seconds.
    assert int(answer.scores.run.max()) + 1 == 5
    few = compare(
        [f"a={FILE}:Slow", f"b={FILE}:Slow"], "iris", design="50x5", budget="0.5s", until=0.95,
        store=":memory:", workers=0,
    )  # fmt: skip
    (note,) = [note for note in few.notes if note.code == "not-settled"]
    assert "known from 5 runs on" in note.detail


def test_groups_stay_together():
    pandas = pytest.importorskip("pandas")
    stream = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 5)
    frame = pandas.DataFrame(
        {"x": stream.normal(size=100), "who": groups, "class": stream.integers(0, 2, 100)}
    )
    grouped = run(
        ["nb"], frame, target="class", groups="who", design="2x5", store=":memory:", workers=0
    )
    assert set(grouped.n_test) == {20.0}
    folded = frame.rename(columns={"who": "fold"})
    folded["fold"] = np.arange(100) % 4
    brought = run(
        ["nb"], folded, target="class", folds="fold", design="given", store=":memory:", workers=0
    )
    assert len(brought.value) == 4


def test_frames_reach_the_users_pipeline():
    pandas = pytest.importorskip("pandas")
    from sklearn.compose import make_column_transformer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    stream = np.random.default_rng(1)
    X = pandas.DataFrame({"word": stream.choice(["a", "b", "c"], 60), "n": stream.random(60)})
    y = np.where(X["word"] == "a", "yes", "no")
    chosen = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["word"]))
    scores = run(
        {"pipe": make_pipeline(chosen, MultinomialNB())}, X, y, design="1x5", store=":memory:",
        workers=0,
    )  # fmt: skip
    assert scores.value.mean() == 1.0


SCRIPT = """
import sys
import twofold.execution.backends
from twofold import run
from twofold.scores.write import write_scores
if __name__ == "__main__":
    where, on = sys.argv[1:3]
    twofold.execution.backends.FIRST_HERE = -1.0
    learners = [f"marking={file}:Marking(folder='" + where + "')", "tree"]
    found = run(learners, ["iris", "wine"], design="6x5", store=where + "/runs.sqlite",
                workers=2, on=None if on == "local" else on, seed=5)
    write_scores(found, where + "/scores.csv")
"""


def start(tmp_path, on="local"):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("{file}", str(FILE)), "utf-8")
    command = [sys.executable, str(script), str(tmp_path), on]
    return subprocess.Popen(command, start_new_session=True)


def read_marks(folder):
    marks = folder / "marks"
    return [int(line) for line in marks.read_text().split()] if marks.exists() else []


def run_undisturbed():
    return run(
        [f"marking={FILE}:Slow(delay=0)", "tree"],
        ["iris", "wine"],
        design="6x5",
        store=":memory:",
        workers=0,
        seed=5,
    )


def test_kill_in_the_middle_and_go_on(tmp_path):
    (tmp_path / "hold").touch()
    process = start(tmp_path)
    wait_until(lambda: len(read_marks(tmp_path)) >= 20 and list_marking(tmp_path), process)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with open_store(tmp_path / "runs.sqlite") as store:
        assert store.check() == []
    before, kept = len(read_marks(tmp_path)), len(list_marking(tmp_path))
    (tmp_path / "hold").unlink()
    assert start(tmp_path).wait() == 0
    # What was kept was not done again: of two times six runs, five fits each.
    assert len(read_marks(tmp_path)) == before + 60 - 5 * kept
    from twofold import read_scores

    same_values(read_scores(str(tmp_path / "scores.csv")), run_undisturbed())


def list_marking(folder):
    with open_store(folder / "runs.sqlite") as store:
        return [record for record in store.tasks() if record.task.learner == "marking"]


def same_values(table, reference):
    assert table.value.tolist() == reference.value.tolist()
    assert table.run.tolist() == reference.run.tolist()


@pytest.mark.parametrize("on", ["local", pytest.param("dask", marks=pytest.mark.slow)])
def test_a_dead_worker_changes_nothing(tmp_path, on):
    if on == "dask":
        pytest.importorskip("distributed")
    (tmp_path / "hold").touch()
    process = start(tmp_path, on)
    wait_until(lambda: len(read_marks(tmp_path)) >= 20, process)
    os.kill(read_marks(tmp_path)[-1], signal.SIGKILL)
    (tmp_path / "hold").unlink()
    assert process.wait() == 0
    from twofold import read_scores

    same_values(read_scores(str(tmp_path / "scores.csv")), run_undisturbed())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"data": "no-such-file.csv"}, "no-such-file.csv"),
        ({"learners": ["nbb"]}, "nb"),
        ({"design": "10by10"}, "not a design"),
        ({"design": "1x1000"}, "1000"),
        ({"target": "klass"}, "klass"),
        ({"until": 95}, "Did you mean 0.95"),
        ({"until": 0.9, "design": "loo"}, "one run"),
        ({"max_runs": 4}, "goes with"),
        ({"budget": "soon"}, "not a time"),
        ({"on": "moon"}, "not a place"),
        ({"workers": -1}, "workers"),
        ({"learners": ["linear", "nb"]}, "linear"),
    ],
)
def test_bad_questions_get_two_lines(change, words):
    question = {"learners": ["nb", "tree"], "data": "iris", "store": ":memory:", **change}
    learners, data = question.pop("learners"), question.pop("data")
    with pytest.raises(InputError) as error:
        compare(learners, data, **question)
    assert words in f"{error.value.rule} {error.value.remedy}"
    assert error.value.rule
    assert error.value.remedy


def test_options_of_tables_are_refused_with_data():
    with pytest.raises(InputError, match="for tables"):
        compare(["nb", "tree"], "iris", ranks=True, store=":memory:")
    with pytest.raises(InputError, match="needs data"):
        compare({"a": [1, 2, 3], "b": [2, 3, 4]}, until=0.9)


@pytest.mark.parametrize(
    "name", ["nb", "c45", "nn", "twofold.learners.loess_naive_bayes.LoessNaiveBayes", "noisy"]
)
def test_whole_cross_validations_give_what_fit_and_predict_give(name, monkeypatch):
    pandas = pytest.importorskip("pandas")
    stream = np.random.default_rng(7)
    frame = pandas.DataFrame(
        {
            "n": np.where(stream.random(80) < 0.1, np.nan, stream.normal(size=80)),
            "word": stream.choice(["a", "b", None], 80),
            "class": stream.choice(["x", "y", "z"], 80),
        }
    )
    if name == "noisy":
        from twofold.learners.naive_bayes import NaiveBayes
        from twofold.learners.noisy import Noisy

        name = Noisy(NaiveBayes(), rate=0.3)
    at_once = run([name], frame, target="class", design="3x5", store=":memory:", workers=0)
    monkeypatch.setattr("twofold.execution.fit_task.TaskContext._does_whole_runs", lambda *_: False)
    one_by_one = run([name], frame, target="class", design="3x5", store=":memory:", workers=0)
    same(at_once, one_by_one)


@pytest.mark.parametrize("design", ["holdout:1/3", "loo"])
def test_one_prediction_for_each_example_goes_to_mcnemar(design):
    answer = compare(["nb", "majority"], "iris", design=design, store=":memory:", workers=0)
    assert answer.method == "mcnemar-midp"
    assert answer.datasets == ("iris",)
    pair = answer.pairs[0]
    assert pair.outcome == "a"
    scores = run(["nb", "majority"], "iris", design=design, store=":memory:", workers=0)
    sizes = scores.n_test[scores.learner == 0]
    means = [np.average(scores.value[scores.learner == i], weights=sizes) for i in range(2)]
    assert pair.estimate == pytest.approx(means[0] - means[1])
    with pytest.raises(InputError, match="by accuracy"):
        compare(["nb", "tree"], "iris", design=design, metric="f1", store=":memory:", workers=0)


def test_disjoint_training_sets_are_compared_by_quasi_f():
    """Means and intervals against the table of the same run; F against the arithmetic itself."""
    design = "disjoint:4:1/3"
    scores = run(["nb", "majority", "tree"], "iris", design=design, store=":memory:", workers=0)
    answer = compare(["nb", "majority", "tree"], "iris", design=design, store=":memory:", workers=0)
    assert answer.method == "quasi-f, holm"
    assert answer.omnibus[0].method == "quasi-f"
    means = scores.means()[0]
    for pair in answer.pairs:
        i, j = answer.learners.index(pair.a), answer.learners.index(pair.b)
        assert pair.estimate == pytest.approx(means[i] - means[j])
        assert pair.interval[0] < pair.estimate < pair.interval[1]
        assert pair.wins + pair.ties + pair.losses == 4
    assert [pair.outcome for pair in answer.pairs] == ["a", "none", "b"]
    two = compare(["nb", "majority"], "iris", design=design, store=":memory:", workers=0)
    assert "nb is better than majority" in two.verdict
    with pytest.raises(InputError, match="does not fit disjoint"):
        compare(["nb", "tree"], "iris", design=design, test="wilcoxon", store=":memory:")
    with pytest.raises(InputError, match="one data set"):
        compare(["nb", "tree"], ["iris", "wine"], design=design, store=":memory:", workers=0)


def test_progress_in_words(monkeypatch, capsys):
    from twofold.execution import progress

    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(progress, "LINE_EVERY", 0.0)
    learners = [f"a={FILE}:Slow", f"b={FILE}:Slow(delay=0.03)"]
    compare(learners, "iris", design="6x5", store=":memory:", workers=0, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert any(
        " of 12 runs, about " in line and line.rstrip(".").split(" left")[0] for line in lines
    )
    assert any("So far: No difference" in line for line in lines)
    assert [progress.format_time(x) for x in (5, 65, 7260)] == ["5 s", "1:05 min", "2:01 h"]
