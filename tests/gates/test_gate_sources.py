"""Gates read a table of both learners, or one for each, and list what only one of them has."""

import pytest

import twofold
from twofold import InputError
from twofold.gates import Changes
from twofold.stats import sign_flip, tango

NAMES = ["iris", "wine", "glass", "zoo", "heart", "vote"]


def write(path, rows, header="dataset,accuracy"):
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


def scores(names, shift=0.0):
    return [f"{name},{0.7 + len(name) / 40 + shift:.3f}" for name in names]


def test_two_files_are_matched_by_name(tmp_path):
    old = write(tmp_path / "old.csv", scores([*NAMES, "gone", "sonar 1"]))
    new = write(tmp_path / "new.csv", scores([*NAMES[::-1], "sonar_1", "fresh"], 0.001))
    answer = twofold.gate(old, new, margin=0.01)
    assert (answer.baseline, answer.candidate, answer.n) == ("old", "new", 6)
    assert answer.passed
    assert answer.estimate == pytest.approx(0.001)
    assert answer.changes == Changes(
        ("sonar_1", "fresh"), ("gone", "sonar 1"), (("sonar 1", "sonar_1"),)
    )
    codes = {note.code for note in answer.notes}
    assert {"gate-new", "gate-removed", "gate-renamed"} <= codes
    assert "fresh" in answer.to_markdown()


def test_one_table_lists_changes_too():
    table = {
        "dataset": NAMES,
        "old": [0.7, 0.8, 0.9, 0.6, 0.75, None],
        "new": [0.7, 0.8, 0.9, 0.6, None, 0.8],
    }
    answer = twofold.gate(table, margin=0.01, baseline="old", candidate="new")
    assert answer.changes == Changes(("vote",), ("heart",), ())
    assert answer.n == 4


def test_folds_are_matched_by_run_and_fold(tmp_path):
    rows = [f"{r},{f},{0.8 + r / 100 + f / 50}" for r in range(5) for f in range(10)]
    old = write(tmp_path / "a" / "scores.csv", rows, "run,fold,accuracy")
    new = write(tmp_path / "b" / "scores.csv", rows[::-1], "run,fold,accuracy")
    answer = twofold.gate(old, new, margin=0.01)
    assert (answer.baseline, answer.candidate) == ("baseline", "candidate")
    assert (answer.method, answer.n, answer.unit) == ("two-level-cv-t", 50, "folds")
    assert answer.passed


def test_long_tables_name_their_learners(tmp_path):
    header = "dataset,learner,accuracy"
    old = write(tmp_path / "1.csv", [f"{d},forest,0.8" for d in NAMES], header)
    rows = [f"{d},{name},0.81" for d in NAMES for name in ("forest", "boost")]
    new = write(tmp_path / "2.csv", rows, header)
    with pytest.raises(InputError, match="candidate"):
        twofold.gate(old, new, margin=0.01)
    answer = twofold.gate(old, new, candidate="boost", margin=0.01)
    assert (answer.baseline, answer.candidate) == ("forest", "boost")
    renamed = twofold.gate(old, new, candidate="forest", margin=0.01)
    assert (renamed.baseline, renamed.candidate) == ("1", "2")


def test_what_cannot_be_matched_is_refused(tmp_path):
    old = write(tmp_path / "old.csv", scores(["a", "b"]))
    with pytest.raises(InputError, match="no data sets in common"):
        twofold.gate(old, write(tmp_path / "new.csv", scores(["c", "d"])), margin=0.01)
    other = write(tmp_path / "f1.csv", scores(NAMES), "dataset,f1")
    with pytest.raises(InputError, match="accuracy"):
        twofold.gate(old, other, margin=0.01)


def test_frames_and_dicts_go_as_well():
    old = {"dataset": NAMES, "accuracy": [0.7] * 6}
    new = {"dataset": NAMES, "accuracy": [0.7, 0.71, 0.72, 0.7, 0.7, 0.69]}
    answer = twofold.gate(old, new, margin=0.02)
    assert (answer.baseline, answer.candidate) == ("baseline", "candidate")
    assert answer.passed


def items(names, right):
    return [f"{name},{int(value)}" for name, value in zip(names, right, strict=True)]


