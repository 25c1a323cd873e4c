"""What workers load before learners are read."""

import pytest
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from twofold.learners.c45 import C45
from twofold.learners.expected_modules import expect_modules


@pytest.mark.parametrize(
    ("learners", "modules"),
    [
        (["nb", "tree=c45(m=3)", "twofold.learners.c45.C45"], None),
        ([C45(), "GaussianNB", 3, ("a", "b")], None),
        ("nb", None),
        (["nb", "svm"], {"sklearn.svm"}),
        (["mean"], {"sklearn.dummy"}),
        (["mine=sklearn.naive_bayes.GaussianNB(var_smoothing=0.1)"], {"sklearn.naive_bayes"}),
        ("twofold.learners.noisy.Noisy(sklearn.svm.SVC())", {"sklearn.svm"}),
        (["mine.py:Model"], set()),
        ({"a": "xgboost.XGBClassifier(n_estimators=3)"}, set()),
    ],
)
def test_modules_are_guessed_from_names(learners, modules):
    assert expect_modules(learners) == modules


def test_modules_of_estimators_are_those_of_their_parts():
    modules = expect_modules({"a": make_pipeline(SVC()), "b": C45()})
    assert modules is not None
    assert {"sklearn.pipeline", "sklearn.svm._classes"} <= modules
