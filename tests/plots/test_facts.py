"""What the pictures show are the numbers of the answer; references are computed here by hand."""

import re
from itertools import combinations

import numpy as np
import pytest
from scipy import stats as reference
from situations import folds, many, predictions

from demsar import RANKS6, TABLE6
from twofold import compare, stats
from twofold.comparison.groups import cover
from twofold.comparison.posteriors import draw_answers
from twofold.plots import (
    RankFacts,
    critical_difference_figure,
    critical_difference_text,
    rank_facts,
    row_facts,
)
from twofold.plots.bayes_facts import count_bins, posterior_facts, simplex_facts
from twofold.plots.decimals import decimals_of
from twofold.plots.fold_facts import fold_facts
from twofold.plots.heatmap_facts import heatmap_facts
from twofold.plots.matrix_facts import matrix_facts
from twofold.plots.row_facts import difference_facts, pair_facts
from twofold.plots.simplex import arrange_simplex
from twofold.rounding import written

pytest.importorskip("matplotlib")

NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
DEMSAR = {"dataset": [f"set {i}" for i in range(14)]} | {
    n: TABLE6[:, i] for i, n in enumerate(NAMES)
}


def artists(figure, role):
    """Artists by their role and number."""
    return {
        a.get_label()[1:]: a
        for a in figure.axes[0].get_children()
        if re.fullmatch(rf"_{role}( \d+)*", str(a.get_label()))
    }


def two_level(gaps, alpha=0.05):
    """Mean and interval of r × k folds: Bouckaert and Frank's formula, and v (k − 1)/3."""
    n, k = gaps.size, gaps.shape[1]
    between = gaps.mean(axis=1).var(ddof=1)
    error = np.sqrt((1 / n + 1 / (k - 1)) * gaps.var(ddof=1) + between * (k - 1) / 3)
    reach = reference.t.ppf(1 - alpha / 2, n - 1) * error
    return gaps.mean(), gaps.mean() - reach, gaps.mean() + reach


def graph(k, share, seed):
    """Who is joined to whom, at random."""
    draw = np.random.default_rng([k, seed]).random((k, k))
    return np.triu(draw < share, 1) | np.triu(draw < share, 1).T


def joined_in_picture(figure, k):
    """Pairs that a diagram joins, as a reader sees them: by where marks are, not by groups."""
    roles = {}
    for a in figure.axes[0].get_children():
        role, *numbers = str(a.get_label()).lstrip("_").split() or [""]
        roles.setdefault(role, []).append((numbers, a))
    bars = {}
    for (n, *_), a in roles.get("bar", []):
        bars.setdefault(n, []).append(tuple(a.get_xdata()))
    marks = {int(i): a.get_xdata()[0] for (i, *_), a in roles.get("connector", [])}
    groups = [
        {i for i, x in marks.items() if any(low <= x <= high for low, high in spans)}
        for spans in bars.values()
    ]
    row = {round(a.get_ydata()[0], 3): int(i) for (i, *_), a in roles.get("guide", [])}
    members = [a.get_center() for _, a in roles.get("member", [])]
    for _, a in roles.get("group", []):
        x, (low, high) = a.get_xdata()[0], sorted(a.get_ydata())
        on = [y for at, y in members if abs(at - x) < 1e-6 and low - 0.1 <= y <= high + 0.1]
        groups.append({row[round(y, 3)] for y in on})
    for _, a in roles.get("span", []):
        low, high = sorted(a.get_ydata())
        groups.append({i for y, i in row.items() if low <= y <= high})
    # In a grid: a row and its dots, whose columns are numbered in the same order.
    column = {round(a.get_center()[0], 3): int(i) for (i, *_), a in roles.get("itself", [])}
    for _, a in roles.get("alike", []):
        x, y = a.get_center()
        groups.append({row[round(y, 3)], column[round(x, 3)]})
    return {frozenset(pair) for group in groups for pair in combinations(sorted(group), 2)}


