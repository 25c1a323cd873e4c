"""Looking again: tests for any time in `compare` and `gate`, and histories of nightly checks."""

import json

import numpy as np
import pytest

import twofold
from twofold import InputError, compare, rng
from twofold.cli import main
from twofold.stats import anytime_mcnemar, anytime_mean, anytime_sign

NAMES = {"baseline": "old", "candidate": "new"}


def items(count, seed=0, gain=0.0, discordant=0.1):
    """Right and wrong answers; the candidate is right more often by ``gain``."""
    random = rng(seed, "history")
    old = random.random(count) < 0.7
    draw = random.random(count)
    up, down = (discordant + gain) / 2, (discordant - gain) / 2
    new = np.where(draw < up, True, np.where(draw < up + down, False, old))
    old = np.where(draw < up, False, np.where(draw < up + down, True, old))
    return {
        "item": [f"q{i}" for i in range(count)],
        "old": old.astype(int).tolist(),
        "new": new.astype(int).tolist(),
    }


def first(table, count):
    return {name: column[:count] for name, column in table.items()}


def test_compare_takes_the_test_for_any_time():
    table = items(400)
    answer = compare(table, anytime=True)
    d = np.array(table["old"]) - np.array(table["new"])
    expected = anytime_mcnemar(int((d < 0).sum()), int((d > 0).sum()), 400)
    assert answer.method == "anytime-mcnemar"
    assert answer.pairs[0].pvalue == pytest.approx(expected.pvalue)
    assert any(note.code == "anytime" for note in answer.notes)
    wide = {"a": [0.7, 0.8, 0.9, 0.6, 0.5, 0.6, 0.7], "b": [0.6, 0.7, 0.8, 0.5, 0.4, 0.5, 0.6]}
    over = compare(wide, anytime=True, rows="datasets")
    assert over.method == "anytime-sign"
    assert over.pairs[0].outcome == "a"
    grades = {"item": table["item"], **{n: rng(3, n).random(400).tolist() for n in "ab"}}
    graded = compare(grades, items=True, anytime=True)
    assert graded.method == "anytime-mean"
    labels = {"truth": ["x"] * 40, "a": ["x"] * 40, "b": ["x"] * 25 + ["y"] * 15}
    assert compare(labels, predictions=True, anytime=True).method == "anytime-mcnemar"


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ({"a": [0.1, 0.2], "b": [0.2, 0.1], "c": [0.3, 0.4]}, {"rows": "datasets"}),
        ({"a": [0.1, 0.2], "b": [0.2, 0.1]}, {"rows": "datasets", "test": "wilcoxon"}),
        ({"a": [0.1, 0.2, 0.3, 0.2], "b": [0.2, 0.1, 0.1, 0.1]}, {"rows": "folds"}),
        ({"item": [*range(40)], "a": [*range(40)], "b": [*range(40)]}, {"items": True}),
    ],
)
def test_what_cannot_be_looked_at_again_is_refused(table, options):
    with pytest.raises(InputError) as caught:
        compare(table, anytime=True, **options)
    assert len(str(caught.value).splitlines()) == 2


def test_gates_for_any_time():
    table = items(600)
    answer = twofold.gate(table, margin=0.05, anytime=True, **NAMES)
    d = np.array(table["new"]) - np.array(table["old"])
    expected = anytime_mean(d, difference=-0.05, alternative="greater", confidence=None)
    assert answer.anytime
    assert answer.good_p == pytest.approx(expected.pvalue)
    wide = {"old": [0.7, 0.8, 0.9, 0.6, 0.5, 0.6], "new": [0.7, 0.8, 0.9, 0.6, 0.5, 0.6]}
    over = twofold.gate(wide, margin=0.01, anytime=True, **NAMES, rows="datasets")
    shifted = np.full(6, 0.01)
    assert over.good_p == anytime_sign(shifted, alternative="greater").pvalue
    assert over.passed


