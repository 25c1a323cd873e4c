"""Sources by name, and the source on which no learner can be better."""

import pickle

import numpy as np
import pytest

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.seeds import rng
from twofold.simulation import BinarySource, Source, read_source

TAN = "bayesnet:structure=tan:seed=3:strength=0.7:attributes=4:p=0.3"
NAMES = [
    ("binary", "binary:p=0.5:attributes=10"),
    ("binary:0.3:4", "binary:p=0.3:attributes=4"),
    ("binary:p=0.05:attributes=3:various=7", "binary:p=0.05:attributes=3:various=7"),
    ("task1", "task1:q=0.25"),
    ("task1:0.31234567890123", "task1:q=0.31234567890123"),
    ("epsilon:0.1", "epsilon:0.1:beta=0.02"),
    ("epsilon:epsilon=0.4:beta=0", "epsilon:0.4:beta=0"),
    ("exp6", "exp6"),
    ("bayesnet", "bayesnet:structure=ban:seed=1"),
    ("bayesnet:tan:seed=3:strength=0.7:attributes=4:p=0.3", TAN),
    ("bayesnet:structure=ban:arcs=3:seed=2", "bayesnet:structure=ban:seed=2:arcs=3"),
    ("bayesnet:structure=nb:seed=2", "bayesnet:structure=nb:seed=2"),
]


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_a_name_gives_a_source_that_gives_the_name(text, name):
    source = read_source(text)
    assert isinstance(source, Source)
    assert source.name == name
    assert read_source(name) == source
    assert pickle.loads(pickle.dumps(source)) == source


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_draws_have_the_shape_that_was_asked_for(text, name):
    source = read_source(text)
    X, y = source.draw_many(3, 20, rng(1, "draw"))
    assert X.shape == (3, 20, len(source.attributes))
    assert y.shape == (3, 20)
    assert y.max() < len(source.classes)
    one = source.draw(50, rng(1, "draw"))
    assert isinstance(one, Dataset)
    assert one.X.shape == (50, len(source.attributes))
    assert one.X.dtype == np.float64
    assert one.name == name
    assert one.declared_classes == source.classes


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_same_generator_same_rows(text, name):
    source = read_source(text)
    first, second = (source.draw(40, rng(5, "a")) for _ in range(2))
    assert first.fingerprint == second.fingerprint
    assert source.draw(40, rng(6, "a")).fingerprint != first.fingerprint


@pytest.mark.parametrize(
    ("text", "rule", "remedy"),
    [
        ("binari", "There is no source 'binari'.", "Did you mean 'binary'?"),
        ("zzz", "There is no source 'zzz'.", "Write one of"),
        ("binary:q=1", "'binary' has no parameter 'q'.", "It takes: p, attributes, various."),
        ("binary:atributes=3", "'binary' has no parameter 'atributes'.", "'attributes'?"),
        ("binary:p=2", "`p` must be a number from 0 to 1, got '2'.", "p=0.5"),
        ("binary:p=x", "`p` must be a number from 0 to 1, got 'x'.", "p=0.5"),
        ("binary:p=nan", "`p` must be a number from 0 to 1, got 'nan'.", "p=0.5"),
        ("binary:attributes=2.5", "`attributes` must be a whole number", "attributes=1"),
        ("binary:p=0.5:p=0.5", "'binary' was given `p` twice.", "once"),
        ("binary:p=", "`p` of 'binary' has no value.", "leave it out"),
        ("exp6:1", "'exp6' takes no parameters.", "Write exp6 by itself."),
        ("epsilon:0.7", "`epsilon` must be a number from 0 to 0.666667, got '0.7'.", "epsilon="),
        ("bayesnet:structure=bam", "There is no structure 'bam'.", "Did you mean 'ban'"),
        ("bayesnet:nb:arcs=2", "`arcs` is for structure=ban", "Leave it out."),
        ("bayesnet:attributes=40", "`attributes` must be a whole number, from 1 to 16", "="),
        ("bayesnet:delta=0.03", "`delta` of 'bayesnet' is a difference between", "strength=1"),
        ("bayesnet:rows=300", "`rows` and `precision` of 'bayesnet'", "delta="),
        ("file", "'file' needs a path.", "file:letter.csv"),
        ("file:nowhere.csv", "There is no file or known data set 'nowhere.csv'.", "Pass a path"),
        ("nowhere.py:draw", "There is no file 'nowhere.py'.", "Check the name"),
        ("binary:1:2:3:4", "'binary' takes 3 parameters, and more were given.", "They are:"),
    ],
)
def test_what_is_refused(text, rule, remedy):
    with pytest.raises(InputError) as caught:
        read_source(text)
    assert caught.value.rule.startswith(rule)
    assert remedy in caught.value.remedy


