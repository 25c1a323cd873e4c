"""Bouckaert and Frank (2004): errors by random splits, opposite outcomes, properties of data."""

from types import SimpleNamespace

import numpy as np
import pytest

from twofold.stats import replicability
from twofold_papers import find_paper
from twofold_papers.bouckaertfrank2004.split_errors import find_errors, judge_mean_gap
from twofold_papers.item import ItemOptions

TIMES = 10


def runs():
    def measure(rejections):
        r = replicability(rejections, TIMES)
        return r.consistent, r.almost_consistent, r.replicability

    return SimpleNamespace(options=ItemOptions(), repetitions=TIMES, measure=measure)


def test_errors_are_those_that_repeated_studies_show():
    """Of many studies of the same data sets, measures vary as one of them says they do."""
    random = np.random.default_rng(11)
    probabilities = random.beta(0.4, 0.4, size=27)
    studies = random.binomial(TIMES, probabilities, size=(400, 27))
    actual = [np.std(values) for values in runs().measure(studies)]
    estimated = np.mean(
        [find_errors(runs(), each, "t", str(i)) for i, each in enumerate(studies[:30])], axis=0
    )
    assert estimated == pytest.approx(np.array(actual), rel=0.35)


def test_a_mean_gap_has_the_errors_of_all_its_cells():
    values, errors = np.full((3, 4), 0.9), np.full((3, 4), 0.06)
    lower = values - 0.05
    # √(24 · .06²)/12 = .0245: .05 is 2.04 of them away.
    assert judge_mean_gap((values, errors), (lower, errors)).word == "holds"
    assert judge_mean_gap((values, errors), (lower, errors), margin=0.01).word == "cannot be told"
    assert judge_mean_gap((lower, errors), (values, errors)).word == "does not hold"


def test_what_chose_the_networks_is_not_counted():
    paper = find_paper("bouckaertfrank2004")
    (table5,) = (item for item in paper.items if item.name == "table5")
    result = table5.run(ItemOptions(size="toy"))
    labels = [number.label for number in result.numbers]
    assert len(labels) == 17
    assert [label for label in labels if "cv-t@1x10" in label] == [
        "source 1, cv-t@1x10: consistent (%)"
    ]


def test_printed_properties_name_every_data_set():
    paper = find_paper("bouckaertfrank2004")
    items = {item.name: item for item in paper.items}
    properties = items["properties"].printed["properties"]
    assert set(properties) == set(items["table1"].printed["draws"]) == set(items["properties"].data)
