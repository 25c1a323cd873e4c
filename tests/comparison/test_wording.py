"""The words of answers: who is ahead and by how much, in numbers and names that people use."""

import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twofold
from twofold import compare
from twofold.cli import main
from twofold.comparison.sentences import p_value
from twofold.comparison.wording import difference, size_of
from twofold.plots import pictures_for, svg
from twofold.report import html, latex, markdown, terminal
from twofold.report.formatting import describe_uncorrected
from twofold.report.metric_lines import explain_metrics
from twofold.report.paragraphs import write_methods, write_results
from twofold.report.rank_set_text import describe_rank_sets
from twofold.stats import catalog, entry
from twofold.stats.pair_adjustments import LARGEST_K

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))
from answers import MAKERS, answer

ROOT = Path(__file__).parents[2]
SIZE = re.compile(r"its (?P<metric>[\w ]+?) is (?P<way>higher|lower) by (?P<size>[\d.e−]+)")


def folds(gap, metric, seed):
    rng = np.random.default_rng(seed)
    return [
        {"learner": name, "run": r, "fold": f, metric: 0.5 + i * gap + rng.normal(0, 0.01)}
        for i, name in enumerate(("old", "new"))
        for r in range(5)
        for f in range(5)
    ]


@pytest.mark.parametrize("metric", ["accuracy", "rmse"])
@pytest.mark.parametrize("gap", [-0.05, 0.05])
@pytest.mark.parametrize("control", [None, "old", "new"])
def test_the_difference_is_told_from_the_winners_side(metric, gap, control):
    c = compare(folds(gap, metric, 1), control=control)
    (pair,) = c.pairs
    higher = metric == "accuracy"
    winner, loser = ("new", "old") if (gap > 0) == higher else ("old", "new")
    assert c.verdict.startswith(f"{winner} is better than {loser}: its {metric} is ")
    match = SIZE.search(c.verdict)
    assert match["way"] == ("higher" if higher else "lower")
    assert float(match["size"]) == pytest.approx(abs(pair.estimate), abs=1e-4)
    low, high = map(float, re.search(r"interval ([\d.]+) to ([\d.]+)", c.verdict).groups())
    assert 0 < low < float(match["size"]) < high
    # The JSON keeps its order, a minus b.
    first = control or "old"
    assert pair.a == first
    means = [np.mean([row[metric] for row in folds(gap, metric, 1) if row["learner"] == x])
             for x in (pair.a, pair.b)]  # fmt: skip
    assert pair.estimate == pytest.approx(means[0] - means[1])


@pytest.mark.parametrize("name", MAKERS)
def test_every_size_agrees_with_its_pair(name):
    c = answer(name)
    for pair in c.pairs:
        text = size_of(pair, c.metric, "95%")
        if pair.outcome == "none":
            assert f"{pair.a} − {pair.b} = " in text
            continue
        match = SIZE.search(text)
        ahead = pair.estimate if pair.outcome == "a" else -pair.estimate
        assert match["way"] == ("higher" if ahead > 0 else "lower")
        assert float(match["size"]) == pytest.approx(abs(pair.estimate), rel=0.01)


def test_a_winner_with_the_lower_mean_is_not_hidden():
    """By signs a wins 30 of 33, by the mean it loses: both are said."""
    gaps = np.array([0.01] * 30 + [-0.5] * 3)
    table = {"a": 0.7 + gaps, "b": np.full(33, 0.7)}
    options = {"test": "bayes-sign", "rows": "datasets"}
    turned = {k: 1 - v for k, v in table.items()}
    for c in (compare(table, **options), compare(turned, **options, higher_is_better=False)):
        assert "a is better than b" in c.verdict
        assert "although the mean difference points the other way" in c.verdict


