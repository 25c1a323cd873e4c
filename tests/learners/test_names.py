"""Reading what users write."""

import os
import pickle
import subprocess
import sys
import textwrap

import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC

from twofold.errors import InputError
from twofold.learners import Learner, read_learner, read_learners
from twofold.learners.naive_bayes import NaiveBayes


def test_names_and_parameters():
    assert isinstance(read_learner("nb").estimator, NaiveBayes)
    assert read_learner("nb").label == "nb"
    three = read_learner("knn(n_neighbors=3)")
    assert (three.estimator.n_neighbors, three.label) == (3, "knn(n_neighbors=3)")
    assert isinstance(read_learner("knn").estimator, KNeighborsClassifier)
    assert isinstance(read_learner("knn", regression=True).estimator, KNeighborsRegressor)
    assert isinstance(read_learner("linear", regression=True).estimator, LinearRegression)


def test_import_paths_and_parts():
    text = (
        "sklearn.pipeline.make_pipeline(sklearn.preprocessing.StandardScaler(), "
        "sklearn.svm.SVC(C=10, class_weight={'a': -1.5}))"
    )
    learner = read_learner(text)
    assert learner.label == "StandardScaler+SVC"
    svc = learner.estimator.steps[1][1]
    assert (svc.C, svc.class_weight) == (10, {"a": -1.5})
    vote = read_learner("sklearn.ensemble.VotingClassifier([('a', nb()), ('b', knn())])")
    assert [type(one).__name__ for _, one in vote.estimator.estimators] == [
        "NaiveBayes",
        "KNeighborsClassifier",
    ]


def test_short_names_with_a_dash():
    for text in ("nb-loess(share=0.25)", " nb-loess (share=0.25)", "nb_loess(share=0.25)"):
        assert read_learner(text).estimator.share == 0.25
    learner = read_learner("mine = knn-gauss(k=3)")
    assert (learner.label, learner.estimator.k) == ("mine", 3)
    assert read_learner("nb-discrete").label == "nb-discrete"


def test_labels():
    assert read_learner("my svm = sklearn.svm.SVC(C=10)").label == "my svm"
    assert read_learner("nb", label="Bayes").label == "Bayes"
    assert read_learner(("mine", SVC())).label == "mine"
    assert read_learner({"mine": SVC()}).label == "mine"
    assert [one.label for one in read_learners({"a": SVC(), "b": "nb"})] == ["a", "b"]
    assert [one.label for one in read_learners(("nb", "c45"))] == ["nb", "c45"]
    assert [one.label for one in read_learners(["nb", ("x", SVC()), Learner("y", SVC())])] == [
        "nb",
        "x",
        "y",
    ]
    assert [one.label for one in read_learners("nb")] == ["nb"]
    assert [one.label for one in read_learners(SVC())] == ["SVC"]


def test_labels_are_made_distinct_by_parameters_or_refused():
    labels = [one.label for one in read_learners([SVC(C=1.0), SVC(C=2.0), "nb"])]
    assert labels == ["SVC", "SVC(C=2.0)", "nb"]
    for twice in (["nb", "nb"], [("a", SVC()), ("a", GaussianNB())], [SVC(), SVC()]):
        with pytest.raises(InputError, match="Two learners are called"):
            read_learners(twice)


