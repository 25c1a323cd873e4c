"""The pages that explain: their numbers are those that are measured, their pictures those drawn."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from twofold.stats.cards import cards, format_rate

for library in ("sklearn", "numba", "matplotlib"):
    pytest.importorskip(library)

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "understand"
sys.path.insert(0, str(FOLDER))
import draw  # noqa: E402  (docs/understand/draw.py)
import measure  # noqa: E402
import schemes  # noqa: E402


@pytest.mark.parametrize("name", ["p-values", "which-null"])
def test_numbers_are_those_that_are_measured(name):
    """`make docs` writes them. The third page takes longer: the site's build measures it."""
    page = (FOLDER / f"{name}.md").read_text("utf-8")
    assert "measured: " in page
    emptied = draw.MEASURED.sub(r"\1\3", page)
    assert len(emptied) < len(page) - 100
    assert draw.fill_tables(emptied) == page


def test_a_plain_t_test_on_folds_errs_and_the_corrected_one_does_not():
    differences = measure.cross_validate_coins(datasets=60)[:, :10]
    plain = measure.paired_t(differences.reshape(60, -1)).pvalue < measure.LEVEL
    corrected = measure.corrected_cv_t(differences).pvalue < measure.LEVEL
    page = (FOLDER / "corrected-tests.md").read_text("utf-8")
    rate = float(re.search(r"^\| 10 \| (\.\d+) \(", page, re.M)[1])
    assert abs(np.mean(plain) - rate) < 3 * np.sqrt(rate * (1 - rate) / 60)
    assert np.mean(corrected) <= 0.1


def test_numbers_of_the_corrected_test_are_those_of_its_page():
    page = draw.MEASURED.sub("", (FOLDER / "which-null.md").read_text("utf-8"))
    levels = (DOCS / "levels.md").read_text("utf-8")
    numbers = re.findall(r"\.\d{3} \(\.\d{3}–\.\d{3}\)", page)
    assert len(numbers) == 2
    assert all(number in levels for number in numbers)
    assert ".939" in (DOCS / "replicability.md").read_text("utf-8").split("## ")[0]
    assert format_rate(cards().find("corrected-cv-t", "some", 0.05).replicability[0]) == ".939"


def test_the_same_p_goes_with_ever_smaller_differences():
    rows = measure.intervals_at_one_p(p=0.03, sizes=(10, 100))
    for n, value, low, _ in rows:
        # 2.5738 and 2.2018: scipy's quantiles for a two-sided p of .03.
        quantile = scipy.stats.t.ppf(0.985, n - 1)
        assert value == pytest.approx(quantile * 0.1 / np.sqrt(n), rel=1e-6)
        assert low > 0


def test_every_picture_is_there_and_shown():
    shown = set()
    for page in [*FOLDER.glob("*.md"), DOCS / "replicability.md"]:
        shown |= set(
            re.findall(r"!\[[^\]]{20,}\]\((?:understand/)?([\w-]+)\.svg\)", page.read_text("utf-8"))
        )
    assert shown == {*draw.PICTURES, *schemes.PICTURES}
    for name, picture in schemes.PICTURES.items():
        assert (FOLDER / f"{name}.svg").read_text("utf-8") == picture()
    for name in draw.PICTURES:
        assert "<title>" in (FOLDER / f"{name}.svg").read_text("utf-8")
