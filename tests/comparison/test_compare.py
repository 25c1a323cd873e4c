"""From a table to a verdict, in every situation."""

import json

import numpy as np
import pytest

import twofold
from demsar import RANKS6, TABLE6
from twofold import InputError, compare, stats
from twofold.cli import main

NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]


def table6(values=TABLE6, columns=4):
    return {"dataset": [f"set {i}" for i in range(14)]} | {
        name: values[:, i] for i, name in enumerate(NAMES[:columns])
    }


def cross_validation(gap=0.03, learners=("nb", "c45"), runs=10, folds=10, **extra):
    rng = np.random.default_rng(0)
    return [
        {"learner": name, "run": r, "fold": f, "accuracy": 0.8 + gap * i + rng.normal(0, 0.02)}
        | extra
        for i, name in enumerate(learners)
        for r in range(runs)
        for f in range(folds)
    ]


def codes(answer):
    return {note.code for note in answer.notes}


class TestDemsar:
    def test_table_6_by_the_papers_ranks(self):
        answer = compare(table6(RANKS6), ranks=True)
        by_name = {test.method: test for test in answer.omnibus}
        assert round(answer.omnibus[0].uncorrected["statistic"], 3) == 9.279
        assert round(by_name["iman-davenport"].uncorrected["statistic"], 3) == 3.686
        assert round(by_name["friedman"].statistic, 3) == 10.228  # R, scipy: corrected for ties
        decides = answer.omnibus[-1]
        assert (decides.method, decides.permutations, decides.uncorrected) == ("friedman", 0, None)
        assert round(answer.critical_difference.value, 3) == 1.254
        assert all(pair.outcome == "none" for pair in answer.pairs)
        assert "omnibus-no-pair" in codes(answer)
        answer = compare(table6(RANKS6), ranks=True, alpha=0.10)
        assert answer.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
        assert {(p.a, p.b) for p in answer.pairs if p.outcome == "b"} == {
            ("C4.5", "C4.5+m"),
            ("C4.5", "C4.5+m+cf"),
        }

    @pytest.mark.parametrize("name", ["holm", "hochberg", "hommel"])
    def test_control(self, name):
        answer = compare(table6(RANKS6), ranks=True, control="C4.5", adjust=name)
        assert [p.outcome for p in answer.pairs] == ["b", "none", "b"]
        assert answer.critical_difference.method == "bonferroni-dunn"
        dunn = compare(table6(RANKS6), ranks=True, control="C4.5", adjust="bonferroni-dunn")
        assert [p.outcome for p in dunn.pairs] == ["none", "none", "b"]

    def test_table_2(self):
        pair = compare(table6(columns=2)).pairs[0]
        assert (pair.details["r_plus"], pair.details["r_minus"]) == (93, 12)
        assert round(pair.pvalue, 4) == 0.0078
        assert pair.outcome == "b"
        assert [other["method"] for other in pair.beside] == ["sign", "bayes-signed-rank"]
        assert pair.estimate < 0  # a − b in the metric's own units


def test_direction_of_losses():
    errors = {name: 1 - TABLE6[:, i] for i, name in enumerate(NAMES)}
    answer = compare(errors, metric="error", rows="datasets")
    scores = compare({name: TABLE6[:, i] for i, name in enumerate(NAMES)}, rows="datasets")
    assert not answer.higher_is_better
    for one, other in zip(answer.pairs, scores.pairs, strict=True):
        assert one.outcome == other.outcome
        assert one.estimate == pytest.approx(-other.estimate)
        assert (one.wins, one.losses) == (other.wins, other.losses)
    two = compare(
        {"A": [0.1, 0.2, 0.1, 0.3, 0.2, 0.1], "B": [0.3] * 6}, metric="rmse", rows="datasets"
    )
    assert two.pairs[0].outcome == "a" or two.pairs[0].estimate < 0


def test_column_order_does_not_matter():
    one = compare(table6())
    reversed_columns = {"dataset": table6()["dataset"]} | {
        name: TABLE6[:, NAMES.index(name)] for name in NAMES[::-1]
    }
    other = compare(reversed_columns)
    by_pair = {frozenset((p.a, p.b)): p for p in one.pairs}
    for pair in other.pairs:
        match = by_pair[frozenset((pair.a, pair.b))]
        for name, p in pair.adjusted.items():
            assert p == pytest.approx(match.adjusted[name])
        assert pair.replicability.predicted == match.replicability.predicted
    assert one.groups == other.groups


