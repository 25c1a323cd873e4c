"""Learners on items: each number against a value from outside, and what is said of it."""

from itertools import product

import numpy as np
import pytest

from twofold import InputError, compare, gate, plan
from twofold.seeds import rng
from twofold.stats import entry

INDEX = np.arange(48)
RIGHT = {
    "A": (np.sin(7 * INDEX) > -0.5).astype(int),
    "B": (np.sin(5 * INDEX + 1) > 0).astype(int),
    "C": (np.cos(3 * INDEX) > -0.2).astype(int),
}
ITEMS = {"item": [f"q{i}" for i in INDEX], "passage": [f"p{i // 4}" for i in INDEX]}
CLUSTERED = ITEMS | {name: RIGHT[name] for name in "AB"}
PLAIN = {"item": ITEMS["item"], **{name: RIGHT[name] for name in "AB"}}


def codes(answer):
    return {note.code for note in answer.notes}


def test_clusters():
    # statsmodels 0.15: OLS(d, 1).fit(cov_type="cluster", use_t=True) has this error and p beside;
    # inspect_ai 0.3.285: stderr(cluster="passage") of d and of A.
    answer = compare(CLUSTERED)
    (pair,) = answer.pairs
    assert pair.method == "sign-flip"
    assert pair.standard_error == pytest.approx(0.10128592391758286, abs=1e-15)
    totals = [sum((RIGHT["A"] - RIGHT["B"])[4 * g : 4 * g + 4]) for g in range(12)]
    sums = np.abs([np.dot(signs, totals) for signs in product((-1, 1), repeat=12)])
    varied = 2 ** totals.count(0)  # flips of clusters without a difference change nothing
    above, equal = (sums > sum(totals)).sum(), (sums == sum(totals)).sum()
    assert pair.pvalue == pytest.approx((above + equal / 2 + varied) / 2**12, rel=1e-12)
    assert pair.interval[0] <= 0 < pair.interval[1]
    by_t = compare(CLUSTERED, test="clustered-t").pairs[0]
    assert by_t.interval == pytest.approx((-0.01459548, 0.43126215), abs=5e-9)
    assert by_t.df == (11.0,)
    assert (answer.situation, answer.items, answer.clusters) == ("items", 48, 12)
    score = next(score for score in answer.learner_scores if score.learner == "A")
    assert score.interval_method == "clustered-mean-t"
    # 0.6875 ± t(11, .975) · 0.08214109258409637
    reach = 2.200985160082949 * 0.08214109258409637
    assert score.interval == pytest.approx((0.6875 - reach, 0.6875 + reach), rel=1e-12)
    (beside,) = pair.beside
    assert beside["method"] == "clustered-t"
    assert beside["pvalue"] == pytest.approx(0.06420948977027426, rel=1e-12)


def test_right_and_wrong_without_clusters():
    # statsmodels: mcnemar(exact=True) has p = .0755 on (18, 8); less half the probability of the
    # outcome, 2 · binom.pmf(18, 26, ½) / 2, it is .05223898589611052.
    (pair,) = compare(PLAIN).pairs
    assert pair.method == "mcnemar-midp"
    assert pair.pvalue == pytest.approx(0.05223898589611052, rel=1e-12)
    assert (pair.wins, pair.ties, pair.losses) == (18, 22, 8)
    d = RIGHT["A"] - RIGHT["B"]
    assert pair.standard_error == pytest.approx(d.std(ddof=1) / 48**0.5, rel=1e-12)
    assert compare(PLAIN, test="mcnemar-exact").pairs[0].pvalue == pytest.approx(
        0.07551869750022888
    )


def test_several_learners():
    # statsmodels: cochrans_q.
    answer = compare(ITEMS | RIGHT, drop="passage")
    (q,) = answer.omnibus
    assert (q.method, q.statistic) == ("cochran-q", pytest.approx(4.0, rel=1e-12))
    assert q.pvalue == pytest.approx(0.1353352832366127, rel=1e-12)
    assert answer.ranking == ("A", "C", "B")
    assert answer.adjustment == "holm"
    by_clusters = compare(ITEMS | RIGHT)
    assert by_clusters.omnibus == ()
    alone = compare(CLUSTERED).pairs[0]
    pair = next(p for p in by_clusters.pairs if (p.a, p.b) == ("A", "B"))
    assert pair.pvalue_unadjusted == alone.pvalue
    assert pair.pvalue == pair.adjusted["holm"] == pytest.approx(3 * alone.pvalue)
    against = compare(ITEMS | RIGHT, control="B")
    assert [(p.a, p.b) for p in against.pairs] == [("B", "A"), ("B", "C")]
    assert against.pairs[0].adjusted["holm"] == pytest.approx(2 * alone.pvalue)