@pytest.mark.parametrize(
    ("estimate", "interval", "says"),
    [
        (-0.0094127, (-0.02853, 0.009671), ("−0.0094", "−0.0285 to 0.0097")),
        (0.5, (0.499991, 0.500012), ("0.5000000", "0.4999910 to 0.5000120")),
        (-1e-9, (-0.02, 0.02), ("0.0000", "−0.0200 to 0.0200")),
        (1234.6, (1100.2, 1371.9), ("1235", "1100 to 1372")),
        (0.0105, None, ("0.0105", "")),
        (0.0105, (0.004, math.inf), ("0.0105", "at least 0.0040")),
        (-0.0105, (-math.inf, -0.004), ("−0.0105", "at most −0.0040")),
        (0.25, (0.25, 0.25), ("0.250", "0.250 to 0.250")),
        (2.5e-10, (1e-10, 4e-10), ("2.5e−10", "1e−10 to 4e−10")),
        (0.0, None, ("0", "")),
    ],
)
def test_digits(estimate, interval, says):
    assert difference(estimate, interval) == says


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1, 1e3, 1e6])
@pytest.mark.parametrize("shift", [0, 1])
def test_rounding_does_not_hide_the_interval(scale, shift):
    """Both ends differ as printed, and each is right to a hundredth of the width."""
    rng = np.random.default_rng(3)
    for low, high in np.sort(rng.normal(shift, 1, (200, 2)), axis=1) * scale:
        middle = (low + high) / 2
        value, ends = difference(middle, (low, high))
        numbers = [float(x.replace("−", "-")) for x in (*ends.split(" to "), value)]
        assert numbers[0] != numbers[1]
        assert numbers == pytest.approx([low, high, middle], abs=0.01 * (high - low), rel=0)


def test_nothing_but_ties_is_a_sentence():
    same = {"a": [0.5, 0.6, 0.7, 0.8, 0.9, 0.4], "b": [0.5, 0.6, 0.7, 0.8, 0.9, 0.4]}
    verdict = compare(same, rows="datasets").verdict
    assert "= 0" not in verdict
    assert "0 to 0" not in verdict
    pair = replace(compare(same, rows="datasets").pairs[0], wins=1, ties=5)
    text = size_of(pair, "score", "95%")
    assert "tie in 5 of 6" in text
    assert "0 to 0" not in text


def test_relative_differences_have_no_unit():
    a, b = np.linspace(50, 90, 12), np.linspace(50, 90, 12) * 1.1 + np.arange(12) % 3
    c = compare({"a": a, "b": b}, test="relative-t", rows="datasets")
    expected = 100 * np.mean((b - a) / ((a + b) / 2))
    match = re.search(r"its mean score is higher by ([\d.]+)% of their mean", c.verdict)
    assert float(match[1]) == pytest.approx(expected, abs=0.01)


NAMED = re.compile(r"on a typical data set \(Hodges–Lehmann\)|on the median data set|mean ")


@pytest.mark.parametrize("name", MAKERS)
def test_differences_over_data_sets_name_the_estimand(name):
    """A typical data set, the median one, or the mean: in verdicts, paragraphs and cards."""
    c = answer(name)
    over = c.situation == "data sets" and len(c.learners) > 1
    sized = [s for s in (c.verdict + " " + write_results(c)).split(". ") if re.search(SAID, s)]
    for sentence in sized if over else []:
        assert NAMED.search(sentence), sentence
    if over and not c.holds_ranks:
        assert all(NAMED.match(size_of(pair, c.metric, "95%").removeprefix("its "))
                   for pair in c.pairs if pair.interval != (0, 0))  # fmt: skip


SAID = r"(is (higher|lower) by|[^ ] − [^ ].* =) [\d−]"
SLUGS = [
    test.name
    for test in catalog()
    if test.name not in ("sign", "proportions", "wilson")  # words of any sentence
]
SLUG = re.compile(r"(?<![\w-])(" + "|".join(map(re.escape, SLUGS)) + r")(?![\w-])")


def prose(c):
    """What an answer says in sentences; what is to be typed stands in backticks or after --test."""
    yield c.verdict
    yield c.reason
    yield write_methods(c)
    yield write_results(c)
    yield describe_uncorrected(c)
    for note in c.notes:
        yield re.sub(r"`[^`]*`|--test \S+", "", f"{note.title}. {note.detail}")
    yield terminal(c).split("\n\n")[1]  # question, table and method
    one_line = all("\n" not in name for name in c.learners)
    for kind in pictures_for(c) if one_line else ():
        picture = svg(c, kind)
        title, about = (
            re.search(rf"<{tag}[^>]*>(.*?)</{tag}>", picture, flags=re.S)
            for tag in ("title", "desc")
        )
        yield title[1] if title else ""
        yield about[1] if about else ""


