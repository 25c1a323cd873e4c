"""What a page is made of: the strip, contents that lead somewhere, notes in groups, headings."""

import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest
from answers import MAKERS, MANY, TWO, answer

from twofold import compare
from twofold.comparison.sentences import percent_between
from twofold.report import fragment, html, latex, markdown, terminal
from twofold.report.day import format_day
from twofold.report.formatting import explain_repeats
from twofold.report.headline import find_lowest_chance, make_cards
from twofold.report.html import view_comparison
from twofold.report.metric_lines import explain_metrics, tabulate_metrics
from twofold.report.note_groups import group_notes
from twofold.report.rendering import render_page
from twofold.result import Note


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch):
    """Pictures take most of the time, and are looked at elsewhere."""
    picture = '<svg width="90pt" height="9pt"><g id="a"/></svg>'
    monkeypatch.setattr(
        "twofold.plots.svg_with_caption", lambda c, kind, highlight: (picture, ("Title", "words"))
    )


class Outline(HTMLParser):
    """Collects headings with their levels, names, links to them, and elements."""

    def __init__(self, text):
        super().__init__()
        self.headings, self.ids, self.links, self.tags, self.open = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.tags.append((tag, values))
        self.ids += [values["id"]] if "id" in values else []
        if values.get("href", "").startswith("#"):
            self.links.append(values["href"][1:])
        if re.fullmatch(r"h\d", tag):
            self.headings.append(int(tag[1]))


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("make", [html, fragment])
def test_headings_descend_in_steps_and_links_lead_somewhere(name, make):
    page = Outline(make(answer(name)))
    first = 1 if make is html else 3
    assert page.headings[0] == first
    assert page.headings.count(first) == 1
    steps = zip(page.headings, page.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps)
    assert len(page.ids) == len(set(page.ids))
    assert page.links
    assert set(page.links) <= set(page.ids)
    assert sum(tag == "main" for tag, _ in page.tags) == (make is html)
    count = sum(tag == "table" for tag, _ in page.tags)
    assert sum(tag == "caption" for tag, _ in page.tags) == count


def test_buttons_wait_for_scripts():
    text = html(answer("many"))
    assert text.count('<p class="tools" hidden>') == text.count('class="tools"') > 1
    before_script = text.split("<script>")[0]
    buttons = re.findall(r"<button[^>]*>", before_script)
    assert buttons
    tools = "".join(re.findall(r'<p class="tools" hidden>.*?</p>', before_script, re.S))
    assert re.findall(r"<button[^>]*>", tools) == buttons


def test_the_browser_is_told_that_the_page_loads_nothing():
    metas = [values for tag, values in Outline(html(answer("two"))).tags if tag == "meta"]
    policy = next(values["content"] for values in metas if "http-equiv" in values)
    assert policy.startswith("default-src 'none'; ")
    assert "http" not in policy


def test_answers_in_one_notebook_have_names_of_their_own():
    pages = [Outline(fragment(answer(name))) for name in MAKERS]
    names = [name for page in pages for name in page.ids]
    assert len(names) == len(set(names))


def test_a_page_can_hold_several_answers():
    views = [view_comparison(answer(name), f"{name}-", contents=False) for name in ("many", "two")]
    texts = [render_page("answer.html", "t", view=view) for view in views]
    pages = [Outline(text) for text in texts]
    assert not set(pages[0].ids) & set(pages[1].ids)
    assert all("<nav" not in text for text in texts)


def card_values(c):
    return {card.label: card.value for card in make_cards(c)}


def test_the_strip_names_the_winner_of_two():
    cards = make_cards(answer("two"))
    assert [card.label for card in cards] == [
        "Winner", "Difference", "p value", "Chance to repeat",
    ]  # fmt: skip
    assert (cards[0].value, cards[0].detail) == ("C4.5_m", "better than C4.5")
    assert cards[1].value == "+0.0130"
    assert "C4.5_m − C4.5" in cards[1].detail
    assert "95% interval 0.0030 to 0.0275" in cards[1].detail
    assert cards[2].value == ".008"
    assert cards[3].value == "18–72%"
    assert cards[3].detail.startswith("as many new data sets like these would decide the same;")


def test_the_strip_says_plainly_that_nothing_was_found():
    assert card_values(answer("several predictions"))["Pairs that differ"] == "3 of 3"
    cards = make_cards(answer("many, mean ranks"))
    assert (cards[0].value, cards[0].tone) == ("No winner", "open")
    assert cards[0].detail == "no pair could be told apart, although some of the learners differ"
    assert cards[1].value == "0 of 6"
    one_sided = make_cards(compare(TWO, control="C4.5", alternative="greater", rows="datasets"))
    assert one_sided[0].value == "Not found"
    same = {"a": [0.5, 0.6, 0.7] * 3, "b": [0.5, 0.6, 0.7] * 3}
    assert make_cards(compare(same, rows="datasets"))[0].value == "No difference found"