def test_grades_by_flips_and_an_interval_that_agrees():
    grades = rng(1, "grades").normal(0, 1, (2, 60)).round(2)
    for shift in np.linspace(0, 1, 21):
        table = {"item": range(60), "A": grades[0] + shift, "B": grades[1]}
        (pair,) = compare(table).pairs
        assert pair.method == "sign-flip"
        low, high = pair.interval
        assert pair.differs == (low > 0 or high < 0)
        assert low < pair.estimate < high
    losses = compare(table, metric="loss").pairs[0]
    assert losses.better == "B"
    assert losses.wins == pair.losses


@pytest.mark.parametrize("sizes", [[1] * 18 + [40, 80], [5] * 19 + [100], [4] * 20])
def test_flips_of_whole_clusters_decide_everywhere(sizes):
    """However many and large clusters are: one test for differences, margins and plans."""
    random = rng(4, "flips decide", *sizes)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    value = random.integers(0, 2, (2, len(cluster)))
    table = {"item": range(len(cluster)), "passage": cluster, "A": value[0], "B": value[1]}
    answer = compare(table)
    assert answer.pairs[0].method == "sign-flip"
    gated = gate(table, baseline="A", candidate="B", margin=0.05)
    assert (gated.method, gated.clusters) == ("sign-flip", len(sizes))
    if gated.needed is not None:
        assert gated.needed.units == "clusters"
    assert plan("items", pilot=table, difference=0.2, cluster="passage").test == "sign-flip"
    assert ("large-cluster" in codes(answer)) == (max(sizes) > 4)
    assert ("large-cluster" in {note.code for note in gated.notes}) == (max(sizes) > 4)
    # A prediction takes ten clusters of equal size, or as much.
    effective = sum(sizes) ** 2 / sum(size**2 for size in sizes)
    assert (answer.pairs[0].replicability is None) == (effective < 10)


def test_equal_scores_in_few_clusters_do_not_pass():
    """A candidate at the margin has the same scores in six clusters with a chance of up to .98⁶."""
    cluster = np.repeat(np.arange(6), 20)
    table = {"item": range(120), "passage": cluster, "A": [1, 0] * 60, "B": [1, 0] * 60}
    gated = gate(table, baseline="A", candidate="B", margin=0.02)
    assert gated.good_p == pytest.approx(0.98**6, rel=1e-9)
    assert gated.decision == "undecided"


def test_few_items_and_clusters_are_decided_by_flips():
    few = compare({name: column[:12] for name, column in PLAIN.items()})
    assert few.pairs[0].method == "sign-flip"
    assert "few-items" in codes(few)
    clusters = compare({**PLAIN, "passage": INDEX // 8})
    assert clusters.pairs[0].method == "sign-flip"
    assert clusters.pairs[0].replicability is None
    never = compare({name: column[:5] for name, column in PLAIN.items()})
    assert "too-few" in codes(never)


def test_samples_are_averaged_and_do_not_make_items():
    rows = [
        {"item": i, "model": name, "epoch": e, "score": (value + e) % 3}
        for name in "AB"
        for i, value in enumerate(RIGHT[name])
        for e in range(3)
    ]
    answer = compare(rows)
    assert answer.items == 48
    assert "samples-averaged" in codes(answer)
    assert set(answer.mean_scores.values()) == {1.0}  # 0, 1 and 2 for each
    with pytest.raises(InputError, match="in the table twice"):
        compare(rows, drop="epoch")


def test_data_sets_count_the_same():
    # Means of 16 and 32 items; their mean, and √(s₁²/16 + s₂²/32)/2.
    d = RIGHT["A"] - RIGHT["B"]
    task = np.where(INDEX < 16, "small", "large")
    answer = compare({"task": task, **PLAIN})
    (pair,) = answer.pairs
    assert pair.method == "clustered-t"
    assert pair.estimate == pytest.approx((d[:16].mean() + d[16:].mean()) / 2, rel=1e-12)
    variance = d[:16].var(ddof=1) / 16 + d[16:].var(ddof=1) / 32
    assert pair.standard_error == pytest.approx(variance**0.5 / 2, rel=1e-12)
    assert [(part.dataset, part.items) for part in answer.per_dataset] == [
        ("small", 16),
        ("large", 32),
    ]
    assert answer.per_dataset[0].pairs[0].method == "sign-flip"
    assert answer.per_dataset[1].pairs[0].method == "mcnemar-midp"
    assert answer.per_dataset[1].pairs[0].estimate == pytest.approx(d[16:].mean())
    (note,) = (note for note in answer.notes if note.code == "data-sets-as-units")
    assert "With data sets as the unit" in note.detail
    assert [other.get("unit") for other in pair.beside] == [None, "data sets"]
    over = compare({"task": task, **PLAIN}, test="sign")
    assert over.situation == "data sets"
    assert over.pairs[0].n == 2


def test_the_order_of_rows_and_columns_does_not_matter():
    grades = rng(2, "grades").normal(0, 1, (3, 80))
    table = {"item": [f"i{i}" for i in range(80)], **dict(zip("ABC", grades, strict=True))}
    order = rng(3, "order").permutation(80)
    shuffled = {name: np.asarray(table[name])[order] for name in ("B", "item", "C", "A")}
    one = {frozenset((p.a, p.b)): p for p in compare(table).pairs}
    for pair in compare(shuffled).pairs:
        assert pair.pvalue == one[frozenset((pair.a, pair.b))].pvalue


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("corrected-cv-t", "does not fit scores of items"),
        ("friedman", "does not fit scores of items"),
        ("mcnemar", "takes all items for independent"),
    ],
)
def test_tests_that_do_not_fit(test, words):
    with pytest.raises(InputError, match=words):
        compare(CLUSTERED, test=test)


