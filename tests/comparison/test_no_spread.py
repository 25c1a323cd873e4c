"""Differences that do not vary are no evidence: such a pair decides nothing, in any output."""

import json
from pathlib import Path

import numpy as np
import pytest

from twofold import compare, stats
from twofold.plots.fold_facts import fold_facts
from twofold.plots.matrix_facts import matrix_facts
from twofold.plots.row_facts import difference_facts, pair_facts
from twofold.report import save_report

SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "comparison.schema.json"


def folds(runs, parts, gaps):
    """A long table on one data set: the first learner's scores, and others below by these gaps."""
    noise = np.random.default_rng(3).normal(0.8, 0.02, (runs, parts)).round(3)
    rows = []
    for i, gap in enumerate(gaps):
        values = noise - (gap if np.ndim(gap) == 0 else np.reshape(gap, noise.shape))
        for (run, fold), value in np.ndenumerate(values):
            row = {"dataset": "d", "learner": "ABC"[i], "run": run, "fold": fold, "value": value}
            rows.append({**row, "n_train": 90, "n_test": 10})
    return {name: [row[name] for row in rows] for name in rows[0]}


def note_codes(answer):
    return {note.code for note in answer.notes}


def undecided(pair):
    return (
        not pair.defined
        and pair.outcome == "none"
        and pair.pvalue is None
        and pair.interval is None
        and pair.replicability is None
    )


ON_ONE = [
    entry.name
    for entry in stats.catalog()
    if entry.data in ("splits", "runs-and-folds", "folds-of-one-run", "five-by-two")
]


@pytest.mark.parametrize("test", ON_ONE)
def test_two_learners_on_one_data_set(test):
    runs, parts = (1, 10) if test in ("cv-t",) else (5, 2)
    df = "textbook" if stats.entry(test).calibrated else None
    answer = compare(folds(runs, parts, [0.0, 0.1]), test=test, df=df)
    assert undecided(answer.pairs[0])
    assert "it cannot be told" in answer.verdict
    assert "p <" not in answer.verdict
    assert "zero-variance" in note_codes(answer)


def test_two_folds_both_a_tenth():
    table = {"dataset": ["d"] * 4, "learner": list("AABB"), "fold": [0, 1, 0, 1]}
    answer = compare({**table, "accuracy": [0.9, 0.7, 0.8, 0.6]})
    assert undecided(answer.pairs[0])
    assert answer.pairs[0].estimate == pytest.approx(0.1)


def test_adjustments_take_an_undefined_p_as_one():
    """C differs from A by much and from B too; A − B = .1 everywhere must not help or hinder."""
    wiggle = 0.2 + np.random.default_rng(1).normal(0, 0.01, 20).round(3)
    answer = compare(folds(4, 5, [0.0, 0.1, wiggle]))
    by_name = {(pair.a, pair.b): pair for pair in answer.pairs}
    assert undecided(by_name["A", "B"])
    assert by_name["A", "B"].adjusted["holm"] == 1
    raw = [by_name["A", "C"].pvalue, by_name["B", "C"].pvalue, 1.0]
    expected = stats.holm(raw)
    assert by_name["A", "C"].adjusted["holm"] == pytest.approx(expected[0])
    assert by_name["B", "C"].adjusted["holm"] == pytest.approx(expected[1])


OVER = {"A": [0.9, 0.8, 0.7, 0.6, 0.65], "B": [0.8, 0.7, 0.6, 0.5, 0.55]}
WITH_C = {**OVER, "C": [0.7, 0.6, 0.5, 0.4, 0.45]}


def test_two_learners_over_data_sets():
    answer = compare(OVER, test="paired-t", rows="datasets")
    assert undecided(answer.pairs[0])
    assert compare(OVER, test="sign", rows="datasets").pairs[0].defined  # ranks need no spread


@pytest.mark.parametrize("options", [{"test": "tukey"}, {"test": "dunnett", "control": "A"}])
def test_means_over_data_sets(options):
    answer = compare(WITH_C, **options, rows="datasets")
    assert all(map(undecided, answer.pairs))
    assert answer.omnibus == ()
    assert "nothing can be told" in answer.verdict


def test_paired_t_of_several():
    table = {**OVER, "C": [0.85, 0.72, 0.7, 0.5, 0.6]}
    answer = compare(table, test="paired-t", rows="datasets")
    assert undecided(answer.pairs[0])
    assert all(pair.defined for pair in answer.pairs[1:])
    assert "zero-variance" in note_codes(answer)


def test_leaving_out_a_data_set_until_nothing_varies_is_no_decision():
    """Without the last data set the differences are all .1: no p, and no verdict that flips."""
    answer = compare(
        {"A": [0.9, 0.8, 0.7, 0.6, 0.9], "B": [0.8, 0.7, 0.6, 0.5, 0.2]},
        test="paired-t",
        rows="datasets",
    )
    assert answer.pairs[0].pvalue > 0.05
    assert "one-data-set" not in note_codes(answer)


@pytest.mark.parametrize("kind", ["html", "tex", "md", "json"])
@pytest.mark.parametrize("which", ["one", "several", "bayes"])
def test_every_output_takes_it(kind, which, tmp_path):
    if which == "several":
        answer = compare(folds(4, 5, [0.0, 0.1, 0.3]))
    else:
        options = {"test": "bayes-correlated-t"} if which == "bayes" else {}
        answer = compare(folds(2, 5, [0.0, 0.1]), rope=0.01, **options)
    if kind == "json":
        jsonschema = pytest.importorskip("jsonschema")
        jsonschema.validate(answer.to_dict(), json.loads(SCHEMA.read_text("utf-8")))
        return
    path = tmp_path / f"report.{kind}"
    save_report(answer, path)
    text = path.read_text("utf-8")
    assert "annot be told" in text or "othing can be concluded" in text
    assert "&lt;0.0001" not in text
    assert "p < .001" not in text
    assert str(answer)


@pytest.mark.parametrize("options", [{}, {"test": "bayes-correlated-t", "rope": 0.01}])
def test_the_picture_of_folds_has_no_interval(options):
    facts = fold_facts(compare(folds(2, 5, [0.0, 0.1]), **options))
    assert facts.interval is None
    assert "nothing can be told" in facts.caption


def test_every_picture_says_so():
    several = compare({"a": [0.8, 0.7, 0.9], "b": [0.7, 0.6, 0.8], "c": [0.5, 0.1, 0.2]},
                      test="paired-t", rows="datasets")  # fmt: skip
    two = compare({"a": [0.8, 0.7, 0.9], "b": [0.7, 0.6, 0.8]}, test="paired-t", rows="datasets")
    for facts in (matrix_facts(several), pair_facts(several), difference_facts(two)):
        assert "nothing can be told" in facts.caption
