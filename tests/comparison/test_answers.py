"""What an answer says must follow from its numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demsar import TABLE6
from twofold import InputError, compare
from twofold.comparison.deciding_intervals import levels_to_meet
from twofold.comparison.repetition import iman_davenport_pvalues, rank_variances
from twofold.seeds import rng
from twofold.stats import adjust, iman_davenport, ranks, tukey

NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")


def table6():
    return dict(zip(NAMES, np.array(TABLE6).T, strict=True))


def codes(answer):
    return {note.code for note in answer.notes}


def noisy(k=4, n=12, gap=0.0, name="answers"):
    table = rng(1, name).normal(0.8, 0.05, (n, k)) + gap * np.arange(k)
    return {f"L{i}": column for i, column in enumerate(table.T)}


def test_a_pair_without_common_data_does_not_stop_the_others():
    table = noisy(3)
    table["L0"][:6] = np.nan
    table["L1"][6:] = np.nan
    answer = compare(table, rows="datasets")
    assert {(pair.a, pair.b) for pair in answer.pairs} == {("L0", "L2"), ("L1", "L2")}
    assert "no-shared-data" in codes(answer)


def test_the_verdict_does_not_contradict_itself():
    """Omnibus and pairs that disagree are said to disagree."""
    for seed in range(200):
        table = rng(seed, "contradiction").normal(0.8, 0.05, (9, 6))
        table[:, 0] += 0.04
        table[0, 5] = np.nan
        answer = compare(
            dict(zip("abcdef", table.T, strict=True)), adjust="finner", alpha=0.1, rows="datasets"
        )
        found = any(pair.outcome != "none" for pair in answer.pairs)
        if found and answer.omnibus[-1].pvalue > 0.1:
            break
    else:
        pytest.fail("no table of the wanted kind")
    assert " is better than " in answer.verdict
    assert "pair-without-omnibus" in codes(answer)


def test_what_cannot_reject_is_not_praised_for_repeating():
    answer = compare({"a": [0.9, 0.8, 0.7, 0.9], "b": [0.1, 0.2, 0.3, 0.4]}, rows="datasets")
    assert "too-few" in codes(answer)
    assert answer.pairs[0].replicability is None
    assert "repetition" not in answer.verdict


@given(
    st.lists(st.floats(1e-6, 0.9999), min_size=2, max_size=12),
    st.sampled_from(["bonferroni", "holm", "hochberg", "hommel", "finner"]),
)
def test_levels_are_those_at_which_the_decision_turns(p, method):
    levels = levels_to_meet(np.array(p), method, 0.05)
    for i, level in enumerate(levels):
        for factor, kept in ((0.999, True), (1.001, False)):
            moved = np.array(p)
            moved[i] = min(level * factor, 1.0)
            if moved[i] < 1:
                assert (adjust(moved, method)[i] <= 0.05) == kept


def test_adjusted_pairs_have_predictions_over_data_sets_and_on_one():
    over = compare(table6(), test="wilcoxon", rows="datasets")
    assert all(pair.replicability is not None for pair in over.pairs)
    assert set(over.pairs[0].adjusted) >= {"holm", "shaffer", "bergmann-hommel"}
    values = (
        rng(3, "folds").normal(0.8, 0.04, (3, 10, 10)) + np.array([0, 0.001, 0.1])[:, None, None]
    )
    rows = [
        {"learner": name, "run": r, "fold": f, "value": values[i, r, f]}
        for i, name in enumerate("abc")
        for r in range(10)
        for f in range(10)
    ]
    one = compare(rows)
    assert all(pair.replicability.limit is not None for pair in one.pairs)
    assert [pair.outcome for pair in one.pairs] == ["none", "b", "b"]


def test_the_control_leads_its_pair_and_learners_keep_their_order():
    table = {name: table6()[name] for name in NAMES[:2]}
    answer = compare(table, control="C4.5+m", rows="datasets")
    assert answer.learners == NAMES[:2]
    assert (answer.pairs[0].a, answer.pairs[0].b) == ("C4.5+m", "C4.5")
    assert answer.pairs[0].estimate == -compare(table, rows="datasets").pairs[0].estimate


def test_wins_of_the_sign_test_are_wins_for_losses_too():
    table = {"good": np.linspace(0.1, 0.2, 8), "bad": np.linspace(0.3, 0.4, 8)}
    pair = compare(table, higher_is_better=False, rows="datasets").pairs[0]
    assert pair.wins == 8
    assert next(b for b in pair.beside if b["method"] == "sign")["wins"] == 8


@pytest.mark.parametrize("test", ["tukey", "nemenyi", "mean-rank-z"])
def test_pairwise_tests_can_be_asked_for(test):
    answer = compare(table6(), test=test, rows="datasets")
    assert len(answer.pairs) == 6
    assert answer.pairs[0].method == test
    if test == "tukey":
        wanted = tukey(np.array(TABLE6)[:, :4])
        assert [pair.pvalue for pair in answer.pairs] == pytest.approx(wanted.pvalue.tolist())
        assert answer.omnibus[0].method == "rm-anova"
        assert answer.critical_difference is None


def test_dunnett_needs_its_control():
    with pytest.raises(InputError, match="needs a control"):
        compare(table6(), test="dunnett", rows="datasets")
    assert len(compare(table6(), test="dunnett", control="C4.5", rows="datasets").pairs) == 3
    with pytest.raises(InputError, match="adjusts by itself"):
        compare(table6(), test="tukey", adjust="holm", rows="datasets")


def test_bayesian_tests_decide_by_probability():
    table = noisy(3, 20, 0.05)
    answer = compare(table, test="bayes-signed-rank", rope=0.01, rows="datasets")
    pair = next(p for p in answer.pairs if (p.a, p.b) == ("L0", "L2"))
    assert pair.pvalue is None
    assert pair.outcome == "b"
    assert pair.beside[-1]["b_better"] > 0.95
    two = compare({name: table[name] for name in ("L0", "L2")}, test="bayes-sign", rows="datasets")
    assert "L2 is better than L0. On a new data set: L0 better " in two.verdict
    assert "the likeliest answer on a new data set has probability" in two.verdict


def test_the_hierarchical_model_can_decide():
    stream = rng(5, "hierarchical")
    rows = [
        {"dataset": d, "learner": name, "run": 0, "fold": f, "value": v}
        for d in range(8)
        for f in range(10)
        for name, v in zip("ab", stream.normal([0.8, 0.7], 0.02), strict=True)
    ]
    answer = compare(rows, test="bayes-hierarchical", rope=0.01)
    assert answer.pairs[0].outcome == "a"
    assert answer.pairs[0].estimate == pytest.approx(0.1, abs=0.02)
    losses = compare(rows, test="bayes-hierarchical", rope=0.01, higher_is_better=False)
    assert losses.pairs[0].outcome == "b"
    assert losses.pairs[0].estimate == pytest.approx(0.1, abs=0.02)
    with pytest.raises(InputError, match="needs folds"):
        compare(
            {name: table6()[name] for name in NAMES[:2]}, test="bayes-hierarchical", rows="datasets"
        )


def test_one_sided_questions_are_said_to_be_so():
    table = {name: table6()[name] for name in NAMES[:2]}
    answer = compare(table, control=NAMES[0], alternative="greater", rows="datasets")
    assert answer.pairs[0].outcome == "none"
    assert "asked was only whether C4.5 has higher score than C4.5+m" in answer.verdict
    assert "one-sided" in codes(answer)
    assert (
        "one-sided p"
        in compare(table, control=NAMES[0], alternative="less", rows="datasets").verdict
    )


def predictions():
    stream = rng(9, "predictions")
    truth = stream.integers(0, 2, 200)
    wrong = stream.random((200, 3)) < [0.1, 0.3, 0.12]
    return {"truth": truth} | {
        name: np.where(w, 1 - truth, truth) for name, w in zip("abc", wrong.T, strict=True)
    }


@pytest.mark.parametrize("test", ["mcnemar", "mcnemar-exact", "mcnemar-midp", "proportions"])
def test_predictions_take_the_test_that_was_asked_for(test):
    answer = compare(predictions(), predictions=True, test=test)
    pair = next(p for p in answer.pairs if (p.a, p.b) == ("a", "b"))
    assert pair.outcome == "a"
    assert pair.estimate > 0.1
    assert answer.method == f"{pair.method}, holm"
    assert pair.method.startswith(test.split("-")[0])
    assert ("unsafe-test" in codes(answer)) == (test == "proportions")
    asked = {"test": test, "control": "a", "alternative": "greater"}
    one = compare(predictions(), predictions=True, **asked)
    assert one.pairs[0].pvalue < pair.pvalue + 1e-12


def test_predictions_refuse_other_tests():
    with pytest.raises(InputError, match="does not fit predictions"):
        compare(predictions(), predictions=True, test="wilcoxon")
    two = {name: predictions()[name] for name in ("truth", "a", "b")}
    with pytest.raises(InputError, match="does not fit predictions"):
        compare(two, predictions=True, test="cochran-q")


@given(st.integers(3, 9), st.integers(4, 12), st.integers(0, 99))
def test_the_quick_iman_davenport_is_the_real_one(k, n, seed):
    ranked = ranks(rng(seed, "quick").normal(size=(n, k)).round(seed % 2))
    spread = rank_variances(ranked).mean()[None]
    quick = iman_davenport_pvalues(ranked.mean(axis=0)[None], spread, n)[0]
    assert quick == pytest.approx(iman_davenport(ranked, are_ranks=True).pvalue, rel=1e-9)


def test_one_data_set_decides_is_found_by_leaving_each_out():
    seen = set()
    for seed in range(30):
        table = rng(seed, "leave out").normal([0.8, 0.83, 0.85], 0.05, (8, 3)).round(2)
        data = dict(zip("abc", table.T, strict=True))
        now = iman_davenport(table).pvalue <= 0.05
        others = [
            (iman_davenport(np.delete(table, i, axis=0)).pvalue <= 0.05) != now for i in range(8)
        ]
        assert ("one-data-set" in codes(compare(data, rows="datasets"))) == any(others)
        seen.add(any(others))
    assert seen == {True, False}


def test_one_data_set_decides_about_two_learners():
    d = np.array([0.05, 0.04, 0.03, 0.02, 0.06, -0.01])
    answer = compare({"a": 0.8 + d, "b": np.full(6, 0.8)}, alpha=0.07, rows="datasets")
    assert answer.pairs[0].outcome == "a"
    assert "one-data-set" in codes(answer)


@pytest.mark.parametrize(
    ("code", "table", "options"),
    [
        ("rounding-ties", {"a": [0.8, 0.9, 0.7, 0.8], "b": [0.8, 0.9, 0.7, 0.9]}, {}),
        (
            "scales-differ",
            {"a": [1.0, 100.0, 3000.0], "b": [1.1, 90.0, 3500.0]},
            {"higher_is_better": False},
        ),
        ("identical-learners", {"a": [0.5, 0.6, 0.7], "b": [0.5, 0.6, 0.7]}, {}),
    ],
)
def test_guards_of_tables(code, table, options):
    assert code in codes(compare(table, **options, rows="datasets"))
    assert code not in codes(compare(noisy(3), **options, rows="datasets"))


def test_numbered_names_are_noticed():
    rows = [
        {"dataset": name, "a": 0.8 + i / 100, "b": 0.81 + i / 90}
        for i, name in enumerate(["iris", "mnist-1", "mnist-2", "mnist-3", "wine"])
    ]
    answer = compare(rows)
    assert "'mnist'" in next(n.detail for n in answer.notes if n.code == "related-data-sets")
    for row in rows:
        row["dataset"] = row["dataset"].replace("mnist-", "")
    assert "related-data-sets" not in codes(compare(rows))


def test_intervals_on_one_data_set_have_the_level_of_the_test():
    values = rng(4, "level").normal(0.02, 0.05, (10, 10))
    rows = [
        {"learner": name, "run": r, "fold": f, "value": values[r, f] * (name == "a")}
        for name in "ab"
        for r in range(10)
        for f in range(10)
    ]
    from scipy import stats as scipy_stats

    for alpha in (0.05, 0.2):
        pair = compare(rows, alpha=alpha).pairs[0]
        between = values.mean(axis=1).var(ddof=1)
        spread = np.sqrt((1 / 100 + 1 / 9) * values.var(ddof=1) + 3 * between)
        reach = scipy_stats.t.ppf(1 - alpha / 2, 99) * spread
        wanted = (values.mean() - reach, values.mean() + reach)
        assert pair.interval == pytest.approx(wanted, rel=1e-9)


def test_an_estimate_of_zero_does_not_hide_the_direction():
    d = np.array([0.0] * 9 + [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08])
    answer = compare({"a": 0.5 + d, "b": np.full(17, 0.5)}, alpha=0.3, rows="datasets")
    assert answer.pairs[0].pvalue <= 0.3
    assert answer.pairs[0].outcome == "a"