def test_one_learner():
    answer = compare({**ITEMS, "A": RIGHT["A"]}, only="A", items=True)
    assert answer.method == "clustered-mean-t"
    assert answer.pairs == ()
    assert answer.learner_scores[0].mean == 33 / 48
    assert "on new items like these" in answer.verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    ("passages", "size", "sd"),
    [(40, 5, 0), (40, 5, 1), (20, 10, 1), (10, 20, 1), (100, 10, 0.5)],
)
def test_level_with_clusters(passages, size, sd):
    """Two equal models, items in passages, effects of model by passage: 10,000 null runs."""
    random, runs, items = rng(0, "null", passages, size, sd), 10_000, passages * size
    logits = random.normal(0.5, 1, (runs, items, 1)) + np.repeat(
        random.normal(0, sd, (runs, passages, 2)), size, axis=1
    )
    right = (random.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(float)
    passage = np.repeat(np.arange(passages), size)
    first = {"passage": passage, "A": right[0, :, 0], "B": right[0, :, 1]}
    chosen = compare(first, cluster="passage", items=True).pairs[0]
    result = entry(chosen.method).load()(right[..., 0], right[..., 1], clusters=passage)
    assert chosen.pvalue == pytest.approx(result.pvalue[0])
    rate = float((result.pvalue <= 0.05).mean())
    print(f"{passages} x {size}, {sd}: {rate:.4f}")
    assert 0.04 <= rate <= 0.06


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [0, 5])
@pytest.mark.parametrize("sizes", [(30, 60, 300), (20, 20, 20, 200)])
def test_level_over_data_sets(sizes, clusters):
    """Differences that cancel out over data sets with unequal sizes and spreads."""
    random, runs = rng(1, "strata", *sizes, clusters), 10_000
    task = np.repeat(np.arange(len(sizes)), sizes)
    passage = np.arange(len(task)) if not clusters else None
    if clusters:
        parts = [np.arange(size) // clusters + 1000 * i for i, size in enumerate(sizes)]
        passage = np.unique(np.concatenate(parts), return_inverse=True)[1]
    shift = np.array([0.4, -0.4, 0, 0])[task]
    effect = random.normal(0, 0.7, (runs, passage.max() + 1))[:, passage] if clusters else 0
    d = random.normal(0, 1, (runs, len(task))) * np.array([1, 2, 0.5, 1.5])[task]
    named = {"clusters": passage} if clusters else {}
    test = "sign-flip" if clusters else "clustered-t"
    p = entry(test).load()(d + shift + effect, strata=task, **named).pvalue
    # Flips count what data sets differ by as if it were chance: they are cautious here.
    assert (0.01 if clusters else 0.04) <= (p <= 0.05).mean() <= 0.06


@pytest.mark.parametrize("largest", [2, 200])
def test_clusters_of_unequal_size_count_alike_any_time_and_that_is_said(largest):
    cluster = np.repeat(np.arange(41), [largest] + [2] * 40)
    table = {
        "item": range(len(cluster)),
        "passage": cluster,
        "A": np.where(cluster == 0, 1, np.arange(len(cluster)) % 2),
        "B": np.where(cluster == 0, 0, 1),
    }
    answer = compare(table, anytime=True)
    gated = gate(table, baseline="A", candidate="B", margin=0.05, anytime=True)
    assert answer.pairs[0].outcome == "b"
    assert answer.ranking[0] == ("A" if largest == 200 else "B")  # by the means of items
    for notes in (answer.notes, gated.notes):
        assert ("clusters-alike" in {note.code for note in notes}) == (largest == 200)
