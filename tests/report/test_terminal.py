"""The terminal: verdict first, 80 columns, names distinct, long lists cut and said so."""

import re
from dataclasses import replace

import numpy as np
import pytest
from answers import MAKERS, MANY, answer, crowd

from twofold import compare
from twofold.comparison.sentences import percent
from twofold.plots.picture_labels import count_columns
from twofold.provenance_record import Provenance
from twofold.report import terminal
from twofold.report.formatting import select_pairs
from twofold.report.terminal_tables import MOST_PAIRS, shorten_names


@pytest.mark.parametrize("name", MAKERS)
def test_80_columns_no_trailing_spaces_verdict_first(name):
    text = terminal(answer(name))
    for line in text.splitlines():
        assert count_columns(line) <= 80
        assert line == line.rstrip()
    verdict = " ".join(text.split("\n\n")[0].split())
    assert verdict == " ".join(answer(name).verdict.split())
    assert str(answer(name)) == text
    assert "nan" not in re.findall(r"[a-z]+", text.lower())


@pytest.mark.parametrize("k", [3, 10, 40, 200])
def test_many_learners_stay_readable(k):
    c = crowd(k)
    text = terminal(c)
    assert max(map(count_columns, text.splitlines())) <= 80
    assert len(text.splitlines()) < 110
    if k > 20:
        assert f"… {k - 16} more; the JSON lists them all" in text
    left_out = len(c.pairs) - MOST_PAIRS
    if left_out > 0:
        assert f"… {left_out} more; the JSON lists them all" in text
        assert f"{sum(p.outcome != 'none' for p in c.pairs)} of {len(c.pairs)} differ" in text


def test_pairs_that_matter_are_of_the_best_and_nearest_to_the_level():
    c = crowd(40)
    chosen = select_pairs(c, 12)
    best = min(c.mean_ranks, key=c.mean_ranks.get)
    assert all(best in (pair.a, pair.b) for pair in chosen[:6])
    near = [abs(np.log(pair.adjusted["nemenyi"] / 0.05)) for pair in chosen[6:]]
    rest = [
        abs(np.log(max(pair.adjusted["nemenyi"], 1e-300) / 0.05))
        for pair in c.pairs
        if pair not in chosen
    ]
    assert max(near) <= min(rest)


def test_long_names_stay_distinct_and_are_spelt_out():
    c = crowd(10)
    text = terminal(c)
    assert "gradient_bo…008… − learner-9" in text
    assert "gradient_bo…008… = gradient_boosting_depth_008_learning_rate_0.1" in text


@pytest.mark.parametrize("room", [9, 14, 30])
@pytest.mark.parametrize(
    "names",
    [
        ["x" * 50 + str(i) for i in range(12)],
        [str(i) + "x" * 50 for i in range(12)],
        ["model_" + "x" * 20 + f"{i}_" + "y" * 20 for i in range(120)],
        ["日本語の学習器" * 4 + str(i) for i in range(11)],
        ["same start but " + word * 9 for word in ("alpha ", "beta ", "gamma ")],
    ],
)
def test_labels_fit_and_differ(names, room):
    short = shorten_names(names, room)
    assert len(set(short.values())) == len(names)
    assert max(map(count_columns, short.values())) <= room


def test_next_calls_fit_the_answer():
    assert "control=NAME" in terminal(answer("many"))
    assert "control=NAME" not in terminal(answer("control"))
    assert "control=NAME" not in terminal(answer("two"))
    assert "rope=0.01" in terminal(answer("two"))
    assert "rope=0.01" not in terminal(answer("two, rope")).split("Next")[1]
    assert "rope=" not in terminal(answer("predictions"))
    for name in MAKERS:
        last = terminal(answer(name)).splitlines()[-1]
        assert last.startswith(("  answer.to_frame()", "  answer.to_frame('scores')"))
        assert ("'scores'" in last) == answer(name).has_one_learner
        typed = Provenance("0", 0, command="twofold compare x.csv")
        text = terminal(replace(answer(name), provenance=typed))
        assert text.splitlines()[-1].startswith("  --format json")


def test_one_sided_tests_say_what_they_asked():
    assert "tested only whether C4.5 is worse than C4.5_m." in " ".join(
        terminal(answer("two, one-sided")).split()
    )
    loss = compare({"a": [1, 2, 3, 4, 5, 6.0], "b": [2, 3, 4, 5, 6.5, 7]}, metric="rmse",
                   control="a", alternative="less", higher_is_better=False,
                   rows="datasets")  # fmt: skip
    assert loss.pairs[0].outcome == "a"
    assert "tested only whether a is better than b." in " ".join(terminal(loss).split())
    assert "at most" in terminal(loss)


def test_repr_is_short_and_ends_with_what_to_call():
    for name in MAKERS:
        lines = repr(answer(name)).splitlines()
        assert lines[-1].startswith("Next: print(answer)")
        assert len(repr(answer(name))) < 600
    assert "control=NAME" in repr(answer("many"))


def test_shares_are_never_rounded_to_certainty():
    assert [percent(x) for x in (0, 0.001, 0.5, 0.9951, 1)] == ["<1%", "<1%", "50%", ">99%", ">99%"]


def test_intervals_of_pairs_outlast_counts_where_room_is_scarce():
    scores = dict(zip(["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"], MANY.values(), strict=True))
    text = terminal(compare(scores, test="nemenyi", rows="datasets"))
    assert re.search("95% interval +adj. p +better", text)
    assert "w/t/l" not in text
    short = terminal(
        compare(dict(zip("abcd", MANY.values(), strict=True)), test="nemenyi", rows="datasets")
    )
    assert re.search("95% interval +adj. p +w/t/l +better", short)


def test_a_data_set_without_a_name_has_none():
    assert "2 learners, one data set; " in terminal(answer("one data set"))
    assert "learners, one test set; " in terminal(answer("predictions"))
    assert "Pairs: 1 of 3 differs\n" in terminal(compare(MANY, control="100% #1", rows="datasets"))
