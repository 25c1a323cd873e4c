"""Which way is better: what names say, what is assumed, and scales that do not go together."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twofold
from twofold import InputError, compare
from twofold.scores.build_scores import ASSUMING
from twofold.scores.metrics import HIGHER, LOWER, direction, find_direction

NAMES = ["SVM", "RF", "kNN 5", "C4.5", "naive Bayes", "XGB+"]
METRICS = ["RMSE", "error", "loss", "log loss", "MAE", "error rate", "brier_score", "time"]
GAINS = ["accuracy", "AUC", "F1", "balanced accuracy", "R2"]
AFFIXES = ["{0}_{1}", "{0} {1}", "{1} ({0})", "{0} ({1})", "{1}_{0}", "{0}.{1}", "{0} [{1}]",
           "{0}_test_{1}", "{1}: {0}"]  # fmt: skip


@st.composite
def tables(draw):
    """Return learners by name, with scores on data sets, without any metric."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    rows = draw(st.integers(5, 9))
    values = st.integers(1, 400).map(lambda number: number / 7)
    columns = {n: draw(st.lists(values, min_size=rows, max_size=rows)) for n in names}
    return {"dataset": [f"d{i}" for i in range(rows)], **columns}


def rename(table, affix, metric):
    return {name if name == "dataset" else affix.format(name, metric): cells
            for name, cells in table.items()}  # fmt: skip


def content(scores):
    """Return what a table holds, without words on how it was read."""
    return (scores.learners, scores.datasets, scores.metric, scores.higher_is_better,
            scores.value.tolist(), scores.learner.tolist(), scores.dataset.tolist())  # fmt: skip


@given(tables(), st.sampled_from(AFFIXES), st.sampled_from(METRICS + GAINS))
@settings(max_examples=60, deadline=None)
def test_a_metric_in_all_names_gives_the_direction_and_nothing_else(table, affix, metric):
    named = twofold.read_scores(rename(table, affix, metric))
    assert content(named) == content(twofold.read_scores(table, metric=metric))
    assert named.higher_is_better == (metric in GAINS)


@pytest.mark.parametrize("metric", ["RMSE", "accuracy"])
def test_answers_differ_by_the_direction_alone(metric):
    table = {"dataset": list("abcdefg"), "A": [5, 6, 7, 9, 4, 8, 7], "B": [4, 3, 5, 8, 2, 5, 6]}
    named = compare(rename(table, "{0}_{1}", metric))
    stated = compare(table, metric=metric)
    better = "A" if metric == "accuracy" else "B"
    assert named.verdict == stated.verdict
    assert named.verdict.startswith(f"{better} is better than")
    assert (named.ranking, named.pairs) == (stated.ranking, stated.pairs)


@given(tables(), st.sampled_from(METRICS + GAINS))
@settings(max_examples=15, deadline=None)
def test_frames_corners_and_files_name_the_metric_as_well(tmp_path_factory, table, metric):
    folder = tmp_path_factory.mktemp("named")
    learners, datasets, _, *rest = content(twofold.read_scores(table, metric=metric))
    frame = pd.DataFrame(table).set_index("dataset")
    corner = {metric if name == "dataset" else name: cells for name, cells in table.items()}
    file = folder / f"results_{metric}.csv"
    frame.to_csv(file)
    level = pd.concat({metric: frame}, axis=1)
    for source in (frame.rename_axis(columns=metric), corner, str(file), level):
        scores = twofold.read_scores(source)
        assert scores.metric.replace(" ", "_") == metric.replace(" ", "_")
        assert content(scores) == (learners, datasets, scores.metric, *rest)


def test_a_sheet_names_the_metric(tmp_path):
    pytest.importorskip("openpyxl")
    frame = pd.DataFrame({"dataset": list("abcdef"), "A": range(6), "B": range(1, 7)})
    frame.to_excel(tmp_path / "table.xlsx", sheet_name="RMSE", index=False)
    answer = compare(tmp_path / "table.xlsx")
    assert (answer.metric, answer.higher_is_better) == ("RMSE", False)
    assert "the sheet's name" in next(n.detail for n in answer.notes if n.code == "read-as")