def test_two_learners_on_one_data_set():
    answer = compare(cross_validation(0.05, n_train=90, n_test=10), rope=0.01)
    pair = answer.pairs[0]
    assert pair.method == "two-level-cv-t"
    assert pair.outcome == "b"
    a, b = (
        np.array([r["accuracy"] for r in cross_validation(0.05) if r["learner"] == n]).reshape(
            10, 10
        )
        for n in ("nb", "c45")
    )
    assert pair.pvalue == pytest.approx(stats.two_level_cv_t(a, b).pvalue)
    prediction = stats.predict_replicability(a, b, test="two-level-cv-t")
    assert pair.replicability.predicted == pytest.approx(prediction.agreement)
    assert pair.replicability.limit == pytest.approx(prediction.limit_agreement)
    assert pair.beside[0]["method"] == "bayes-correlated-t"
    assert "Other random splits of these data would say the same" in answer.verdict


def test_designs_are_recognised():
    assert compare(cross_validation(runs=5, folds=2)).pairs[0].method == "two-level-cv-t"
    assert compare(cross_validation(runs=1)).pairs[0].method == "corrected-cv-t"
    rows = [{k: v for k, v in r.items() if k != "fold"} for r in cross_validation(folds=1)]
    with pytest.raises(InputError, match="sizes"):
        compare(rows)
    sized = [r | {"n_train": 90, "n_test": 10} for r in rows]
    assert compare(sized).pairs[0].method == "corrected-resampled-t"


def test_many_learners_on_one_data_set():
    answer = compare(cross_validation(learners=("a", "b", "c", "d")))
    assert len(answer.pairs) == 6
    assert answer.method == "two-level-cv-t, holm"
    controlled = compare(cross_validation(learners=("a", "b", "c", "d")), control="b")
    assert [(p.a, p.b) for p in controlled.pairs] == [("b", "a"), ("b", "c"), ("b", "d")]


def test_missing_cells_are_named_and_used():
    table = table6()
    table["C4.5"] = np.where(np.arange(14) == 3, np.nan, table["C4.5"])
    answer = compare(table)
    assert answer.omnibus[0].method == "skillings-mack"
    note = next(note for note in answer.notes if note.code == "missing-cells")
    assert "C4.5 on set 3" in note.detail
    assert answer.pairs[0].method == "wilcoxon"
    assert set(answer.mean_ranks) == set(NAMES)


def test_repetitions_are_averaged():
    rows = [
        {"dataset": f"d{i}", "learner": name, "value": TABLE6[i, j] + 0.001 * r}
        for i in range(14)
        for j, name in enumerate(NAMES)
        for r in range(1 + (i == 0))
    ]
    answer = compare(rows)
    assert {"averaged", "unequal-repetitions"} <= codes(answer)


def test_folds_on_several_data_sets_also_get_the_hierarchical_model():
    rows = [
        row | {"dataset": name}
        for i, name in enumerate(["iris", "wine", "glass", "zoo"])
        for row in cross_validation(gap=0.02 + 0.01 * i, runs=2, folds=5)
    ]
    pair = compare(rows, rope=0.01).pairs[0]
    methods = [other["method"] for other in pair.beside]
    assert methods == ["sign", "bayes-signed-rank", "bayes-hierarchical"]
    assert pair.beside[2]["b_better"] > 0.8


def test_chosen_tests():
    assert compare(table6(), test="quade").omnibus[0].method == "quade"
    assert compare(table6(), test="wilcoxon").pairs[0].method == "wilcoxon"
    answer = compare(cross_validation(runs=1), test="cv-t")
    assert answer.pairs[0].method == "cv-t"
    unsafe = compare(cross_validation(), test="resampled-t")
    assert "unsafe-test" in codes(unsafe)
    for table, test, words in (
        (cross_validation(), "cv-t", "takes one run"),
        (cross_validation(), "wilcoxon", "does not fit"),
        (table6(columns=2), "nemenyi", "does not fit"),
        (table6(), "nothing", "no test named"),
    ):
        with pytest.raises(InputError, match=words):
            compare(table, test=test)


