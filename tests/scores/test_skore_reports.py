"""Reports of skore are read by their splits; objects of the same shape stand for them."""

from types import SimpleNamespace

import numpy as np
import pytest

from twofold import InputError, compare, read_scores

pd = pytest.importorskip("pandas")
SPLITS = [
    (np.setdiff1d(np.arange(12), test), test)
    for test in (np.arange(4 * i, 4 * i + 4) for i in range(3))
]


def report(name, accuracy, splits=SPLITS):
    """A cross-validation report, with the summary of skore 0.28."""
    rows = []
    for split, value in enumerate(accuracy):
        for metric, score, label, greater in [
            ("default_score", value, pd.NA, True),
            ("accuracy", value, pd.NA, True),
            ("precision", value / 2, 1, True),
            ("regret", 1 - value, None, False),
            ("fit_time", 0.1, pd.NA, False),
        ]:
            row = {"name": metric, "score": score, "label": label, "greater_is_better": greater}
            rows.append(row | {"estimator": name, "data_source": "test", "split": split})
    metrics = SimpleNamespace(summarize=lambda: SimpleNamespace(summary=pd.DataFrame(rows)))
    return SimpleNamespace(metrics=metrics, split_indices=splits, estimator_name_=name, reports_=[])


TREE, FOREST = report("Tree", [0.5, 0.75, 0.5]), report("Forest", [0.75, 0.75, 1.0])


def test_reports_by_name_in_a_list_and_as_a_comparison():
    both = SimpleNamespace(metrics=TREE.metrics, reports_={"Tree": TREE, "Forest": FOREST})
    for table in ({"Tree": TREE, "Forest": FOREST}, [TREE, FOREST], both):
        scores = read_scores(table)
        assert scores.learners == ("Tree", "Forest")
        assert scores.metrics == ("accuracy", "regret")
        folds = scores.folds(0)
        assert folds.values.tolist() == [[[0.5, 0.75, 0.5]], [[0.75, 0.75, 1.0]]]
        assert folds.n_train.tolist() == [[8, 8, 8]]
        assert compare(table).method == "corrected-cv-t"


def test_the_report_says_which_way_is_better():
    scores = read_scores([TREE, FOREST], metric="regret")
    assert not scores.higher_is_better
    assert compare([TREE, FOREST], metric="regret").ranking == ("Forest", "Tree")


def test_what_cannot_be_compared():
    single = SimpleNamespace(metrics=TREE.metrics, estimator_name_="Single")
    old = report("Old", [0.5, 0.5, 0.5])
    old.metrics = SimpleNamespace(summarize=lambda: SimpleNamespace(summary=None))
    moved = report("Moved", [0.5, 0.5, 0.5], [(test, train) for train, test in SPLITS])
    for table, message in [
        (TREE, "report on one learner"),
        ([TREE], "report on one learner"),
        ([TREE, TREE], "the same name"),
        ({"a": single, "b": single}, "The report on a has one split"),
        ([TREE, old], "another form"),
        ([TREE, moved], "different splits"),
    ]:
        with pytest.raises(InputError, match=message):
            read_scores(table)