def test_numbers_of_rows_that_cannot_be_drawn():
    for rows in (0, -1, 2.5, True):
        with pytest.raises(InputError, match="whole number"):
            BinarySource().draw(rows, rng(1))


def test_every_attribute_is_independent_of_the_class():
    X, y = BinarySource(p=0.3).draw_many(1, 200_000, rng(2, "binary"))
    assert y.mean() == pytest.approx(0.3, abs=4 * np.sqrt(0.21 / 200_000))
    columns = np.column_stack([X[0], y[0]]).astype(float)
    correlation = np.corrcoef(columns.T)[np.triu_indices(11, 1)]
    # 55 correlations with standard error 1/√n: the largest of them is below 4.2 errors.
    assert np.abs(correlation).max() < 4.2 / np.sqrt(200_000)
    assert np.abs(X.mean(axis=(0, 1)) - 0.5).max() < 4 * np.sqrt(0.25 / 200_000)


def test_attributes_with_various_chances():
    source = BinarySource(various=3)
    X, _ = source.draw_many(4, 50_000, rng(2, "various"))
    assert np.abs(X.mean(axis=(0, 1)) - source.ones).max() < 4 * np.sqrt(0.25 / 200_000)
    assert np.ptp(source.ones) > 0.3
    assert len(set(source.ones)) == 10


def test_naive_bayes_cannot_beat_a_coin():
    from sklearn.naive_bayes import BernoulliNB

    source = BinarySource()
    X, y = source.draw_many(200, 300, rng(4, "train"))
    test_X, test_y = source.draw_many(1, 5000, rng(4, "test"))
    right = [BernoulliNB().fit(a, b).score(test_X[0], test_y[0]) for a, b in zip(X, y, strict=True)]
    assert np.mean(right) == pytest.approx(0.5, abs=4 * np.sqrt(0.25 / 5000))
    assert source.bayes_accuracy == 0.5


def test_a_class_that_does_not_occur_is_declared_only():
    source = BinarySource(p=1.0)
    drawn = source.draw(20, rng(1))
    assert drawn.classes == ("1",)
    assert drawn.declared_classes == ("0", "1")
    assert not drawn.y.any()
    assert set(drawn.labels) == {"1"}


def test_what_python_passes():
    source = BinarySource()
    assert read_source(source) is source
    for thing in (3, None, BinarySource):
        if callable(thing):
            continue
        with pytest.raises(InputError, match="is not a source"):
            read_source(thing)


FUNCTION = """
import numpy as np

def draw(rows, rng):
    X = rng.standard_normal((rows, 3))
    return X, np.where(X[:, 0] + rng.standard_normal(rows) > 0, "up", "down")

def short(rows, rng):
    X, y = draw(rows, rng)
    return X[1:], y[1:]

def broken(rows, rng):
    raise RuntimeError("no luck")
"""


def test_a_function_in_a_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FUNCTION)
    source = read_source(f"{file}:draw")
    assert source.classes == ("down", "up")
    assert len(source.attributes) == 3
    again = pickle.loads(pickle.dumps(source))
    one, two = (each.draw(50, rng(1, "f")) for each in (source, again))
    assert one.fingerprint == two.fingerprint
    X, y = source.draw_many(2, 50, rng(1, "f"))
    assert (X[0] == one.X).all()
    assert (np.asarray(source.classes)[y[0]] == one.labels).all()
    with pytest.raises(InputError, match="asked for 200 rows and gave 199"):
        read_source(f"{file}:short")
    with pytest.raises(InputError, match="RuntimeError: no luck"):
        read_source(f"{file}:broken")
    with pytest.raises(InputError, match="no function 'drew'") as caught:
        read_source(f"{file}:drew")
    assert "draw" in caught.value.remedy


def test_a_function_in_python():
    def coin(rows, random):
        return random.random((rows, 2)), random.integers(2, size=rows)

    source = read_source(coin)
    assert source.name == "coin"
    assert source.draw(30, rng(1)).X.shape == (30, 2)
