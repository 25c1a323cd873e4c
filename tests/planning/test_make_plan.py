"""Plans from numbers and from pilots: what is solved for, intervals, families, refusals."""

import numpy as np
import pytest

import twofold
from twofold import InputError, plan, stats
from twofold.planning.power_models import MeanRankModel, RunModel
from twofold.planning.solve import Target, find_difference, find_n
from twofold.seeds import rng


def make_scores(learners=2, datasets=24, sd=0.02, seed=0):
    stream = rng(seed, "pilot")
    base = stream.uniform(0.6, 0.9, (datasets, 1))
    values = base + stream.normal(0, sd / 2**0.5, (datasets, learners))
    return {name: values[:, i].tolist() for i, name in enumerate("ABCDEFGH"[:learners])}


def test_published_numbers():
    assert plan("items", difference=0.05, discordant=0.2).n == 626  # Connor (1987)
    assert plan("items", difference=0.03, sd=1 / 3).n == 969  # Miller (2024)
    assert plan("seeds", probability=0.75).n == 29  # Bouthillier et al. (2021)
    splits = {"difference": 1, "sd": 1, "test_share": 0.1}
    powers = [plan("runs", n=runs, **splits).power for runs in (10, 100, 1000)]
    assert powers == pytest.approx([0.49, 0.81, 0.85], abs=0.005)


def test_noethers_overshoot_is_left_out():
    answer = plan("datasets", difference=0.016, sd=0.02)
    assert answer.formula == {"source": "Noether (1987)", "n": 20}
    assert answer.n == 16
    assert 0.8 <= answer.power < 0.83


def test_each_of_the_three_is_solved_for():
    wanted = plan("items", difference=0.05, discordant=0.2)
    assert wanted.solved_for == "n"
    power = plan("items", difference=0.05, discordant=0.2, n=wanted.n)
    assert power.solved_for == "power"
    assert power.power == wanted.power
    gap = plan("items", discordant=0.2, n=wanted.n, power=power.power)
    assert gap.solved_for == "difference"
    assert gap.difference == pytest.approx(0.05, rel=2e-3)


def test_replicability_instead_of_power():
    answer = plan("datasets", difference=0.01, sd=0.02, replicability=0.9)
    assert answer.replicability >= 0.9
    assert answer.power == pytest.approx((1 + 0.8**0.5) / 2, abs=0.01)
    assert answer.target == {"replicability": 0.9}
    assert answer.n > plan("datasets", difference=0.01, sd=0.02).n


def test_more_runs_do_not_help():
    answer = plan("runs", difference=1, sd=1, power=0.9)
    assert answer.n is None
    assert "No number of runs" in answer.verdict
    first = "More runs will not help: at 10 runs power is .61, at 100 .64; more data will."
    assert answer.advice[0] == first
    assert "times the rows" in answer.advice[1]
    assert [note.code for note in answer.notes] == ["power-limit"]


def test_several_learners_share_the_level():
    items = plan("items", difference=0.05, discordant=0.2, learners=4)
    assert (items.comparisons, items.adjustment) == (6, "holm")
    assert items.level == pytest.approx(0.05 / 6)
    pairs = plan("datasets", difference=0.02, sd=0.02, learners=6)
    assert (pairs.comparisons, pairs.adjustment, pairs.test) == (15, "holm", "wilcoxon")
    assert pairs.level == pytest.approx(0.05 / 15)
    by_range = plan("datasets", difference=0.02, sd=0.02, learners=6, adjust="nemenyi")
    assert (by_range.adjustment, by_range.test, by_range.level) == ("nemenyi", "nemenyi", 0.05)
    control = plan("datasets", difference=0.02, sd=0.02, learners=6, control="old")
    assert (control.comparisons, control.adjustment) == (5, "holm")
    assert control.level == pytest.approx(0.01)
    assert control.n < pairs.n
    assert f"{control.n:,} data sets would do" in pairs.advice[0]


