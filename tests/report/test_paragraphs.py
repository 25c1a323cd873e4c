"""What the paragraphs claim is what the numbers say."""

import re
from dataclasses import replace

import numpy as np
import pytest
from answers import GAPS, LOSSES, MAKERS, TWO, answer, crowd

from twofold import compare
from twofold.report.paragraphs import list_citations, write_methods, write_results
from twofold.stats import papers


@pytest.mark.parametrize("name", MAKERS)
def test_who_is_better_is_said_as_it_was_found(name):
    c = answer(name)
    text = write_results(c)
    word = "more accurate" if "predictions" in name else "better"
    for pair in c.pairs:
        better, worse = (pair.a, pair.b) if pair.outcome == "a" else (pair.b, pair.a)
        ahead, behind = (
            re.search(rf"{re.escape(x)} is {word} than {re.escape(y)}: [^.]", text)
            for x, y in ((better, worse), (worse, better))
        )
        assert not behind
        if pair.outcome == "none":
            assert not ahead
        elif len([p for p in c.pairs if p.outcome != "none"]) <= 6:
            assert ahead


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_found_is_never_called_equality(name):
    c = answer(name)
    text = write_results(c)
    if any(pair.outcome == "none" and pair.pvalue is not None for pair in c.pairs):
        assert "does not show that they are equal" in text or "was not tested" in text
    assert not re.search(r"no difference(?! (was|between|among))", text, flags=re.I)
    assert "interval" in text or c.pairs[0].interval is None or c.pairs[0].pvalue is None


@pytest.mark.parametrize("name", MAKERS)
def test_papers_cited_exist_and_are_named_in_the_text(name):
    c = answer(name)
    text = write_methods(c) + write_results(c)
    assert list_citations(c)
    for key in list_citations(c):
        assert re.split(r",| \(", papers()[key])[0] in text
    assert "\ue000" not in text


def test_losses_have_their_direction():
    text = write_results(compare(LOSSES))
    assert "small is better than large: its rmse is lower by 0.2" in text
    assert "rmse (lower is better)" in write_methods(compare(LOSSES))


def test_one_sided_tests_say_so():
    c = answer("two, one-sided")
    assert "ask only whether C4.5 is worse than C4.5_m, at" in write_methods(c)
    assert "two-sided" not in write_methods(c)
    assert "its score is higher by" in write_results(c)
    assert "(one-sided 95% interval at least 0.0045)" in write_results(c)
    other = compare(TWO, control="C4.5", alternative="greater", rows="datasets")
    assert "it was not found that C4.5 is better than C4.5_m" in write_results(other)
    assert "the other direction was not tested" in write_results(other)
    assert "No difference" not in write_results(other)
    assert "ask only whether C4.5 is worse than the other learner" in write_methods(
        answer("dunnett")
    )
    assert "whether C4.5 is worse than the other learner" in write_methods(
        answer("sign, one-sided")
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("many", "the Hodges–Lehmann estimate"),
        ("wilcoxon", "the Hodges–Lehmann estimate"),
        ("sign, one-sided", "the median difference"),
        ("one data set", "the mean difference over the splits"),
        ("predictions", "the difference of the accuracies"),
        ("ranks", "the difference of the mean ranks"),
        ("tukey", "the mean difference over the data sets"),
        ("hierarchical", "the posterior mean"),
    ],
)
def test_the_kind_of_estimate_is_named(name, kind):
    assert f"As the size of a difference we report {kind}" in write_methods(answer(name))


def test_the_critical_difference_is_told_where_it_decides():
    assert "critical difference of mean ranks is 1.254" in write_results(
        answer("many, mean ranks")
    )  # 2.569 √(20/84)
    assert "critical difference" not in write_results(answer("many"))
    assert "critical difference" not in write_results(answer("control"))
    assert "critical difference" not in write_results(answer("wilcoxon"))


