"""What a learner is called changes no number; what is left out is said beside the verdict."""

import html
import json

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from twofold import InputError, compare, read_scores
from twofold.cli import main
from twofold.scores.name_hints import count_up, find_crossing, find_hint

WORDS = """D N P n d p run fold seed split trial n_instances size samples id index no row mean Mean
Average median std sd time fit_time rank total sum best score value result data task problem name
model learner method metric accuracy f1 error y label class target truth diff gain count 0 1 2 3
42 NA None dataset n_train n_test tree forest""".split()
NAMES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(["p value", "A std", "A time", "mean rank", "Unnamed: 0", "fold 1", "C, deep"]),
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8),
)
SCORES = np.array([[81, 80, 92], [71, 73, 88], [65, 66, 80], [90, 91, 97], [85, 84, 93]])
SETS = ["iris", "wine", "glass", "sonar", "vote"]


def wide(names, table):
    return {"dataset": SETS} | {name: table[:, j].tolist() for j, name in enumerate(names)}


def shapes(names, table):
    """Return one table in all forms."""
    rows = [
        {"dataset": d, "learner": a, "accuracy": float(table[i, j])}
        for i, d in enumerate(SETS)
        for j, a in enumerate(names)
    ]
    turned = {"model": list(names)} | {d: table[i].tolist() for i, d in enumerate(SETS)}
    nested = {d: dict(zip(names, table[i].tolist(), strict=True)) for i, d in enumerate(SETS)}
    records = [dict(zip(wide(names, table), row, strict=True))
               for row in zip(*wide(names, table).values(), strict=True)]  # fmt: skip
    return {"long": rows, "transposed": turned, "nested": nested, "records": records,
            "wide": wide(names, table)}  # fmt: skip


@given(
    st.lists(NAMES, min_size=3, max_size=3, unique_by=lambda name: name.strip().lower()),
    st.sampled_from(["wide", "long", "transposed", "nested", "records"]),
    st.sampled_from([1, 0.01, 0.97]),
)
@example(["D", "0", "1"], "long", 1)
@example(["n", "size", "id"], "wide", 1)
@example(["run", "mean", "std"], "transposed", 0.01)
def test_renaming_learners_changes_no_number(names, form, unit):
    # A wide table has a column of this name already.
    assume(form in ("long", "transposed") or "dataset" not in {n.strip().lower() for n in names})
    table = SCORES * unit
    try:
        scores = read_scores(shapes(names, table)[form])
    except InputError as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        assert len(refusal.splitlines()) == 2
        assert form != "long"  # there names are cells, and nothing is guessed from them
        return
    warnings = " ".join(n.detail for n in scores.notes if n.severity == "warning")
    for j, name in enumerate(names):
        name = name.strip()
        if name in scores.learners:
            column = scores.means()[:, scores.learners.index(name)]
            np.testing.assert_allclose(column, table[:, j])
        else:
            assert repr(name) in warnings
    assert set(scores.learners) <= {name.strip() for name in names}


def test_a_learner_called_d_is_no_size():
    table = {"dataset": SETS, "A": [81, 71, 65, 90, 85], "B": [80, 73, 66, 91, 84],
             "C": [79, 70, 64, 89, 83], "D": [92, 88, 80, 97, 93]}  # fmt: skip
    assert read_scores(table).learners == ("A", "B", "C", "D")
    renamed = {{"A": "tree", "B": "net", "C": "svm"}.get(k, k): v for k, v in table.items()}
    with pytest.raises(InputError, match="Does column 'D' hold sizes") as caught:
        read_scores(renamed)
    assert "`drop='D'`" in str(caught.value)
    assert "`only=['tree', 'net', 'svm', 'D']`" in str(caught.value)
    assert len(read_scores(renamed, only="tree,net,svm,D").learners) == 4
    assert len(read_scores(renamed, drop="D").learners) == 3


@pytest.mark.parametrize("name", ["dataset", "data", "task", "name", "run", "fold", "n_train"])
def test_named_learners_leave_nothing_to_guess(name):
    """With --learners the other columns are what their names say, whatever their numbers."""
    table = {"A": [81, 71, 65], "B": [80, 73, 66], name: [79, 70, 64], "n_test": [70, 71, 72]}
    with pytest.raises(InputError, match="Does column"):
        read_scores(table)
    assert read_scores(table, only="A,B", rows="datasets").learners == ("A", "B")
    if name != "n_train":
        assert read_scores(table, only=["A", name], rows="datasets").learners == ("A", name)