def test_a_pilot_of_data_sets_has_an_interval():
    answer = plan("datasets", pilot=make_scores(), difference=0.01, rows="datasets")
    spread = answer.assumptions[0]
    assert spread.low < spread.value < spread.high
    assert spread.value == pytest.approx(0.02, rel=0.3)
    low, high = answer.interval
    assert low < answer.n < high
    assert answer.now.n == 24
    assert (
        answer.now.power
        == plan("datasets", pilot=make_scores(), difference=0.01, n=24, rows="datasets").power
    )


def test_a_pilot_alone_tells_what_it_could_find():
    answer = plan("datasets", pilot=make_scores(), rows="datasets")
    assert (answer.solved_for, answer.n) == ("difference", 24)
    assert answer.interval[0] < answer.difference < answer.interval[1]


def test_a_normal_pilot_of_many_learners_is_like_the_normal_model():
    scores = make_scores(learners=6, datasets=400)
    pilot = plan("datasets", pilot=scores, difference=0.02, rows="datasets")
    numbers = plan("datasets", sd=0.02, difference=0.02, learners=6)
    assert pilot.n == pytest.approx(numbers.n, rel=0.12)
    assert pilot.interval[0] <= pilot.n <= pilot.interval[1]


def test_a_pilot_of_fewer_learners_says_so():
    answer = plan("datasets", pilot=make_scores(3), difference=0.02, learners=6, rows="datasets")
    assert "other-learners" in [note.code for note in answer.notes]
    assert answer.learners == 6


def test_a_small_pilot_is_noted():
    answer = plan("datasets", pilot=make_scores(datasets=6), difference=0.02, rows="datasets")
    assert "small-pilot" in [note.code for note in answer.notes]


def test_a_pilot_of_runs():
    stream = rng(0, "folds")
    rows = [
        {"learner": name, "run": run, "fold": fold, "value": 0.8 + stream.normal(0, 0.03)}
        for name in "AB"
        for run in range(10)
        for fold in range(10)
    ]
    answer = plan("runs", pilot=rows, difference=0.15)
    spread, between = answer.assumptions
    a, b = np.reshape([row["value"] for row in rows], (2, 10, 10))
    share = 10 * (a - b).mean(axis=1).var(ddof=1) / (a - b).var(ddof=1)
    assert between.value == pytest.approx(share)
    assert spread.value == pytest.approx(0.03 * 2**0.5, rel=0.3)
    assert spread.low < spread.value < spread.high
    assert answer.cost["fits"] == answer.n * 20


def test_learners_are_run_for_a_pilot_and_the_store_tells_the_time(tmp_path):
    store = tmp_path / "runs.sqlite"
    answer = plan(
        "runs", learners=["majority", "nb"], data="iris", difference=0.2, store=store, budget=400
    )
    assert answer.cost["fits"] == answer.n * 20
    assert answer.cost["seconds"] > 0
    assert answer.cost["affordable"] == 20