def test_the_strip_says_when_nothing_can_be_told():
    rows = [
        {"learner": n, "run": 1, "fold": f, "value": 0.5 + f / 10 + i / 20}
        for i, n in enumerate("ab")
        for f in range(5)
    ]
    cards = make_cards(compare(rows))
    assert (cards[0].value, cards[0].tone) == ("Cannot be told", "open")
    assert card_values(compare(rows))["p value"] == "—"


def test_the_strip_counts_those_that_differ_from_a_control():
    cards = make_cards(answer("control"))
    assert (cards[0].label, cards[0].value) == ("Against C4.5", "2 better")
    assert cards[0].detail == "better: 100% #1, C4.5_m"
    assert cards[2].label == "Best − control"
    assert re.match("adjusted interval .* to .*; score, 100% #1 − C4.5$", cards[2].detail)
    control = make_cards(compare(MANY, control="100% #1", rows="datasets"))
    assert control[0].value == "1 worse"


def test_the_strip_tells_the_best_from_those_below():
    clear = {f"m{i}": [0.5 + i / 9 + (j * 7 % 5) / 900 for j in range(12)] for i in range(6)}
    first = make_cards(compare(clear, test="nemenyi", rows="datasets"))[0]
    assert (first.label, first.value) == ("Best mean rank", "m5")
    assert first.detail == "better than 3 of the 5 others; not told apart from m4, m3"
    winner = make_cards(
        compare(
            {name: clear[name] for name in ("m0", "m3", "m5")}, test="wilcoxon", rows="datasets"
        )
    )
    assert (winner[0].label, winner[0].detail) == ("Winner", "better than both others")


def test_the_strip_of_bayesian_answers_has_probabilities():
    one = card_values(answer("two, Bayesian"))
    assert "p value" not in one
    assert {"Probability", "On a new data set"} <= set(one)
    close = {"a": [0.5, 0.6, 0.7, 0.8] * 5, "b": [0.5, 0.601, 0.699, 0.8] * 5}
    cards = make_cards(compare(close, test="bayes-signed-rank", rope=0.05, rows="datasets"))
    assert cards[0].value == "Practically equal"
    assert (
        make_cards(compare(TWO, test="bayes-sign", rope=0.012, rows="datasets"))[0].value
        == "Undecided"
    )


@pytest.mark.parametrize("name", MAKERS)
def test_every_answer_has_a_strip_that_agrees_with_its_verdict(name):
    c = answer(name)
    cards = make_cards(c)
    assert 3 <= len(cards) <= 5
    assert all(card.label and card.value and card.detail for card in cards)
    won = [card for card in cards if card.label == "Winner"]
    assert all(f"{card.value} " in c.verdict for card in won)
    if not any(pair.differs for pair in c.pairs):
        assert not won


def test_notes_are_grouped_by_what_they_ask_for():
    notes = [
        Note("ties", "Ties", "…"),
        Note("left-out-rows", "Rows", "…"),
        Note("too-few", "Few", "…", "warning"),
        Note("left-out-columns", "Columns", "…", "warning"),
    ]
    assert [
        (group.title, [note.title for note in group.notes]) for group in group_notes(notes)
    ] == [
        ("Before you trust it", ["Few"]),
        ("What was left out", ["Rows", "Columns"]),
        ("Worth knowing", ["Ties"]),
    ]
    assert group_notes([]) == []


def test_each_note_stands_once():
    c = answer("many")
    text = html(c)
    assert all(text.count(f"<strong>{note.title}.</strong>") == 1 for note in c.notes)
    assert text.index("Before you trust it</h2>") < text.index("Pairs</h2>")
    assert text.index("Pairs</h2>") < text.index("Worth knowing</h2>")


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>" * 4, "ألف باء", "x" * 10_000])
def test_odd_names_stay_text(name):
    table = {name: MANY["C4.5"], "b": MANY["C4.5_m"], "c": MANY["100% #1"]}
    for make in (html, fragment):
        text = make(compare(table, rows="datasets"))
        page = Outline(text)
        assert not any(tag == "img" for tag, _ in page.tags)
        assert sum(tag == "script" for tag, _ in page.tags) == 1