@pytest.mark.parametrize("k", [2, 4, 10, 20, 40])
@pytest.mark.parametrize("share", [0.15, 0.5, 0.9])
@pytest.mark.parametrize("ties", [False, True])
def test_two_learners_are_joined_in_the_picture_exactly_where_they_share_a_group(k, share, ties):
    alike = graph(k, share, 0)
    ranks = np.sort(np.random.default_rng(k).uniform(1, k, k))
    ranks = np.clip(np.round(ranks), 1, k) if ties else ranks
    facts = RankFacts(tuple(f"l{i}" for i in range(k)), tuple(ranks), tuple(cover(alike)))
    wanted = {frozenset(pair) for pair in combinations(range(k), 2) if alike[pair]}
    assert joined_in_picture(critical_difference_figure(facts), k) == wanted
    # The terminal has the same bars, or lists the groups.
    text = critical_difference_text(facts, 200).splitlines()
    listed = [line[2:].split(", ") for line in text if line.startswith("- ")]
    groups = [{int(name[1:]) for name in group} for group in listed]
    lines = [line for line in text if line.endswith("●")]
    for column in range(max(map(len, lines))):
        group = set()
        for i, line in enumerate([*lines, ""]):
            sign = line[column] if column < len(line) else " "
            if sign == "┃":
                group.add(i)
            elif sign != "┆":
                groups.append(group)
                group = set()
    joined = {frozenset(pair) for group in groups for pair in combinations(sorted(group), 2)}
    assert joined == wanted


@pytest.mark.parametrize("options", [{}, {"test": "wilcoxon"}, {"adjust": "shaffer"}])
@pytest.mark.parametrize("seed", [0, 1])
def test_bars_as_drawn(options, seed):
    answer = many(8, 15, seed=seed, **options)
    facts = rank_facts(answer)
    figure = critical_difference_figure(facts)
    joined = joined_in_picture(figure, 8)
    for pair in answer.pairs:
        two = frozenset((facts.learners.index(pair.a), facts.learners.index(pair.b)))
        assert (two in joined) == (pair.outcome == "none")


def test_every_learner_has_a_row_where_bars_would_mislead():
    names, ranks = ("a", "b", "c", "d"), (1.2, 2.0, 3.0, 3.8)
    assert not RankFacts(names, ranks, ((0, 1), (1, 2, 3))).in_rows
    assert not RankFacts(names, ranks, ((0, 2, 3),)).in_rows  # one bar with a gap
    # b stands where c does, and is not in c's group.
    assert RankFacts(names, (1.2, 3.0, 3.0, 3.8), ((0, 2, 3),)).in_rows
    assert RankFacts(names, (1.2, 2.99, 3.0, 3.8), ((0, 2, 3),)).in_rows


def test_those_that_differ_from_a_control_have_stars():
    table = {"d": [f"s{i}" for i in range(14)]} | {n: RANKS6[:, i] for i, n in enumerate(NAMES)}
    answer = compare(table, ranks=True, control="C4.5", adjust="holm")
    facts = rank_facts(answer)
    # Demšar 2006, section 3.2.2: Holm finds C4.5+m and C4.5+m+cf better than C4.5.
    assert {facts.learners[i] for i in facts.marked} == {"C4.5+m", "C4.5+m+cf"}
    assert facts.critical_difference is None
    texts = [text.get_text() for text in answer.plot().texts]
    assert {"C4.5+m *", "C4.5+m+cf *", "C4.5+cf", "C4.5 (control)"} <= set(texts)


def test_matrix_is_the_answer_both_ways():
    answer = compare(DEMSAR, alpha=0.10)
    facts = matrix_facts(answer)
    means = stats.ranks(TABLE6).mean(axis=0)
    assert list(facts.learners) == [NAMES[i] for i in np.argsort(means)]
    place = {name: i for i, name in enumerate(facts.learners)}
    for pair in answer.pairs:
        one = facts.cells[place[pair.a]][place[pair.b]]
        other = facts.cells[place[pair.b]][place[pair.a]]
        assert one.difference == pair.estimate == -other.difference
        assert one.interval == pair.interval
        assert other.interval == pytest.approx([-pair.interval[1], -pair.interval[0]])
        assert one.record == (pair.wins, pair.ties, pair.losses) == other.record[::-1]
        assert one.p == other.p == pair.adjusted["holm"]
        assert one.winner == -other.winner == {"a": 1, "b": -1, "none": 0}[pair.outcome]
    assert all(facts.cells[i][i] is None for i in range(4))