def test_predictions(tmp_path):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 200)
    columns = {"truth": truth}
    for name, error in (("good", 0.1), ("bad", 0.3), ("worse", 0.4)):
        columns[name] = np.where(rng.random(200) < error, (truth + 1) % 3, truth)
    two = compare({k: columns[k] for k in ("truth", "good", "bad")}, predictions=True)
    n01, n10, n = stats.disagreements(truth, columns["good"], columns["bad"])
    assert two.pairs[0].pvalue == pytest.approx(stats.mcnemar(n01, n10, n, method="midp").pvalue)
    assert two.pairs[0].outcome == "a"
    three = compare(columns, predictions=True)
    assert three.omnibus[0].method == "cochran-q"
    assert len(three.pairs) == 3
    with pytest.raises(InputError, match="true labels"):
        compare({"x": [1], "y1": [1]}, predictions=True)


def test_json_has_the_promised_keys(capsys, tmp_path):
    file = tmp_path / "t6.csv"
    file.write_text(
        "dataset," + ",".join(NAMES) + "\n"
        + "\n".join(f"d{i}," + ",".join(map(str, row)) for i, row in enumerate(TABLE6))
    )  # fmt: skip
    assert main(["compare", str(file), "--format", "json"]) == 0
    first = capsys.readouterr().out
    answer = json.loads(first)
    promised = (
        "question learners datasets metric higher_is_better alpha verdict mean_ranks omnibus "
        "critical_difference pairs groups notes"
    ).split()
    assert set(promised) <= set(answer)
    pair = (
        "a b estimate interval method statistic df pvalue adjusted outcome wins ties losses "
        "replicability"
    ).split()
    assert set(pair) <= set(answer["pairs"][0])
    assert set(answer["notes"][0]) == {"code", "title", "detail", "severity"}
    assert "NaN" not in first
    main(["compare", str(file), "--format", "json"])
    assert capsys.readouterr().out == first
    assert main(["compare", str(file), "--control", "C4.6"]) == 2
    error = capsys.readouterr().err
    assert error == "twofold: There is no learner 'C4.6' in the table.\nDid you mean 'C4.5'?\n"


@pytest.mark.parametrize(
    "table",
    [
        table6(),
        table6(columns=2),
        cross_validation(),
        {
            f"learner with quite a long name {i}": np.random.default_rng(i).random(9)
            for i in range(30)
        },
        {"A": [0.5] * 6, "B": [0.5] * 6, "C": [0.5] * 6},
        {"A": [0.5] * 6, "B": [0.5] * 6},
        {"A": [0.5, 0.6], "B": [0.4, 0.7], "C": [0.3, 0.6]},
    ],
)
def test_terminal_fits_80_columns_and_says_no_nonsense(table):
    text = str(compare(table, rows="datasets" if isinstance(table, dict) else None))
    assert max(map(len, text.splitlines())) <= 80
    for word in ("nan", "inf ", "None", "prove", "accept"):
        assert word not in text
    assert text.splitlines()[0]


def test_two_hundred_learners():
    answer = compare(np.random.default_rng(0).random((25, 200)), rows="datasets")
    assert len(answer.pairs) == 19900
    assert max(map(len, str(answer).splitlines())) <= 80


