"""Studies of Optuna are compared by their best values; objects of the same shape stand for them."""

import math
from enum import Enum
from types import SimpleNamespace

import pytest

from twofold import InputError, compare, read_scores

pd = pytest.importorskip("pandas")


class Direction(Enum):
    MINIMIZE = 1
    MAXIMIZE = 2


class State(Enum):
    COMPLETE = 1
    PRUNED = 2


class Study:
    def __init__(self, values, direction=Direction.MINIMIZE):
        self.direction, self.directions = direction, [direction]
        self.trials = [
            SimpleNamespace(number=i, value=v, state=State.PRUNED if v is None else State.COMPLETE)
            for i, v in enumerate(values)
        ]

    def trials_dataframe(self):
        return pd.DataFrame(
            {
                "number": [trial.number for trial in self.trials],
                "value": [math.nan if t.value is None else t.value for t in self.trials],
                "params_x": 0.5,
                "state": [trial.state.name for trial in self.trials],
            }
        )


VALUES = {
    "tpe": [[3, None, 0.5, 0.1], [2, 1.5, 0.7], [4, 0.2, 0.9], [1, 0.4, 0.6]],
    "random": [[3, 2, 1.0], [2, 2.5, 0.9, 0.0], [4, 1.2, 3.0], [1, 0.8, None]],
}
STUDIES = {name: [Study(values) for values in each] for name, each in VALUES.items()}
BEST = {"tpe": [0.5, 0.7, 0.2, 0.4], "random": [1.0, 0.9, 1.2, 0.8]}


def assert_best(scores):
    assert scores.learners == ("tpe", "random")
    assert scores.metric == "best value"
    assert not scores.higher_is_better
    assert scores.means().T.tolist() == list(BEST.values())


def test_best_values_in_as_many_trials_as_all_have():
    scores = read_scores(STUDIES)
    assert_best(scores)
    assert scores.datasets == ("seed 1", "seed 2", "seed 3", "seed 4")
    (note,) = (note for note in scores.notes if note.code == "best-of-trials")
    assert "first 3 trials; the trials beyond them, in 2 studies" in note.detail
    assert compare(STUDIES).ranking == ("tpe", "random")


def test_frames_of_trials_need_a_direction(tmp_path):
    frames = {name: [s.trials_dataframe() for s in each] for name, each in STUDIES.items()}
    one = pd.concat(
        frame.sample(frac=1, random_state=1).assign(sampler=name, seed=seed)
        for name, each in frames.items()
        for seed, frame in enumerate(each)
    )
    one.to_csv(tmp_path / "trials.csv", index=False)
    for table in (frames, one, tmp_path / "trials.csv"):
        with pytest.raises(InputError, match="higher_is_better=False"):
            read_scores(table)
        assert_best(read_scores(table, higher_is_better=False))


def test_the_direction_is_that_of_the_studies():
    studies = {
        name: [Study(values, Direction.MAXIMIZE) for values in each]
        for name, each in VALUES.items()
    }
    scores = read_scores(studies)
    assert scores.higher_is_better
    assert scores.means().T.tolist() == [[3, 2, 4, 1], [3, 2.5, 4, 1]]
    with pytest.raises(InputError, match="others for the lowest"):
        read_scores({"tpe": STUDIES["tpe"], "random": studies["random"]})


def test_several_problems():
    scores = read_scores({"sphere": STUDIES, "valley": STUDIES})
    assert scores.datasets == ("sphere", "valley")
    assert scores.means().tolist() == [[pytest.approx(0.45), pytest.approx(0.975)]] * 2


def test_what_cannot_be_compared():
    study = STUDIES["tpe"][0]
    several = Study([1, 2])
    several.directions = [Direction.MINIMIZE] * 2
    for table, message in [
        (study, "One study alone"),
        (study.trials_dataframe(), "no column says which sampler or seed"),
        ({"tpe": study, "random": study}, "needs several seeds"),
        ({"tpe": STUDIES["tpe"], "random": STUDIES["random"][:2]}, "tpe 4, random 2"),
        ({"tpe": [several] * 3, "random": [several] * 3}, "several objectives"),
        ({"tpe": [Study([None])] * 2, "random": [Study([1])] * 2}, "tpe, seed 1: none of the"),
    ]:
        with pytest.raises(InputError, match=message):
            read_scores(table)


def test_a_table_with_such_columns_is_not_taken_for_trials():
    rows = {"learner": ["a", "a", "b", "b"], "state": ["OH", "NY"] * 2, "number": [1, 2] * 2}
    with pytest.raises(InputError, match="state"):
        read_scores(rows | {"value": [0.5, 0.6, 0.7, 0.8]})
