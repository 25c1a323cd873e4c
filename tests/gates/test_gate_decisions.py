"""Gates: what is decided, by which test, and how often that is wrong at the margin."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import twofold
from twofold import InputError, rng
from twofold.stats import paired_t, two_level_cv_t, wilcoxon

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "reference" / "gate.schema.json").read_text("utf-8")
)
OLD = [0.81, 0.72, 0.93, 0.64, 0.85, 0.77, 0.69, 0.9]
NAMES = {"baseline": "old", "candidate": "new"}


def table(gains, old=OLD):
    return {"old": list(old), "new": [round(a + g, 6) for a, g in zip(old, gains, strict=True)]}


SAME = table([0.001, -0.002, 0.0, 0.003, -0.001, 0.002, -0.003, 0.001])
BETTER = table([0.03, 0.02, 0.04, 0.05, 0.01, 0.03, 0.02, 0.06])
WORSE = table([-0.03, -0.02, -0.04, -0.05, -0.03, -0.03, -0.02, -0.06])
UNSURE = table([0.03, -0.04, 0.02, -0.05, 0.01, -0.03, 0.02, -0.01])


def folds(gain, spread=0.01, runs=5):
    noise = rng(7, "gate folds").normal(0, spread, (runs, 10))
    base = 0.8 + rng(8, "gate folds").normal(0, 0.02, (runs, 10))
    return [
        {"learner": name, "run": r, "fold": f, "accuracy": value[r, f]}
        for name, value in (("old", base), ("new", base + gain + noise))
        for r in range(runs)
        for f in range(10)
    ]


@pytest.mark.parametrize(
    ("scores", "options", "decision"),
    [
        (SAME, {}, "good enough"),
        (BETTER, {}, "good enough"),
        (WORSE, {}, "not good enough"),
        (UNSURE, {}, "undecided"),
        (SAME, {"equivalence": True}, "good enough"),
        (BETTER, {"equivalence": True}, "not good enough"),
        (WORSE, {"equivalence": True}, "not good enough"),
        (UNSURE, {"equivalence": True}, "undecided"),
        (BETTER, {"superiority": True}, "good enough"),
        (BETTER, {"superiority": True, "margin": None}, "good enough"),
        (SAME, {"superiority": True}, "not good enough"),
        (WORSE, {"superiority": True, "margin": None}, "not good enough"),
        (SAME, {"superiority": True, "margin": None}, "undecided"),
        (folds(0.0, 0.005), {}, "good enough"),
        (folds(-0.05), {}, "not good enough"),
        (folds(-0.01, 0.05), {}, "undecided"),
        (SAME, {"test": "bayes-signed-rank"}, "good enough"),
        (WORSE, {"test": "bayes-signed-rank"}, "not good enough"),
        (folds(0.0), {"test": "bayes-correlated-t", "equivalence": True}, "good enough"),
        (folds(-0.05), {"test": "bayes-correlated-t"}, "not good enough"),
    ],
)
def test_decisions(scores, options, decision):
    rows = "datasets" if isinstance(scores, dict) else None
    answer = twofold.gate(scores, **{"margin": 0.01, **NAMES, **options}, rows=rows)
    assert answer.decision == decision
    assert answer.exit_code == {"good enough": 0, "not good enough": 1, "undecided": 3}[decision]
    assert answer.passed == (decision == "good enough")
    undecided_by_a_test = decision == "undecided" and answer.good_p is not None
    assert (answer.needed is not None) == undecided_by_a_test
    plain = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
    jsonschema.Draft202012Validator(SCHEMA).validate(plain)
    assert answer.sentence in str(answer).replace("\n", " ") or "UNDECIDED" in str(answer)
    assert all(len(line) <= 80 for line in str(answer).split("\n"))


def test_the_test_is_that_of_the_situation():
    new, old = np.array(SAME["new"]), np.array(SAME["old"])
    answer = twofold.gate(SAME, margin=0.01, **NAMES, rows="datasets")
    typical, mean = answer.tests
    assert (answer.method, typical.method, mean.method) == ("wilcoxon", "wilcoxon", "paired-t")
    assert typical.good_p == wilcoxon(new + 0.01, old, alternative="greater").pvalue
    assert typical.bad_p == wilcoxon(new + 0.01, old, alternative="less").pvalue
    assert mean.good_p == pytest.approx(paired_t(new - old + 0.01, alternative="greater").pvalue)
    assert answer.good_p == max(typical.good_p, mean.good_p)
    assert answer.bad_p == max(typical.bad_p, mean.bad_p)
    low, high = mean.interval
    expected = paired_t(new - old, confidence=0.9).interval
    assert (low, high) == pytest.approx((expected.low, expected.high))
    on_folds = twofold.gate(folds(0.002), margin=0.01, **NAMES)
    x = rng(7, "gate folds").normal(0, 0.01, (5, 10)) + 0.002
    assert on_folds.method == "two-level-cv-t"
    assert on_folds.good_p == pytest.approx(two_level_cv_t(x + 0.01, alternative="greater").pvalue)


def test_losses_are_turned_round():
    losses = {name: [1 - x for x in column] for name, column in WORSE.items()}
    answer = twofold.gate(losses, margin=0.01, higher_is_better=False, **NAMES, rows="datasets")
    gains = twofold.gate(WORSE, margin=0.01, **NAMES, rows="datasets")
    assert answer.decision == gains.decision == "not good enough"
    assert answer.bad_p == gains.bad_p
    assert answer.interval == pytest.approx([-end for end in gains.interval[::-1]])


def test_margins_in_percent_are_of_the_baselines_mean():
    answer = twofold.gate(SAME, margin="1%", **NAMES, rows="datasets")
    assert answer.margin == pytest.approx(0.01 * np.mean(OLD))
    assert answer.margin_given == "1%"
    assert any(note.code == "relative-margin" for note in answer.notes)
    assert "1% of old's mean" in answer.sentence


def test_equal_scores_pass():
    """The candidate that changed nothing, on data sets and on folds."""
    assert twofold.gate(table([0] * 8), margin=0.01, **NAMES, rows="datasets").passed
    assert twofold.gate(folds(0.0, 0.0), margin=0.01, **NAMES).passed
    constant = twofold.gate(folds(-0.005, 0.0), margin=0.01, **NAMES)
    assert constant.decision == "undecided"


def test_too_few_data_sets_are_told():
    answer = twofold.gate(table([0] * 4, OLD[:4]), margin=0.01, **NAMES, rows="datasets")
    assert answer.decision == "undecided"
    assert any(note.code == "too-few" for note in answer.notes)


def test_what_would_decide():
    """With twice the promised number drawn from the same differences, most gates decide."""
    gains = rng(3, "needed").normal(0.0, 0.06, 20)
    answer = twofold.gate(table(gains, [0.5] * 20), margin=0.01, **NAMES, rows="datasets")
    assert answer.decision == "undecided"
    needed = answer.needed.n
    assert f"About {needed:,} data sets (now 20)" in answer.needed.text
    centre, spread = answer.estimate, gains.std(ddof=1)
    draws = rng(4, "needed").normal(centre, spread, (400, needed))
    shown = (wilcoxon(draws + 0.01, alternative="greater", confidence=None).pvalue <= 0.05).mean()
    worse = (wilcoxon(draws + 0.01, alternative="less", confidence=None).pvalue <= 0.05).mean()
    assert max(shown, worse) > 0.65
    few = twofold.gate(folds(-0.009, 0.05), margin=0.01, **NAMES)
    assert few.needed.n is None
    assert "times as many rows" in few.needed.text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "margin"),
        ({"margin": 0}, "margin"),
        ({"margin": "wide"}, "margin"),
        ({"margin": -1}, "margin"),
        ({"margin": True}, "margin"),
        ({"margin": 0.01, "baseline": "older"}, "older"),
        ({"margin": 0.01, "baseline": None, "candidate": None}, "baseline"),
        ({"margin": 0.01, "candidate": "old"}, "same learner"),
        ({"margin": 0.01, "equivalence": True, "superiority": True}, "superiority"),
        ({"margin": 0.01, "test": "friedman"}, "margin"),
        ({"margin": 0.01, "test": "relative-t"}, "margin"),
        ({"margin": 0.01, "alpha": 2}, "alpha"),
        ({"margin": 0.01, "metric": "all"}, "one metric"),
    ],
)
def test_bad_input_is_refused_in_two_lines(options, words):
    scores = {**SAME}
    if options.get("test") == "friedman":
        options = {**options, "test": "bayes-hierarchical"}
        words = "does not fit"
    with pytest.raises(InputError, match=words) as caught:
        twofold.gate(scores, **{**NAMES, **options}, rows="datasets")
    assert len(str(caught.value).splitlines()) == 2


def test_one_name_is_enough_among_two():
    assert twofold.gate(SAME, margin=0.01, baseline="old", rows="datasets").candidate == "new"
    assert twofold.gate(SAME, margin=0.01, candidate="new", rows="datasets").baseline == "old"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, False),
        ({"superiority": True, "margin": None}, False),
        ({"superiority": True}, True),
        ({"equivalence": True}, True),
    ],
)
def test_a_worse_candidate_is_called_so_once(options, said):
    answer = twofold.gate(WORSE, **{"margin": 0.01, **NAMES, **options}, rows="datasets")
    assert answer.decision == "not good enough"
    assert ("gate-worse" in {note.code for note in answer.notes}) == said
    assert ("is worse than" in answer.sentence) != said


def named(gains, old=OLD):
    """Return scores in which data sets have names."""
    return {"dataset": [f"d{i}" for i in range(len(gains))], **table(gains, old)}


THIRTEEN_AND_TWO = named(
    [
        *(-0.003, 0.014, 0.002, 0.005, 0.008, 0.001, 0, 0.004, 0.006, -0.002, 0.003, 0.01, 0.007),
        *(-0.16, -0.17),
    ],
    [0.8] * 15,
)


@pytest.mark.parametrize("test", [None, "wilcoxon", "paired-t", "sign", "anytime-sign"])
@pytest.mark.parametrize("goal", [{}, {"equivalence": True}])
def test_two_disasters_do_not_pass(goal, test):
    """Thirteen small differences and two of −.16 and −.17: the means differ by .0185."""
    answer = twofold.gate(THIRTEEN_AND_TWO, margin=0.01, test=test, **NAMES, **goal)
    assert answer.decision == "undecided"
    assert [name for name, _ in answer.worst[:2]] == ["d14", "d13"]
    assert "worst data sets: d14 (−0.17), d13 (−0.16)" in answer.sentence
    assert "typical data set and the mean are on different sides" in answer.needed.text


def test_a_floor_for_each_data_set():
    """`worst_loss` fails a candidate for one data set, whatever the tests say of all."""
    gains = [0.03, 0.02, 0.04, 0.05, 0.01, 0.03, 0.02, -0.05]
    for options in ({}, {"equivalence": True}, {"superiority": True}):
        failed = twofold.gate(named(gains), margin=0.06, worst_loss=0.049, **NAMES, **options)
        assert failed.decision == "not good enough"
        assert failed.below_floor == (("d7", pytest.approx(-0.05)),)
        assert "worse than old by more than 0.049 on 1 of 8 data sets" in failed.sentence
    at_floor = twofold.gate(named(gains), margin=0.06, worst_loss=0.05, **NAMES)
    assert at_floor.passed
    turned_round = {name: [1 - x for x in column] for name, column in table(gains).items()}
    losses = {**named(gains), **turned_round}
    turned = twofold.gate(losses, margin=0.06, worst_loss=0.049, higher_is_better=False, **NAMES)
    assert turned.decision == "not good enough"
    with pytest.raises(InputError, match="worst_loss"):
        twofold.gate(folds(0.0), margin=0.01, worst_loss=0.05, **NAMES)
    with pytest.raises(InputError, match="worst_loss"):
        twofold.gate(SAME, margin=0.01, worst_loss=-1, **NAMES)


@pytest.mark.parametrize("seed", range(60))
def test_what_passes_has_both_differences_on_the_good_side(seed):
    """As printed: the mean and the typical difference, and every interval beside them."""
    random = rng(seed, "gate law")
    n = int(random.integers(5, 30))
    gains = random.normal(random.uniform(-0.005, 0.03), 0.01, n)
    gains = gains - 0.2 * (random.random(n) < 0.1) * random.random(n)
    test = (None, "wilcoxon", "paired-t", "sign", "anytime-sign", "bayes-signed-rank")[seed % 6]
    goal = ("non-inferiority", "equivalence", "superiority")[seed // 6 % 3]
    asked = {} if goal == "non-inferiority" else {goal: True}
    margin = random.uniform(0.005, 0.03)
    answer = twofold.gate(
        named(gains, random.uniform(0.4, 0.6, n)), margin=margin, test=test, **NAMES, **asked
    )
    low = margin if goal == "superiority" else -margin
    high = margin if goal == "equivalence" else np.inf
    mean = answer.candidate_mean - answer.baseline_mean
    for about in answer.tests:
        assert (about.good_p <= 0.05) == (low <= about.interval[0] and about.interval[1] <= high)
    if answer.passed:
        assert low < mean < high
        assert all(low < about.estimate < high for about in answer.tests)
        # One interval for each estimand, and none that leaves the margin.
        assert answer.sentence.count("interval") == len(answer.tests)