def make_items(count=200, clusters=40, seed=0):
    """Return items in clusters, answered right or wrong by two learners."""
    stream = rng(seed, "items")
    cluster = np.repeat(np.arange(clusters), count // clusters)
    ability = 0.5 + stream.normal(0, 1, (clusters, 2))[cluster]
    right = (stream.random((count, 2)) < 1 / (1 + np.exp(-ability))).astype(int)
    names = {"item": [f"q{i}" for i in range(count)], "passage": [f"p{i}" for i in cluster]}
    return names | {"A": right[:, 0].tolist(), "B": right[:, 1].tolist()}


def test_a_pilot_of_items_in_clusters_has_the_clustered_error():
    table = make_items()
    answer = plan("items", pilot=table, difference=0.1, cluster="passage")
    spread, size, alike = (each.value for each in answer.assumptions)
    result = twofold.stats.clustered_t(table["A"], table["B"], clusters=table["passage"])
    error = spread * ((1 + (size - 1) * alike) / 200) ** 0.5
    assert error == pytest.approx(result.details["standard_error"])
    assert answer.test == "sign-flip"
    assert answer.n % 5 == 0
    assert answer.interval[0] < answer.n < answer.interval[1]
    assert "Clusters cost" in answer.advice[0]


def test_a_pilot_of_right_and_wrong():
    table = make_items()
    del table["passage"]
    answer = plan("items", pilot=table, difference=0.1)
    discordant = np.mean(np.array(table["A"]) != np.array(table["B"]))
    share = answer.assumptions[0]
    assert share.value == pytest.approx(discordant)
    # Wilson's interval, as twofold.stats.wilson has it.
    interval = twofold.stats.wilson(round(200 * discordant), 200)
    assert (share.low, share.high) == pytest.approx((interval.low, interval.high))
    assert answer.n == plan("items", discordant=discordant, difference=0.1).n
    assert answer.test == "mcnemar-midp"


def test_several_learners_on_items_are_averaged():
    table = make_items()
    del table["passage"]
    table["C"] = table["A"]
    answer = plan("items", pilot=table, difference=0.1)
    two = plan("items", pilot={"item": table["item"], "A": table["A"], "B": table["B"]}, n=99)
    # Of three pairs two differ as A and B do, one never.
    assert answer.assumptions[0].value == pytest.approx(2 / 3 * two.assumptions[0].value)
    assert answer.comparisons == 3


def test_few_clusters_are_never_enough_for_flips():
    answer = plan("items", difference=5.0, sd=1.0, cluster_size=10, icc=0.5)
    assert answer.n == 60  # of five clusters all 32 flips give p of 2/32 at least


def test_runs_agree_on_the_same_data():
    """The prediction is that of pairs of repetitions on one data set, drawn from its own model."""
    model = RunModel(level=0.05, deviation=1.0, folds=10, ratio=1 / 9, between=1.0)
    stream = rng(3, "repetitions")
    shared = stream.normal(0.7, (1 / 9) ** 0.5, (3000, 1, 1))
    verdicts = []
    for _ in range(2):
        x = shared + stream.normal(0, 1, (3000, 5, 10))
        result = twofold.stats.two_level_cv_t(x, confidence=None)
        verdicts.append(np.sign(result.estimate) * (result.pvalue <= 0.05))
    same = (verdicts[0] == verdicts[1]).mean()
    assert model.agree(5, 0.7) == pytest.approx(same, abs=0.03)


def test_solving_is_the_inverse():
    model = MeanRankModel(level=0.05, learners=5, deviation=1.0, by_range=True)
    aim = Target("power", 0.8)
    n = find_n(model, 1.0, aim)
    assert aim.is_met(model, n, 1.0)
    assert not aim.is_met(model, n - 2, 1.0)
    assert find_difference(model, n, aim) <= 1.0001


SAME = {"item": ["q1", "q2", "q3"], "A": [1, 0, 1], "B": [1, 0, 1]}


@pytest.mark.parametrize(
    ("situation", "options", "rule"),
    [
        ("items", {"difference": 0, "discordant": 0.2}, "larger than zero"),
        ("items", {"difference": -0.1, "discordant": 0.2}, "larger than zero"),
        ("items", {"difference": 0.3, "discordant": 0.2}, "just one of two is right on 0.2"),
        ("items", {"difference": 0.05, "discordant": 1.2}, "`discordant` must lie"),
        ("items", {"difference": 0.05}, "How much do the learners differ"),
        ("items", {"discordant": 0.2}, "Which difference matters"),
        ("items", {"difference": 0.1, "discordant": 0.2, "sd": 1}, "`discordant` is for"),
        ("items", {"difference": 0.1, "sd": 0.3, "cluster_size": 5}, "belong together"),
        ("items", {"difference": 0.1, "sd": 0.3, "icc": 2}, "`icc` must lie"),
        ("items", {"difference": 0.1, "discordant": 0.2, "samples": 3}, "`samples` and"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "power": 1}, "`power` must lie"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "power": 0.04}, "above the level"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "alpha": 5}, "`alpha` must lie"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "n": 9, "power": 0.8}, "nothing is left"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "n": 1}, "`n` must be a whole number"),
        ("datasets", {"difference": 0.1, "sd": 0}, "`sd` must be larger than zero"),
        ("datasets", {"difference": 0.1, "sd": float("nan")}, "`sd` must be"),
        ("datasets", {"difference": 0.1, "sd": 1, "power": 0.8, "replicability": 0.9}, "both say"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "replicability": 0.5}, "above 0.5"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "learners": 1}, "`learners` must be"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "adjust": "holm"}, "one comparison"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "learners": 201}, "At most 200 learners"),
        ("datasets", {"difference": 1e-9, "sd": 1}, "No number up to 100,000,000"),
        ("items", {"difference": 1e-7, "discordant": 0.2}, "No number up to 100,000,000"),
        ("datasets", {"sd": 0.1, "n": 4}, "No difference is large enough for 4"),
        ("datasets", {"pilot": {"A": [0.5], "B": [0.6]}, "difference": 0.1}, "1 data set"),
        (
            "datasets",
            {"pilot": {"A": [0.5, 0.6]}, "rows": "datasets", "difference": 0.1},
            "one learner",
        ),
        (
            "datasets",
            {"pilot": {"A": [1, 2.0], "B": [2, 3.0]}, "rows": "datasets", "difference": 0.1},
            "no spread",
        ),
        (
            "datasets",
            {"pilot": make_scores(), "rows": "datasets", "sd": 1, "difference": 0.1},
            "The pilot tells `sd`",
        ),
        ("datasets", {"difference": 0.1, "sd": 0.1, "folds": 5}, "`folds` does not belong"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "budget": "2h"}, "no store has their timings"),
        ("datasets", {"difference": 0.1, "sd": 0.1, "budget": "much"}, "is not a time"),
        ("items", {"pilot": {"item": ["q1"], "A": [1], "B": [0]}, "difference": 0.1}, "1 item"),
        ("items", {"pilot": {"item": [1, 2], "A": [1, 0]}, "difference": 0.1}, "one learner"),
        ("items", {"pilot": SAME, "difference": 0.1}, "right and wrong on the same items"),
        ("items", {"pilot": make_items(), "cluster": "no", "difference": 0.1}, "'no'"),
        ("runs", {"pilot": make_scores(), "rows": "datasets", "difference": 0.1}, "24 data sets"),
        ("runs", {"difference": 0.1, "sd": 0.1, "folds": 1}, "`folds` must be"),
        ("runs", {"difference": 0.1, "sd": 0.1, "folds": 5, "test_share": 0.1}, "random splits"),
        ("runs", {"difference": 0.1, "data": "iris"}, "none is named"),
        ("seeds", {"probability": 0.5}, "above 0.5"),
        ("seeds", {"probability": 75}, "`probability` must lie"),
        ("seeds", {}, "How often is the better learner"),
        ("seed", {}, "got 'seed'"),
    ],
)
def test_bad_input_is_refused_in_two_lines(situation, options, rule):
    with pytest.raises(InputError) as caught:
        plan(situation, **options)
    assert rule in caught.value.rule
    assert caught.value.remedy


