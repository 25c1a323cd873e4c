"""Facts that several outputs show are carried by the answer, and computed once."""

import subprocess
import sys

import numpy as np
import pytest

from twofold.comparison import compare

RNG = np.random.default_rng(5)
WIDE = {f"L{i}": RNG.normal(0.8 + 0.03 * i, 0.03, 15).tolist() for i in range(4)}
TWO = {name: WIDE[name] for name in ("L0", "L3")}


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (WIDE, {}),
        (WIDE, {"control": "L1"}),
        (WIDE, {"adjust": "shaffer"}),
        (WIDE, {"test": "wilcoxon"}),
        (WIDE, {"test": "tukey"}),
        (TWO, {}),
    ],
)
def test_pvalue_is_the_one_that_the_outcome_follows(table, options):
    answer = compare(table, **options, rows="datasets")
    for pair in answer.pairs:
        alone = pair.pvalue_unadjusted
        expected = alone if answer.adjustment is None else pair.adjusted[answer.adjustment]
        assert pair.pvalue == expected >= alone
        assert pair.differs == (pair.pvalue <= answer.alpha) == (pair.outcome != "none")
        assert {pair.better, pair.worse} == ({pair.a, pair.b} if pair.differs else {None})


def test_the_critical_difference_decides_where_no_adjustment_does():
    assert compare(WIDE, test="nemenyi", rows="datasets").cd_decides
    assert not compare(WIDE, rows="datasets").cd_decides
    assert compare(WIDE, control="L0", adjust="bonferroni-dunn", rows="datasets").cd_decides
    assert not compare(WIDE, adjust="holm", rows="datasets").cd_decides
    assert not compare(WIDE, test="wilcoxon", rows="datasets").cd_decides
    assert not compare(TWO, rows="datasets").cd_decides


def test_an_undefined_pair_has_no_pvalue():
    flat = {"A": [0.8, 0.7, 0.9], "B": [0.7, 0.6, 0.8], "C": [0.75, 0.6, 0.7]}
    pair = compare(flat, test="paired-t", rows="datasets").pairs[0]
    assert not pair.defined
    assert pair.pvalue is None


def test_carried_facts_are_no_fields_of_the_json():
    pair = compare(WIDE, rows="datasets").to_dict()["pairs"][0]
    assert not {"adjustment", "better", "posteriors"} & set(pair)


def test_an_answer_shows_itself_whatever_was_imported_before():
    code = (
        "from twofold.comparison import compare\n"
        "scores = {'A': [.8, .7, .9, .6], 'B': [.7, .6, .7, .5], 'C': [.6, .5, .5, .4]}\n"
        "answer = compare(scores, rows='datasets')\n"
        "assert answer.plot().texts\n"
        "assert 'Mean ranks' in str(answer) and 'Next:' in repr(answer)\n"
        "assert '<table' in answer._repr_html_()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
