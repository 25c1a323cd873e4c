"""Every test of the catalog that a study takes has a card, whose pages say what was measured."""

import importlib.util
import json
from pathlib import Path

import pytest

import twofold
from twofold.cli import main
from twofold.stats.calibration_table import calibrated_df
from twofold.stats.cards import Measured, cards, format_rate
from twofold.stats.catalog import entry
from twofold.studies.plan import study_tests

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
spec = importlib.util.spec_from_file_location("cards_page", REFERENCE / "cards.py")
cards_page = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cards_page)


def test_cards_are_those_of_the_catalog():
    assert cards().tests() == study_tests()
    for test in study_tests():
        found = {(row.source, row.alpha) for row in cards().find_rows(test)}
        assert found == {(key, alpha) for key in ("none", "some") for alpha in (0.05, 0.01)}


def test_pages_are_what_was_measured():
    texts = cards_page.pages()
    kept = {file.name: file.read_text("utf-8") for file in (REFERENCE / "cards").glob("*.md")}
    assert set(kept) == set(texts) == {"index.md", *(f"{test}.md" for test in study_tests())}
    for name, text in texts.items():
        assert kept[name] == text, f"{name}: python docs/reference/cards.py --pages"


def test_numbers_are_within_reason():
    for row in cards().rows:
        for name in ("rejected", "for_a", "for_b", "consistent", "replicability", "agreement"):
            value, low, high = getattr(row, name)
            assert 0 <= low <= value <= high <= 1, (row.test, name)
        assert row.rejected[0] == pytest.approx(row.for_a[0] + row.for_b[0], abs=2e-4)
        assert row.consistent[0] <= row.replicability[0] + 1e-9
        stricter = cards().find(row.test, row.source, 0.01)
        assert stricter.rejected[0] <= row.rejected[0]
        if row.df is not None:
            runs, folds = map(int, row.design.split("x"))
            assert row.df == calibrated_df(row.test, runs, folds, row.alpha)
    # A difference of three to five points, in favour of B.
    assert all(-0.05 < row.difference[0] < -0.02 for row in cards().rows if row.source == "some")
    assert all(
        row.difference[1] < 0.005 and row.difference[2] > -0.005
        for row in cards().rows
        if row.source == "none"
    )


def test_what_papers_found_holds_here():
    """Dietterich; Bouckaert & Frank: resampling without correction errs often, others do not."""
    for unsafe in ("resampled-t", "cv-t", "mean-folds"):
        assert cards().find(unsafe, "none", 0.05).standing == "above"
    for safe in ("corrected-cv-t", "corrected-resampled-t", "5x2cv-f", "use-all-data", "mcnemar"):
        assert cards().find(safe, "none", 0.05).standing != "above"
    power = {test: cards().find(test, "some", 0.05).rejected[0] for test in study_tests()}
    assert power["corrected-cv-t"] > power["5x2cv-t"] > 0
    again = {test: cards().find(test, "some", 0.05).replicability[0] for test in study_tests()}
    assert again["corrected-cv-t"] > again["cv-t"]
    assert again["corrected-cv-t"] > again["5x2cv-t"]


def test_levels_are_those_of_the_catalog():
    learners = tuple(cards().made["halves"]["learners"])
    assert {"1-NN", "5-NN", "tree", "naive Bayes"} <= set(learners)
    assert cards().made["halves"]["datasets"] >= 1000
    for test in study_tests():
        for alpha in (0.05, 0.01):
            measured = cards().levels_of(test, alpha)
            assert tuple(one.learner for one in measured) == learners
            for one in measured:
                value, low, high = one.rejected
                assert 0 <= low <= value <= high <= 1
        for usual, strict in zip(
            cards().levels_of(test, 0.05), cards().levels_of(test, 0.01), strict=True
        ):
            assert strict.rejected[0] <= usual.rejected[0]