def test_items_are_matched_by_name(tmp_path):
    names = [f"q{i}" for i in range(200)]
    right = [i % 3 > 0 for i in range(200)]
    changed = [not value if i in (7, 90) else value for i, value in enumerate(right)]
    old = write(tmp_path / "old.csv", items([*names, "gone"], [*right, 1]), "item,correct")
    new = write(tmp_path / "new.csv", items([*names[::-1], "q900"], [*changed[::-1], 1]),
                "item,correct")  # fmt: skip
    answer = twofold.gate(old, new, margin=0.03)
    assert (answer.n, answer.unit, answer.method) == (200, "items", "tango")
    only_old = sum(a and not b for a, b in zip(right, changed, strict=True))
    expected = tango(
        2 - only_old, only_old, 200, difference=-0.03, alternative="greater", guarded=True
    )
    assert answer.good_p == pytest.approx(expected.pvalue)
    assert answer.changes == Changes(("q900",), ("gone",), ())
    assert twofold.gate(old, new, margin=0.03, superiority=True).decision == "not good enough"


def test_clusters_of_items_are_what_varies():
    right = [[(i * 7 + k * 5 + i // 9) % 10 < 7 - k / 4 for k in (0, 1)] for i in range(300)]
    table = {
        "item": [f"q{i}" for i in range(300)],
        "passage": [f"p{i // 10}" for i in range(300)],
        "old": [int(pair[0]) for pair in right],
        "new": [int(pair[1]) for pair in right],
    }
    answer = twofold.gate(table, margin=0.1, cluster="passage", baseline="old")
    assert (answer.method, answer.n) == ("sign-flip", 300)
    d = [b - a for a, b in zip(table["old"], table["new"], strict=True)]
    shifted = sign_flip([x + 0.1 for x in d], clusters=table["passage"], alternative="greater")
    assert answer.good_p == pytest.approx(shifted.pvalue)


def test_few_equal_items_prove_little(tmp_path):
    """Twenty items without a difference say little about one in a hundred; a thousand do."""
    for count, decision in ((20, "undecided"), (1000, "good enough")):
        rows = items([f"q{i}" for i in range(count)], [i % 2 for i in range(count)])
        old = write(tmp_path / "a" / "s.csv", rows, "item,correct")
        new = write(tmp_path / "b" / "s.csv", rows, "item,correct")
        assert twofold.gate(old, new, margin=0.01).decision == decision
        graded = {"item": range(count), "old": [i % 7 / 7 for i in range(count)]}
        graded["new"] = graded["old"]
        assert twofold.gate(graded, margin=0.01, baseline="old", items=True).decision == decision


def test_predictions_are_right_or_wrong():
    truth = ["x", "y"] * 200
    table = {"truth": truth, "old": [*truth[:-20], *["z"] * 20], "new": [*truth[:-22], *["z"] * 22]}
    answer = twofold.gate(table, margin=0.03, predictions=True, baseline="old")
    assert (answer.method, answer.n, answer.decision) == ("tango", 400, "good enough")
    assert answer.good_p == pytest.approx(
        tango(2, 0, 400, difference=-0.03, alternative="greater", guarded=True).pvalue
    )
    with pytest.raises(InputError, match="score of its own"):
        twofold.gate(table, margin=0.03, predictions=True, baseline="old", metric="f1")
    with pytest.raises(InputError, match="one table"):
        twofold.gate(table, table, margin=0.03, predictions=True)


def test_one_file_on_both_sides_is_refused_and_a_copy_named(tmp_path):
    rows = [f"q{i},{i % 2}" for i in range(80)]
    old = write(tmp_path / "old.csv", rows, "item,accuracy")
    with pytest.raises(InputError, match="the same scores, those of"):
        twofold.gate(old, str(tmp_path / "." / "old.csv"), margin=0.05)
    copy = write(tmp_path / "copy.csv", rows, "item,accuracy")
    answer = twofold.gate(old, copy, margin=0.05)
    assert answer.passed
    assert "identical-learners" in {note.code for note in answer.notes}


def test_two_learners_of_one_file_may_stand_on_either_side(tmp_path):
    both = write(tmp_path / "both.csv", [f"q{i},{i % 2},1" for i in range(80)], "item,a,b")
    answer = twofold.gate(both, both, margin=0.05, baseline="a", candidate="b")
    assert (answer.baseline, answer.candidate, answer.passed) == ("a", "b", True)
