"""Terminal, HTML, LaTeX, Markdown, JSON and pictures say the same: groups, p values, verdicts."""

import re
from dataclasses import replace
from functools import cache
from html import unescape

import numpy as np
import pytest
from outputs import (
    format_short,
    read_html,
    read_json,
    read_latex,
    read_markdown,
    read_pictures,
    read_terminal,
)
from random_answers import COUNT, folds, predictions, random_answer, table

from twofold import compare
from twofold.comparison.groups import find_groups
from twofold.escapes import escape_markdown
from twofold.report import html, latex, markdown, terminal
from twofold.report.paragraphs import write_results
from twofold.report.save import as_json

SHOWN_IN_TERMINAL = 12
SENTENCE = re.compile(
    r"(?<!not found that )\b(L\d) is (?:better|more accurate) than (L\d)"
    r"(: [^.;]*(?:\.\d[^.;]*)*)?"  # a point before a digit ends no sentence
)
answer = cache(random_answer)


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch):
    """Pictures are compared by their facts."""
    monkeypatch.setattr(
        "twofold.plots.svg_with_caption", lambda c, kind, highlight: ("<svg></svg>", (kind, ""))
    )


@pytest.mark.parametrize("seed", range(COUNT))
def test_all_outputs_say_the_same(seed):
    c = answer(seed)
    truth = read_json(as_json(c))
    check_facts(c, truth)
    page, source, document = html(c), latex(c), markdown(c)
    check_report(c, "terminal", read_terminal(terminal(c)), truth)
    read = {
        "html": read_html(page),
        "latex": read_latex(source),
        "markdown": read_markdown(document),
    }
    for name, facts in read.items():
        check_report(c, name, facts, truth)
        # LaTeX leaves out a table that takes a page of its own.
        assert facts.results == read["html"].results or (name, facts.results) == ("latex", {})
    check_results(c, read["html"].results)
    paragraph = write_results(c)
    assert paragraph in unescape(page.replace("<sub>", "_").replace("</sub>", ""))
    assert escape_markdown(paragraph) in document
    in_latex = source.split(r"\paragraph{Results.}")[1].replace("$<$", "<")
    for text in (truth.verdict, paragraph, in_latex):
        check_sentences(text, truth)
    check_pictures(c, truth)


def check_facts(c, truth):
    """The JSON agrees with itself: p decides about pairs, and pairs make the groups."""
    for (a, b), pair in truth.pairs.items():
        if pair["value"] is not None:
            assert (pair["better"] != "—") == (pair["value"] <= c.alpha), (a, b)
            check_decision(pair)
    alike = {frozenset(two) for two, pair in truth.pairs.items() if pair["better"] == "—"}
    assert truth.joined == (alike if c.control is None else set())


def check_decision(pair):
    """An interval holds zero exactly where no difference was found; None is an infinite end."""
    if pair["interval"] is None:
        return
    low, high = pair["interval"]
    low, high = -np.inf if low is None else low, np.inf if high is None else high
    if pair["better"] == "—":
        assert low <= 0 <= high
    else:
        assert low >= 0 or high <= 0


def check_report(c, name, facts, truth):
    if name != "latex":  # which has paragraphs instead
        assert " ".join(facts.verdict.split()) == " ".join(truth.verdict.split())
    # Of two learners the pair says everything.
    assert facts.joined == (truth.joined if len(c.learners) > 2 else set())
    most = SHOWN_IN_TERMINAL if name == "terminal" else len(truth.pairs)
    assert len(facts.pairs) == min(len(truth.pairs), most)
    for (a, b), pair in facts.pairs.items():
        expected = truth.pairs[a, b]
        assert pair["p"] == expected["p"]
        assert pair["record"] == expected["record"]
        assert number(pair["a − b"]) == pytest.approx(expected["estimate"], abs=unit(pair["a − b"]))
        better = {a: "a", b: "b"}.get(pair["better"], pair["better"])
        assert better == expected["better"]
        if "interval" in pair:
            check_interval(pair["interval"], expected["interval"])
    if name != "latex":
        assert facts.omnibus == truth.omnibus
    assert list(facts.standing) == list(truth.standing)
    for learner, text in facts.standing.items():
        assert number(text) == pytest.approx(truth.standing[learner], rel=6e-3, abs=6e-4)
    for learner, cells in facts.scores.items():
        check_scores(cells, truth.scores[learner])


