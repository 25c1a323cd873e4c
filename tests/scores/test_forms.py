"""What is a learner and what is not; which way a table stands; what its rows are."""

import io

import numpy as np
import pandas as pd
import pytest

from twofold import InputError, compare, read_scores


def text(tmp_path, content, name="t.csv"):
    file = tmp_path / name
    file.write_text(content, "utf-8")
    return file


def codes(scores):
    return {note.code for note in scores.notes}


def detail(scores, code):
    return next(note.detail for note in scores.notes if note.code == code)


@pytest.mark.parametrize(
    ("extra", "cells"),
    [
        ("id", "7 3"),
        ("Unnamed: 0", "0 1"),
        ("index", "1 2"),
        ("n_instances", "150 178"),
        ("n features", "4 13"),
        ("A std", "0.01 0.02"),
        ("A_sd", "0.01 0.02"),
        ("std_B", "0.01 0.02"),
        ("fit_time", "1.5 2.5"),
        ("B_time", "1.5 2.5"),
        ("Average", "0.6 0.5"),
        ("Mean rank", "1.5 1.5"),
        ("diff", "0.2 -0.2"),
        ("A rank", "2 1"),
        ("p value", "0.5 0.01"),
        ("dataset index", "5 8"),
        ("source", "uci openml"),
    ],
)
def test_columns_that_are_no_learners(extra, cells):
    first, second = cells.split()
    table = {"dataset": ["x", "y"], "A": ["0.5", "0.6"], extra: [first, second], "B": [0.7, 0.4]}
    scores = read_scores(table)
    assert scores.learners == ("A", "B")
    assert scores.datasets == ("x", "y")
    assert repr(extra) in detail(scores, "left-out-columns")
    if extra != "source":
        everyone = read_scores(table, only=["B", extra])
        assert everyone.learners == ("B", extra)
        assert "left-out-columns" not in codes(everyone)


@pytest.mark.parametrize("name", ["SE ResNet", "ResNet SE", "ResNet var", "mean teacher", "ID3"])
def test_learners_with_such_words_in_their_names_stay(name):
    table = {"dataset": ["x", "y"], "ResNet": [0.5, 0.6], name: [0.7, 0.65], "B": [0.7, 0.4]}
    assert read_scores(table).learners == ("ResNet", name, "B")


def test_a_table_without_two_learners_names_what_it_has_instead():
    with pytest.raises(InputError, match="'id' does not look like one"):
        read_scores({"dataset": ["x", "y"], "id": [1, 2], "A": [0.5, 0.6]})


@pytest.mark.parametrize(
    "name", ["Average", "MEAN", "Mean rank", "Avg. rank", "Rank", "Total", "W/T/L"]
)
def test_rows_that_sum_up(name):
    table = {"dataset": ["x", "y", name], "A": ["0.5", "0.6", "1/0/1"], "B": [0.7, 0.4, None]}
    scores = read_scores(table)
    assert scores.datasets == ("x", "y")
    assert repr(name) in detail(scores, "left-out-rows")
    rows = [{"dataset": d, "model": m, "score": 0.5} for d in ("x", "y", name) for m in ("A", "B")]
    if name in ("Rank", "Total"):  # there are data sets of such names
        with pytest.raises(InputError, match=f"Is '{name}' a data set"):
            read_scores(rows)
        rows = [row for row in rows if row["dataset"] != name]
    assert read_scores(rows).datasets == ("x", "y")


def test_drop_and_only():
    table = {"dataset": ["x", "y", "z"], "A": [1, 2, 3], "B": [2, 1, 3], "C, deep": [3, 2, 1]}
    assert read_scores(table, drop="A").learners == ("B", "C, deep")
    assert read_scores(table, drop=["x"]).datasets == ("y", "z")
    assert read_scores(table, only="B,A").learners == ("B", "A")
    assert read_scores(table, only=["C, deep", "A"]).value[:2].tolist() == [3, 1]
    rows = [{"learner": a, "dataset": d, "value": 5} for a in "ABC" for d in "xyz"]
    long = read_scores(rows, only="C,A", drop="y")
    assert (long.learners, long.datasets) == (("C", "A"), ("x", "z"))
    again = read_scores(long, only="A,C")
    assert again.learners == ("A", "C")
    for wrong in ({"drop": "D"}, {"only": "A,D"}):
        with pytest.raises(InputError, match=r"There is no .* 'D'"):
            read_scores(table, **wrong)
    assert read_scores(table, only="A").learners == read_scores(long, only="A").learners == ("A",)
    with pytest.raises(InputError, match="No learner is left"):
        read_scores(long, drop=["A", "C"])