@pytest.mark.parametrize("name", MAKERS)
def test_sentences_name_tests_as_people_do(name):
    for text in prose(answer(name)):
        assert not SLUG.search(text), text


def test_sentences_on_chosen_tests_too():
    table = folds(0.02, "accuracy", 2)
    for test in catalog():
        if test.group != "one data set" or test.data not in ("runs-and-folds", "five-by-two"):
            continue
        rows = [row for row in table if test.data == "runs-and-folds" or row["fold"] < 2]
        df = {"df": 5} if test.calibrated else {}
        for text in prose(compare(rows, test=test.name, **df)):
            assert not SLUG.search(text), (test.name, text)


@pytest.mark.parametrize("adjust", ["bergmann-hommel", "holm", None])
def test_no_keys_where_there_is_little_to_judge_by(adjust):
    """Few data sets, no spread, a narrow finding: the notes that other answers lack."""
    few = {"a": [0.9, 0.8], "b": [0.7, 0.6], "c": [0.5, 0.55]}
    narrow = [
        {"learner": name, "run": r, "fold": f, "value": i * 0.01 + np.sin(r * 7 + f * 3 + i) / 50}
        for i, name in enumerate("ab")
        for r in range(10)
        for f in range(10)
    ]
    answers = [
        compare(few, adjust=adjust, rows="datasets"),
        compare(few, adjust=adjust, test="paired-t", rows="datasets"),
    ]
    answers += [compare({k: few[k] for k in "ab"}, test="paired-t", rows="datasets")]
    answers.append(compare(narrow, test="corrected-cv-t"))
    codes = {note.code for c in answers for note in c.notes}
    assert {"too-few-for-pairs", "level-above"} <= codes
    for c in answers:
        for text in prose(c):
            assert not SLUG.search(text), text


@pytest.mark.parametrize("output", [terminal, markdown, html, latex])
def test_every_output_has_the_formula_without_correction_for_ties(output):
    """Demšar (2006), section 3.2.2 prints 9.28 and 3.69 for mean ranks rounded to three digits."""
    text = output(answer("many"))
    for test in answer("many").omnibus[:2]:
        assert f"{test.uncorrected['statistic']:.2f}" in text


def test_names_within_sentences():
    assert entry("friedman").in_words == "the Friedman test"
    assert entry("holm").in_words == "the method of Holm"
    assert entry("use-all-data").in_words == "the test “use all data”"
    assert entry("tukey").in_words == "Tukey's test after analysis of variance"


def test_p_is_never_zero():
    """p = 0 by underflow: t of several thousand with thousands of degrees of freedom."""
    rng = np.random.default_rng(0)
    n = 100
    table = {"a": rng.normal(0, 0.001, n), "b": rng.normal(5, 0.001, n)}
    c = compare(table, test="paired-t", rows="datasets")
    assert c.pairs[0].pvalue == 0
    plain = c.to_dict()
    assert plain["pairs"][0]["pvalue"] == sys.float_info.min
    assert '"pvalue": 0' not in json.dumps(plain)
    assert "p < .001" in c.verdict
    several = compare(
        {**table, "c": rng.normal(9, 0.001, n)}, test="paired-t", rows="datasets"
    ).to_dict()
    for pair in several["pairs"]:
        assert pair["pvalue"] > 0
        assert min(pair["adjusted"].values()) > 0
    assert all(test["pvalue"] > 0 for test in several["omnibus"])
    printed = str(twofold.stats.paired_t(table["a"], table["b"]))
    assert "p below 2e−308" in printed or "p below 2e-308" in printed
    for text in (terminal(c), markdown(c), latex(c), html(c), write_methods(c), write_results(c)):
        assert not re.search(r"p = 0?\.?0+\b(?!\.?\d)", text)
        assert not re.search(r"(?<![\d.−-])0\.0000(?!\d)", text)
    for kind in pictures_for(c):
        assert not re.search(r"p = \.?0+\b", svg(c, kind))


