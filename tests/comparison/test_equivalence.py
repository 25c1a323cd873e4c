"""`compare(equivalence=…)`: two one-sided tests beside the verdict on a difference."""

import numpy as np
import pytest

from demsar import TABLE6
from twofold import InputError, compare, rng
from twofold.stats import adjust, two_one_sided

A, B = TABLE6[:, 0], TABLE6[:, 1]
CLOSE = {"a": A, "b": A + np.tile([0.001, 0.002], 7)}
FOLDS = [
    {"learner": n, "run": r, "fold": f, "value": 0.8 + np.sin(9 * r + f) / 50 + i * x[r, f]}
    for x in [rng(1, "equivalence").normal(0, 0.01, (5, 10))]
    for i, n in enumerate(("nb", "c45"))
    for r in range(5)
    for f in range(10)
]
MANY = {name: TABLE6[:, i] for i, name in enumerate(("p", "q", "r"))}


def test_two_learners_over_data_sets():
    pair = compare({"a": A, "b": B}, equivalence=0.03, rows="datasets").pairs[0]
    typical = two_one_sided(A, B, test="wilcoxon", margin=0.03)
    mean = two_one_sided(A, B, test="paired-t", margin=0.03)
    assert (pair.equivalence.lower_p, pair.equivalence.upper_p) == (
        typical.lower_p,
        typical.upper_p,
    )
    assert pair.equivalence.on_mean.lower_p == pytest.approx(mean.lower_p)
    assert pair.equivalence.on_mean.estimate == pytest.approx(np.mean(A - B))
    assert pair.equivalence.pvalue == pytest.approx(max(typical.pvalue, mean.pvalue))
    assert pair.equivalence.equivalent == (pair.equivalence.pvalue <= 0.05)
    assert pair.equivalence.pvalue_unadjusted == pair.equivalence.pvalue
    assert pair.equivalence.interval_confidence == pytest.approx(0.9)
    assert compare({"a": A, "b": B}, rows="datasets").pairs[0].equivalence is None


def test_a_difference_may_be_too_small_to_matter():
    """Different and equivalent: both are said, and neither takes the other back."""
    answer = compare(CLOSE, equivalence=0.01, rows="datasets")
    assert answer.pairs[0].outcome == "b"
    assert answer.pairs[0].equivalence.equivalent
    assert "b is better than a" in answer.verdict
    assert "Yet they are equivalent within 0.01: the difference is smaller" in answer.verdict
    without = compare(CLOSE, rows="datasets")
    assert answer.pairs[0].pvalue == without.pairs[0].pvalue
    assert answer.verdict.startswith(without.verdict)


def test_one_data_set():
    answer = compare(FOLDS, equivalence=0.02)
    assert answer.pairs[0].equivalence.method == "two-level-cv-t"
    assert answer.pairs[0].equivalence.equivalent
    assert "They are equivalent within 0.02" in answer.verdict
    strict = compare(FOLDS, equivalence=0.001)
    assert not strict.pairs[0].equivalence.equivalent
    assert "equivalent within 0.001 was not shown" in strict.verdict


def test_several_pairs_are_adjusted_by_holm():
    answer = compare(MANY, equivalence=0.04, rows="datasets")
    single = [
        max(
            two_one_sided(MANY[pair.a], MANY[pair.b], test=test, margin=0.04).pvalue
            for test in ("wilcoxon", "paired-t")
        )
        for pair in answer.pairs
    ]
    adjusted = adjust(np.array(single), "holm")
    assert [pair.equivalence.pvalue for pair in answer.pairs] == pytest.approx(adjusted.tolist())
    assert [pair.equivalence.equivalent for pair in answer.pairs] == (adjusted <= 0.05).tolist()
    means = compare(MANY, equivalence=0.04, test="tukey", rows="datasets")
    assert means.pairs[0].equivalence.on_mean.method == "paired-t"


def test_predictions_and_items():
    labels = {
        "truth": list("abab" * 50),
        "one": list("abab" * 50),
        "two": list("abab" * 49 + "abba"),
    }
    answer = compare(labels, predictions=True, equivalence=0.05)
    assert answer.pairs[0].equivalence.method == "tango"
    assert answer.pairs[0].equivalence.equivalent
    right = {"item": [f"q{i}" for i in range(200)], "a": [i % 3 > 0 for i in range(200)]}
    right = {"item": right["item"], "a": [int(x) for x in right["a"]]}
    right["b"] = [*right["a"][:-1], 1 - right["a"][-1]]
    items = compare(right, equivalence=0.05)
    assert items.pairs[0].equivalence.method == "tango"
    assert items.pairs[0].equivalence.equivalent