def test_a_learner_does_not_see_later_changes():
    mine = SVC(C=1.0)
    learner = read_learner(mine)
    mine.set_params(C=5.0)
    assert learner.estimator.C == 1.0


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("logistik", "Did you mean 'logistic'"),
        ("sklearn.ensemble.RandomForrestClassifier", "Did you mean 'RandomForestClassifier'"),
        ("sklearn.svm.SVC(c=3)", "Did you mean 'C'"),
        ("sklearn.svm.SVC(C=-3)", "Got -3"),
        ("sklearn.svm.SVC(C=1+x)", "neither a plain value"),
        ("sklearn.svm.SVC(C=__import__('os').getpid())", "neither a plain value"),
        ("os.system('true')", "not something a learner is built from"),
        ("subprocess.Popen('true')", "not something a learner is built from"),
        ("shutil.make_archive('x', 'zip')", "not something a learner is built from"),
        ("test.support.script_helper.make_script('x', 'y', '1')", "not something a learner"),
        ("antigravity.Learner()", "not something a learner is built from"),
        ("numpy.f2py.__main__.Learner()", "not something a learner is built from"),
        ("sklearn.svm.SVC.__init__", "not something a learner is built from"),
        ("sklearn.datasets.make_classification()", "not something a learner is built from"),
        ("scipy.stats.rv_continuous()", "not something a learner is built from"),
        ("knn(metric=os.system)", "not something a learner is built from"),
        ("knn(metric=numpy.save)", "function that is allowed"),
        ("knn(metric=sklearn.datasets.load_files)", "function that is allowed"),
        ("knn(metric=sklearn.metrics.pairwise.delayed)", "function that is allowed"),
        ("knn(metric=sklearn.metrics)", "function that is allowed"),
        ("knn(metric=numpy.ndarray)", "function that is allowed"),
        ("sklearn.ensemble.BaggingClassifier(" * 9 + "nb()" + ")" * 9, "parts within each other"),
        ("knn(metric=" + "[" * 100 + "]" * 100 + ")", "parts within each other"),
        ("knn" + ".a" * 5000, "cannot be read"),
        ("-" * 50_000 + "1", "cannot be read"),
        ("knn(metric={[]: 1})", "neither a plain value"),
        ("no_such_library.Thing()", "No module named"),
        ("sklearn.preprocessing.StandardScaler()", "has no `predict`"),
        ("linear", "predicts numbers"),
        ("nb(1)", "by name only"),
        ("(", "cannot be read"),
        ("", "cannot be read"),
        ("3", "is not a learner"),
        ("missing.py:thing", "There is no file"),
        ("thing.py", "Name what is in it"),
        (object(), "not an estimator"),
        (SVC, "is a class"),
        (("", SVC()), "empty"),
        ([], "No learner is named"),
    ],
)
def test_what_cannot_be_used_is_refused_in_two_lines(spec, words):
    read = read_learners if spec == [] else read_learner
    with pytest.raises(InputError) as caught:
        read(spec)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(
    "text",
    [
        "sklearn.svm.SVC(kernel=sklearn.metrics.pairwise.laplacian_kernel)",
        "knn(metric=scipy.spatial.distance.cosine)",
        "sklearn.gaussian_process.GaussianProcessClassifier("
        "sklearn.gaussian_process.kernels.RBF(1.0))",
        "sklearn.model_selection.GridSearchCV(knn(), {'n_neighbors': [1, 3]}, "
        "cv=sklearn.model_selection.StratifiedKFold(3), "
        "scoring=sklearn.metrics.make_scorer(sklearn.metrics.f1_score))",
        "sklearn.pipeline.make_pipeline("
        "sklearn.impute.SimpleImputer(missing_values=numpy.nan), "
        "sklearn.preprocessing.FunctionTransformer(func=numpy.log1p), "
        "sklearn.preprocessing.FunctionTransformer(func=scipy.special.expit), "
        "sklearn.preprocessing.OneHotEncoder(dtype=numpy.float32), "
        "sklearn.feature_selection.SelectKBest(sklearn.feature_selection.f_classif), nb())",
        "sklearn.pipeline.make_pipeline(sklearn.compose.make_column_transformer("
        "(sklearn.pipeline.make_union(sklearn.decomposition.PCA()), "
        "sklearn.compose.make_column_selector(dtype_include=numpy.number))), nb())",
    ],
)
def test_parts_and_functions_that_anybody_may_name(text):
    assert read_learner(text, allow=()).key == read_learner(text).key


