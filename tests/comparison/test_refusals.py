"""Every option in every situation: it is used, or it is refused in two lines, never ignored."""

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest

import twofold
from twofold import InputError, compare
from twofold.cli import main

RNG = np.random.default_rng(0)


def splits(names=("a", "b"), sets=("only",), runs=3, folds=4):
    """A long table: of random splits where there are no folds."""
    return [
        {
            "dataset": name,
            "learner": learner,
            "run": r,
            "accuracy": 0.7 + 0.03 * i + RNG.random() / 20,
        }
        | ({"fold": f} if folds else {})
        for name in sets
        for i, learner in enumerate(names)
        for r in range(runs)
        for f in range(max(folds, 1))
    ]


def frame(rows):
    x = RNG.normal(size=(rows, 3))
    columns = {f"x{i}": x[:, i] for i in range(3)}
    columns |= {"class": np.where(x[:, 0] + RNG.normal(size=rows) > 0, "yes", "no")}
    columns |= {"group": np.arange(rows) // 3, "part": np.arange(rows) % 4}
    return pd.DataFrame(columns | {"other": np.where(RNG.random(rows) > 0.5, "u", "v")})


def guesses(wrong):
    return ["u" if RNG.random() < wrong else t for t in TRUTH]


TRUTH = list("uvuv" * 15)
BASE = RNG.random(12)
SETS = {"dataset": [f"set {letter}" for letter in "ghijklmnopqr"]}
WIDE = {name: BASE + 0.05 * i + 0.1 * RNG.random(12) for i, name in enumerate("abcd")}
GAPS = {
    name: [None if (i + 3 * j) % 11 == 0 else x for i, x in enumerate(column)]
    for j, (name, column) in enumerate(WIDE.items())
}
RANKS = {"a": [1, 1, 2, 1, 1, 1], "b": [2, 3, 1, 2, 3, 2], "c": [3, 2, 3, 3, 2, 3]}
LABELS = {"truth": TRUTH, "a": guesses(0.1), "b": guesses(0.5)}
RIGHT = {"item": range(40), "part": [*range(8)] * 5}
RIGHT |= {name: (RNG.random(40) < share).astype(int) for name, share in (("a", 0.9), ("b", 0.4))}
GRADES = {name: RNG.normal(shift, 1, 40) for name, shift in (("a", 3), ("b", 2))}
DATA = frame(45)
RUN = {"target": "class", "store": ":memory:", "workers": 0}

SITUATIONS = {
    "folds, two learners": ((splits(),), {}),
    "folds, three learners": ((splits("abc"),), {}),
    "random splits": ((splits(runs=12, folds=0),), {"test_share": 0.1}),
    "two over data sets": ((SETS | {name: WIDE[name] for name in "ab"},), {}),
    "two over data sets, with folds": ((splits(sets="stuv"),), {}),
    "many over data sets": ((SETS | WIDE,), {}),
    "missing cells": ((SETS | GAPS,), {}),
    "ranks": ((RANKS,), {"ranks": True}),
    "predictions of two": ((LABELS,), {"predictions": True}),
    "predictions of three": ((LABELS | {"c": ["v"] * 60},), {"predictions": True}),
    "items": ((RIGHT,), {}),
    "items of several data sets": (({"task": ["s", "t"] * 20, **GRADES},), {"items": True}),
    "scores read before": ((twofold.read_scores(splits()),), {}),
    "learners, folds": ((["knn", "majority"], DATA), {**RUN, "design": "3x3"}),
    "learners, given folds": ((["knn", "majority"], DATA), {**RUN, "folds": "part"}),
    "learners, holdout": ((["knn", "majority"], DATA), {**RUN, "design": "holdout:1/3"}),
    "learners, disjoint": ((["knn", "majority"], DATA), {**RUN, "design": "disjoint:3:1/3"}),
    "learners, leave one out": ((["nn", "majority"], DATA), {**RUN, "design": "loo"}),
}

VALUES = {
    "y": [(DATA["x1"] > 0).to_numpy()],
    "target": ["other"],
    "groups": ["group"],
    "folds": ["part"],
    "drop": [["b"], ["x0"]],
    "task": ["regression"],
    "drop_unlabelled": [True],
    "positive": ["no such class"],
    "across_metrics": ["holm"],
    "calibrate": [True],
    "design": ["2x4"],
    "store": [":memory:"],
    "workers": [1],
    "on": ["nowhere"],
    "until": [0.8],
    "max_runs": [4],
    "budget": ["9m"],
    "task_timeout": ["9m"],
    "prepare": ["standard"],
    "on_error": ["raise"],
    "memory": ["9GB"],
    "stratify": [True, False],
    "progress": [False],
    "verbose": [True],
    "allow": [["numpy"]],
    "metric": ["mine", "f1"],
    "seed": [5],
    "control": ["b", "majority", "nobody"],
    "alpha": [0.2],
    "adjust": ["bonferroni"],
    "test": ["sign", "cv-t", "mcnemar", "sorted-cv-t", "bayes-hierarchical", "quade"],
    "rope": [0.03],
    "equivalence": [0.03],
    "anytime": [True],
    "alternative": ["less"],
    "df": [7, "calibrated", "textbook"],
    "predictions": [True],
    "truth": ["truth", "a"],
    "partial": [True],
    "impute": ["b"],
    "items": [True],
    "correct": [True],
    "item": ["b"],
    "cluster": ["b"],
    "sample": ["b"],
    "higher_is_better": [False, True],
    "ranks": [True],
    "only": [["b", "a"]],
    "rows": ["datasets", "folds", "splits"],
    "transpose": [True],
    "n_train": [50],
    "n_test": [5],
    "test_share": [0.2],
}

# How work is done does not show in an answer; a store is used if it is passed on.
BY_HAND = {"store", "workers", "progress", "budget", "task_timeout", "memory", "verbose", "allow",
           "prepare", "on_error"}  # fmt: skip
# What says what holds anyway: nobody is misled by an answer that took it into account.
TRUE_ANYWAY = {
    ("stratify", True): "classes are spread evenly by default",
    ("drop_unlabelled", True): "there are no rows without a label",
    ("higher_is_better", True): "so it is with accuracy",
    ("truth", "truth"): "the column is called so",
    ("rows", "datasets"): "a column names them",
}
TRUE_THERE = {
    ("items", "items", True): "they were recognised",
    ("items", "seed", 5): "nothing is drawn",
    ("ranks", "higher_is_better", False): "rank 1 is best",
    ("learners, leave one out", "stratify", False): "leaving one out spreads nothing",
    ("learners, given folds", "stratify", False): "nor do folds that were given",
    ("learners, leave one out", "seed", 5): "nothing is drawn",
}


def ask(situation, **options):
    positional, fixed = SITUATIONS[situation]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare(*positional, **{**fixed, **options}).to_dict()


def test_every_option_is_tried():
    assert set(inspect.signature(compare).parameters) - {"table", "data"} == set(VALUES)


def is_true_anyway(situation, name, value):
    if len(SITUATIONS[situation][0]) == 2 and name in BY_HAND:
        return True
    if not isinstance(value, str | bool | int | float):
        return False
    return (name, value) in TRUE_ANYWAY or (situation, name, value) in TRUE_THERE


@pytest.mark.parametrize("situation", SITUATIONS)
def test_used_or_refused(situation):
    plain = ask(situation)
    ignored, refusals = [], []
    for name, values in VALUES.items():
        for value in values if name not in SITUATIONS[situation][1] else ():
            more = {"n_test": 5} if name == "n_train" else {}
            try:
                used = ask(situation, **{name: value}, **more) != plain
            except InputError as error:
                refusals.append(str(error))
            else:
                if not used and not is_true_anyway(situation, name, value):
                    ignored.append((name, value))
    assert not ignored
    for text in refusals:
        assert [bool(line) for line in text.split("\n")] == [True, True], text


REFUSED = [
    ("folds, two learners", {"design": "5x2"}, "`design` needs data"),
    ("folds, two learners", {"adjust": "holm"}, "`adjust` is for several pairs"),
    ("folds, two learners", {"truth": "a"}, "There is no column 'a'"),
    ("folds, two learners", {"control": "nobody"}, "There is no learner 'nobody'"),
    ("folds, two learners", {"rows": "folds"}, "`rows` is for tables with a column"),
    ("folds, two learners", {"stratify": False}, "`stratify=False` needs data"),
    (
        "folds, two learners",
        {"test": "mean-sorted-runs", "df": 5, "test_share": 0.1},
        "does not use",
    ),
    ("random splits", {"rope": 0.01}, "`rope` is for Bayesian answers"),
    ("two over data sets", {"test_share": 0.2}, "`test_share` is for the splits of one data set"),
    ("two over data sets", {"df": 7}, "`df` is for tests on the folds"),
    (
        "two over data sets, with folds",
        {"test": "bayes-hierarchical", "alternative": "less", "control": "a"},
        "has no alternative",
    ),
    ("many over data sets", {"rope": 0.01}, "`rope` is for Bayesian answers"),
    ("missing cells", {"rope": 0.01}, "`rope` is for Bayesian answers"),
    ("ranks", {"higher_is_better": True}, "the lowest is best"),
    ("predictions of two", {"rope": 0.01}, "`rope` is for Bayesian answers"),
    ("predictions of two", {"rows": "folds"}, "`rows` is for tables of scores"),
    ("predictions of two", {"metric": "f7"}, "cannot be compared by"),
    ("predictions of two", {"adjust": "holm"}, "`adjust` is for several pairs"),
    ("items", {"rope": 0.01}, "`rope` is for Bayesian answers"),
    ("items", {"df": 7}, "`df` is for tests on the folds"),
    ("items", {"items": True, "rows": "folds"}, "`rows` is for scores on data sets or folds"),
    ("items", {"test": "wilcoxon"}, "`wilcoxon` does not fit scores of items"),
    ("items", {"cluster": "part", "test": "mcnemar"}, "takes all items for independent"),
    ("items", {"cluster": "nothing"}, "There is no column 'nothing'"),
    ("folds, two learners", {"items": True}, "Which column names the items?"),
    ("predictions of two", {"items": True}, "`items=True` is for scores of items"),
    ("scores read before", {"metric": "f1"}, "comes too late"),
    ("learners, folds", {"ranks": True}, "`ranks=True` is for tables"),
    ("learners, folds", {"control": "nobody"}, "There is no learner 'nobody'"),
    ("learners, folds", {"y": DATA["x1"].to_numpy()}, "The target was given twice"),
    ("learners, folds", {"adjust": "holm"}, "`adjust` is for several pairs"),
    ("learners, holdout", {"rope": 0.01}, "`rope` is for Bayesian answers"),
    ("learners, holdout", {"until": 0.9}, "each row is predicted once"),
    ("learners, disjoint", {"rope": 0.01}, "`rope` is for Bayesian answers"),
    ("learners, leave one out", {"stratify": True}, "nothing to stratify"),
]


@pytest.mark.parametrize(("situation", "options", "says"), REFUSED)
def test_refusals(situation, options, says):
    with pytest.raises(InputError) as caught:
        ask(situation, **options)
    assert says in caught.value.rule


def test_nothing_is_run_before_a_refusal(monkeypatch):
    def advance(*_, **__):
        raise AssertionError("something was run")

    monkeypatch.setattr("twofold.execution.experiment.Experiment.advance", advance)
    for options in ({"control": "nobody"}, {"adjust": "holm"}, {"ranks": True}):
        with pytest.raises(InputError):
            ask("learners, folds", **options)
    with pytest.raises(InputError):
        ask("learners, holdout", rope=0.01)


def test_rope_is_answered_beside_any_test_of_two():
    """It was given only beside the default test, and passed over beside the others."""
    plain, rope = (ask("two over data sets", test="paired-t", rope=x) for x in (None, 0.03))
    assert plain["pairs"][0]["beside"] == []
    (beside,) = rope["pairs"][0]["beside"]
    assert beside["method"] == "bayes-signed-rank"
    assert beside["rope"] == 0.03


def test_folds_that_the_data_bring_need_no_design():
    chosen = ask("learners, given folds", design="given")
    assert chosen == ask("learners, given folds")


def test_no_picture_to_emphasise_in(tmp_path, capsys):
    file = tmp_path / "scores.csv"
    pd.DataFrame(WIDE).to_csv(file, index=False)
    assert main(["compare", str(file), "--highlight", "a"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2