def test_paragraphs_and_frames_say_it():
    answer = compare(CLOSE, equivalence=0.01, rows="datasets")
    from twofold.report.paragraphs import write_methods, write_results

    assert "Schuirmann 1987" in write_methods(answer)
    assert "equivalent within 0.01" in write_results(answer)
    assert "equivalent within 0.01" in str(answer).replace("\n", " ")
    frame = answer.to_frame()
    assert bool(frame["equivalent_within_margin"].iloc[0])


@pytest.mark.parametrize(
    "options",
    [
        {"equivalence": 0},
        {"equivalence": "small"},
        {"equivalence": 0.01, "control": "a", "alternative": "less"},
        {"equivalence": 0.01, "test": "bayes-sign"},
        {"equivalence": 0.01, "test": "relative-t"},
        {"equivalence": 0.01, "ranks": True},
    ],
)
def test_what_does_not_go_is_refused(options):
    table = {"a": [1, 2, 1, 1], "b": [2, 1, 2, 2]} if "ranks" in options else {"a": A, "b": B}
    with pytest.raises(InputError) as caught:
        compare(table, **options, rows="datasets")
    assert len(str(caught.value).splitlines()) == 2


def test_intervals_of_several_pairs_lie_within_the_margin_where_they_are_equivalent():
    random = rng(0, "equivalence", "several")
    easy = (random.random((300, 1)) < 0.6).astype(int)
    disturbed = random.random((300, 4)) < 0.03 * np.arange(1, 5)
    right = np.where(disturbed, 1 - easy, easy)
    table = {"item": range(300), **{f"L{j}": right[:, j] for j in range(4)}}
    answer = compare(table, equivalence=0.07)
    found = [pair.equivalence for pair in answer.pairs]
    # Some pairs are equivalent by themselves and not among six.
    assert any(e.pvalue_unadjusted <= 0.05 < e.pvalue for e in found)
    assert any(e.equivalent for e in found)
    for e in found:
        low, high = e.interval
        assert (low > -0.07 and high < 0.07) == e.equivalent
        assert 0.9 <= e.interval_confidence < 1


def test_two_data_sets_that_fail_are_no_equivalence():
    """The typical data set is within the margin, the mean is not: the worst are named."""
    gaps = np.array([*np.linspace(-0.003, 0.014, 13), -0.16, -0.17])
    names = [f"d{i}" for i in range(15)]
    for metric, sign in (("accuracy", 1), ("error", -1)):
        table = [
            {"dataset": d, "learner": learner, metric: 0.5 + sign * gap}
            for learner, column in (("old", 0 * gaps), ("new", gaps))
            for d, gap in zip(names, column, strict=True)
        ]
        answer = compare(table, equivalence=0.01)
        found = answer.pairs[0].equivalence
        assert max(found.lower_p, found.upper_p) <= 0.05 < found.pvalue
        assert not found.equivalent
        assert [name for name, _ in found.worst[:2]] == ["d14", "d13"]
        assert "worst data sets: d14" in answer.verdict
        assert all(end in ("d13", "d14") or abs(gap) > 0.01 for end, gap in found.worst)


@pytest.mark.parametrize("seed", range(40))
def test_an_answer_holds_one_interval_and_both_differences_are_within_the_margin(seed):
    """Equivalent: mean and typical difference are. A verdict has no second interval."""
    random = rng(seed, "equivalence law")
    n = int(random.integers(5, 25))
    gaps = random.normal(0, 0.004, n) - 0.1 * (random.random(n) < 0.1) * random.random(n)
    base = random.uniform(0.5, 0.9, n)
    test = (None, "wilcoxon", "paired-t", "sign", "anytime-sign")[seed % 5]
    answer = compare(
        {"dataset": [f"d{i}" for i in range(n)], "a": base, "b": base + gaps},
        equivalence=0.01,
        test=test,
    )
    found = answer.pairs[0].equivalence
    assert answer.verdict.count("interval") <= 1
    if found.equivalent:
        assert abs(gaps.mean()) < 0.01
        walsh = (gaps[:, None] + gaps)[np.triu_indices(n)] / 2
        assert abs(np.median(gaps if "sign" in str(test) else walsh)) < 0.01
        assert "was not shown" not in answer.verdict
    else:
        assert "was not shown" in answer.verdict