def test_a_history_counts_each_item_once(tmp_path):
    file = tmp_path / "history.json"
    table = items(900, seed=1)
    whole = [
        twofold.gate(first(table, n), margin=0.04, history=file, **NAMES) for n in (300, 600, 900)
    ]
    assert [len(answer.looks) for answer in whole] == [1, 2, 3]
    assert [answer.n for answer in whole] == [300, 600, 900]
    # The same items in parts, each night its own.
    parts = tmp_path / "parts.json"
    for start in (0, 300, 600):
        night = {name: column[start : start + 300] for name, column in table.items()}
        answer = twofold.gate(night, margin=0.04, history=parts, **NAMES)
    assert answer.looks == whole[-1].looks
    assert answer.good_p == whole[-1].good_p == min(look.good_p for look in answer.looks)
    again = twofold.gate(table, margin=0.04, history=file, **NAMES)
    assert again.looks == whole[-1].looks  # nothing new, no look


def test_a_history_of_clusters_counts_clusters(tmp_path):
    table = items(200) | {"passage": [f"p{i // 5}" for i in range(200)]}
    gate = twofold.gate(table, **NAMES, margin=0.05, history=tmp_path / "history.json")
    assert (gate.n, gate.unit) == (40, "clusters")
    assert gate.needed.units == "clusters"
    assert "40 clusters" in gate.sentence


def test_the_first_look_that_decides_counts(tmp_path):
    file = tmp_path / "history.json"
    table = items(2000, seed=2)
    decisions = [
        twofold.gate(first(table, n), margin=0.05, history=file, **NAMES).decision
        for n in (50, 1000, 2000)
    ]
    assert decisions == ["undecided", "good enough", "good enough"]
    kept = json.loads(file.read_text("utf-8"))
    assert [look["n"] for look in kept["looks"]] == [50, 1000, 2000]


def test_histories_of_other_questions_are_refused(tmp_path):
    file = tmp_path / "history.json"
    table = items(300)
    twofold.gate(table, margin=0.04, history=file, **NAMES)
    before = file.read_bytes()
    other = {**table, "new": [1 - x for x in table["new"]]}
    for wrong, words in (
        ((table, {"margin": 0.05}), "margin was 0.04"),
        ((table, {"margin": 0.04, "equivalence": True}), "goal was"),
        ((table, {"margin": 0.04, "alpha": 0.01}), "alpha was"),
        ((table, {"margin": "4%"}), "history"),
        ((other, {"margin": 0.04}), "another candidate"),
    ):
        with pytest.raises(InputError, match=words):
            twofold.gate(wrong[0], history=file, **NAMES, **wrong[1])
    assert file.read_bytes() == before
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": "other"}', "utf-8")
    with pytest.raises(InputError, match="no history"):
        twofold.gate(table, margin=0.04, history=broken, **NAMES)


def test_histories_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = items(1500, seed=2)
    rows = zip(*table.values(), strict=True)
    text = "\n".join(["item,old,new", *(",".join(map(str, row)) for row in rows)])
    (tmp_path / "items.csv").write_text(text, "utf-8")
    words = ["gate", "items.csv", "--baseline", "old", "--margin", "0.05", "--history", "h.json"]
    assert main(words) == 0
    assert "Looks      1 so far" in capsys.readouterr().out
    assert main([*words[:-1], "items.csv"]) == 2


def test_a_nightly_check_errs_no_more_than_promised(tmp_path):
    """Twenty nights of fifty items at the margin itself: few histories ever pass."""
    passed = 0
    for seed in range(60):
        random = rng(seed, "nightly")
        wrong = random.random(1000)
        d = np.where(wrong < 0.08, -1.0, np.where(wrong < 0.13, 1.0, 0.0))  # the mean is −.03
        looks = [
            anytime_mean(d[:n], difference=-0.03, alternative="greater", confidence=None).pvalue
            for n in range(50, 1001, 50)
        ]
        passed += min(looks) <= 0.05
    assert passed <= 8  # of 60; 3 expected at most, more than 8 has probability .002