def test_text_from_elsewhere_names_what_it_is_allowed(file, tmp_path):
    sys.path.insert(0, str(tmp_path))
    file.rename(tmp_path / "somebodys.py")
    (tmp_path / "somebodys.py").write_text("import beside_somebody\n" + MINE)
    (tmp_path / "beside_somebody.py").write_text("")
    path = str(tmp_path / "somebodys.py")
    bagged = "sklearn.ensemble.BaggingClassifier(somebodys.Always())"
    for text in ("somebodys.Always()", bagged, "knn(metric=somebodys.number)", f"{path}:three"):
        with pytest.raises(InputError, match="may not name") as caught:
            read_learner(text, allow=["catboost"])
        assert "`allow=" in caught.value.remedy
    assert not {"somebodys", "beside_somebody"} & set(sys.modules)
    assert read_learner(bagged, allow=["somebodys"]).label == "BaggingClassifier"
    assert read_learner(f"{path}:three", allow=[path]).estimator.answer == 3
    with pytest.raises(InputError, match="takes packages"):
        read_learner("nb", allow=["somebodys.Always"])
    del sys.modules["somebodys"]


def test_names_of_a_file_as_parameters(file):
    file.write_text(MINE + "def double(x):\n    return 2 * x\n")
    learner = read_learner(f"{file}:Always(answer=double)")
    assert learner.estimator.answer(4) == 8
    with pytest.raises(InputError, match="not something a learner"):
        read_learner(f"{file}:Always(answer=os.system)")


MINE = """
from sklearn.base import BaseEstimator, ClassifierMixin
import beside

class Always(ClassifierMixin, BaseEstimator):
    def __init__(self, answer=beside.ANSWER):
        self.answer = answer
    def fit(self, X, y):
        self.classes_ = sorted(set(y))
        return self
    def predict(self, X):
        return [self.answer] * len(X)

three = Always(3)
number = 3
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "beside", raising=False)
    (tmp_path / "beside.py").write_text("ANSWER = 1\n")
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_objects_and_classes_from_a_file(file):
    assert read_learner(f"{file}:three").estimator.answer == 3
    assert read_learner(f"{file}:Always").estimator.answer == 1
    assert read_learner(f"{file}:three").label == "three"
    assert read_learner(f"x={file}:three").label == "x"


def test_the_source_of_the_file_is_part_of_the_key_and_its_folder_is_not(file, tmp_path):
    before = read_learner(f"{file}:three").key
    assert read_learner(f"{file}:three").key == before
    (tmp_path / "other").mkdir()
    moved = tmp_path / "other" / "mine.py"
    moved.write_text(MINE)
    assert read_learner(f"{moved}:three").key == before
    file.write_text(MINE.replace("[self.answer]", "[self.answer + 1]"))
    changed = read_learner(f"{file}:three")
    assert changed.key != before
    assert changed.estimator.predict([0]) == [4]


def test_another_process_can_unpickle_it_but_not_from_a_changed_file(file, tmp_path):
    packed = tmp_path / "packed"
    packed.write_bytes(pickle.dumps(read_learner(f"{file}:three").estimator))
    code = f"import pickle; print(pickle.load(open({str(packed)!r}, 'rb')).predict([0]))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}

    def another():
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )

    assert another().stdout.strip() == "[3]"
    file.write_text(MINE + "\n")
    assert "has changed since it was read" in another().stderr


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (MINE, "tree", "Did you mean 'three'"),
        (MINE, "number", "not an estimator"),
        ("1/0", "x", "ZeroDivisionError"),
        ("def", "x", "SyntaxError"),
        ("import no_such_library", "x", "no_such_library"),
        ("x = 3", "y", "Define an estimator there"),
    ],
)
def test_files_that_cannot_be_used(file, content, name, words):
    file.write_text(textwrap.dedent(content))
    with pytest.raises(InputError) as caught:
        read_learner(f"{file}:{name}")
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 2