BAD = [
    (lambda: compare({"A": [0.5], "B": [0.6]}), "cannot carry a test"),
    (lambda: compare(table6(), alpha=5), "Did you mean 0.05"),
    (lambda: compare(table6(), adjust="li"), "does not apply to these pairs"),
    (lambda: compare(table6(), test="mean-rank-z", adjust="li"), "does not apply to all pairs"),
    (lambda: compare(table6(), adjust="holmes"), "must be one of"),
    (
        lambda: compare(
            np.random.default_rng(0).random((9, 13)), adjust="bergmann-hommel", rows="datasets"
        ),
        "limited to 12 learners",
    ),
    (lambda: compare(table6(), rope=-1), "zero or larger"),
    (lambda: compare({"A": [0.5, None], "B": [None, 0.5]}, rows="datasets"), "fewer than two"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_questions(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 2


def test_front_door():
    assert twofold.compare is compare
    assert isinstance(compare(table6()), twofold.Comparison)


def test_pictures(tmp_path, capsys):
    answer = compare(table6(RANKS6), ranks=True, alpha=0.10)
    file = tmp_path / "ranks.svg"
    answer.plot(file, highlight=["C4.5+m"])
    first = file.read_bytes()
    answer.plot(file, highlight=["C4.5+m"])
    assert file.read_bytes() == first
    assert answer.plot().texts
    control = compare(table6(RANKS6), ranks=True, control="C4.5", adjust="bonferroni-dunn")
    control.plot(tmp_path / "control.tex")
    assert "C4.5" in (tmp_path / "control.tex").read_text("utf-8")
    with pytest.raises(InputError, match="does not fit"):
        compare(cross_validation()).plot(tmp_path / "none.svg", kind="ranks")
    table = tmp_path / "t.csv"
    table.write_text("d,A,B,C\n" + "\n".join(f"d{i},{i % 3},{i % 5},{i % 7}" for i in range(12)))
    assert main(["compare", str(table), "--plot", str(tmp_path / "x.png")]) == 0
    assert (tmp_path / "x.png").stat().st_size > 5000
    assert main(["compare", str(table), "--plot", str(tmp_path / "x.gif")]) == 2
    assert main(["compare", str(table), "--plot", str(tmp_path / "x.svg"), "--highlight", "Z"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 5


@pytest.mark.parametrize(
    "test", ["resampled-t", "mcnemar", "holm", "bayes-hierarchical", "quasi-f", "wilson"]
)
def test_tests_that_would_not_be_used_are_refused(test):
    with pytest.raises(InputError, match="does not fit several learners"):
        compare(table6(), test=test)


def test_what_mean_ranks_cannot_do_is_refused():
    with pytest.raises(InputError, match="two-sided"):
        compare(table6(), test="friedman", control="C4.5", alternative="less")
    missing = table6()
    missing["C4.5"] = np.where(np.arange(14) == 3, np.nan, missing["C4.5"])
    with pytest.raises(InputError, match="complete table"):
        compare(missing, test="quade")
    ends = [end for pair in compare(missing).pairs for end in pair.repeats_between]
    assert all(0 < end <= 1 for end in ends)


def test_a_prediction_follows_the_test_not_the_mean():
    """Eleven small wins and one large loss: the mean is negative, the signed ranks are not."""
    d = np.append(np.arange(10, 21) / 1000, -0.9)
    pair = compare({"A": 1 + d, "B": np.ones(12)}, rows="datasets").pairs[0]
    assert pair.outcome == "a"
    assert pair.replicability.interval[1] > 0.4  # by the mean it would be near zero


def test_names_keep_their_letters():
    scores = {"lr": np.arange(12) + 5.0, "dt": np.arange(12.0), "nb": np.arange(12) + 2.5}
    text = compare(cross_validation(gap=0.1, learners=("lr", "dt", "nb"))).verdict
    assert "Dt" not in text
    assert "∞" in str(compare(scores, rows="datasets"))
    assert "inf " not in str(compare(scores, rows="datasets"))


def test_odd_tables_are_refused_in_words(tmp_path):
    import pandas as pd

    for table in ([[0.1, 0.2], [0.3]], [["x", "A"], ["d", 0.1]], [{"a": 1}, 3]):
        with pytest.raises(InputError):
            compare(table)
    frame = pd.DataFrame({"index": [0.1, 0.2, 0.3], "B": [0.2, 0.1, 0.1]}, index=["x", "y", "z"])
    assert compare(frame).learners == ("index", "B")
    with pytest.raises(InputError, match="no learner"):
        compare(table6(), control=1)


def test_bayesian_tests_give_their_probabilities():
    pair = compare(table6(columns=2), test="bayes-signed-rank", rope=0.01).pairs[0]
    assert pair.beside[0]["b_better"] > 0.5
    assert pair.estimate == pytest.approx(float(np.mean(TABLE6[:, 0] - TABLE6[:, 1])))
    one = compare(cross_validation(), test="bayes-correlated-t").pairs[0]
    assert one.beside[0]["method"] == "bayes-correlated-t"


def test_an_unnamed_metric_is_said():
    assert "direction-assumed" in codes(compare(table6()))
    assert "direction-assumed" not in codes(compare(table6(), metric="auc"))


def test_a_missing_fold_does_not_stop_the_answer_over_data_sets():
    rows = [
        row | {"dataset": f"d{i}"} for i in range(6) for row in cross_validation(runs=1, folds=3)
    ]
    assert compare(rows[:-1]).pairs[0].method == "wilcoxon"
