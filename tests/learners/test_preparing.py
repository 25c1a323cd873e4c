"""What is put in front of an estimator, and what is not."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    VotingClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from twofold import compare, run
from twofold.dataset import Attribute, Dataset
from twofold.datasets import read_dataset
from twofold.errors import InputError
from twofold.learners import (
    BUILTIN,
    Learner,
    describe_preparation,
    make_key,
    prepare,
    read_learner,
    read_learners,
    select_rows,
    set_states,
)
from twofold.learners.c45 import C45
from twofold.report.methods_text import describe_methods


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


def test_scales_where_they_are_asked_for_only():
    assert isinstance(ready(SVC(), numeric()), SVC)
    standard = prepare(Learner("it", SVC(), "standard"), numeric())
    assert isinstance(standard.steps[0][1], StandardScaler)
    mine = make_pipeline(SVC())
    assert len(prepare(Learner("it", mine, "standard"), numeric()).steps) == 1


@pytest.mark.parametrize("name", ["knn", "logistic", "ridge", "svm"])
def test_short_names_of_scaled_learners_standardise_numbers(name):
    (learner,) = read_learners([f"mine={name}"])
    pipeline = prepare(learner, mixed()).fit(mixed().X, mixed().y)
    encoded = pipeline[:-1].transform(mixed().X)
    assert encoded[:, :3].std(axis=0) == pytest.approx([1, 1, 1])
    assert set(np.unique(encoded[:, 3:])) == {0, 1}
    assert "numbers standardised" in BUILTIN[name].words
    (bare,) = read_learners([name], prepare="none")
    assert describe_preparation(bare, numeric()) == "nothing"


def test_nothing_at_all_is_done_where_none_is_asked_for():
    learner = Learner("it", SVC(), "none")
    assert isinstance(prepare(learner, mixed()), SVC)
    assert select_rows(learner, mixed())["word"].tolist()[:3] == ["x", "y", "z"]
    assert "nothing" in make_key(learner, mixed())


def test_another_word_than_the_three_is_refused():
    with pytest.raises(InputError, match="needed, none, standard") as caught:
        read_learners(["nb"], prepare="scaled")
    assert len(str(caught.value).splitlines()) == 2


def test_missing_numbers_become_the_median_of_the_training_rows():
    dataset = numeric(missing=True)
    pipeline = ready(GaussianNB(), dataset).fit(dataset.X[:10], dataset.y[:10])
    expected = np.median(np.delete(dataset.X[:10, 1], 4))
    assert pipeline[:-1].transform(dataset.X[4:5])[0, 1] == expected
    assert isinstance(ready(DecisionTreeClassifier(), dataset), DecisionTreeClassifier)
    words = describe_preparation(Learner("nb", GaussianNB()), dataset)
    assert words == "missing numbers filled with the median"


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
    assert words == "words coded as categories"


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
    standard = prepare(Learner("it", MultinomialNB(), "standard"), dataset)
    standard.fit(dataset.X[:20], dataset.y[:20]).predict(dataset.X)


def test_a_pipeline_of_the_user_gets_the_rows_that_the_user_passed():
    frame = pd.DataFrame({"n": np.arange(30.0), "w": ["u", "v"] * 15})
    dataset = replace(mixed(), original=frame)
    pick = make_column_transformer((OneHotEncoder(), ["w"]), remainder="passthrough")
    learner = Learner("mine", make_pipeline(pick, DecisionTreeClassifier()))
    assert select_rows(learner, dataset) is frame
    assert len(prepare(learner, dataset).steps) == 2
    assert "DataFrame" in make_key(learner, dataset)
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


def classes() -> tuple[np.ndarray, np.ndarray]:
    """Columns of unlike scales, so that a scaler in front would be seen."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 4)) * [1, 30, 0.1, 5]
    return X, np.array(["no", "yes", "maybe"])[np.digitize(X[:, 0] + rng.normal(size=90), [-1, 1])]


CLASSIFIERS = [
    "ensemble.AdaBoostClassifier(n_estimators=5, random_state=1)",
    "ensemble.BaggingClassifier(random_state=1)",
    "ensemble.ExtraTreesClassifier(n_estimators=5, random_state=1)",
    "ensemble.GradientBoostingClassifier(n_estimators=5, random_state=1)",
    "ensemble.HistGradientBoostingClassifier(max_iter=5)",
    "ensemble.RandomForestClassifier(n_estimators=5, random_state=1)",
    "discriminant_analysis.LinearDiscriminantAnalysis()",
    "discriminant_analysis.QuadraticDiscriminantAnalysis()",
    "dummy.DummyClassifier()",
    "gaussian_process.GaussianProcessClassifier()",
    "linear_model.LogisticRegression()",
    "linear_model.Perceptron()",
    "linear_model.RidgeClassifier()",
    "linear_model.SGDClassifier(random_state=1)",
    "naive_bayes.GaussianNB()",
    "neighbors.KNeighborsClassifier()",
    "neighbors.NearestCentroid()",
    "neural_network.MLPClassifier(max_iter=20, random_state=1)",
    "svm.LinearSVC(random_state=1)",
    "svm.SVC()",
    "tree.DecisionTreeClassifier(random_state=1)",
]
REGRESSORS = [
    "linear_model.Ridge()",
    "linear_model.Lasso()",
    "neighbors.KNeighborsRegressor()",
    "svm.SVR()",
    "tree.DecisionTreeRegressor(random_state=1)",
    "gaussian_process.GaussianProcessRegressor()",
]
FORMS = {
    "array": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "columns first": np.asfortranarray,
    "frame": lambda X: pd.DataFrame(X, columns=list("abcd")),
}


