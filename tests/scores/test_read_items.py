"""Tables of items: recognised or refused, matched by name, nothing dropped in silence."""

import numpy as np
import pytest

from twofold import InputError
from twofold.options import Reading
from twofold.scores.files import read_scores_or_items, read_table
from twofold.scores.item_columns import holds_items
from twofold.scores.items import Items

A, B = [1, 0, 1, 1, 0, 1, 1, 0], [0, 0, 1, 1, 1, 0, 1, 0]
IDS = [f"q{i}" for i in range(8)]
GRADES = {"A": [0.5, 0.25, 1, 0, 0.75, 1, 0.1, 0.2], "B": [0.5, 0, 0.3, 0, 0.75, 0.9, 0.1, 0.6]}


def read(table, **options):
    return read_scores_or_items(table, Reading(**options))


def long(**columns):
    """A row for each score, from columns by learner."""
    return [
        {"id": name, "model": learner, "score": value}
        for learner, values in columns.items()
        for name, value in zip(IDS, values, strict=False)
    ]


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ({"A": A, "B": B}, {}),
        ({"item": IDS, "A": A, "B": B}, {}),
        ({"question_id": IDS, **GRADES}, {}),
        ({"name": IDS, "A": A, "B": B, "length": range(100, 108)}, {}),
        ({"A": ["yes" if x else "no" for x in A], "B": [bool(x) for x in B]}, {}),
        ({"A": [100 * x for x in A], "B": [100 * x for x in B]}, {}),
        (long(A=A, B=B), {}),
        ([{"question": n, "model": m, "correct": bool(v)} for m, c in (("A", A), ("B", B))
          for n, v in zip(IDS, c, strict=True)], {}),
        ({"dataset": IDS, "A": A, "B": B}, {"items": True}),
        (long(**GRADES), {"items": True}),
        ({"x": IDS, **GRADES}, {"item": "x"}),
        ({"task": ["s", "t"] * 4, "A": A, "B": B}, {}),
        ({"dataset": ["s", "t"] * 4, "item": IDS, **GRADES}, {}),
        ({"item": IDS, "A": A, "B": B, "ease": GRADES["A"]}, {"correct": True}),
        ({"item": [1, 1, 2, 2] * 2, "epoch": [1, 2] * 4, "task": ["s"] * 4 + ["t"] * 4,
          "A": A, "B": B}, {}),
    ],
)  # fmt: skip
def test_recognised(table, options):
    items = read(table, **options)
    assert isinstance(items, Items)
    assert items.learners == ("A", "B")
    assert items.value.shape[0] * int(items.samples.max()) == 8


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ({"dataset": IDS, **GRADES}, {}),
        (GRADES, {}),
        ({"fold": range(8), **GRADES}, {}),
        ({"A": A, "B": B}, {"rows": "folds"}),
        ({"A": A, "B": B}, {"ranks": True}),
    ],
)
def test_other_scores_are_no_items(table, options):
    assert not holds_items(read_table(table, Reading(**options)), Reading(**options))


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        ({"dataset": IDS, "A": A, "B": B}, {}, r"zeros and ones[\s\S]*items=True"),
        ({"item": ["q0", *IDS[:7]], "A": A, "B": B}, {}, "'q0' stands in the table twice"),
        ({"item": ["", *IDS[1:]], "A": A, "B": B}, {}, "the item has no name"),
        (GRADES, {"correct": True}, "No column holds zeros and ones"),
        ({"item": IDS, **GRADES}, {"correct": True, "only": "A,B"}, "neither right nor wrong"),
        ({"item": IDS, "A": A, "B": B}, {"cluster": "nothing"}, "There is no column 'nothing'"),
        ({"item": IDS, "c": ["x"] * 8, "A": A, "B": B}, {"cluster": "c"}, "in one cluster, 'x'"),
        (
            [
                {"item": n, "group": g, "learner": m, "value": 1}
                for m, n, g in ("a1x", "b1y", "a2y", "b2y")
            ],
            {"cluster": "group"},
            "stands in two clusters, 'x' and 'y'",
        ),
        (
            [{"item": m + n, "learner": m, "value": 1} for m in "ab" for n in IDS],
            {},
            r"No item has a score of every learner: a lacks 'bq0'",
        ),
        (
            [{"learner": m, "value": v} for m in "ab" for v in A],
            {"items": True},
            "Which column names the items",
        ),
        ({"item": IDS, "A": A, "B": B}, {"drop": IDS}, "No item is left"),
        ({"item": IDS, "A": A, "B": B, "ease": GRADES["A"]}, {}, "Does column 'ease' hold"),
    ],
)
def test_refused_in_two_lines(table, options, words):
    with pytest.raises(InputError, match=words) as caught:
        read(table, **options)
    assert len(str(caught.value).splitlines()) == 2


