"""Each data set of items by itself, in the terminal."""

from __future__ import annotations

from twofold.comparison import Comparison, Pair
from twofold.plots.picture_labels import count_columns
from twofold.report.formatting import count_decimals, format_interval, format_p
from twofold.report.score_table import count_decimals as count_score_decimals
from twofold.report.score_table import format_score
from twofold.report.terminal_tables import pad, shorten_names

MOST_DATA_SETS = 20
MOST_LEARNERS = 6
WIDEST_NAME = 24


def format_data_sets(c: Comparison, width: int) -> str:
    """Return a line for each data set: items, means, and of a pair the difference."""
    if not c.per_dataset:
        return ""
    shown = c.per_dataset[:MOST_DATA_SETS]
    learners = sorted(c.ranking, key=lambda name: name != c.control)[:MOST_LEARNERS]
    short = shorten_names(learners, 10)
    means = [mean for answer in shown for mean in answer.mean_scores.values()]
    decimals = count_score_decimals(means, 3)
    columns = {"items": [f"{answer.items:,}" for answer in shown]}
    if c.clusters is not None:
        columns["clusters"] = [str(answer.clusters or "—") for answer in shown]
    for name in learners:
        scores = [format_score(answer.mean_scores[name], decimals) for answer in shown]
        columns[short[name]] = scores
    if len(c.pairs) == 1:
        columns |= _describe_pairs(c, [answer.pairs[0] for answer in shown])
    names = shorten_names([answer.dataset for answer in shown], WIDEST_NAME)
    widest = max(map(count_columns, names.values()))
    rooms = {head: max(map(len, [head, *texts])) for head, texts in columns.items()}
    while len(columns) > 2 and widest + sum(room + 2 for room in rooms.values()) + 2 > width:
        rooms.pop(columns.popitem()[0])
    title = "On each data set, by its own items and without adjustment"
    lines = [title if len(c.pairs) == 1 else "Means on each data set"]
    lines.append(f"  {' ' * widest}" + "".join(f"  {head:>{rooms[head]}}" for head in columns))
    for row, answer in enumerate(shown):
        figures = "".join(f"  {texts[row]:>{rooms[head]}}" for head, texts in columns.items())
        lines.append(f"  {pad(names[answer.dataset], widest)}{figures}")
    if len(shown) < len(c.per_dataset):
        lines.append(f"  … {len(c.per_dataset) - len(shown)} more; the JSON lists them all")
    return "\n".join(lines)


def _describe_pairs(c: Comparison, pairs: list[Pair]) -> dict[str, list[str]]:
    decimals = count_decimals(pairs)
    return {
        "p": [format_p(pair.pvalue) for pair in pairs],
        f"{pairs[0].a} − {pairs[0].b}": [format_score(pair.estimate, decimals) for pair in pairs],
        f"{c.interval_level} interval": [format_interval(pair, decimals) for pair in pairs],
    }