def test_the_first_column_of_words_names_the_data_sets():
    scores = read_scores({"A": [0.5, 0.6], "place": ["x", "y"], "B": [0.7, 0.4]})
    assert scores.datasets == ("x", "y")
    # A known header goes before it, though it holds numbers.
    scores = read_scores({"place": ["p", "q"], "A": [1, 2], "problem": [31, 11], "B": [2, 1]})
    assert scores.datasets == ("31", "11")
    assert scores.learners == ("A", "B")


def test_learners_in_rows():
    table = {"Algorithm": ["A", "B"], "x": [0.1, 0.2], "y": [0.3, 0.4], "Average": [0.2, 0.3]}
    scores = read_scores(table)
    assert scores.learners == ("A", "B")
    assert scores.datasets == ("x", "y")
    np.testing.assert_array_equal(scores.means(), [[0.1, 0.2], [0.3, 0.4]])
    assert {"transposed", "left-out-rows"} <= codes(scores)
    with pytest.raises(InputError, match="row 'y': 'oops' is not a number"):
        read_scores({"model": ["A", "B", "C"], "x": [1, 2, 3], "y": ["1", "2", "oops"]})
    with pytest.raises(InputError, match="two rows"):
        read_scores({"d": ["A", "A"], "x": [1, 2], "y": [1, 2]}, transpose=True)


def test_metrics_of_learners_are_not_data_sets():
    table = {"model": ["A", "B"], "accuracy": [0.5, 0.6], "f1": [0.4, 0.5]}
    assert "transposed" not in codes(read_scores(table))
    with pytest.raises(InputError, match="cannot carry a test"):
        compare(table)


PREDICTIONS = [
    {"truth": [0, 1, 1, 0], "m1": [0, 1, 0, 0], "m2": [1, 1, 1, 0]},
    {"y": [0, 1, 2, 0], "m1": [0, 1, 0, 0], "m2": [1, 2, 1, 0]},
    {"class": list("abab"), "m1": list("abaa"), "m2": list("bbab")},
    {"id": [1, 2, 3, 4], "label": list("abab"), "m1": list("abaa"), "m2": list("bbab")},
]


@pytest.mark.parametrize("table", PREDICTIONS)
def test_recognised_predictions_are_answered(table):
    with pytest.raises(InputError, match="class labels, not scores"):
        read_scores(table)
    truth = next(name for name in table if name in ("truth", "y", "class", "label"))
    answer = compare(table)
    stated = compare(table, predictions=True)
    assert answer.situation == "predictions"
    assert answer.learners == ("m1", "m2")
    assert (answer.verdict, answer.pairs) == (stated.verdict, stated.pairs)
    assert repr(truth) in next(n.detail for n in answer.notes if n.code == "read-as")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"A": list("abaa"), "B": list("bbab")}, "truth=NAME"),
        ({"A": [True, False], "B": [False, True]}, "truth=NAME"),
        ({"A": [0, 1] * 6, "B": [1, 1, 0] * 4}, "predictions=True"),
        ({"y_true": [1.5, 2.5], "m1": [1.4, 2.6], "m2": [1.3, 2.2]}, "metric='rmse'"),
    ],
)
def test_labels_are_no_scores(table, words):
    with pytest.raises(InputError, match=words):
        read_scores(table)


def test_what_is_missing_beside_predictions_is_enough_to_answer():
    words = {"A": list("abab"), "B": list("abaa"), "C": list("bbab")}
    assert compare(words, truth="A").learners == ("B", "C")
    numbers = {"y_true": [1.5, 2.5, 3.5, 4.5], "m1": [1.4, 2.6, 3.1, 4], "m2": [1.3, 2, 3, 5]}
    assert compare(numbers, metric="mae").metric == "mae"