@pytest.mark.parametrize("p", [0.0, 5e-324, 1e-9, 0.00049, 0.000999])
def test_small_p(p):
    assert p_value(p) == "p < .001"


def test_one_limit_for_bergmann_and_hommel(capsys):
    limit = f"up to {LARGEST_K} learners"
    assert limit in (ROOT / "docs" / "overview.md").read_text("utf-8")
    assert limit in entry("bergmann-hommel").reason
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    assert limit in " ".join(capsys.readouterr().out.split())
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md")]
    for text in (*pages, (ROOT / "README.md").read_text("utf-8")):
        for count in re.findall(r"(?i)bergmann.{0,60}?up to (\d+) learners", text):
            assert int(count) == LARGEST_K
    table = np.random.default_rng(0).random((8, LARGEST_K))
    pairs = compare(table, adjust="bergmann-hommel", rows="datasets").pairs
    expected = twofold.stats.bergmann_hommel([pair.pvalue for pair in pairs])
    assert [p.adjusted["bergmann-hommel"] for p in pairs] == pytest.approx(expected.tolist())
    with pytest.raises(twofold.InputError, match=f"limited to {LARGEST_K} learners"):
        compare(
            np.random.default_rng(0).random((8, LARGEST_K + 1)),
            adjust="bergmann-hommel",
            rows="datasets",
        )


def test_an_end_that_is_not_zero_does_not_read_as_zero():
    """Losses from 1e-7 to 1e9: the interval excluded zero, as p said, and read "0 to 100000000"."""
    assert difference(1063.0, (0.00287, 1.0e8))[1] == "0.003 to 100000000"


def codes_of(answer):
    return {note.code: note for note in answer.notes}


def test_copies_of_a_column_are_no_ties_by_rounding():
    draws = twofold.rng(3, "copies").normal(0.8, 0.05, 8).round(2)
    table = {"a": draws, "copy": draws, "b": draws + 0.011 * np.arange(1, 9).round(2)}
    notes = codes_of(twofold.compare(as_scores(table), metric="accuracy"))
    assert "identical-learners" in notes
    assert "rounding-ties" not in notes


def test_a_tie_raises_the_smallest_p():
    """Signs of four differences: 2/2⁴ = .125; the tie of five can help neither learner."""
    table = {"a": [0.9, 0.8, 0.7, 0.95, 0.6], "b": [0.85, 0.7, 0.6, 0.8, 0.6]}
    note = codes_of(twofold.compare(as_scores(table), metric="accuracy"))["too-few"]
    assert "below 0.13" in note.title
    assert "1 of them with equal scores" in note.detail