def test_unmatched_items_are_named():
    items = read(long(A=A, B=B[:5], C=A[:6]))
    assert items.names == tuple(IDS[:5])
    (note,) = (note for note in items.notes if note.code == "items-unmatched")
    assert "3 of 8 items were left out" in note.detail
    assert "B lacks 'q5', 'q6', 'q7'; C lacks 'q6', 'q7'" in note.detail
    gaps = read({"item": IDS, "A": A, "B": [None, *B[1:]]})
    assert gaps.names == tuple(IDS[1:])


def test_items_are_matched_by_name_and_not_by_row():
    rows = long(A=A, B=B)
    order = np.random.default_rng(0).permutation(len(rows))
    items = read([rows[i] for i in order])
    value = dict(zip(items.names, items.value[:, items.index_of("A")], strict=True))
    assert value == dict(zip(IDS, A, strict=True))


def test_samples_may_differ_in_number():
    rows = [{**row, "sample": 0} for row in long(A=A, B=B)]
    rows.append({"id": "q1", "model": "A", "score": 1, "sample": 1})
    items = read(rows)
    row = items.names.index("q1")
    assert items.samples[row].tolist() == [2, 1]
    assert items.value[row].tolist() == [0.5, 0]
    assert items.metric == "accuracy"
    (note,) = (note for note in items.notes if note.code == "samples-averaged")
    assert "1 to 2 samples" in note.detail


def test_clusters_are_taken_by_their_names_and_others_named():
    table = {"item": IDS, "passage": list("aabbccdd"), "topic": list("xyxyxyxy"), "A": A, "B": B}
    items = read(table)
    assert items.clusters == 4
    assert items.cluster.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert "clusters-assumed" in {note.code for note in items.notes}
    assert read(table, cluster="topic").clusters == 2
    alone = read(table, drop="passage")
    assert alone.clusters is None
    (note,) = (note for note in alone.notes if note.code == "cluster-candidates")
    assert "`cluster='topic'`" in note.detail
    own = read({**table, "passage": ["a", "a", None, None, "b", "b", "c", "c"]})
    assert own.clusters == 5  # items without a cluster are their own
    assert read({**table, "passage": IDS}, drop="topic").clusters is None


def test_a_learner_that_was_left_out_is_no_candidate():
    items = read({"item": IDS, "A": A, "B": B, "C": B}, only=["A", "B"])
    assert "cluster-candidates" not in {note.code for note in items.notes}


def test_one_cluster_of_all_items_is_said():
    items = read({"item": IDS, "passage": ["p"] * 8, "A": A, "B": B})
    assert items.clusters is None
    (note,) = (note for note in items.notes if note.code == "one-cluster")
    assert "'passage', 'p'" in note.detail


def test_a_learner_is_no_cluster():
    with pytest.raises(InputError, match="'A' holds zeros and ones"):
        read({"item": IDS, "A": A, "B": B}, cluster="A")


def test_a_learner_without_scores_is_called_so():
    items = read({"item": IDS, "A": A, "B": B, "C": [float("nan")] * 8})
    assert items.learners == ("A", "B")
    (note,) = (note for note in items.notes if note.code == "left-out-columns")
    assert "'C' (no scores)" in note.detail


def test_scores_whose_squares_are_infinite_are_refused_before_they_overflow():
    with pytest.raises(InputError, match=r"Column 'A', .*must not exceed 1e\+150"):
        read({"item": IDS, "A": [0.5, 1.7e308, *A[2:]], "B": GRADES["B"]})


def test_the_metric_and_its_direction():
    right = read({"item": IDS, "A": A, "B": B})
    assert (right.metric, right.higher_is_better) == ("accuracy", True)
    wrong = read({"item": IDS, "A": A, "B": B}, higher_is_better=False)
    assert (wrong.metric, wrong.higher_is_better) == ("error", False)
    loss = read({"item": IDS, **GRADES}, metric="log_loss")
    assert (loss.metric, loss.higher_is_better) == ("log_loss", False)
    rows = [{**row, "metric": m} for m in ("acc", "loss") for row in long(**GRADES)]
    assert not read(rows, items=True, metric="loss").higher_is_better


def test_items_show_themselves_at_a_glance():
    table = {"item": ["q1", "q2", "q3"], "passage": ["a", "a", "b"], "A": [1, 0, 1], "B": [0, 0, 1]}
    items = read(table)
    words = "accuracy (higher is better) of A, B on 3 items in 2 clusters of the test set"
    assert repr(items) == f"<Items: {words}>\nNext: compare(items), items.to_scores()"
    page = items._repr_html_()
    assert f"<p>{words}.</p>" in page
    assert "<td><b>0.667</b></td><td>0.333</td>" in page
    assert "<b>&" not in read(table | {"<b>&": [1, 1, 1]})._repr_html_()