def test_files_of_one_learner_each_name_the_metric(tmp_path):
    for name, shift in (("svm", 0.0), ("rf", 0.2)):
        rows = [f"d{i},{1 + i / 10 + shift}" for i in range(6)]
        (tmp_path / f"{name}_RMSE.csv").write_text("\n".join(["dataset,score", *rows]))
    scores = twofold.read_scores([tmp_path / "svm_RMSE.csv", tmp_path / "rf_RMSE.csv"])
    assert (scores.learners, scores.metric) == (("svm", "rf"), "RMSE")
    assert not scores.higher_is_better


def test_options_call_learners_by_either_name():
    table = {f"{name}_RMSE": [i + 0.5, i * 2.0, i * 3.5, 2.0] for i, name in enumerate("ABC", 1)}
    for only in (["A_RMSE", "C_RMSE"], ["A", "C"], "A_RMSE,C"):
        scores = twofold.read_scores(table, only=only, rows="datasets")
        assert (scores.learners, scores.metric) == (("A", "C"), "RMSE")
    assert twofold.read_scores(table, drop="B_RMSE", rows="datasets").learners == ("A", "C")
    kept = twofold.read_scores(table, metric="accuracy", rows="datasets")  # the caller knows better
    assert (kept.learners, kept.higher_is_better) == (tuple(table), True)


@pytest.mark.parametrize(
    "names",
    [
        ["cost-sensitive tree", "cost-sensitive SVM"],
        ["time series forest", "ROCKET"],
        ["SGD log loss", "SGD hinge"],
        ["error", "RF error"],
        ["SVM_acc", "SVM_f1_tuned", "RF_acc"],
    ],
)
def test_names_that_do_not_share_a_metric_stay_as_they_are(names):
    scores = twofold.read_scores(
        {name: [0.2, 0.5, 0.1 * i] for i, name in enumerate(names, 1)}, rows="datasets"
    )
    assert scores.learners == tuple(names)


def test_spreads_beside_learners_with_a_metric_are_left_out():
    table = {f"{name}_{part}": cells for name in "AB"
             for part, cells in (("RMSE", [2.5, 3.2, 4.0]), ("std", [0.1, 0.2, 0.1]))}  # fmt: skip
    scores = twofold.read_scores({"dataset": list("xyz"), **table})
    assert scores.learners == ("A", "B")
    assert "left-out-columns" in {note.code for note in scores.notes}


@pytest.mark.parametrize("learners", [2, 3])
def test_every_output_begins_with_the_direction_where_it_is_assumed(tmp_path, learners):
    table = {f"L{i}": [0.8 + i / 50, 0.7, 0.9 - i / 40, 0.6, 0.5 + i / 30] for i in range(learners)}
    answer = compare(table, rows="datasets")
    assert answer.verdict.startswith(f"{ASSUMING}: ")
    for name in ("a.html", "a.md", "a.tex", "a.txt", "a.json"):
        answer.save(tmp_path / name)
        text = re.sub(r"\s+", " ", (tmp_path / name).read_text("utf-8"))
        assert f"{ASSUMING}: " in text, name
    assert json.loads((tmp_path / "a.json").read_text())["verdict"] == answer.verdict
    for option in ({"metric": "accuracy"}, {"higher_is_better": True}, {"only": "L0"}):
        assert ASSUMING not in compare(table, **option, rows="datasets").verdict


def test_gates_begin_with_the_direction_where_it_is_assumed():
    table = {"old": [0.8, 0.7, 0.9, 0.6, 0.85], "new": [0.81, 0.7, 0.92, 0.63, 0.84]}
    options = {"baseline": "old", "candidate": "new", "margin": 0.02}
    assert twofold.gate(table, **options, rows="datasets").sentence.startswith(
        f"{ASSUMING}: new is no worse"
    )
    known = {f"{name}_accuracy": cells for name, cells in table.items()}
    assert twofold.gate(known, **options, rows="datasets").sentence.startswith("new is no worse")