def test_what_was_compared():
    assert "10 runs" not in write_methods(answer("one data set"))
    assert "5 runs of 5-fold cross-validation" in write_methods(answer("one data set"))
    assert "for the 40 examples of one test set" in write_methods(answer("predictions"))
    gaps = sum(x is None for column in GAPS.values() for x in column)
    assert f"Of 56 scores, {gaps} are missing" in write_methods(answer("missing cells"))
    two = {"a": [1, 2, 3, 4, 5, None], "b": [2, 3, 4, 5, 6, 7]}
    assert (
        "Of 12 scores, 1 is missing; the learners were compared on the 5 data sets"
        in write_methods(compare(two, rows="datasets"))
    )
    assert "adjusted for 3 comparisons by the method of Holm" in write_methods(answer("control"))


def test_intervals_say_whether_they_allow_for_several_pairs():
    assert "with simultaneous 95% confidence intervals" in write_methods(answer("many, mean ranks"))
    assert "simultaneous 95% confidence intervals." in write_methods(answer("tukey"))
    single = "each at the level at which its comparison had to be significant"
    assert single in write_methods(answer("control"))
    assert "number of pairs" not in write_methods(answer("two"))


def test_bayesian_answers_speak_of_probabilities():
    c = answer("several, Bayesian")
    likeliest = "the likeliest answer on a new data set"
    assert f"better where being {likeliest} has a probability of 0.95 or more" in write_methods(c)
    assert "two-sided" not in write_methods(c)
    assert "probability " in write_results(c)
    open_pairs = sum(pair.outcome == "none" for pair in c.pairs)
    assert f"In {open_pairs} of 6 pairs neither learner reached a prob" in write_results(c)
    assert f"of being better, that is, of being {likeliest}." in write_results(c)
    assert "from the scores of all folds" in write_methods(answer("hierarchical"))
    assert "practically equal" not in write_results(answer("hierarchical"))
    assert "practically equal (within 0.01)" in write_results(answer("two, rope"))


def test_replicability_is_told_where_it_is_known():
    c = answer("two")
    low, high = c.pairs[0].replicability.interval
    chance = f"{100 * low:.0f}–{100 * high:.0f}%; it depends on how much such learners"
    again = "The estimated chance that as many new data sets like these would decide the same is "
    assert again + chance in write_results(c)
    assert "effects were drawn that are plausible" in write_methods(c)
    assert "variation between the runs" in write_methods(answer("one data set"))
    assert "that as many new examples lead to" in write_methods(answer("predictions"))
    assert "that as many new examples would decide" in write_results(answer("predictions"))


def test_ranks_against_sizes():
    # a wins by a hair on most data sets and loses by much on the others.
    gaps = np.array([0.001] * 13 + [-0.5] * 7)
    base = np.linspace(0.5, 0.6, 20)
    c = compare(
        {"a": base + gaps, "b": base, "c": base - 1}, test="nemenyi", alpha=0.9, rows="datasets"
    )
    pair = c.pairs[0]
    assert pair.outcome == "a"
    assert pair.estimate < 0
    typical = "on a typical data set (Hodges–Lehmann) its score is lower by 0.2"
    assert f"a is better than b: {typical}" in write_results(c)
    assert "although the typical difference points the other way" in write_results(c)


def test_long_lists_are_cut():
    text = write_results(crowd(40))
    differ = sum(pair.outcome != "none" for pair in crowd(40).pairs)
    assert f"{differ - 6} more of 780 pairs differ too" in text
    assert "The best 3 of 40 mean ranks" in text
    assert f"No difference was found for the other {780 - differ} of the 780 pairs" in text


def test_design_and_data_sets_are_named():
    c = answer("hierarchical")
    assert (
        "on 3 data sets (left, middle and right) by value (assuming higher is better)"
        in write_methods(c)
    )
    assert "of 5 runs of 5-fold cross-validation" in write_methods(c)
    stratified = replace(answer("one data set"), stratified=True, datasets=("iris",))
    text = write_methods(stratified)
    assert "on the data set iris by value" in text
    assert "in 5 runs of stratified 5-fold cross-validation." in text
    assert "on 14 data sets by score" in write_methods(answer("many"))


def test_a_single_pair_has_its_statistic():
    assert ", t(24) = 0.23, p = .817." in write_results(answer("one data set"))
    assert ", T = 12, p = .008." in write_results(answer("two"))