@pytest.mark.parametrize("control", [None, "L0"])
def test_a_pilot_tells_how_far_ranks_lie_apart(control):
    """Tables of the pilot's own rows, one learner better: the promised power comes true."""
    random = twofold.rng(5, "pilot of ranks", control)
    table = random.normal(0.8, 0.03, (200, 4)) + random.normal(0, 0.05, (200, 1))
    pilot = {"dataset": [f"d{i}" for i in range(200)]}
    pilot |= {f"L{j}": table[:, j] for j in range(4)}
    adjust = "bonferroni-dunn" if control else "nemenyi"
    made = plan("datasets", pilot=pilot, difference=0.03, power=0.8, adjust=adjust, control=control)
    test = stats.bonferroni_dunn if control else stats.nemenyi
    options = {"control": 0} if control else {}
    found = []
    for better in range(4):  # each learner in turn, against each other, or against the control
        rest = table - table.mean(axis=0)
        rest[:, better] += 0.03
        drawn = rest[random.integers(0, 200, (500, made.n))]
        result = test(stats.ranks(drawn), are_ranks=True, confidence=None, **options)
        columns = [i for i, pair in enumerate(result.pairs) if better in pair]
        found.append(np.asarray(result.pvalue)[:, columns] <= 0.05)
    shares = [part.mean() for part in (found[1:] if control else found)]
    assert np.mean(shares) == pytest.approx(made.power, abs=0.04)