def test_scorers_of_scikit_learn_are_higher_where_they_are_better():
    a = {"test_score": [-0.5, -0.4, -0.3, -0.6, -0.5], "fit_time": [1, 1, 1, 1, 1]}
    b = {"test_score": [-0.7, -0.5, -0.4, -0.8, -0.9], "fit_time": [1, 1, 1, 1, 1]}
    answer = compare({"a": a, "b": b})
    assert (answer.ranking[0], answer.assumes_direction) == ("a", False)
    turned = {"a_rmse": [-0.5, -0.4, -0.3], "b_rmse": [-0.7, -0.5, -0.4]}
    assert compare(turned, rows="datasets").ranking[0] == "a"


@given(st.sampled_from(sorted(HIGHER | LOWER)), st.sampled_from(["val", "my", "test set"]))
def test_a_metric_is_known_by_its_last_words(metric, first):
    assert find_direction(f"{first}_{metric}") == direction(metric)
    assert find_direction(f"1 - {metric}") is None


@given(
    tables(),
    st.lists(st.floats(0.55, 0.95), min_size=9, max_size=9),
    st.integers(0, 4),
    st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_percent_beside_fractions_is_refused_with_the_guess(table, base, odd, percent):
    names = [name for name in table if name != "dataset"]
    rows = len(table["dataset"])
    shares = {name: [b - 0.03 * i for b in base[:rows]] for i, name in enumerate(names)}
    odd = names[odd % len(names)]
    if len(names) == 2:
        percent = True  # of two the one in percent is named
    unit = {name: 100 if (name == odd) == percent else 1 for name in names}
    mixed = {name: [unit[name] * x for x in cells] for name, cells in shares.items()}
    kinds = ("percent", "fractions") if percent else ("fractions", "percent")
    word = "Divide" if percent else "Multiply"
    long = [{"dataset": f"d{i}", "learner": name, "accuracy": x}
            for name, cells in mixed.items() for i, x in enumerate(cells)]  # fmt: skip
    for source, options in ((mixed, {"rows": "datasets"}), (long, {})):
        with pytest.raises(InputError) as refusal:
            twofold.read_scores(source, **options)
        assert f"{odd!r} looks like {kinds[0]}, the other" in refusal.value.rule
        assert refusal.value.rule.endswith(f"like {kinds[1]}.")
        assert refusal.value.remedy.startswith(f"{word} it by 100")
        twofold.read_scores(source, only=names, **options)  # the caller has seen it
    twofold.read_scores(shares, rows="datasets")


def test_gates_refuse_percent_beside_fractions():
    old, new = {"dataset": list("abcd"), "score": [0.8, 0.7, 0.9, 0.6]}, [81, 70.5, 90, 64]
    with pytest.raises(InputError, match="looks like percent, the other like fractions"):
        twofold.gate(old, old | {"score": new}, margin=0.01)
    slower = {"dataset": list("abcde"), "time": [81.0, 70.5, 90, 64, 70]}  # no percent
    faster = slower | {"time": [0.8, 0.7, 0.9, 0.6, 0.7]}
    assert twofold.gate(faster, slower, margin=0.01).decision == "not good enough"


@given(st.integers(0, 1000), st.sampled_from(["delta", "gap", "gain", "difference", "Delta"]))
@settings(max_examples=20, deadline=None)
def test_a_learner_called_delta_is_one_unless_it_is_a_difference(seed, name):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.uniform(0.6, 0.95, (8, 1)) + rng.normal(0, 0.02, (8, 4)), 4)
    greek = dict(zip(["alpha", "beta", name, "epsilon"], scores.T.tolist(), strict=True))
    assert twofold.read_scores(greek, rows="datasets").learners == tuple(greek)
    real = np.round(scores[:, 1] - scores[:, 0], 4).tolist()
    assert name not in twofold.read_scores(greek | {name: real}, rows="datasets").learners
    with pytest.raises(InputError, match="differences, or the scores"):
        twofold.read_scores(greek | {name: (rng.normal(0, 0.02, 8) - 0.001).tolist()})
