"""Learners and their keys."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from twofold.errors import InputError
from twofold.learners import Learner, read_learner
from twofold.learners.c45 import C45
from twofold.learners.classifier import clone as our_clone


def key(estimator):
    return Learner("any", estimator).key


def test_the_label_is_not_part_of_the_key():
    assert Learner("a", SVC()).key == Learner("b", SVC()).key


def test_parameters_and_versions_are():
    import sklearn

    assert key(SVC(C=1.0)) != key(SVC(C=2.0))
    assert "C=2.0" in key(SVC(C=2.0))
    assert f"scikit-learn {sklearn.__version__}" in key(SVC())


def test_what_changes_no_prediction_is_not():
    assert key(RandomForestClassifier(n_jobs=2, verbose=1)) == key(RandomForestClassifier())


def test_parts_of_parts_count():
    def pipe(c):
        return make_pipeline(StandardScaler(), BaggingClassifier(SVC(C=c)))

    assert key(pipe(1.0)) == key(pipe(1.0))
    assert key(pipe(1.0)) != key(pipe(2.0))


def test_arrays_and_functions_count_by_content():
    assert key(GaussianNB(priors=np.array([0.5, 0.5]))) != key(
        GaussianNB(priors=np.array([0.4, 0.6]))
    )
    assert key(FunctionTransformer(np.log1p)) != key(FunctionTransformer(np.sqrt))
    assert key(FunctionTransformer(lambda x: x + 1)) == key(FunctionTransformer(lambda x: x + 1))
    assert key(FunctionTransformer(lambda x: x + 1)) != key(FunctionTransformer(lambda x: x + 2))
    one, two = 1, 2
    assert key(FunctionTransformer(lambda x: x + one)) != key(
        FunctionTransformer(lambda x: x + two)
    )


def test_objects_without_parameters_count_by_their_attributes():
    def search(folds):
        return GridSearchCV(SVC(), {"C": [1, 2]}, cv=KFold(folds))

    assert key(search(3)) == key(search(3))
    assert key(search(3)) != key(search(4))


def test_an_estimator_that_stays_fitted_counts_by_its_fit():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    one = FrozenEstimator(DecisionTreeClassifier(random_state=0).fit(X, [0, 0, 1, 1]))
    two = FrozenEstimator(DecisionTreeClassifier(random_state=0).fit(X, [0, 1, 1, 1]))
    assert key(one) != key(two)


def test_fitting_does_not_change_the_key():
    before = key(GaussianNB())
    assert key(GaussianNB().fit([[0.0], [1.0]], [0, 1])) == before


def test_a_value_that_cannot_be_written_down_is_refused():
    with pytest.raises(InputError, match="cannot be written down"):
        key(FunctionTransformer(kw_args={"x": (i for i in range(3))}))


def test_the_key_is_the_same_in_another_process():
    code = "from twofold.learners import read_learner; print(read_learner({!r}).key)"
    spec = "sklearn.ensemble.VotingClassifier([('a', sklearn.svm.SVC()), ('b', knn())])"
    out = subprocess.run(
        [sys.executable, "-c", code.format(spec)], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == read_learner(spec).key


def test_a_class_typed_at_a_prompt_counts_by_its_code():
    code = """
from sklearn.base import BaseEstimator, ClassifierMixin
class Mine(ClassifierMixin, BaseEstimator):
    def fit(self, X, y): return self
    def predict(self, X): return {}
from twofold.learners import Learner
print(Learner("mine", Mine()).key)
"""
    keys = [
        subprocess.run(
            [sys.executable, "-"],
            input=code.format(number),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in (1, 1, 2)
    ]
    assert keys[0] == keys[1] != keys[2]


def test_our_classifiers_are_copied_and_written_as_scikit_learn_does():
    learner = C45(m=3, nominal=np.array([True]))
    copy = our_clone(learner)
    assert copy is not learner
    assert copy.nominal is not learner.nominal
    assert repr(clone(C45(m=3, cf=0.1))) == repr(our_clone(C45(cf=0.1, m=3))) == "C45(cf=0.1, m=3)"
    assert our_clone(LogisticRegression(C=3)).C == 3
    with pytest.raises(InputError, match=r"no parameter 'mm'.*\n.*'m'"):
        learner.set_params(mm=3)
    X, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    assert learner.set_params(nominal="auto").fit(X, y).score(X, y) == 1.0