def test_recommended_is_what_keeps_its_level_on_every_null():
    """One null alone, a class that depends on nothing, made most tests look safe."""
    for test in study_tests():
        if entry(test).standing == "recommended":
            assert cards().find(test, "none", 0.05).standing != "above", test
            assert cards().above(test, 0.05) == (), test
    assert entry("half-sample-t").standing == "recommended"


def test_what_outside_auditors_found_holds_here():
    """Corrected 10 × 10: .12 with 1-NN, .10 with 5-NN, .07 with trees, .035 to .077 with Gaussian
    naive Bayes; use-all-data .13 with 1-NN; each by 300 to 500 data sets of other programs."""
    errors = {one.learner: one for one in cards().levels_of("corrected-cv-t", 0.05)}
    assert errors["1-NN"].rejected[0] == pytest.approx(0.12, abs=0.03)
    assert errors["5-NN"].rejected[0] == pytest.approx(0.10, abs=0.03)
    assert errors["tree"].standing == "above"
    assert 0.02 < errors["naive Bayes"].rejected[0] < 0.08
    worst = cards().above("use-all-data", 0.05)[0]
    assert worst.learner == "1-NN"
    assert worst.rejected[0] == pytest.approx(0.13, abs=0.03)


def test_the_page_on_levels_quotes_the_cards():
    text = (REFERENCE.parent / "levels.md").read_text("utf-8")
    for test in ("corrected-cv-t", "use-all-data", "5x2cv-f", "half-sample-t", "two-level-cv-t"):
        measured = [cards().find(test, "none", 0.05), *cards().levels_of(test, 0.05)]
        cells = " | ".join(cards_page._cell(one.rejected) for one in measured)
        assert f"| {cells} |" in text, test


def test_5x2cv_tests_have_no_prediction():
    for test in ("5x2cv-f", "5x2cv-t"):
        row = cards().find(test, "some", 0.05)
        assert (row.predicted, row.came_true) == (None, ())
    for test in ("corrected-cv-t", "use-all-data"):
        row = cards().find(test, "some", 0.05)
        assert 0 < row.agreement[0] - row.predicted[0] < 0.06


def test_a_standing_is_read_off_the_interval():
    row = cards().rows[0]
    facts = {name: getattr(row, name) for name in row.__slots__}
    for rejected, says in (
        ((0.06, 0.051, 0.07), "above"),
        ((0.04, 0.03, 0.049), "below"),
        ((0.06, 0.04, 0.08), "holds"),
    ):
        assert Measured(**{**facts, "rejected": rejected, "alpha": 0.05}).standing == says


def test_a_study_gives_the_same_numbers():
    """A few data sets of the same study, again: a card is kept as it was measured."""
    options = {"rows": 60, "datasets": 12, "repetitions": 3, "tests": ["cv-t"], "alpha": [0.05]}
    found = twofold.study(
        "binary:p=0.5", ["nb", "majority"], store=":memory:", workers=0, **options
    )
    kept = cards_page._kept(found.rows[0], "none")
    assert kept["rejected"] == [
        round(getattr(found.rows[0].rejected, name), 4) for name in ("value", "low", "high")
    ]
    assert (kept["design"], kept["fits"], kept["df"]) == ("1x10", 20, None)
    assert json.dumps(kept, allow_nan=False)


@pytest.mark.parametrize("test", study_tests())
def test_the_terminal_shows_the_card(test, capsys):
    assert main(["tests", test]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    row = cards().find(test, "none", 0.05)
    value = format_rate(row.rejected[0])
    assert f"rejects at α = .05    {value} (" in out
    for one in cards().levels_of(test, 0.05):
        share = format_rate(one.rejected[0])
        assert f"  {one.learner:<22}{share} (" in out
    assert main(["tests", test, "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["measured"][0]["rejected"] == list(cards().find_rows(test)[0].rejected)
    assert len(plain["measured_levels"]) == 2 * len(cards().made["halves"]["learners"])


def test_other_tests_have_none(capsys):
    assert main(["tests", "wilcoxon"]) == 0
    assert "Measured" not in capsys.readouterr().out