@pytest.mark.parametrize(
    "table",
    [
        {"x": [0.5, 0.6, 0.7], "y": [0.4, 0.5, 0.6]},
        {"class": ["a", "b", "c"], "m1": [0.5, 0.6, 0.7], "m2": [0.4, 0.5, 0.6]},
        {"A": [1, 1, 1, 0.5], "B": [1, 1, 0, 0]},
        {"A": [1, 2, 3] * 4, "B": [2, 3, 1] * 4},
    ],
)
def test_scores_that_look_a_little_like_labels_are_read(table):
    assert len(read_scores(table, rows="datasets").learners) == 2


def test_predictions_are_read_alike_whatever_their_type():
    table = {"id": [1, 2, 3, 4], "truth": [0, 1, 1, 0], "A": [0.0, 1.0, 0.0, 0.0]}
    table["B"] = ["1", "1", "1", "0"]
    answer = compare(table, predictions=True)
    assert answer.learners == ("A", "B")
    assert (answer.pairs[0].wins, answer.pairs[0].ties, answer.pairs[0].losses) == (1, 2, 1)
    assert "left-out-columns" in codes(answer)
    with pytest.raises(InputError, match="row 2: a label is missing"):
        compare(table | {"B": ["1", None, "1", "0"]}, predictions=True)


def test_rows_that_are_folds():
    table = {"A": [0.5, 0.6, 0.7, 0.5], "B": [0.4, 0.5, 0.6, 0.6]}
    assert len(read_scores(table, rows="datasets").datasets) == 4
    folds = read_scores(table, rows="folds").folds(0)
    assert folds.values.shape == (2, 1, 4)
    assert folds.has_folds
    splits = read_scores(table, rows="splits", test_share=0.2).folds(0)
    assert splits.values.shape == (2, 4, 1)
    assert splits.n_test[0, 0] / splits.n_train[0, 0] == pytest.approx(0.25)
    named = read_scores({"": [f"fold {i}" for i in range(4)]} | table)
    assert named.folds(0).values.shape == (2, 1, 4)
    several = read_scores({"dataset": list("xxyy"), "fold": [1, 2, 1, 2]} | table)
    assert several.datasets == ("x", "y")
    assert several.folds(1).values.shape == (2, 1, 2)
    with pytest.raises(InputError, match="same run and fold of 'x': row 1 and row 2"):
        read_scores({"dataset": list("xxyy"), "fold": [1, 1, 1, 2]} | table)
    with pytest.raises(InputError, match="rows='folds'"):
        read_scores({"dataset": list("xxyy")} | table)


def test_sizes_from_the_caller_give_the_same_answer_as_sizes_in_the_table():
    rows = [
        {"learner": a, "seed": s, "value": (s * (1 + (a == "A"))) % 7}
        for a in "AB"
        for s in range(9)
    ]
    with pytest.raises(InputError, match="test_share"):
        compare(rows)
    inside = compare([row | {"n_train": 80, "n_test": 20} for row in rows]).pairs[0].pvalue
    assert compare(rows, n_train=80, n_test=20).pairs[0].pvalue == inside
    assert compare(rows, test_share=0.2).pairs[0].pvalue == pytest.approx(inside)
    for wrong in (
        {"n_train": 80},
        {"test_share": 1.5},
        {"n_test": -1, "n_train": 2},
        {"test_share": 0.1, "n_train": 9, "n_test": 1},
        {"rows": "lines"},
    ):
        with pytest.raises(InputError):
            compare(rows, **wrong)
    with pytest.raises(InputError, match="already"):
        compare([row | {"n_train": 80, "n_test": 20} for row in rows], test_share=0.2)


def test_what_has_no_score_is_left_out_and_named():
    table = {"dataset": ["x", "y", "z"], "A": [1, None, 3], "B": [2, None, 1], "C": [None] * 3}
    scores = read_scores(table)
    assert scores.datasets == ("x", "z")
    assert scores.learners == ("A", "B")
    assert "'y'" in detail(scores, "no-scores")
    assert "'C'" in detail(scores, "no-scores")
    with pytest.raises(InputError, match="Only 'A' has scores"):
        read_scores({"dataset": ["x"], "A": [1], "B": [None]})