def test_the_day_is_that_of_the_build(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert format_day() == "1970-01-01"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", format_day())


def test_the_strip_shows_the_lowest_chance_among_the_findings():
    c = answer("control")
    lowest = min((pair for pair in c.pairs if pair.differs), key=lambda pair: pair.repeats_between)
    card = next(card for card in make_cards(c) if card.label == "Chance to repeat")
    assert card.value == percent_between(lowest.repeats_between)
    assert card.detail.startswith("lowest of 2 findings: as many new data sets like these would")
    assert f"on {lowest.a} and {lowest.b}" in card.detail


def test_the_line_of_a_metric_shows_the_lowest_chance_too():
    rows = [
        {"dataset": d, "learner": name, "AUC": x, "loss": -x}
        for name, column in MANY.items()
        for d, x in enumerate(column)
    ]
    answers = compare(rows, metric=["AUC", "loss"], control="C4.5")
    lowest = min(pair.repeats_between for pair in answers["AUC"].pairs if pair.differs)
    table = tabulate_metrics(answers)
    assert table.rows[0][table.header.index("repeats")] == percent_between(lowest)
    assert "for the pair for which it is lowest" in explain_metrics(answers)


def test_ends_of_intervals_of_metrics_have_the_same_decimals():
    rows = [
        {"dataset": d, "learner": name, "AUC": x, "loss": -x}
        for name, column in TWO.items()
        for d, x in enumerate(column)
    ]
    table = tabulate_metrics(compare(rows, metric=["AUC", "loss"]))
    ends = [row[table.header.index("95% interval")].split(" to ") for row in table.rows]
    assert all(len(low.lstrip("−")) == len(high.lstrip("−")) for low, high in ends)


def without_predictions(c, chosen=lambda pair: True):
    """Return the answer where the chosen pairs have no prediction."""
    pairs = tuple(replace(pair, replicability=None) if chosen(pair) else pair for pair in c.pairs)
    return replace(c, pairs=pairs)


def plain_outputs(c):
    """Return each output as words, with LaTeX's commands for signs replaced."""
    page = re.sub(r"(?s)<(script|style)\b.*?</\1>", " ", html(c))
    page = re.sub("<[^>]*>", " ", page)
    paper = latex(c).replace(r"\%", "%").replace("---", "—").replace("--", "–")
    texts = (terminal(c), markdown(c), unescape(page), paper)
    return [" ".join(text.split()) for text in texts]


MANY_LEARNERS = ("many", "control", "several predictions", "items, control")


@pytest.mark.parametrize("name", MANY_LEARNERS)
def test_no_chance_to_repeat_beside_pairs_that_have_none(name):
    """Neither a card beside the winner nor a column: the omnibus test's chance is not theirs."""
    c = without_predictions(answer(name))
    assert "Chance to repeat" not in [card.label for card in make_cards(c)]
    assert find_lowest_chance(c) is None
    for text in plain_outputs(c):
        assert "repeats" not in text.lower()
        assert "would decide the same" not in text


def test_one_pair_without_a_prediction_says_so():
    (card,) = [x for x in make_cards(without_predictions(answer("two"))) if "repeat" in x.label]
    assert card.value == "Not predicted"


@pytest.mark.parametrize("name", MANY_LEARNERS)
def test_a_blank_among_predictions_says_why_in_every_output(name):
    c = answer(name)
    first = (c.pairs[0].a, c.pairs[0].b)
    some = without_predictions(c, lambda pair: (pair.a, pair.b) == first)
    reason = "—: not estimated, since the pair shares too few data sets to be significant."
    for text in plain_outputs(some):
        assert reason in text
    for text in plain_outputs(c):
        assert "not estimated" not in text
    flat = replace(c.pairs[0], replicability=None, defined=False)
    assert "the differences do not vary" in explain_repeats(c, [flat, *c.pairs[1:]])


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("two", "as many new data sets like these"),
        ("many", "as many new data sets like these"),
        ("one data set", "other random splits of these data"),
        ("predictions", "as many new examples"),
        ("items", "as many new items"),
        ("items in clusters", "as many new clusters of items"),
    ],
)
def test_what_a_repetition_is_fits_the_situation(name, again):
    c = answer(name)
    assert any(pair.repeats_between is not None for pair in c.pairs)
    for text in plain_outputs(c):
        assert again in text.lower()
        others = set(PHRASES) - {again}
        assert not any(re.search(rf"{other} (would|give|lead)", text.lower()) for other in others)
        assert "a repetition would" not in text.lower()
    assert any(again in card.detail for card in make_cards(c))


PHRASES = (
    "as many new data sets like these",
    "other random splits of these data",
    "as many new examples",
    "as many new items",
    "as many new clusters of items",
)


def test_means_over_different_data_sets_are_said_to_be_so():
    rows = [
        {"dataset": d, "learner": name, "AUC": x, "acc": "" if (i, d) == (0, 0) else x}
        for i, (name, column) in enumerate(MANY.items())
        for d, x in enumerate(column)
    ]
    answers = compare(rows, metric=["AUC", "acc"])
    sentence = "By acc means are over the data sets that each learner has."
    for write in (terminal, html, markdown, latex):
        assert sentence in " ".join(write(answers).split())


def test_where_lower_is_better_the_strip_says_better_by():
    c = answer("several on one data set")
    (card,) = [card for card in make_cards(c) if card.label in ("Better by", "Ahead by")]
    assert card.label == ("Better by" if c.pairs[0].differs else "Ahead by")
    assert float(card.value) > 0
    assert card.detail.endswith("rmse, middle − small")
