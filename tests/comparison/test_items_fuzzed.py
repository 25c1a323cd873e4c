"""Random tables with names of items, clusters and samples: answered soundly, or refused."""

import random

import pytest

from twofold import InputError, compare

HEADS = """item question id passage cluster sample epoch task dataset model value correct A B C
no""".split()
KINDS = {
    "right": lambda i, r: r.choice([0, 1]),
    "words": lambda i, r: r.choice(["yes", "no"]),
    "grade": lambda i, r: round(r.random(), 2),
    "name": lambda i, r: f"q{i}",
    "group": lambda i, r: f"p{i // 3}",
    "number": lambda i, r: i,
    "learner": lambda i, r: r.choice(["m1", "m2"]),
    "mixed": lambda i, r: r.choice([0, 1, None, "", "x", 0.5]),
    "same": lambda i, r: 1,
}


def draw_table(r):
    size = r.choice([1, 2, 6, 12, 40])
    heads = r.sample(HEADS, r.randint(2, 6))
    kinds = [r.choice(list(KINDS)) for _ in heads]
    table = {h: [KINDS[k](i, r) for i in range(size)] for h, k in zip(heads, kinds, strict=True)}
    options = {name: True for name in ("items", "correct") if r.random() < 0.3}
    options |= {name: r.choice(heads) for name in ("item", "cluster", "sample") if r.random() < 0.1}
    return table, options


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_answered_or_refused(start):
    answered, refusals = 0, []
    for seed in range(start, start + 50):
        table, options = draw_table(random.Random(seed))
        try:
            answer = compare(table, **options)
        except InputError as error:
            refusals.append(str(error))
            continue
        if answer.situation != "items":
            continue
        answered += 1
        assert str(answer)
        for pair in answer.pairs:
            assert pair.n == answer.items
            if pair.interval is not None:
                low, high = pair.interval
                assert (low <= 0 <= high) if not pair.differs else not low < 0 < high
    assert answered
    assert {text.count("\n") for text in refusals} == {1}