def test_metric_columns():
    rows = {"dataset": ["x", "x"], "model": ["A", "B"], "accuracy": [0.1, 0.2], "rmse": [3, 4]}
    scores = read_scores(rows | {"fit_time": [1, 1]})
    assert (scores.metric, scores.metrics) == ("accuracy", ("accuracy", "rmse"))
    assert read_scores(rows, metric="RMSE").value.tolist() == [3, 4]
    with pytest.raises(InputError, match="no metric 'auc'"):
        read_scores(rows, metric="auc")
    wide = {"dataset": ["x", "x"], "metric": ["acc", "f1"], "A": [1, 2], "B": [3, 4]}
    assert read_scores(wide, metric="f1").value.tolist() == [2, 4]
    assert read_scores(wide).metrics == ("acc", "f1")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("0.5,0.6\n0.4,0.7\n", "first line holds scores"),
        ("iris,0.5,0.6\nwine,0.4,0.7\n", "first line holds scores"),
        ("iris,85,90\nwine,84,97\n", "first line holds scores"),
        ("dataset,A,,B\nx,.5,.6,.7\n", "column 3 has no name"),
        ('dataset,A,B\n"x,.1,.2\ny,.1,.2\n', "line 2: a quotation mark"),
        ("dataset,model,score\nx,A,.5\n,B,.6\n", "line 3: the data set has no name"),
        ('[{"a": 1, "a": 2}]', "'a' stands twice"),
        ("[1, 2]", "no table"),
        ("[]", "empty"),
        ('{"dataset": "x", "A": 1, "B": 2}\n{oops\n', "line 2 is not a JSON record"),
        ('{"columns": ["A", "B"], "data": [[1]]}', "do not fit"),
    ],
)
def test_texts_that_are_refused(tmp_path, content, words):
    with pytest.raises(InputError, match=words) as caught:
        read_scores(text(tmp_path, content))
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    "content",
    [
        "dataset,A,B,,\nx,.5,.6,,\ny,.7,.8,,\n",
        "dataset,A,B\nx,.5,.6,\ny,.7,.8,\n",
        "A,B\nx,.5,.6\ny,.7,.8\n",
        "       A    B\nx    0.5  0.6\ny    0.7  0.8\n",
        '"A" "B"\n"x" 0.5 0.6\n"y" 0.7 0.8\n',
        "# dataset,A,B\nx,.5,.6\ny,.7,.8\n",
        "#,dataset,A,B\n1,x,.5,.6\n2,y,.7,.8\n",
        "kind,corpus,A,B\nimage,x,.5,.6\nimage,y,.7,.8\n",
        "# made today\n\ndataset\tA\tB\n#x\t1\t1\nx\t.5\t.6\ny\t.7\t.8\n",
        "dataset | A | B\n---|---|---\nx | .5 | .6\ny | .7 | .8\n",
        ",dataset,A,B\n0,x,.5,.6\n1,y,.7,.8\n",
    ],
)
def test_texts_that_are_the_same_table(tmp_path, content):
    scores = read_scores(text(tmp_path, content))
    assert (scores.datasets, scores.learners) == (("x", "y"), ("A", "B"))
    np.testing.assert_array_equal(scores.means(), [[0.5, 0.6], [0.7, 0.8]])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path, encoding):
    file = tmp_path / "t.csv"
    file.write_text("dataset,naïve,B\nx,.5,.6\n", encoding)
    scores = read_scores(file)
    assert scores.learners == ("naïve", "B")
    assert ("encoding" in codes(scores)) == (encoding == "cp1252")


def frame():
    import pandas as pd

    return pd.read_csv(io.StringIO("dataset,A,B\nx,.5,.6\ny,.7,.8\nz,.1,.2\n"))