def test_matrix_as_drawn():
    answer = folds(4, metric="log loss", runs=10)
    facts = matrix_facts(answer)
    assert facts.learners[0] == "Gradient boosting"  # the smallest loss
    figure = answer.plot(kind="matrix").figure
    cells, words = artists(figure, "cell"), artists(figure, "difference")
    assert len(cells) == len(words) == 12
    for i, j in ((i, j) for i in range(4) for j in range(4) if i != j):
        fact = facts.cells[i][j]
        assert fact.favour == -fact.difference
        red, _, blue, _ = cells[f"cell {i} {j}"].get_facecolor()
        assert (blue > red) == (fact.favour > 0)
        bold = words[f"difference {i} {j}"].get_weight() == "bold"
        assert bold == (fact.winner != 0)
    assert any(fact and fact.winner for row in facts.cells for fact in row)


def test_matrix_without_room_has_marks():
    answer = many(20)
    facts = matrix_facts(answer)
    figure = answer.plot(kind="matrix", width="one-column").figure
    marks = artists(figure, "mark")
    found = {(i, j): c.winner for i, r in enumerate(facts.cells) for j, c in enumerate(r) if c}
    assert set(marks) == {f"mark {i} {j}" for (i, j), who in found.items() if who}
    for name, mark in marks.items():
        i, j = map(int, name.split()[1:])
        y = mark.get_xy()[:3, 1]
        assert (y[2] > y[0]) == (found[i, j] > 0)  # the tip is up where the row is better


def test_differences_on_data_sets():
    answer = folds(2, 6, runs=2, parts=5, test="wilcoxon", rope=0.005)
    facts = difference_facts(answer)
    assert [row.estimate for row in facts.rows] == sorted(
        (row.estimate for row in facts.rows), reverse=True
    )
    for row in facts.rows:
        here = answer.scores.folds(answer.datasets.index(row.label)).values
        mean, low, high = two_level(here[0] - here[1])
        assert row.estimate == pytest.approx(mean)
        assert row.interval == pytest.approx((low, high))
    pair = answer.pairs[0]
    assert (facts.overall.estimate, facts.overall.interval) == (pair.estimate, pair.interval)
    figure = answer.plot().figure
    dots = artists(figure, "estimate")
    assert [dots[f"estimate {n}"].get_xdata()[0] for n in range(6)] == [
        row.estimate for row in facts.rows
    ]
    assert set(artists(figure, "zero")["zero"].get_xdata()) == {0.0}
    band = artists(figure, "rope")["rope"].get_window_extent()
    to_data = figure.axes[0].transData.inverted().transform
    assert to_data(band)[:, 0] == pytest.approx([-0.005, 0.005])
    for n, row in enumerate(facts.rows):
        assert list(artists(figure, "interval")[f"interval {n}"].get_xdata()) == list(row.interval)


def test_one_score_for_each_data_set_is_a_dot_only():
    answer = compare({"A": [0.8, 0.7, 0.9, 0.6], "B": [0.7, 0.6, 0.7, np.nan]}, rows="datasets")
    facts = difference_facts(answer)
    assert [row.interval for row in facts.rows] == [None] * 3
    assert "1 left out" in facts.caption
    assert set(artists(answer.plot().figure, "interval")) == {"interval 3"}  # the overall one


def test_intervals_that_leave_the_axis_are_open():
    answer = compare({"A": [0.8, 0.7, 0.9], "B": [0.7, 0.65, 0.7]}, rows="datasets")
    assert np.isinf(answer.pairs[0].interval).all()
    assert artists(answer.plot().figure, "beyond")


def test_folds_of_one_data_set():
    answer = folds(2, runs=4, parts=5, rope=0.01)
    facts = fold_facts(answer)
    gaps = np.subtract(*answer.scores.folds(0).values)
    assert np.array_equal(facts.runs, gaps)
    mean, low, high = two_level(gaps)
    assert (facts.estimate, *facts.interval) == pytest.approx((mean, low, high))
    assert facts.means == pytest.approx(gaps.mean(axis=1))
    figure = answer.plot().figure
    for n, run in enumerate(gaps):
        assert list(artists(figure, "fold")[f"fold {n}"].get_xdata()) == list(run)
        middle = artists(figure, "run-mean")[f"run-mean {n}"].get_xdata()
        assert middle == pytest.approx([run.mean()] * 2)
    assert list(artists(figure, "interval")["interval"].get_xdata()) == pytest.approx([low, high])


