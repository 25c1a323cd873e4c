"""Runs of our own learners that are done together: the same results as one by one."""

import pickle

import numpy as np
import pytest

import twofold
from twofold.execution import fit_task
from twofold.execution.fit_task import Job, TaskContext
from twofold.execution.store import MemoryStore
from twofold.learners import read_learners
from twofold.learners.kernels import estimator

RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
LEARNERS = {
    "nb": "nb",
    "c45": "c45",
    "nn": "nn",
    "majority": "majority",
    "noisy": "twofold.learners.noisy.Noisy(twofold.learners.naive_bayes.NaiveBayes())",
    "half": "twofold.learners.half.Half(twofold.learners.naive_bayes.NaiveBayes())",
}


def run(learners, workers=1):
    store = MemoryStore()
    twofold.run(learners, X, Y, design="5x4", store=store, workers=workers)
    tasks = store.tasks()
    outcomes = store.get([record.task.key for record in tasks])
    return {
        (record.task.learner, record.task.key): outcomes[record.task.key].responses["predict"]
        for record in tasks
    }


def test_together_or_one_by_one_is_the_same(monkeypatch):
    calls = []
    do = TaskContext.do
    monkeypatch.setattr(
        TaskContext, "do", lambda self, jobs: [calls.append(jobs), do(self, jobs)][1]
    )
    together = run(LEARNERS)
    assert [len(jobs) for jobs in calls] == [5] * len(LEARNERS)
    calls.clear()
    monkeypatch.setattr(fit_task, "MOST_CELLS", 2 * X.size)
    monkeypatch.setattr(fit_task, "MOST_KEPT", 0)
    by_two = run(LEARNERS)
    assert [len(jobs) for jobs in calls[-6:]] == [1] * 6
    assert [jobs[0].run for jobs in calls] == [0] * 6 + [2] * 6 + [4] * 6
    assert together.keys() == by_two.keys()
    for key, predicted in together.items():
        np.testing.assert_array_equal(predicted, by_two[key])
        assert predicted.dtype == by_two[key].dtype


def test_workers_are_threads_for_runs_that_are_done_together(monkeypatch):
    stretches = []

    def spread_runs(job, runs, *, threads, work):
        stretches.append((runs, threads))
        spread(job, runs, threads=threads)  # however short they are

    spread = estimator.spread_runs
    monkeypatch.setattr(estimator, "spread_runs", spread_runs)
    learners = {"nb": "nb", "c45": "c45"}
    by_three = run(learners, workers=3)
    assert stretches == [(5, 3), (5, 3)]
    alone = run(learners)
    for key, predicted in by_three.items():
        np.testing.assert_array_equal(predicted, alone[key])


def test_a_worker_has_one_thread():
    context = TaskContext([], [], None, seed=1, threads=4)
    assert pickle.loads(pickle.dumps(context)).threads == 1


@pytest.mark.parametrize("metric", ["accuracy", "log_loss"])
def test_what_fails_together_fails_as_the_first_run_does(metric):
    learners = ["nb", "twofold.learners.c45.C45(cf=0.9)"]
    scores = twofold.run(learners, X, Y, design="5x4", metric=metric, store=":memory:", workers=1)
    assert scores.learners == ("nb",)
    (note,) = [note for note in scores.notes if note.code == "learner-failed"]
    assert "run 1: `cf` must lie above 0" in note.detail.replace(", fold 1", "")


def test_others_learners_and_other_responses_are_done_run_by_run():
    data = twofold.read_dataset((X, Y))
    design = twofold.designs.parse_design("5x4")
    context = TaskContext([data], read_learners(["nb", "tree"]), design, 0)
    assert context.count_together(Job(0, 0, 0)) > 100
    assert context.count_together(Job(0, 0, 0, (("predict_proba",),))) == 1
    assert context.count_together(Job(0, 1, 0)) == 1


@pytest.mark.parametrize("name", ["nb", "nn", "c45", "tan"])
def test_random_splits_are_done_together_with_the_same_predictions(name, monkeypatch):
    options = {"design": "resample:6:0.2", "workers": 0, "store": ":memory:"}
    together = twofold.run([name], "iris", **options)
    monkeypatch.setattr(TaskContext, "_does_whole_runs", lambda context, job: False)
    assert (twofold.run([name], "iris", **options).value == together.value).all()