def test_the_hierarchical_model_averages_nothing():
    draws = twofold.rng(4, "folds").normal(0.8, 0.05, (2, 4, 20))
    rows = [
        (learner, f"set {d}", f // 10, f % 10, draws[i, d, f])
        for i, learner in enumerate("ab")
        for d in range(4)
        for f in range(20)
    ]
    frame = pd.DataFrame(rows, columns=["learner", "dataset", "run", "fold", "accuracy"])
    notes = codes_of(twofold.compare(frame, test="bayes-hierarchical", rope=0.01))
    assert "averaged" not in notes
    assert "averaged" in codes_of(twofold.compare(frame))


@pytest.mark.parametrize(("adjust", "assumes"), [("hochberg", True), ("holm", False)])
def test_rank_sets_name_what_the_adjustment_assumes(adjust, assumes):
    draws = twofold.rng(5, "sets").normal(0.8, 0.05, (4, 20))
    answer = twofold.compare(
        as_scores(dict(zip("abcd", draws, strict=True))),
        test="wilcoxon", adjust=adjust, metric="accuracy",
    )  # fmt: skip
    assert ("assumes Simes' inequality" in describe_rank_sets(answer)) == assumes


def test_the_positive_class_is_named_beside_several_metrics():
    truth = ["yes", "no"] * 20
    a, b = [*truth[:30], *truth[1:11]], [*truth[1:11], *truth[10:]]
    frame = pd.DataFrame({"truth": truth, "a": a, "b": b})
    answers = twofold.compare(frame, predictions=True, metric=["f1", "recall"])
    assert "Positive class: yes." in explain_metrics(answers)


def as_scores(table):
    """Return a table of data sets as people have it."""
    frame = pd.DataFrame(table)
    frame.insert(0, "dataset", [f"set {i}" for i in range(len(frame))])
    return frame


def read_headline(verdict):
    """Return the pairs that a headline names as different, and how many more it counts."""
    text = verdict[: verdict.index(" (")]
    named, more = set(), 0
    for clause in text.split("; "):
        if match := re.fullmatch(r"(.*) (?:is|are) better than (.*)", clause):
            better, worse = (re.split(", | and ", side) for side in match.groups())
            named |= {(a, b) for a in better for b in worse}
        elif match := re.fullmatch(r"(\d+) more of \d+ pairs differs?", clause):
            more = int(match[1])
    return named, more, text.split("; ")[-1]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(3, 6),
    st.integers(4, 20),
    st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    st.sampled_from([None, "nemenyi", "max-t", "paired-t", "friedman", "bayes-sign"]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_a_headline_names_the_pairs_that_differ_and_no_other(
    k, n, gap, test, higher, control, seed
):
    stream = np.random.default_rng(seed)
    values = 0.5 + 0.02 * (stream.standard_t(3, (n, k)) + gap * stream.integers(0, 3, k))
    table = {f"L{j}": column for j, column in enumerate(values.T)}
    options = {"control": "L1", "test": None if test == "nemenyi" else test} if control else {}
    c = compare(table, **{"test": test, "higher_is_better": higher, **options}, rows="datasets")
    differ = {(pair.better, pair.worse) for pair in c.pairs if pair.differs}
    sentence = c.verdict.partition("). ")[2] if test == "friedman" else c.verdict
    named, more, rest = read_headline(sentence)
    assert named <= differ
    assert len(named) + more == len(differ)
    if not more and len(differ) < len(c.pairs):
        assert re.match("No |no ", rest)
    else:
        assert "difference" not in rest
    if "within either group" in rest or "others" in rest:
        better, worse = ({pair[side] for pair in named} for side in (0, 1))
        assert better | worse == set(table)
        assert not better & worse


def test_headlines():
    stream = np.random.default_rng(0)
    noise = 0.01 * stream.standard_normal((20, 6))

    def say(*levels, **options):
        names = ["XGB", "RF", "SVM", "kNN", "NB", "tree"]
        columns = (0.1 * np.array(levels) + noise[:, : len(levels)]).T
        table = dict(zip(names, columns, strict=False))
        options = {"higher_is_better": True, **options}
        return compare(table, **options, rows="datasets").verdict

    basis = "(Wilcoxon with Holm, 20 data sets)."
    two = say(2, 2, 2, 1, 1)
    assert re.fullmatch(
        r"(XGB|RF|SVM), \w+ and \w+ are better than (kNN|NB) and (kNN|NB); no significant "
        r"difference within either group \(Wilcoxon with Holm, 20 data sets\)\.",
        two,
    )
    assert say(3, 2, 1) == f"XGB is better than RF and SVM; RF is better than SVM {basis}"
    assert say(1, 2, 1).startswith("RF is better than ")
    assert say(1, 2, 1).endswith(f"; no significant difference between the others {basis}")
    assert say(3, 2, 1, higher_is_better=False).startswith("SVM is better than RF and XGB; ")
    with_control = say(3, 2, 1, control="RF")
    assert with_control == f"XGB is better than RF; RF is better than SVM {basis}"
    nothing = say(1, 1, 1)
    assert nothing.startswith("No significant difference between any two of ")
    one_sided = say(3, 2, 1, control="XGB", alternative="less")
    assert one_sided == f"It was not found that XGB is worse than any other learner {basis}"
    asked = say(3, 2, 1, test="friedman")
    assert asked.startswith("The learners differ (Friedman test, exact, p < .001). XGB is better ")