def test_dots_of_folds_do_not_hide_each_other():
    rows = [
        {"learner": name, "run": 0, "fold": f, "value": 0.8 + 0.1 * (name == "A")}
        for name in "AB"
        for f in range(8)
    ]
    rows[0]["value"] += 0.01
    figure = compare(rows).plot().figure
    dots = artists(figure, "fold")["fold 0"]
    centres = figure.axes[0].transData.transform(dots.get_xydata()) * 72 / figure.dpi
    for one, two in combinations(centres, 2):
        assert np.hypot(*(one - two)) >= dots.get_markersize() - 1e-6


@pytest.mark.parametrize("make", [lambda: folds(5), lambda: predictions(4)])
def test_pairs_are_better_minus_worse(make):
    answer = make()
    facts = pair_facts(answer)
    by_names = {(p.a, p.b): p for p in answer.pairs}
    for row in facts.rows:
        pair = by_names.get(row.parts) or by_names[row.parts[::-1]]
        sign = 1 if (pair.a, pair.b) == row.parts else -1
        assert row.estimate == sign * pair.estimate >= 0
        assert row.interval == pytest.approx(sorted(sign * end for end in pair.interval))
        assert row.differs == (pair.outcome != "none")
    figure = answer.plot(kind="pairs").figure
    for n, row in enumerate(facts.rows):
        white = artists(figure, "estimate")[f"estimate {n}"].get_markerfacecolor() == "white"
        assert white != row.differs


def test_pairs_with_a_control_are_learner_minus_control():
    answer = many(5, control="Random forest")
    facts = pair_facts(answer)
    by_name = {pair.b: pair for pair in answer.pairs}
    for row in facts.rows:
        assert row.estimate == -by_name[row.label].estimate
    assert (facts.below, facts.above) == ("Random forest", "learner")


@pytest.mark.parametrize("metric", ["accuracy", "log loss"])
def test_posterior_of_one_data_set(metric):
    answer = folds(2, metric=metric, rope=0.01)
    facts = posterior_facts(answer)
    gaps = np.subtract(*answer.scores.folds(0).values)
    scale = np.sqrt((1 / gaps.size + 1 / 9) * gaps.var(ddof=1))
    t = reference.t(gaps.size - 1, gaps.mean(), scale)
    assert facts.density == pytest.approx(t.pdf(facts.x))
    low, high = t.cdf(-0.01), t.sf(0.01)
    a, b = (high, low) if metric == "accuracy" else (low, high)
    assert facts.shares == pytest.approx((a, 1 - low - high, b))
    printed = answer.pairs[0].beside[0]
    assert facts.shares == (printed["a_better"], printed["equivalent"], printed["b_better"])
    # The coloured areas have these shares of the whole.
    parts = artists(answer.plot(kind="posterior").figure, "part")
    sizes = {}
    for name, part in parts.items():
        x, y = part.get_xy().T
        sizes[name] = abs(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) / 2
    whole = sum(sizes.values())
    assert [sizes[f"part {n}"] / whole for n in range(3)] == pytest.approx(
        [low, 1 - low - high, high], abs=0.005
    )


def test_posterior_without_spread_is_a_line():
    rows = [{"learner": name, "run": 0, "fold": f, "value": 0.5} for name in "AB" for f in range(5)]
    answer = compare(rows, rope=0.01)
    assert posterior_facts(answer).density == ()
    assert artists(answer.plot(kind="posterior").figure, "density")


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize(
    "make",
    [
        lambda **o: many(2, 12, rope=0.02, **o),
        lambda **o: many(2, 12, rope=0.02, test="bayes-sign", **o),
        lambda **o: folds(2, 4, runs=1, parts=5, rope=0.01, **o),
        lambda **o: folds(2, 4, runs=1, parts=5, rope=0.01, metric="log loss", **o),
    ],
)
def test_triangles_hold_the_draws_behind_the_printed_numbers(make, seed):
    answer = make() if seed == 0 else make_with(make, seed)
    facts = simplex_facts(answer)
    printed = {one["method"]: one for one in answer.pairs[0].beside if "rope" in one}
    assert {triangle.method for triangle in facts.triangles} == set(printed)
    for triangle in facts.triangles:
        one = printed[triangle.method]
        three = (one["a_better"], one["equivalent"], one["b_better"])
        assert triangle.probabilities == three
        draws = draw_answers(answer, one)
        assert draws.sum(axis=1) == pytest.approx(1)
        shares = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
        assert shares == pytest.approx(three, abs=1e-3)
        assert sum(triangle.bins.values()) == triangle.draws == len(draws)