@pytest.mark.parametrize("orient", ["columns", "records", "split", "index", "table"])
@pytest.mark.parametrize("indexed", [False, True])
def test_json_of_pandas(tmp_path, orient, indexed):
    table = frame().set_index("dataset") if indexed else frame()
    scores = read_scores(text(tmp_path, table.to_json(orient=orient), "t.json"),
                         transpose=indexed and orient == "columns", rows="datasets")  # fmt: skip
    assert scores.learners == ("A", "B")
    np.testing.assert_array_equal(scores.means(), [[0.5, 0.6], [0.7, 0.8], [0.1, 0.2]])
    if not (indexed and orient == "records"):  # records have lost their index
        assert scores.datasets == ("x", "y", "z")


def test_json_lines_and_values(tmp_path):
    lines = frame().to_json(orient="records", lines=True)
    assert read_scores(text(tmp_path, lines, "t.ndjson")).datasets == ("x", "y", "z")
    values = frame().set_index("dataset").to_json(orient="values")
    assert read_scores(text(tmp_path, values, "t.json"), rows="datasets").means().tolist()[0] == [
        0.5,
        0.6,
    ]


@pytest.mark.parametrize("name", ["A ", "\rA", "A\x85"])
def test_columns_that_differ_in_spaces_alone_are_refused(name):
    table = {"dataset": ["x", "y"], "A": [0.5, 0.6], name: [0.7, 0.5], "B": [0.6, 0.6]}
    with pytest.raises(InputError, match="Two columns are called 'A'"):
        read_scores(table)


def test_indexes_and_levels():
    import pandas as pd

    rows = pd.DataFrame(
        {
            "dataset": list("xxyyzz"),
            "learner": list("ABABAB"),
            "accuracy": [0.5, 0.6, 0.7, 0.8, 0.1, 0.2],
            "f1": 0.5,
        }
    )
    expected = [[0.5, 0.6], [0.7, 0.8], [0.1, 0.2]]
    both = rows.pivot_table(index="dataset", columns="learner", values=["accuracy", "f1"])
    tables = {
        "pivot": rows.pivot_table(index="dataset", columns="learner", values="accuracy"),
        "turned": rows.pivot_table(index="learner", columns="dataset", values="accuracy"),
        "series": rows.groupby(["dataset", "learner"]).accuracy.mean(),
        "levels": rows.set_index(["dataset", "learner"]),
        "one of two": both[["accuracy"]],
    }
    for name, table in tables.items():
        assert read_scores(table).means().tolist() == expected, name
    assert read_scores(both, metric="accuracy").means().tolist() == expected
    with pytest.raises(InputError, match="2 levels"):
        read_scores(both)
    with pytest.raises(InputError, match="have no names"):
        read_scores(rows.set_index(["dataset", "learner"]).rename_axis([None, None]))
    numbered = frame().set_index(pd.Index([31, 11, 7], name="openml"))[["A", "B"]]
    assert read_scores(numbered.rename_axis("dataset")).datasets == ("31", "11", "7")
    with pytest.raises(InputError, match="Two columns are called 'A'"):
        read_scores(pd.DataFrame([[1, 2], [3, 4]], columns=["A", "A"]))


def test_spreadsheets(tmp_path):
    import pandas as pd

    def book(rows):
        file = tmp_path / "t.xlsx"
        pd.DataFrame(rows).to_excel(file, header=False, index=False)
        return file

    with pytest.raises(InputError, match="Column 3 has no name"):
        read_scores(book([["d", "A", None, "B"], [None, "acc", "sd", "acc"], ["x", 1, 2, 3]]))
    with pytest.raises(InputError, match="Two columns are called 'A'"):
        read_scores(book([["d", "A", "A"], ["x", 1, 2], ["y", 1, 2]]))


ODD = [
    {"iris": {"A": [0.5, "x"], "B": [0.5, 0.6]}},
    {"columns": 1, "data": 2},
    {"learner": ["A", {"b": 1}], "value": [0.5, [1]]},
    {"0": {"test_score": 0.5}, "1": {"test_score": 0.6}},
    {"dataset": [[1], [1]], "A": [1, 2], "B": [2, 1]},
    {"A": [1 + 2j, 1], "B": [b"x", 2]},
    {"A": [10**400, 1], "B": [1, 2]},
    {"params": ["x", "y"], "split0_test_score": ["a", "b"]},
    [["a"], ["b", "c"]],
    [{"A": 1}, 3],
    {"A": "xyz", "B": "123"},
    "",
    b"A,B",
    3.5,
    None,
]