def check_as_given(estimator, X, y, *, text=None, **options):
    """Hold what twofold scores against scikit-learn's cross-validation on the same splits."""
    splits = KFold(3, shuffle=True, random_state=2)
    scoring = options.get("metric")
    # One thread, as twofold's fits have: the number of threads decides the order of sums.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = cross_validate(estimator, X, y, scoring=scoring, cv=splits, error_score="raise")[
            "test_score"
        ]
    for learner in [estimator] if text is None else [estimator, text]:
        ours = run({"it": learner}, X, y, design=splits, store=":memory:", workers=0, **options)
        assert ours.value.tolist() == theirs.tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", CLASSIFIERS)
def test_classifiers_score_as_in_cross_validate_bit_for_bit(text):
    X, y = classes()
    form = list(FORMS.values())[len(text) % len(FORMS)]
    check_as_given(read_learner(f"sklearn.{text}").estimator, form(X), y, text=f"sklearn.{text}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", REGRESSORS)
def test_regressors_score_as_in_cross_validate_bit_for_bit(text):
    X, _ = classes()
    check_as_given(read_learner(f"sklearn.{text}").estimator, X, X @ [1, 0.1, 9, 0.3])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("estimator", [SVC(), LogisticRegression(max_iter=50)], ids=["svm", "lr"])
@pytest.mark.filterwarnings("ignore")
def test_rows_of_any_form_reach_the_learner_as_they_are(form, estimator):
    X, y = classes()
    check_as_given(estimator, FORMS[form](X), y)


@pytest.mark.parametrize("metric", ["neg_log_loss", "roc_auc_ovr", "f1_macro"])
def test_other_metrics_are_those_of_cross_validate_too(metric):
    check_as_given(LogisticRegression(max_iter=9999), *classes(), metric=metric)


def words_and_gaps() -> tuple[pd.DataFrame, np.ndarray]:
    X, y = classes()
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["word"] = np.array(["u", "v", "w"])[np.arange(90) % 3]
    frame.loc[::7, "b"] = np.nan
    return frame, y


PICK = make_column_transformer(
    (OneHotEncoder(), ["word"]), (SimpleImputer(strategy="mean"), list("abcd"))
)
TAKE_ALL = {
    "pipeline": make_pipeline(PICK, SVC()),
    "search": GridSearchCV(make_pipeline(PICK, SVC()), {"svc__C": [1, 10]}, cv=2),
    "vote": VotingClassifier([("one", make_pipeline(PICK, SVC())), ("none", "drop")]),
    "own step": make_pipeline(FunctionTransformer(lambda X: X[["a", "c"]]), SVC()),
}


@pytest.mark.parametrize("name", TAKE_ALL)
def test_learners_that_encode_and_fill_themselves_are_left_alone(name):
    check_as_given(TAKE_ALL[name], *words_and_gaps())


def test_categories_and_gaps_that_a_learner_takes_are_left_alone():
    frame, y = words_and_gaps()
    frame["word"] = frame["word"].astype("category")
    check_as_given(HistGradientBoostingClassifier(max_iter=5), frame, y)
    check_as_given(DecisionTreeClassifier(random_state=1), frame.drop(columns="word"), y)
    # The user's own way of filling goes first, by the mean and not by the median.
    filled = make_pipeline(StandardScaler(), SimpleImputer(strategy="mean"), SVC())
    check_as_given(filled, frame.drop(columns="word"), y)


def test_truths_are_numbers_to_a_learner():
    X, y = classes()
    check_as_given(SVC(), X > 0, y)
    check_as_given(SVC(), pd.DataFrame(X > 0), y)


def test_a_sparse_matrix_is_left_alone_where_it_is_taken():
    X, y = classes()
    sparse = csr_matrix(np.where(X > 0, X, 0))
    check_as_given(SVC(), sparse, y)
    words = describe_preparation(Learner("nb", GaussianNB()), read_dataset((sparse, y)))
    assert words == "sparse rows written out in full"


@pytest.mark.parametrize("text", ["svm.SVC()", "naive_bayes.GaussianNB()"])
def test_what_could_not_be_fitted_is_prepared_and_the_answer_says_so(text):
    frame, y = words_and_gaps()
    answer = compare({"it": f"sklearn.{text}", "c45": "c45"}, frame, y, design="2x5",
                     store=":memory:", workers=0)  # fmt: skip
    done = ["missing numbers filled with the median", "words one-hot encoded"]
    expected = [{"learner": "it", "datasets": ["data"], "done": done}]
    assert answer.to_dict()["prepared"] == expected
    (note,) = [note for note in answer.notes if note.code == "prepared"]
    methods = describe_methods(answer)
    for words in done:
        assert f"{words} for it" in methods
        assert words in note.detail
    assert "c45" not in note.detail
    plain = compare({"it": f"sklearn.{text}", "c45": "c45"}, frame[list("acd")], y, design="2x5",
                    store=":memory:", workers=0)  # fmt: skip
    assert "prepared" not in plain.to_dict()
    assert "prepared" not in {note.code for note in plain.notes}


def test_columns_that_are_left_out_are_left_out_of_the_rows_as_given():
    X, y = classes()
    for rows in (X, FORMS["frame"](X)):
        name = "x2" if rows is X else "b"
        kept = read_dataset((rows, y), drop=name)
        assert np.asarray(kept.original).tolist() == X[:, [0, 2, 3]].tolist()
