"""Which of Demšar's printed numbers hold, to the number; found by hand and with R before."""

from demsar import DUNN_05, NEMENYI_10, RANKS6, TABLE6, WINS_05, WINS_10
from twofold_papers import ItemOptions, find_item, find_paper, reproduce
from twofold_papers.demsar2006 import items as declared

PAPER = find_paper("demsar2006")


def outcome(name):
    return reproduce(PAPER, find_item(PAPER, name), ItemOptions("toy")).result


def test_what_is_declared_is_what_is_printed():
    assert (declared.AUC == TABLE6).all()
    assert (declared.RANKS == RANKS6).all()
    wins, critical = (find_item(PAPER, name).printed for name in ("table3", "table5"))
    assert wins["wins"] == {"0.05": WINS_05, "0.10": WINS_10}
    assert list(map(float, critical["nemenyi"]["0.10"].split())) == NEMENYI_10
    assert list(map(float, critical["bonferroni-dunn"]["0.05"].split())) == DUNN_05


def test_table2():
    result = outcome("table2")
    assert all(each.agrees for each in result.numbers)
    # Exact two-sided p of 11 wins of 14 is .0574.
    assert [each.holds for each in result.claims] == [True, False]


def test_table3_is_one_sided():
    result = outcome("table3")
    differ = [each for each in result.numbers if not each.agrees]
    assert sum("0.05" in each.label for each in differ) == 10 + 0
    assert all(each.why for each in differ)
    assert not result.claims[0].holds


def test_table6():
    result = outcome("table6")
    differ = {each.label for each in result.numbers if not each.agrees}
    assert differ == {"CD, Bonferroni–Dunn, .05", "z of C4.5+m+cf", "p of C4.5+cf"}
    assert all(each.holds for each in result.claims)


def test_figure1():
    assert all(each.holds for each in outcome("figure1").claims)
