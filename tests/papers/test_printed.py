"""The files of what is printed: complete, and read as they are written."""

import pytest

from twofold_papers import papers
from twofold_papers.claim_verdicts import judge_difference, judge_exact
from twofold_papers.printed import Claim, PrintedClaim, PrintedItem

ITEMS = [(paper, item) for paper in papers() for item in paper.items]
IDS = [f"{paper.key}-{item.name}" for paper, item in ITEMS]


@pytest.mark.parametrize(("paper", "item"), ITEMS, ids=IDS)
def test_every_item_tells_where_it_stands_and_what_it_claims(paper, item):
    printed = item.printed
    assert printed.title
    assert printed.where
    assert printed.claims
    assert all(claim.quote for claim in printed.claims.values())
    assert paper.own or all(claim.section for claim in printed.claims.values())
    for number in printed.numbers.values():
        assert isinstance(number, str)  # its digits say how far it was rounded
        float(number)
    # Names of shared remarks are replaced by their text.
    assert all(" " in remark for remark in printed.remarks)


def test_claims_are_judged_in_the_order_of_the_print():
    claims = {
        "first": PrintedClaim("It rains.", "section 1", "drops fall"),
        "second": PrintedClaim("It pours", completed=True),
        "third": PrintedClaim("It snows."),
    }
    item = PrintedItem("table1", "A table", claims=claims)
    judged = item.judge(
        second=judge_difference(0.01, 0.02, "within"),
        third=judge_exact(False),
        first=judge_exact(1 < 2, "as it seems"),
    )
    assert judged == (
        Claim("It rains.", "holds", "as it seems", "section 1", "drops fall", name="first"),
        Claim(
            "It pours",
            "cannot be told",
            "within",
            uncounted="our copy is cut off here",
            name="second",
        ),
        Claim("It snows.", "does not hold", name="third"),
    )
    with pytest.raises(AssertionError, match="table1"):
        item.judge(first=judge_exact(True))


def test_a_number_carries_its_cause_and_reach():
    item = PrintedItem("t", "T", numbers={"CD": "1.16"}, causes={"CD": "Exact is {ours:.3f}."})
    number = item.compare("CD", 1.168, 0.002)
    assert (number.low, number.high) == pytest.approx((1.166, 1.170))
    assert number.why == "Exact is 1.168."
    assert not number.agrees
    assert item.compare_all(1.164)[0].agrees
    with pytest.raises(ValueError, match="zip"):
        item.compare_all(1.0, 2.0)
