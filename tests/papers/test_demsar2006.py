"""Which of Demšar's printed numbers hold, to the number; found by hand and with R before."""

from demsar import DUNN_05, NEMENYI_10, RANKS6, TABLE6, WINS_05, WINS_10
from twofold_papers import ItemOptions, find_item, find_paper, reproduce
from twofold_papers.demsar2006 import items as declared
from twofold_papers.demsar2006 import table7

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
    assert [each.verdict for each in result.claims] == ["holds", "does not hold"]


def test_table3_is_one_sided():
    result = outcome("table3")
    differ = [each for each in result.numbers if not each.agrees]
    assert sum("0.05" in each.label for each in differ) == 10 + 0
    assert all(each.why for each in differ)
    # Of w(.05) ten entries, of w(.10) thirteen, have a two-sided p above their level.
    assert result.claims[0].verdict == "does not hold"
    assert result.claims[0].detail.startswith("23 of 42")
    # The normal approximation asks for too few wins at 84 sizes, by sums of whole numbers.
    assert result.claims[1].detail.startswith("84 of 175")


def test_table6():
    result = outcome("table6")
    differ = {each.label for each in result.numbers if not each.agrees}
    assert differ == {"CD, Bonferroni–Dunn, .05", "z of C4.5+m+cf", "p of C4.5+cf"}
    assert all(each.verdict == "holds" for each in result.claims)


def test_figure1():
    assert all(each.verdict == "holds" for each in outcome("figure1").claims)


def test_table7_says_whether_the_print_follows_from_itself():
    cells = find_item(PAPER, "table7").printed["cells"]
    table = table7._check_print(cells)
    # By hand: 662 rejections give (662 · 661 + 338 · 337) / (1000 · 999) = .5520, printed .55.
    assert table.rows[0][0] == "paired t"
    assert all(row[1].endswith("of 21") for row in table.rows)
    assert table7.read_cells(cells["sign"], 0, 1) == ("157", ".21", ".90", ".74")
