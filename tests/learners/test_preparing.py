"""What is put in front of an estimator, and what is not."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import BaggingClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from twofold.dataset import Attribute, Dataset
from twofold.datasets import read_dataset
from twofold.errors import InputError
from twofold.learners import (
    Learner,
    describe_preparation,
    make_key,
    prepare,
    select_rows,
    set_states,
)
from twofold.learners.c45 import C45


def numeric(*, missing=False) -> Dataset:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 3)) * [1, 10, 100]
    if missing:
        X[4, 1] = np.nan
    y = (X[:, 0] > 0).astype(int)
    return Dataset("numeric", tuple(map(Attribute, "abc")), X, y, ("no", "yes"))


def mixed() -> Dataset:
    plain = numeric(missing=True)
    X = np.column_stack([plain.X, np.arange(30) % 3])
    attributes = (*plain.attributes, Attribute("word", ("x", "y", "z")))
    return replace(plain, X=X, attributes=attributes)


def ready(estimator, dataset):
    return prepare(Learner("it", estimator), dataset)


@pytest.mark.parametrize("estimator", [GaussianNB(), DecisionTreeClassifier()])
def test_the_bare_estimator_where_nothing_is_needed(estimator):
    assert type(ready(estimator, numeric())) is type(estimator)
    assert describe_preparation(Learner("it", estimator), numeric()) == "nothing"


def test_scales_for_those_that_need_them_only():
    for estimator in (SVC(), LogisticRegression(), BaggingClassifier(SVC())):
        assert isinstance(ready(estimator, numeric()).steps[0][1], StandardScaler)
    for estimator in (BaggingClassifier(), BaggingClassifier(make_pipeline(SVC()))):
        assert not isinstance(ready(estimator, numeric()), Pipeline)
    numbers = replace(numeric(), classes=None, y=np.arange(30.0))
    assert isinstance(ready(LinearRegression(), numbers), LinearRegression)


def test_missing_numbers_become_the_median_of_the_training_rows():
    dataset = numeric(missing=True)
    pipeline = ready(GaussianNB(), dataset).fit(dataset.X[:10], dataset.y[:10])
    expected = np.median(np.delete(dataset.X[:10, 1], 4))
    assert pipeline[:-1].transform(dataset.X[4:5])[0, 1] == expected
    assert isinstance(ready(DecisionTreeClassifier(), dataset), DecisionTreeClassifier)
    words = describe_preparation(Learner("nb", GaussianNB()), dataset)
    assert words == "missing numbers replaced by the median"


def test_words_become_columns_and_a_missing_word_its_own():
    dataset = mixed()
    dataset.X[0, 3] = np.nan
    pipeline = ready(GaussianNB(), dataset).fit(dataset.X[:20], dataset.y[:20])
    encoded = pipeline[:-1].transform(dataset.X)[:, 3:]
    assert encoded.shape == (30, 4)  # x, y, z, missing
    assert (encoded.sum(axis=1) == 1).all()
    assert encoded[0].tolist() == [0, 0, 0, 1]


def test_a_learner_that_takes_words_is_told_which_columns_hold_them():
    estimator = ready(HistGradientBoostingClassifier(), mixed())
    assert estimator.categorical_features.tolist() == [False, False, False, True]
    words = describe_preparation(Learner("b", HistGradientBoostingClassifier()), mixed())
    assert words == "nominal columns named to the learner"


class Own(GaussianNB):
    def __init__(self, levels=None):
        super().__init__()
        self.levels = levels

    @classmethod
    def parameters_of(cls, dataset):
        return {"levels": [len(one.values or ()) for one in dataset.attributes]}


def test_a_learner_that_asks_about_the_data_set_is_told_and_gets_codes():
    assert ready(Own(), mixed()).levels == [0, 0, 0, 3]
    dataset = mixed()
    assert select_rows(Learner("own", Own()), dataset) is dataset.X


def test_a_search_around_such_a_learner_passes_codes_on():
    data = mixed()
    search = GridSearchCV(C45(m=1), {"m": [1, 5]}, cv=3)
    ready = prepare(Learner("c45+m", search), data)
    assert ready.estimator.nominal.tolist() == [attribute.nominal for attribute in data.attributes]
    assert np.isnan(data.X).any()
    fitted = ready.fit(select_rows(Learner("c45+m", search), data), data.y)
    # The tree that was chosen splits on raw columns, as C4.5 does without a search.
    alone = C45(**C45.parameters_of(data), m=fitted.best_params_["m"]).fit(data.X, data.y)
    assert fitted.best_estimator_.text() == alone.text()
    assert search.estimator.nominal == "auto"


def test_no_negative_numbers_where_they_are_not_allowed():
    dataset = numeric()
    ready(MultinomialNB(), dataset).fit(dataset.X[:20], dataset.y[:20]).predict(dataset.X)


def test_a_pipeline_of_the_user_gets_the_rows_that_the_user_passed():
    frame = pd.DataFrame({"n": np.arange(30.0), "w": ["u", "v"] * 15})
    dataset = replace(mixed(), original=frame)
    pick = make_column_transformer((OneHotEncoder(), ["w"]), remainder="passthrough")
    learner = Learner("mine", make_pipeline(pick, DecisionTreeClassifier()))
    assert select_rows(learner, dataset) is frame
    assert len(prepare(learner, dataset).steps) == 2
    assert "DataFrame" in describe_preparation(learner, dataset)
    assert select_rows(Learner("nb", GaussianNB()), dataset) is dataset.X


def test_a_pipeline_that_picks_columns_gets_a_frame():
    pick = make_column_transformer((OneHotEncoder(), ["word"]), remainder="passthrough")
    learner = Learner("mine", make_pipeline(pick, DecisionTreeClassifier()))
    rows = select_rows(learner, mixed())
    assert list(rows.columns) == ["a", "b", "c", "word"]
    assert rows["word"].tolist()[:3] == ["x", "y", "z"]
    prepare(learner, mixed()).fit(rows, mixed().y)


def test_what_is_done_to_the_rows_is_part_of_the_key_on_a_data_set():
    learner = Learner("nb", GaussianNB())
    assert make_key(learner, numeric()) != make_key(learner, mixed())
    assert learner.key in make_key(learner, numeric())


def test_the_precision_of_rows_is_part_of_the_key_where_a_pipeline_gets_them():
    learner, y = Learner("mine", make_pipeline(GaussianNB())), ["a", "b"] * 4
    X = np.arange(16.0).reshape(8, 2)
    rows = [X, X.astype(np.float32), pd.DataFrame(X), pd.DataFrame(X).astype("float32")]
    keys = [make_key(learner, read_dataset((kind, y))) for kind in rows]
    assert len(set(keys)) == 4
    assert keys[0] == make_key(learner, read_dataset((X.copy(), y)))


def test_weights_by_name_become_weights_by_code():
    estimator = ready(DecisionTreeClassifier(class_weight={"yes": 5, "no": 1}), numeric())
    assert estimator.class_weight == {1: 5, 0: 1}
    with pytest.raises(InputError, match="maybe"):
        ready(DecisionTreeClassifier(class_weight={"maybe": 5}), numeric())


def test_classes_and_numbers_do_not_mix():
    numbers = replace(numeric(), classes=None, y=np.arange(30.0))
    with pytest.raises(InputError, match="predicts classes") as caught:
        ready(make_pipeline(StandardScaler(), SVC()), numbers)
    assert len(str(caught.value).splitlines()) == 2
    with pytest.raises(InputError, match="predicts numbers"):
        ready(LinearRegression(), numeric())


def test_the_learner_itself_is_never_touched():
    learner = Learner("b", HistGradientBoostingClassifier())
    prepare(learner, mixed())
    assert learner.estimator.categorical_features == "from_dtype"


def test_open_random_states_are_set_from_names():
    bag = BaggingClassifier(DecisionTreeClassifier(), n_jobs=2)
    one, again = (set_states(bag, "iris", 3, seed=1) for _ in range(2))
    assert one.random_state == again.random_state
    assert one.random_state != one.estimator.random_state
    assert set_states(bag, "iris", 4, seed=1).random_state != one.random_state
    assert set_states(bag, "iris", 3, seed=2).random_state != one.random_state
    assert (bag.random_state, bag.n_jobs, one.n_jobs) == (None, 2, 1)
    assert set_states(DecisionTreeClassifier(random_state=7), seed=1).random_state == 7