def test_what_is_left_out_stands_beside_the_verdict(tmp_path, capsys):
    file = tmp_path / "t.csv"
    file.write_text(
        "dataset,id,tree,net,n_instances\n"
        + "".join(f"{d},{7 * i},0.{80 + i},0.{70 - i},{100 * i}\n" for i, d in enumerate(SETS))
        + "Average,,0.82,0.68,\n"
    )
    assert main(["compare", str(file)]) == 0
    top = capsys.readouterr().out.split("Method")[0]
    assert "Left out" in top
    for name in ("'id'", "'n_instances'", "'Average'", "--learners"):
        assert name in " ".join(top.split())
    assert max(map(len, top.splitlines())) <= 80
    assert main(["compare", str(file), "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert list(plain).index("left_out") < list(plain).index("verdict")
    assert len(plain["left_out"]) == 2
    left_out = [n for n in plain["notes"] if n["code"].startswith("left-out")]
    assert {note["severity"] for note in left_out} == {"warning"}
    page = tmp_path / "t.html"
    assert main(["compare", str(file), "--report", str(page)]) == 0
    before = html.unescape(page.read_text("utf-8")).split("What to watch out for")[0]
    assert "n_instances' (sizes)" in before
    assert compare(file, drop=["id", "n_instances", "Average"]).left_out == ()


@pytest.mark.parametrize("low_high", [(0, 1), (0.0, 1.0), (False, True), ("wrong", "right"),
                                      ("False", "True")])  # fmt: skip
@pytest.mark.parametrize("form", ["wide", "long", "transposed", "nested", "records", "frame",
                                  "array", "passages", "two metrics"])  # fmt: skip
def test_right_and_wrong_on_examples_is_never_data_sets(form, low_high):
    import pandas as pd

    bits = np.random.default_rng(3).integers(0, 2, (5, 3))
    table = np.array(low_high, dtype=object)[bits]
    tables = shapes(["A", "B", "C"], bits) | {
        "array": np.array(low_high)[bits],
        "frame": pd.DataFrame(wide("ABC", table)),
        "passages": {"item": [1, 2, 3, 4, 5], "passage": list("ppqqr")} | wide("ABC", table),
        "two metrics": {"metric": ["acc"] * 5} | wide("ABC", table),
    }
    if form in ("long", "records"):
        for row in tables[form]:
            row |= {k: low_high[int(v)] for k, v in row.items() if not isinstance(v, str)}
    if form in ("wide", "transposed"):
        tables[form] = {
            k: [v if isinstance(v, str) else low_high[v] for v in cells]
            for k, cells in tables[form].items()
        }
    with pytest.raises(InputError) as caught:
        read_scores(tables[form])
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize("head", ["item,passage,A,B", "item,A,B", "passage,item,A,B,C"])
def test_zeros_and_ones_are_those_of_items(tmp_path, head):
    rng = np.random.default_rng(1)
    names = head.split(",")
    words = {"item": lambda i: f"q{i}", "passage": lambda i: f"p{i // 4}"}
    lines = [
        ",".join(words.get(name, lambda _: str(rng.integers(2)))(i) for name in names)
        for i in range(200)
    ]
    file = tmp_path / "items.csv"
    file.write_text("\n".join([head, *lines]))
    answer = compare(file)
    assert answer.learners == tuple(n for n in names if n not in ("item", "passage"))
    assert (answer.situation, answer.items) == ("items", 200)
    assert answer.clusters == (50 if "passage" in names else None)
    assert compare(file, only="A,B").items == 200
    with pytest.raises(InputError, match=r"zeros and ones[\s\S]*items=True"):
        read_scores(file)
    # With true labels they are predictions; what stands beside them is not taken for a classifier.
    file.write_text("\n".join([head + ",truth", *(line + ",1" for line in lines)]))
    answer = compare(file, predictions=True)
    assert answer.learners == tuple(n for n in names if n not in ("item", "passage"))
    assert "'item'" in answer.left_out[0]


@pytest.mark.parametrize("low_high", [(0, 100), (False, True), ("no", "yes")])
@pytest.mark.parametrize("names", [("A", "B"), ("method", "size"), ("A", "learner")])
def test_whatever_the_learners_are_called_examples_are_none(names, low_high):
    """In long tables a column of learners called "method" would name learners true and false."""
    bits = [(0, 0), (1, 0), (1, 0), (1, 1)]
    table = {"item": [0, 1, 2, 3], "passage": list("pppp")}
    table |= {name: [low_high[row[i]] for row in bits] for i, name in enumerate(names)}
    with pytest.raises(InputError, match=r"single examples[\s\S]*predictions=True"):
        read_scores(table)


def test_a_remedy_names_every_learner():
    """Whoever follows it must not lose a learner."""
    table = {"A": [0.81, 0.71], "B": [0.8, 0.73], "C": [0.7, 0.6], "D 2": [0.5, 0.4]}
    for name in ("truth", "mean"):
        with pytest.raises(InputError) as caught:
            read_scores(table | {name: [0.9, 0.8]})
        assert f"`only=['A', 'B', 'C', 'D 2', '{name}']`" in str(caught.value)


def test_accuracies_of_many_zeros_and_ones_are_read():
    rows = [
        {"dataset": d, "learner": a, "correct": (i * (3 + (a == "A"))) % 7 < 5}
        for d in ("x", "y", "z")
        for a in "AB"
        for i in range(30)
    ]
    rows = [row | {"correct": int(row["correct"])} for row in rows]
    assert len(read_scores(rows).datasets) == 3


@pytest.mark.parametrize("head", ["Resamples:", "folds", "dataset", "seed", ""])
def test_repetitions_of_one_learner_are_no_learners(tmp_path, head):
    import pandas as pd

    file = tmp_path / "t.csv"
    file.write_text(f"{head},0,1,2,3\niris,.9,.8,.7,.8\nwine,.8,.7,.9,.9\nvote,.5,.6,.5,.4\n")
    with pytest.raises(InputError, match="repetitions of one learner"):
        read_scores(file)
    with pytest.raises(InputError, match="repetitions of one learner"):
        read_scores(pd.read_csv(file))
    if head != "folds":
        assert read_scores(file, only="0,1,2").learners == ("0", "1", "2")


@pytest.mark.parametrize("head", ["dataset,{}.0", "Resamples:,{}.0", "dataset,split{}_test_score",
                                  "dataset,random_state={}", "dataset,Bootstrap {}",
                                  "dataset,shuffle_{}"])  # fmt: skip
def test_repetitions_under_names_that_libraries_give(tmp_path, head):
    label, pattern = head.split(",")
    file = tmp_path / "t.csv"
    names = ",".join(pattern.format(i) for i in range(3))
    file.write_text(f"{label},{names}\niris,.9,.8,.7\nwine,.8,.7,.9\nvote,.5,.6,.5\n")
    with pytest.raises(InputError, match="repetitions of one learner"):
        read_scores(file)


def test_columns_that_a_library_numbered_are_learners():
    import pandas as pd

    array = np.array([[0.1, 0.2, 0.4], [0.3, 0.4, 0.1]])
    assert read_scores(array, rows="datasets").learners == ("learner 1", "learner 2", "learner 3")
    assert read_scores(pd.DataFrame(array), rows="datasets").learners == ("0", "1", "2")
    assert read_scores({0: [0.1, 0.2], 1: [0.3, 0.1]}, rows="datasets").learners == ("0", "1")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["accuracy", "f1", "roc_auc"], "metrics"),
        (["tree_acc", "tree_log_loss", "svm_acc", "svm_log_loss"], "metrics"),
        (["acc tree", "f1 tree"], "metrics"),
        (["tree train", "tree test"], "several scores"),
        (["tree_mean", "tree_min", "svm_mean", "svm_min"], "several scores"),
        (["tree_1", "tree_2", "tree_3", "svm_1", "svm_2", "svm_3"], "repetitions"),
        (["score 1", "score 2", "score 3"], "repetitions"),
        (["fold1", "fold2"], "repetitions"),
    ],
)
def test_columns_of_one_learner_are_no_learners(names, words):
    with pytest.raises(InputError, match=words):
        read_scores({"dataset": ["x", "y"]} | {n: [0.1 * i, 0.5] for i, n in enumerate(names, 1)})