def check_scores(cells, truth):
    """What a learner scored is the same to the digits that are shown."""
    for name in ("mean", "median", "sd"):
        if cells.get(name, "—") == "—":
            assert name == "mean" or truth[name] is None or name not in cells
            continue
        assert number(cells[name]) == pytest.approx(truth[name], rel=6e-3, abs=6e-4)
    assert cells.get("tier", str(truth["tier"])) == str(truth["tier"])
    if "rank set" in cells:
        low, *high = cells["rank set"].split("–")
        assert [int(low), int(*high or [low])] == truth["rank_set"]
    if "interval" in cells and cells["interval"] != "—":
        ends = [number(end) for end in cells["interval"].split(" to ")]
        assert ends == pytest.approx(truth["interval"], rel=6e-3, abs=6e-4)


def check_results(c, rows):
    """The results table has every score, the best in bold; its last rows are those of learners."""
    if len(c.datasets) == 1:
        assert rows == {}
        return
    for name, values in zip(c.datasets, c.scores.means(), strict=True):
        top = np.nanmax(values) if c.higher_is_better else np.nanmin(values)
        for learner, value in zip(c.learners, values, strict=True):
            text = rows[name][learner]
            if np.isnan(value):
                assert text == "–"
                continue
            assert number(text.split()[0].strip("*")) == pytest.approx(value, abs=6e-3)
            assert text.startswith("**") == bool(np.isclose(value, top, rtol=1e-12))
    for score in c.learner_scores:
        if not c.holds_ranks:
            text = rows["mean"][score.learner].strip("*")
            assert number(text) == pytest.approx(score.mean, abs=6e-3)
        (ranks,) = (row for name, row in rows.items() if name.endswith("mean rank"))
        text = ranks[score.learner].split()[0].strip("*")
        assert number(text) == pytest.approx(score.mean_rank, abs=6e-3)
    against = c.control or c.ranking[0]
    for pair in c.pairs:
        if against in (pair.a, pair.b):
            other, record = pair.b, (pair.losses, pair.ties, pair.wins)
            if pair.b == against:
                other, record = pair.a, record[::-1]
            assert rows["wins/ties/losses"][other] == "{}/{}/{}".format(*record)
            signs = {other: "v", against: "*", None: ""} if c.control else {None: "≈"}
            if pair.defined:
                assert ranks[other].endswith(signs.get(pair.better, ""))


def number(text):
    return float(text.replace("−", "-"))


def unit(text):
    """Return a little more than half of the last digit of a number."""
    return 0.51 * 10.0 ** -len(text.partition(".")[2])


def check_interval(text, interval):
    """The ends are those of the JSON, where None is infinite; those left out at zero say so."""
    ends = [end for end in interval or () if end is not None]
    parts = re.findall(r"(?:above |below )?−?\d[\d.]*", text)
    assert len(parts) == len(ends)
    for part, end in zip(parts, ends, strict=True):
        value = number(part.removeprefix("above ").removeprefix("below "))
        assert value == pytest.approx(end, abs=unit(part))
        if part.startswith(("above", "below")):
            assert end == 0


def check_sentences(text, truth):
    """Who is called better in words, with which p, is what the table says."""
    for better, worse, rest in SENTENCE.findall(text):
        a, b = (better, worse) if (better, worse) in truth.pairs else (worse, better)
        pair = truth.pairs[a, b]
        assert {"a": a, "b": b}.get(pair["better"]) == better
        p = re.search(r"p (?:= )?(\.\d+|< \.001)", rest)
        if p is not None:
            assert p[1] == format_short(pair["value"])


def check_pictures(c, truth):
    pictures = read_pictures(c)
    for (a, b), pair in truth.pairs.items():
        better = {"a": a, "b": b}.get(pair["better"])
        if "matrix" in pictures:
            for two in ((a, b), (b, a)):
                assert pictures["matrix"][two] == (pair["value"], better)
        if "pairs" in pictures:
            rows = pictures["pairs"]
            names = (a, b), (b, a), *((x,) for x in (a, b) if x != c.control)
            (row,) = [rows[parts] for parts in names if parts in rows]
            p = "" if pair["value"] is None else format_short(pair["value"])
            assert row == (p, better is not None)
    if "matrix" in pictures:
        assert len(pictures["matrix"]) == 2 * len(truth.pairs)
    if "ranks" in pictures:
        ranks = pictures["ranks"]
        assert ranks["joined"] == truth.joined
        assert ranks["standing"] == pytest.approx(c.mean_ranks)
        if c.control is not None and ranks["cd"] is None:
            differ = {x for two, pair in truth.pairs.items() if pair["better"] != "—" for x in two}
            assert ranks["marked"] == differ - {c.control}


