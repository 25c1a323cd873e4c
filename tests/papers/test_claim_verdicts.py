"""Three verdicts: by a standard error, for several parts, for most of several cases."""

import pytest

from twofold_papers.claim_verdicts import (
    Verdict,
    judge_all,
    judge_difference,
    judge_exact,
    judge_most,
)

HOLDS, FAILS, OPEN = Verdict("holds"), Verdict("does not hold"), Verdict("cannot be told")


@pytest.mark.parametrize(
    ("difference", "error", "word"),
    [
        (1.97, 1.0, "holds"),
        (1.95, 1.0, "cannot be told"),
        (0.0, 1.0, "cannot be told"),
        (-1.95, 1.0, "cannot be told"),
        (-1.97, 1.0, "does not hold"),
        (1e-9, 0.0, "holds"),
        (0.0, 0.0, "does not hold"),
        (-1e-9, 0.0, "does not hold"),
    ],
)
def test_a_difference_is_judged_by_its_standard_error(difference, error, word):
    assert judge_difference(difference, error, "numbers") == Verdict(word, "numbers")


@pytest.mark.parametrize(("difference", "error"), [(float("nan"), 1.0), (0.1, float("nan"))])
def test_what_is_no_number_is_not_judged(difference, error):
    with pytest.raises(ValueError, match="no difference or no standard error"):
        judge_difference(difference, error)


def test_a_claim_of_several_parts_is_as_good_as_its_worst():
    assert judge_all([HOLDS, HOLDS]).word == "holds"
    assert judge_all([HOLDS, OPEN]).word == "cannot be told"
    assert judge_all([OPEN, FAILS, HOLDS]).word == "does not hold"
    parts = [judge_exact(True, "a"), judge_exact(True, "b"), judge_exact(True, "a")]
    assert judge_all(parts).detail == "a; b"
    with pytest.raises(ValueError, match="says nothing"):
        judge_all([])


def test_a_claim_of_most_cases_is_open_where_open_cases_decide():
    assert judge_most([HOLDS, HOLDS, FAILS], 2 / 3) == Verdict("holds", "2 of 3 hold")
    assert judge_most([HOLDS, OPEN, FAILS], 2 / 3).word == "cannot be told"
    assert judge_most([OPEN, FAILS, FAILS], 2 / 3).word == "does not hold"
