"""Every output joins the same pairs: those that were compared and not found to differ."""

import re
from dataclasses import replace
from html import unescape
from itertools import combinations

import numpy as np
import pytest

from twofold import compare
from twofold.comparison.groups import find_groups
from twofold.plots import rank_facts
from twofold.report import html, latex, markdown

TESTS = ("wilcoxon", "sign", "paired-t", "bayes-sign", "tukey", "nemenyi", None)
ADJUSTMENTS = ("holm", "bonferroni", "hochberg", "shaffer", "finner", None)


def table(seed):
    """Scores of 3 to 9 learners on some data sets, with more or fewer gaps."""
    draw = np.random.default_rng([seed, 26])
    k, n = int(draw.integers(3, 10)), int(draw.integers(4, 14))
    values = draw.normal(0, 1, (n, k)) + draw.uniform(0, 2.5) * np.arange(k)
    if seed % 3:
        values = np.round(values, 1)
    if seed % 2:
        values[draw.random((n, k)) < draw.uniform(0, 0.5)] = np.nan
        for j in range(k):  # every learner meets another one
            values[j % n, [j, (j + 1) % k]] = draw.normal(0, 1, 2)
    return {f"L{j}": [None if np.isnan(x) else float(x) for x in values[:, j]] for j in range(k)}


def folds(seed):
    draw = np.random.default_rng([seed, 27])
    k = int(draw.integers(3, 8))
    return [
        {"learner": f"L{j}", "run": r, "fold": f, "accuracy": 0.7 + 0.02 * j + draw.normal(0, 0.03)}
        for j in range(k)
        for r in range(3)
        for f in range(5)
    ]


def predicted(seed):
    draw = np.random.default_rng([seed, 28])
    truth = draw.integers(0, 2, 150)
    models = {
        f"L{j}": np.where(draw.random(150) < 0.6 + 0.04 * j, truth, 1 - truth).tolist()
        for j in range(int(draw.integers(3, 7)))
    }
    return {"truth": truth.tolist()} | models


def answers():
    for seed in range(40):
        given = table(seed)
        gaps = any(x is None for column in given.values() for x in column)
        test, adjust = TESTS[seed % 7], ADJUSTMENTS[seed % 6]
        if gaps and test in ("tukey", "nemenyi"):
            test = None
        if test in ("bayes-sign", "tukey", "nemenyi") or (gaps and adjust == "shaffer"):
            adjust = None
        yield pytest.param(given, {"test": test, "adjust": adjust}, id=f"{seed} {test} {adjust}")
    for seed in range(6):
        yield pytest.param(folds(seed), {}, id=f"folds {seed}")
        yield pytest.param(predicted(seed), {"predictions": True}, id=f"predictions {seed}")
    yield pytest.param(folds(0), {"control": "L0"}, id="folds, control")
    yield pytest.param(table(2), {"control": "L0"}, id="control")


def by_letters(letters):
    """Pairs that share a letter; "a–c" stands for three."""

    def number(text):
        value = 0
        for sign in text:
            value = 26 * value + ord(sign) - 96
        return value

    sets = {}
    for name, text in letters.items():
        ends = [list(map(number, part.split("–"))) for part in text.split()]
        sets[name] = {n for run in ends for n in range(run[0], run[-1] + 1)}
    return {frozenset(p) for p in combinations(sets, 2) if sets[p[0]] & sets[p[1]]}


def in_terminal(text):
    rows = re.findall(r"^  (L\d)\s+[\d.−]+((?: [ ┃])*|  [a-z –]+)$", text, re.M)
    if not any("┃" in marks for _, marks in rows):
        return by_letters(dict(rows))
    bars = {name: {i for i, sign in enumerate(marks) if sign == "┃"} for name, marks in rows}
    return {frozenset(p) for p in combinations(bars, 2) if bars[p[0]] & bars[p[1]]}


def in_html(text):
    rows = re.findall(r'<td class="name"><bdi>(L\d)</bdi></td><td class="n"[^>]*>[^<]*</td>'
                      r"<td>([^<]*)</td></tr>", text)  # fmt: skip
    return by_letters({name: unescape(marks) for name, marks in rows})


def in_latex(text):
    body = re.search(r"\\label\{tab:ranks\}.*?\\end\{tabular\}", text, re.S)[0]
    rows = re.findall(r"^(L\d) & [^&]+ & ([a-z \-]*) \\\\$", body, re.M)
    return by_letters({name: marks.replace("--", "–") for name, marks in rows})


def in_markdown(text):
    rows = re.findall(r"^\| (L\d) \| [\d.−-]+ \| ([a-z –]*) \|$", text, re.M)
    return by_letters(dict(rows))


@pytest.mark.parametrize(("given", "options"), list(answers()))
def test_all_outputs_join_the_pairs_that_were_not_told_apart(given, options):
    answer = compare(given, **options)
    wanted = {frozenset((p.a, p.b)) for p in answer.pairs if p.outcome == "none"}
    if answer.control is not None:
        wanted = set()
    plain = answer.to_dict()
    groups = plain["groups"]
    assert {frozenset(p) for group in groups for p in combinations(group, 2)} == wanted
    assert sorted(plain["ranking"]) == sorted(answer.learners)
    for group in groups:
        assert len(group) > 1
        assert sorted(group, key=plain["ranking"].index) == group
    assert in_terminal(str(answer)) == wanted
    assert in_html(html(answer)) == wanted
    assert in_latex(latex(answer)) == wanted
    assert in_markdown(markdown(answer)) == wanted
    if answer.mean_ranks:
        facts = rank_facts(answer)
        names = facts.learners
        bars = {frozenset((names[i], names[j])) for bar in facts.bars for i in bar for j in bar}
        assert {pair for pair in bars if len(pair) == 2} == wanted


@pytest.mark.parametrize("share", [0.35, 0.5])
def test_letters_where_bars_have_no_room(share):
    """The terminal writes letters where more than twelve bars would be needed."""
    draw = np.random.default_rng(3)
    names = [f"L{i}" for i in range(10)] + [f"M{i + 3}" for i in range(10)]
    values = draw.normal(0, 1, (12, 20))
    answer = compare(dict(zip(names, values.T, strict=True)), test="paired-t")
    apart = draw.random(len(answer.pairs)) > share
    pairs = tuple(
        replace(pair, outcome="a" if differs else "none")
        for pair, differs in zip(answer.pairs, apart, strict=True)
    )
    answer = replace(answer, pairs=pairs, groups=find_groups(answer.ranking, pairs))
    assert len(answer.groups) > 12
    alike = [{p.a, p.b} for p in pairs if p.outcome == "none"]
    wanted = {frozenset(two) for two in alike if all(name[0] == "L" for name in two)}
    text = str(answer)
    assert "share a letter" in text
    assert max(map(len, text.splitlines())) <= 80
    whole = re.sub(r"\n {15,}(?=[a-z])", " ", text)  # wrapped letters
    assert in_terminal(whole) == wanted
    assert in_html(html(answer)) == wanted
    assert in_latex(latex(answer)) == wanted
    assert in_markdown(markdown(answer)) == wanted