def make_with(make, seed):
    """The same table, another seed of the comparison."""
    first = make()
    options = {"rope": first.rope, "seed": seed}
    if first.method == "bayes-sign":
        options["test"] = "bayes-sign"
    return compare(first.scores, **options)


def test_bins_of_a_triangle():
    assert count_bins(np.array([[1.0, 0.0, 0.0]])) == {(23, 0, True): 1}
    assert count_bins(np.array([[0.0, 1.0, 0.0]])) == {(0, 0, True): 1}
    assert count_bins(np.array([[0.0, 0.0, 1.0]])) == {(0, 23, True): 1}
    assert count_bins(np.array([[0.5, 0.0, 0.5]])) in ({(12, 11, True): 1}, {(11, 11, False): 1})
    third = 1 / 24 * np.array([[0.8, 22.4, 0.8]])
    assert count_bins(third) == {(0, 0, False): 1}


def test_table():
    answer = many(4, 6, missing=True)
    facts = heatmap_facts(answer)
    table = answer.scores.means()
    for i, name in enumerate(facts.datasets):
        row = table[answer.datasets.index(name)]
        for j, learner in enumerate(facts.learners):
            value = row[answer.learners.index(learner)]
            assert (facts.shares[i][j] is None) == np.isnan(value)
            if not np.isnan(value):
                assert facts.texts[i][j] == f"{value:.3f}"
                assert (facts.shares[i][j] == 1) == (value == np.nanmax(row))
                assert (facts.shares[i][j] == 0) == (value == np.nanmin(row))
    ranks = [answer.mean_ranks[name] for name in facts.learners]
    assert ranks == sorted(ranks)
    figure = answer.plot(kind="heatmap").figure
    hatched = artists(figure, "missing")
    assert len(hatched) == np.isnan(table).sum() > 0
    words = artists(figure, "value")
    for i, row in enumerate(facts.shares):
        for j, share in enumerate(row):
            if share is not None:
                assert (words[f"value {i} {j}"].get_weight() == "bold") == (share == 1)


def test_numbers():
    assert written(-0.0001, 2) == "0.00"
    assert written(0.123, 2, plus=True) == "+0.12"
    assert written(float("-inf"), 2) == "−∞"
    assert [decimals_of([v]) for v in (0.05, 0.5, 12.0, 3000.0, 0.0)] == [4, 3, 1, 0, 2]


def test_triangles_are_titled_with_the_names_of_tests():
    drawing = arrange_simplex(simplex_facts(many(2, 12, rope=0.02)), 234.0, lambda *_, **__: 10.0)
    words = [shape.text for shape in drawing.shapes if hasattr(shape, "text")]
    assert "Bayesian signed-rank test" in words
    assert "bayes-signed-rank" not in words


def test_an_end_at_zero_of_a_difference_that_was_found_is_open():
    answer = compare(DEMSAR, test="mean-rank-z", control="C4.5")
    rows = {row.label: row for row in pair_facts(answer).rows}
    assert rows["C4.5+m"].interval[0] == 0
    assert rows["C4.5+m"].words[-1] == "above 0 to 0.0220"
    assert rows["C4.5+cf"].words[-1] == "−0.0090 to 0.0120"
    tiny = row_facts._write_numbers(0.1, (0.00001, 0.2), 3, excludes_zero=True)
    assert tiny == ("+0.100", "1e−05 to 0.200")


def test_cells_that_differ_are_framed():
    answer = many(4)
    frames = artists(answer.plot(kind="matrix").figure, "frame")
    assert len(frames) == 2 * sum(pair.differs for pair in answer.pairs) > 0