@pytest.mark.parametrize("share", [0.35, 0.5])
def test_letters_where_bars_have_no_room(share):
    """The terminal writes letters where more than twelve bars would be needed."""
    draw = np.random.default_rng(3)
    values = draw.normal(0, 1, (12, 20))
    c = compare(
        {f"L{i}": column for i, column in enumerate(values.T)}, test="paired-t", rows="datasets"
    )
    apart = draw.random(len(c.pairs)) > share
    pairs = tuple(
        replace(pair, outcome="a" if differs else "none")
        for pair, differs in zip(c.pairs, apart, strict=True)
    )
    c = replace(c, pairs=pairs, groups=find_groups(c.ranking, pairs))
    assert len(c.groups) > 12
    alike = {frozenset((pair.a, pair.b)) for pair in pairs if not pair.differs}
    text = terminal(c)
    assert "share a letter" in text
    assert max(map(len, text.splitlines())) <= 80
    whole = re.sub(r"\n {15,}(?=[a-z])", " ", text)  # wrapped letters
    assert read_terminal(whole).joined == alike
    assert read_html(html(c)).joined == alike
    assert read_latex(latex(c)).joined == alike
    assert read_markdown(markdown(c)).joined == alike


def test_the_answers_are_of_every_kind():
    answers = [answer(seed) for seed in range(COUNT)]
    assert {c.alternative for c in answers} == {"two-sided", "greater", "less"}
    assert len({c.method for c in answers}) > 25
    for holds in (
        lambda c: len(c.learners) == 2,
        lambda c: len(c.datasets) == 1 and c.scores is not None,
        lambda c: c.scores is None,
        lambda c: c.control is not None and c.groups == (),
        lambda c: c.ranks_are == "estimated",
        lambda c: c.rope is not None,
        lambda c: c.critical_difference is not None,
        lambda c: not c.higher_is_better,
        lambda c: any(test.uncorrected for test in c.omnibus),
        lambda c: len(c.groups) > 2,
        lambda c: len(c.pairs) > SHOWN_IN_TERMINAL,
        lambda c: any(pair.pvalue is None for pair in c.pairs),
        lambda c: any(pair.outcome == "b" for pair in c.pairs),
    ):
        assert sum(map(holds, answers)) >= 5


ONE_LEARNER = {
    "splits": lambda draw: compare(folds(draw, 1)),
    "losses": lambda draw: compare(folds(draw, 1, metric="rmse")),
    "data sets": lambda draw: compare(table(draw, 1), rows="datasets"),
    "folds of data sets": lambda draw: compare(folds(draw, 1, datasets=4)),
    "predictions": lambda draw: compare(predictions(draw, 1), predictions=True),
}


@pytest.mark.parametrize("name", ONE_LEARNER)
def test_all_outputs_say_the_same_of_one_learner(name):
    c = ONE_LEARNER[name](np.random.default_rng(5))
    truth = read_json(as_json(c))
    (score,) = truth.scores.values()
    page, source, document = html(c), latex(c), markdown(c)
    read = {
        "terminal": read_terminal(terminal(c)),
        "html": read_html(page),
        "latex": read_latex(source),
        "markdown": read_markdown(document),
    }
    for where, facts in read.items():
        assert facts.pairs == {}
        assert facts.joined == set()
        assert list(facts.scores) == list(truth.scores)
        check_scores(*facts.scores.values(), score)
        if where != "latex":
            assert " ".join(facts.verdict.split()) == " ".join(truth.verdict.split())
    low, high = score["interval"]
    assert low < score["mean"] < high
    ends = re.search(r"95% interval ([\d.−]+) to ([\d.−]+)\)", truth.verdict)
    assert [number(end) for end in ends.groups()] == pytest.approx([low, high], abs=6e-4)
    paragraph = write_results(c)
    assert paragraph in unescape(page)
    assert escape_markdown(paragraph) in document
    for each in c.class_scores:
        for text in (terminal(c), unescape(page), document, source):
            assert f"{each.recall:.3f}" in text
