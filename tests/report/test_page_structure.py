"""What a page is made of: the strip, contents that lead somewhere, notes in groups, headings."""

import re
from html.parser import HTMLParser

import pytest
from answers import MAKERS, MANY, TWO, answer

from twofold import compare
from twofold.report import fragment, html, latex, markdown, terminal
from twofold.report.day import format_day
from twofold.report.headline import make_cards
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
    assert cards[3].value == "70%"


def test_the_strip_says_plainly_that_nothing_was_found():
    assert card_values(answer("several predictions"))["Pairs that differ"] == "3 of 3"
    cards = make_cards(answer("many, mean ranks"))
    assert (cards[0].value, cards[0].tone) == ("No winner", "open")
    assert cards[0].detail == "no pair could be told apart, although some of the learners differ"
    assert cards[1].value == "0 of 6"
    one_sided = make_cards(compare(TWO, control="C4.5", alternative="greater"))
    assert one_sided[0].value == "Not found"
    same = {"a": [0.5, 0.6, 0.7] * 3, "b": [0.5, 0.6, 0.7] * 3}
    assert make_cards(compare(same))[0].value == "No difference found"


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
    control = make_cards(compare(MANY, control="100% #1"))
    assert control[0].value == "1 worse"


def test_the_strip_tells_the_best_from_those_below():
    clear = {f"m{i}": [0.5 + i / 9 + (j * 7 % 5) / 900 for j in range(12)] for i in range(6)}
    first = make_cards(compare(clear, test="nemenyi"))[0]
    assert (first.label, first.value) == ("Best mean rank", "m5")
    assert first.detail == "better than 3 of the 5 others; not told apart from m4, m3"
    winner = make_cards(
        compare({name: clear[name] for name in ("m0", "m3", "m5")}, test="wilcoxon")
    )
    assert (winner[0].label, winner[0].detail) == ("Winner", "better than both others")


def test_the_strip_of_bayesian_answers_has_probabilities():
    one = card_values(answer("two, Bayesian"))
    assert "p value" not in one
    assert {"Probability", "On a new data set"} <= set(one)
    close = {"a": [0.5, 0.6, 0.7, 0.8] * 5, "b": [0.5, 0.601, 0.699, 0.8] * 5}
    cards = make_cards(compare(close, test="bayes-signed-rank", rope=0.05))
    assert cards[0].value == "Practically equal"
    assert make_cards(compare(TWO, test="bayes-sign", rope=0.012))[0].value == "Undecided"


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
        text = make(compare(table))
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
    lowest = min((pair for pair in c.pairs if pair.differs), key=lambda pair: pair.repeats)
    assert lowest.repeats < c.omnibus_replicability.predicted
    card = next(card for card in make_cards(c) if card.label == "Chance to repeat")
    assert card.value == f"{100 * lowest.repeats:.0f}%"
    assert card.detail.startswith("lowest of 3 findings: other data sets alike would decide")
    assert f"on {lowest.a} and {lowest.b}; 95% interval" in card.detail
    nothing = make_cards(answer("many, mean ranks"))
    assert "on any difference" in nothing[-1].detail


def test_the_line_of_a_metric_shows_the_lowest_chance_too():
    rows = [
        {"dataset": d, "learner": name, "AUC": x, "loss": -x}
        for name, column in MANY.items()
        for d, x in enumerate(column)
    ]
    answers = compare(rows, metric=["AUC", "loss"], control="C4.5")
    lowest = min(pair.repeats for pair in answers["AUC"].pairs if pair.differs)
    table = tabulate_metrics(answers)
    assert table.rows[0][table.header.index("repeats")] == f"{100 * lowest:.0f}%"
    assert "lowest chance of what the verdict claims" in explain_metrics(answers)


def test_ends_of_intervals_of_metrics_have_the_same_decimals():
    rows = [
        {"dataset": d, "learner": name, "AUC": x, "loss": -x}
        for name, column in TWO.items()
        for d, x in enumerate(column)
    ]
    table = tabulate_metrics(compare(rows, metric=["AUC", "loss"]))
    ends = [row[table.header.index("95% interval")].split(" to ") for row in table.rows]
    assert all(len(low.lstrip("−")) == len(high.lstrip("−")) for low, high in ends)


def test_the_strip_says_that_the_chance_of_pairs_is_not_predicted():
    few = {f"m{i}": [0.5 + i / 9 + (j * 7 % 5) / 90 for j in range(12)] for i in range(3)}
    c = compare(few)
    assert all(pair.repeats is None for pair in c.pairs if pair.differs)
    card = next(card for card in make_cards(c) if card.label == "Chance to repeat")
    assert "on any difference; not predicted for the pairs that differ" in card.detail


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