@pytest.mark.parametrize("table", ODD, ids=map(repr, ODD))
def test_nonsense_is_refused_in_two_lines(table):
    with pytest.raises(InputError) as caught:
        read_scores(table)
    assert len(str(caught.value).splitlines()) == 2


def test_structured_arrays_and_rows_with_a_header():
    array = np.array([(0.1, 0.2), (0.3, 0.1)], dtype=[("A", float), ("B", float)])
    assert read_scores(array, rows="datasets").learners == ("A", "B")
    assert read_scores([["", "A", "B"], ["x", 1, 2], ["y", 2, 1]]).datasets == ("x", "y")


NAMELESS = {
    "arrays": {"A": np.array([0.5, 0.6, 0.7]), "B": np.array([0.4, 0.5, 0.6])},
    "lists": {"A": [0.5, 0.6, 0.7], "B": [0.4, 0.5, 0.6]},
    "rows": [[0.5, 0.4], [0.6, 0.5], [0.7, 0.6]],
    "array": np.array([[0.5, 0.4], [0.6, 0.5], [0.7, 0.6]]),
    "records": [{"A": 0.5, "B": 0.4}, {"A": 0.6, "B": 0.5}, {"A": 0.7, "B": 0.6}],
    "frame": pd.DataFrame({"A": [0.5, 0.6, 0.7], "B": [0.4, 0.5, 0.6]}),
    "numbered": {"": [0, 1, 2], "A": [0.5, 0.6, 0.7], "B": [0.4, 0.5, 0.6]},
    "turned": {"learner": ["A", "B"], "0": [0.5, 0.4], "1": [0.6, 0.5], "2": [0.7, 0.6]},
}
NAMED = {
    "column": {"": ["x", "y", "z"], "A": [0.5, 0.6, 0.7], "B": [0.4, 0.5, 0.6]},
    "index": pd.DataFrame({"A": [0.5, 0.6, 0.7], "B": [0.4, 0.5, 0.6]}, index=list("xyz")),
    "numbers": {"dataset": [3, 31, 37], "A": [0.5, 0.6, 0.7], "B": [0.4, 0.5, 0.6]},
    "nested": {"x": {"A": 0.5, "B": 0.4}, "y": {"A": 0.6, "B": 0.5}, "z": {"A": 0.7, "B": 0.6}},
    "learners in rows": {"learner": ["A", "B"], "x": [0.5, 0.4], "y": [0.6, 0.5], "z": [0.7, 0.6]},
}


@pytest.mark.parametrize("kind", NAMELESS)
def test_scores_without_names_need_to_be_told_what_they_are(kind):
    """Folds of one data set must never pass for data sets."""
    with pytest.raises(InputError, match="3 scores of each learner have no names") as caught:
        compare(NAMELESS[kind])
    assert len(str(caught.value).splitlines()) == 2
    for word in ("folds", "datasets", "items", "seeds"):
        assert f"`rows='{word}'`" in caught.value.remedy
    assert len(compare(NAMELESS[kind], rows="datasets").datasets) == 3
    folds = compare(NAMELESS[kind], rows="folds")
    assert (folds.situation, folds.learner_scores[0].folds) == ("one data set", 3)
    assert len(read_scores(NAMELESS[kind], ranks=True).datasets) == 3


@pytest.mark.parametrize("kind", NAMED)
def test_scores_with_names_are_those_on_data_sets(kind):
    assert len(compare(NAMED[kind]).datasets) == 3


def test_rows_may_be_items_and_not_yet_seeds():
    table = NAMELESS["lists"]
    assert compare(table, rows="items").pairs == compare(table, items=True).pairs
    with pytest.raises(InputError, match="several seeds on one split") as caught:
        compare(table, rows="seeds")
    assert len(str(caught.value).splitlines()) == 2
