"""Predictions by metrics other than accuracy: F1, AUC, RMSE; clusters; what is refused."""

import numpy as np
import pytest

import twofold
from twofold import InputError
from twofold.stats import delong, exchange_test, paired_bootstrap, predict_new_items, sign_flip


def make_test_set(n=240, seed=0):
    stream = np.random.default_rng(seed)
    truth = (stream.random(n) < 0.35).astype(int)
    patients = np.repeat(np.arange(n // 4), 4)
    own = 0.5 * stream.standard_normal((3, n // 4))[:, patients]
    gain = np.array([[1.6], [1.2], [0.6]])
    scores = gain * (2 * truth - 1) + own + stream.standard_normal((3, n))
    names = ("forest", "svm", "tree")
    shares = 1 / (1 + np.exp(-scores))
    return truth, patients, dict(zip(names, shares, strict=True))


def label_table(**more):
    truth, patients, scores = make_test_set()
    words = np.array(["healthy", "sick"])
    labels = {name: words[(s > 0.5).astype(int)].tolist() for name, s in scores.items()}
    return {
        "patient": [f"p{p}" for p in patients],
        "truth": words[truth].tolist(),
        **labels,
        **more,
    }


def score_table(**more):
    truth, patients, scores = make_test_set()
    words = np.array(["healthy", "sick"])
    columns = {name: s.tolist() for name, s in scores.items()}
    return {
        "patient": [f"p{p}" for p in patients],
        "truth": words[truth].tolist(),
        **columns,
        **more,
    }


def test_f1_is_decided_by_exchanges():
    """Neither the order of rows and columns nor the bootstrap's interval contradicts them."""
    table = label_table()
    options = {"predictions": True, "metric": "f1", "positive": "sick", "drop": "patient"}
    answer = twofold.compare(table, **options)
    for pair in answer.pairs:
        names = sorted([pair.a, pair.b])
        columns = [np.array(table[name]) for name in names]
        draws = int(np.ceil(20 * len(answer.pairs) / answer.alpha))
        p = exchange_test(
            "f1", np.array(table["truth"]), *columns, positive="sick", draws=max(draws, 10_000)
        ).pvalue
        assert pair.method == "exchange"
        assert pair.pvalue == pytest.approx(p, abs=6 * (p * (1 - p) / 10_000) ** 0.5)
        low, high = pair.interval
        assert pair.differs == (low >= 0 or high <= 0)
    clustered = twofold.compare(table, **{**options, "drop": (), "cluster": "patient"})
    assert {pair.method for pair in clustered.pairs} == {"exchange"}


def test_f1_by_the_bootstrap():
    table = label_table()
    answer = twofold.compare(
        table, predictions=True, metric="f1", positive="sick", only=["forest", "tree"],
        test="bootstrap",
    )  # fmt: skip
    (pair,) = answer.pairs
    truth = np.array(table["truth"])
    ours = paired_bootstrap(
        "f1", truth, np.array(table["forest"]), np.array(table["tree"]), positive="sick"
    )
    assert pair.method == "bootstrap"
    assert pair.estimate == pytest.approx(ours.estimate, abs=1e-14)
    assert pair.pvalue == pytest.approx(ours.pvalue, abs=1e-14)
    assert pair.interval == pytest.approx((ours.interval.low, ours.interval.high), abs=1e-14)
    assert pair.standard_error == pytest.approx(ours.details["standard_error"], abs=1e-14)
    assert answer.positive == {"the test set": "sick"}
    assert answer.metric == "f1"
    assert [score.interval_method for score in answer.learner_scores] == ["bootstrap-interval"] * 2


def test_auc_is_delongs_with_and_without_clusters():
    truth, patients, scores = make_test_set()
    for cluster in (None, "patient"):
        answer = twofold.compare(
            score_table(), predictions=True, metric="auc", positive="sick", cluster=cluster,
            drop=() if cluster else "patient",
        )  # fmt: skip
        names = None if cluster is None else patients
        for pair in answer.pairs:
            expected = delong(truth, scores[pair.a], scores[pair.b], clusters=names)
            if cluster is None:
                assert pair.pvalue_unadjusted == pytest.approx(expected.pvalue, rel=1e-9)
                assert pair.standard_error == pytest.approx(
                    expected.details["standard_error"], rel=1e-9
                )
            else:  # exchanges of whole clusters decide; they are near
                assert pair.method == "exchange"
                assert pair.pvalue_unadjusted == pytest.approx(expected.pvalue, abs=0.05)
            assert pair.n == 240
        assert answer.clusters == (None if cluster is None else 60)
        assert answer.adjustment == "holm"
        score = answer.learner_scores[0]
        assert score.interval_method == "delong-auc"
        assert score.interval[0] < score.mean < score.interval[1]


def test_accuracy_with_clusters_is_decided_by_flips_of_clusters():
    table = label_table()
    answer = twofold.compare(table, predictions=True, cluster="patient", only=["forest", "tree"])
    (pair,) = answer.pairs
    right = [np.array(table[name]) == np.array(table["truth"]) for name in ("forest", "tree")]
    expected = sign_flip(*(x.astype(float) for x in right), clusters=table["patient"])
    assert pair.method == "sign-flip"
    assert pair.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    assert "clustered-t" in [other["method"] for other in pair.beside]
    assert (answer.items, answer.clusters) == (240, 60)


@pytest.mark.parametrize("metric", ["f1", "average_precision"])
def test_the_order_of_rows_and_columns_does_not_matter(metric):
    table = label_table() if metric == "f1" else score_table()
    order = np.random.default_rng(5).permutation(len(table["truth"]))
    turned = {
        name: [table[name][i] for i in order]
        for name in ("tree", "truth", "forest", "svm", "patient")
    }
    options = {"predictions": True, "metric": metric, "positive": "sick"}
    for cluster in ({"cluster": "patient"}, {"drop": "patient"}):
        one = twofold.compare(table, **options, **cluster)
        other = twofold.compare(turned, **options, **cluster)
        found = {frozenset((p.a, p.b)): p.pvalue for p in other.pairs}
        for pair in one.pairs:
            assert found[frozenset((pair.a, pair.b))] == pytest.approx(pair.pvalue, abs=1e-9)


def test_intervals_agree_with_decisions():
    for metric in ("f1", "balanced_accuracy", "precision", "mcc", "kappa", "f1_macro", "jaccard"):
        answer = twofold.compare(label_table(), predictions=True, metric=metric, drop="patient")
        for pair in answer.pairs:
            low, high = pair.interval
            assert pair.differs == (not low <= 0 <= high or 0 in (low, high))


def test_new_examples_are_predicted_for_accuracies():
    table = label_table()
    answer = twofold.compare(table, predictions=True, only=["forest", "tree"])
    right = [np.array(table[name]) == np.array(table["truth"]) for name in ("forest", "tree")]
    expected = predict_new_items(*(x.astype(float) for x in right), test="mcnemar-midp")
    (pair,) = answer.pairs
    ends = expected.low, expected.high
    assert pair.replicability.interval == pytest.approx(ends, abs=1e-12)
    several = twofold.compare(table, predictions=True, drop="patient")
    assert all(0 < end < 1 for pair in several.pairs for end in pair.replicability.interval)
    few = {name: cells[:20] for name, cells in table.items()}
    assert twofold.compare(few, predictions=True, drop="patient").pairs[0].replicability is None


def test_predicted_numbers():
    stream = np.random.default_rng(2)
    truth = 10 * stream.standard_normal(150)
    table = {
        "truth": truth.tolist(),
        "ridge": (truth + stream.standard_normal(150)).tolist(),
        "knn": (truth + 2 * stream.standard_normal(150)).tolist(),
    }
    rmse = twofold.compare(table, predictions=True, metric="rmse")
    assert (rmse.method, rmse.higher_is_better) == ("exchange", False)
    assert rmse.pairs[0].outcome == "a"
    assert rmse.mean_scores["knn"] == pytest.approx(
        np.sqrt(np.mean((np.array(table["knn"]) - truth) ** 2)), rel=1e-12
    )
    mae = twofold.compare(table, predictions=True, metric="mae")
    assert (mae.method, mae.items) == ("sign-flip", 150)
    assert mae.pairs[0].wins == rmse.pairs[0].wins > mae.pairs[0].losses
    with pytest.raises(InputError, match="150 different numbers, not classes"):
        twofold.compare(table, predictions=True)
    with pytest.raises(InputError, match="150 different numbers, not classes"):
        twofold.compare(table, predictions=True, metric="f1")


def test_several_metrics_of_predictions():
    answers = twofold.compare(
        label_table(), predictions=True, metric=["accuracy", "f1"], drop="patient", positive=None
    )
    assert list(answers) == ["accuracy", "f1"]
    assert answers["accuracy"].pairs[0].method == "mcnemar-midp"
    assert answers["f1"].pairs[0].method == "exchange"


def test_one_classifier():
    answer = twofold.compare(
        score_table(), predictions=True, metric="average_precision", positive="sick", only="svm"
    )
    assert answer.has_one_learner
    assert "average_precision of svm on new examples is" in answer.verdict
    assert answer.method == answer.learner_scores[0].interval_method == "bootstrap-interval"
    options = {"predictions": True, "metric": "auc", "positive": "sick", "only": "svm"}
    area = twofold.compare(score_table(), **options)
    drawn = twofold.compare(score_table(), test="bootstrap-interval", **options)
    assert (area.method, drawn.method) == ("delong-auc", "bootstrap-interval")
    assert area.learner_scores[0].interval == pytest.approx(
        drawn.learner_scores[0].interval, abs=0.01
    )


def test_the_positive_class():
    rarer = twofold.compare(label_table(), predictions=True, metric="f1", drop="patient")
    assert rarer.positive == {"the test set": "sick"}
    assert "positive-class" in [note.code for note in rarer.notes]
    truth, _, scores = make_test_set()
    numbers = {"truth": truth.tolist(), **{name: s.tolist() for name, s in scores.items()}}
    known = twofold.compare(numbers, predictions=True, metric="auc")
    assert known.positive == {"the test set": "1"}
    turned = twofold.compare(numbers, predictions=True, metric="auc", positive=0)
    assert turned.mean_scores["svm"] == pytest.approx(1 - known.mean_scores["svm"], abs=1e-12)
    assert "below-chance" in [note.code for note in turned.notes]


def test_columns_that_hold_no_scores_are_left_out():
    truth, _, _ = make_test_set()
    table = score_table(forest_label=truth.tolist(), id=list(range(240)))
    answer = twofold.compare(table, predictions=True, metric="auc", positive="sick")
    assert answer.learners == ("forest", "svm", "tree")
    assert {"patient", "forest_label", "id"} <= {
        word for note in answer.notes if note.code == "left-out-columns" for word in
        note.detail.replace("'", " ").split()
    }  # fmt: skip


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        (label_table, {"metric": "auc", "positive": "sick"}, "labels, not scores"),
        (label_table, {"metric": "rmse"}, "holds words; the metric needs numbers"),
        (score_table, {"metric": "auc"}, "Which class are the scores of"),
        (score_table, {"metric": "auc", "positive": "ill"}, "no class 'ill'"),
        (score_table, {"metric": "f1"}, "other labels than the true ones"),
        (label_table, {"metric": "f7"}, "cannot be compared by 'f7'"),
        (label_table, {"metric": "all"}, "no list of metrics"),
        (label_table, {"metric": max}, "not by a function"),
        (label_table, {"metric": "mcc", "positive": "sick"}, "looks for no single class"),
        (label_table, {"positive": "sick"}, "looks for no single class"),
        (label_table, {"metric": "f1", "test": "wilcoxon"}, "does not fit predictions by f1"),
        (label_table, {"metric": "f1", "cluster": "person"}, "no column 'person'"),
        (label_table, {"metric": "f1", "truth": "nobody"}, "true values"),
        (label_table, {"metric": "f1", "control": "nobody"}, "no classifier 'nobody'"),
        (
            lambda: score_table(age=np.arange(240).tolist()),
            {"metric": "auc", "positive": "sick"},
            "lies outside 0 to 1",
        ),
        (
            lambda: score_table(late=[0.5] * 239 + [None]),
            {"metric": "auc", "positive": "sick", "only": ["svm", "late"]},
            "row 240: a number is missing",
        ),
    ],
)
def test_refused_predictions(table, options, words):
    with pytest.raises(InputError, match=words):
        twofold.compare(table(), predictions=True, **options)


def test_the_positive_class_is_for_predictions():
    with pytest.raises(InputError, match="this is a table"):
        twofold.compare({"A": [0.5, 0.6], "B": [0.7, 0.8]}, positive="x", rows="datasets")


def test_true_values_are_no_clusters():
    with pytest.raises(InputError, match="'truth' holds the true values"):
        twofold.compare(label_table(), predictions=True, metric="f1", cluster="truth")


def test_a_metric_that_needs_every_cluster_has_an_interval():
    truth = np.repeat([0.0, 1.0], 20)
    a, b = (truth + np.random.default_rng(s).normal(0, 0.3, 40) for s in (1, 2))
    result = paired_bootstrap("r2", truth, a, b, clusters=truth.astype(int))
    assert result.details["acceleration"] == 0
    assert np.isfinite(result.interval.low)


def test_a_class_named_for_one_metric_costs_no_other_its_answer():
    table, options = label_table(), {"predictions": True, "cluster": "patient"}
    answers = twofold.compare(table, metric=["accuracy", "f1"], positive="sick", **options)
    assert list(answers) == ["accuracy", "f1"]
    alone = twofold.compare(table, metric="accuracy", **options)
    assert answers["accuracy"].verdict == alone.verdict
    with pytest.raises(InputError, match="looks for no single class"):
        twofold.compare(table, metric=["accuracy", "kappa"], positive="sick", **options)