def test_names_of_learners_are_not_taken_apart():
    for names in (
        ["v1", "v2", "v3"],
        ["ResNet 18", "ResNet 34"],
        ["C4.5", "C5.0"],
        ["1", "5", "10"],
        ["kNN 1", "kNN 3", "svm"],
    ):
        assert find_crossing(names) is None
        assert read_scores(
            {"dataset": ["x", "y"]} | {n: [0.1 * i, 0.5] for i, n in enumerate(names, 1)}
        ).learners == tuple(names)
    assert not count_up(["1", "5", "10"])
    assert find_hint("ResNet", ["ResNet"]) is None


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"dataset": SETS, "A": [0.8, 0.7, "OOM", "OOM", "OOM"]}, "holds words, but a number"),
        ({"dataset": ["x", "y", None], "A": [0.8, 0.7, 0.75]}, "without a name"),
        ({"learner": ["A", "B"], "score": [0.5, 0.6], "iris": [0.5, 0.7]}, "or a metric"),
        ({"model": [0.81, 0.72, 0.6], "score": [0.8, 0.7, 0.5]}, "numbers like scores"),
    ],
)
def test_doubtful_tables_are_refused(table, words):
    table = dict(table) if "B" in table or "dataset" not in table else table | {
        "B": [0.1, 0.2, 0.3, 0.4, 0.5][: len(table["dataset"])],
        "C": [0.2, 0.2, 0.3, 0.4, 0.5][: len(table["dataset"])],
    }  # fmt: skip
    with pytest.raises(InputError, match=words):
        read_scores(table)


def test_conditions_that_are_not_understood_are_not_averaged_over():
    rows = [
        {"dataset": d, "learner": a, "noise": noise, "accuracy": 0.5 + 0.1 * noise}
        for d in "xyz"
        for a in "AB"
        for noise in (0, 1, 2)
    ]
    with pytest.raises(InputError, match="Only column 'noise' tells apart"):
        read_scores(rows)
    assert len(read_scores(rows, drop="noise").datasets) == 3
    constant = [row | {"noise": 1, "accuracy": 0.5} for row in rows[::3]]
    note = next(n for n in read_scores(constant).notes if n.code == "left-out-columns")
    assert "'noise'" in note.detail


def test_rows_behind_a_hash_are_said(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("dataset,A,B\nx,.5,.6\n#4,.7,.8\ny,.7,.8\n# a remark\n")
    note = next(n for n in read_scores(file).notes if n.code == "left-out-rows")
    assert "'#4'" in note.detail
    assert note.severity == "warning"
