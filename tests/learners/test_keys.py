"""What a key covers: everything that decides a result, wherever it stands, and nothing else."""

import functools
import importlib
import os
import pickle
import random
import subprocess
import sys
import textwrap
import threading
import types

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

import twofold
from twofold.designs import parse_design
from twofold.execution.fit_task import Job, TaskContext
from twofold.execution.store import MemoryStore
from twofold.learners import Learner, read_learner
from twofold.learners.key_parts import compare_keys, parse_key
from twofold.learners.keys import make_fingerprint

MODEL = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
{imports}

class Model(ClassifierMixin, BaseEstimator):
    def __init__(self, k=0):
        self.k = k
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        {inside}
        return np.full(len(X), {value})
"""


@pytest.fixture(autouse=True)
def no_bytecode(monkeypatch):
    """Python takes bytecode for current when a file changes within a second and keeps its size."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


def make_model(imports="", value="0", inside="pass"):
    return MODEL.format(imports=imports, value=value, inside=inside)


def read(folder):
    return read_learner(f"{folder / 'mine.py'}:Model")


def predict(learner):
    return int(learner.estimator.predict(np.zeros((1, 1)))[0])


@pytest.fixture(autouse=True)
def same_path(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))


# Files.

PROJECTS = {
    "from a helper": (make_model("from helper import ONE", "ONE"), {"helper.py": "ONE = {}"}),
    "a helper": (make_model("import helper", "helper.ONE"), {"helper.py": "ONE = {}"}),
    "folders in folders": (
        make_model("from outer.inner import thing", "thing.ONE"),
        {"outer/inner/thing.py": "ONE = {}"},
    ),
    "another name": (
        make_model("import helper as h", "h.f()"),
        {"helper.py": "def f(): return {}"},
    ),
    "inside a function": (
        make_model("", "helper.f()", "import helper"),
        {"helper.py": "def f(): return {}"},
    ),
    "inside a function, taken": (
        make_model("", "f()", "from helper import f"),
        {"helper.py": "def f():\n    return {}"},
    ),
    "a helper's helper": (
        make_model("import helper", "helper.f()"),
        {
            "helper.py": "def f():\n    import second\n    return second.ONE",
            "second.py": "ONE = {}",
        },
    ),
    "a package": (
        make_model("import pack.deep.part", "pack.deep.part.f()"),
        {
            "pack/__init__.py": "",
            "pack/deep/__init__.py": "",
            "pack/deep/part.py": "def f(): return {}",
        },
    ),
    "a package's own": (
        make_model("from pack import f", "f()"),
        {"pack/__init__.py": "from .part import f", "pack/part.py": "def f(): return {}"},
    ),
    "two dots": (
        make_model("from pack.deep.part import f", "f()"),
        {
            "pack/__init__.py": "",
            "pack/value.py": "ONE = {}",
            "pack/deep/__init__.py": "",
            "pack/deep/part.py": "def f():\n    from ..value import ONE\n    return ONE",
        },
    ),
    "a star": (
        make_model("from pack import *", "part.ONE"),
        {"pack/__init__.py": "__all__ = ['part']", "pack/part.py": "ONE = {}"},
    ),
    "a folder": (
        make_model("import bare_folder.part as p", "p.ONE"),
        {"bare_folder/part.py": "ONE = {}"},
    ),
    "a parent": (
        "import numpy as np\nfrom helper import Parent\nclass Model(Parent):\n    pass\n",
        {"helper.py": make_model("", "{}").replace("class Model", "class Parent")},
    ),
    "by its name": (
        make_model("from importlib import import_module", "import_module('byname').ONE"),
        {"byname.py": "ONE = {}"},
    ),
}


@pytest.mark.parametrize("project", PROJECTS, ids=str)
def test_files_count_wherever_they_are_imported(project, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "byname", raising=False)
    main, files = PROJECTS[project]
    keys = []
    for number, folder in ((1, "a"), (2, "a"), (1, "b")):
        sys.modules.pop("byname", None)
        write(tmp_path / folder, {"mine.py": main})
        write(tmp_path / folder, {name: text.format(number) for name, text in files.items()})
        learner = read(tmp_path / folder)
        keys.append(learner.key)
        if folder == "a":
            assert predict(learner) == number
    assert keys[0] != keys[1]
    assert keys[0] == keys[2]  # the folder decides nothing
    assert compare_keys(*keys[:2])[0].kind == "file"


def test_two_projects_with_a_helper_each_keep_their_own(tmp_path):
    for folder, number in (("old", 1), ("new", 2)):
        write(
            tmp_path / folder,
            {
                "mine.py": make_model("", "helper.ONE", "import helper"),
                "helper.py": f"ONE = {number}",
            },
        )
    old, new = read(tmp_path / "old"), read(tmp_path / "new")
    assert [predict(old), predict(new), predict(old)] == [1, 2, 1]
    assert old.key != new.key
    assert "helper" not in sys.modules


def test_a_helper_that_is_imported_late_is_refused_if_it_has_changed(tmp_path):
    files = {"mine.py": make_model("import early", "late.f()", "import late"), "early.py": ""}
    write(tmp_path, {**files, "late.py": "def f(): return 1"})
    learner = read(tmp_path)
    write(tmp_path, {"late.py": "def f(): return 2"})
    with pytest.raises(ImportError, match=r"late\.py has changed since it was read"):
        predict(learner)


def test_a_helper_whose_name_is_put_together_can_be_imported(tmp_path):
    files = {"mine.py": make_model("", "__import__('hel' + 'per').ONE"), "helper.py": "ONE = 1"}
    write(tmp_path, files)
    assert predict(read(tmp_path)) == 1


@pytest.mark.parametrize("name", ["a/more", "more"], ids=["inside", "outside"])
def test_a_file_may_put_a_folder_on_the_path(name, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "far", raising=False)
    imports = f"import sys\nsys.path.insert(0, {str(tmp_path / name)!r})\nimport far"
    write(tmp_path, {"a/mine.py": make_model(imports, "far.ONE"), f"{name}/far.py": "ONE = 1"})
    learner = read(tmp_path / "a")
    assert predict(learner) == 1
    assert "far.py=" in learner.key
    assert make_fingerprint(learner.estimator).unknown == ()
    pickle.loads(pickle.dumps(learner.estimator))
    write(tmp_path, {f"{name}/far.py": "ONE = 22"})  # after it was imported: not to be kept
    fingerprint = make_fingerprint(read(tmp_path / "a").estimator)
    assert fingerprint.unknown == ("far.py has changed since it was imported",)


def test_libraries_that_files_import_count(tmp_path):
    write(tmp_path, {"mine.py": make_model("import helper"), "helper.py": "import pandas, joblib"})
    libraries = parse_key(read(tmp_path).key).sections["library"]
    assert {"joblib", "numpy", "pandas", "python", "scikit-learn", "scipy"} == set(libraries)


def test_the_key_and_the_code_are_the_same_in_another_process(tmp_path):
    write(
        tmp_path,
        {
            "mine.py": make_model("import helper\nWORDS = {'a', 'b', 'c', 'd'}", "helper.f(WORDS)"),
            "helper.py": "SETTINGS = {'x': {'p', 'q', 'r'}}\ndef f(words):\n    "
            "return len(words & {'a', 'b', 'z'}) + len(SETTINGS)",
        },
    )
    code = (
        "import sys; from twofold.learners import read_learner;print(read_learner(sys.argv[1]).key)"
    )
    keys = [
        subprocess.run(
            [sys.executable, "-c", code, f"{tmp_path / 'mine.py'}:Model"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert keys == [read(tmp_path).key] * 2


def test_a_helper_that_changed_is_refused_by_others(tmp_path):
    write(tmp_path, {"mine.py": make_model("import helper"), "helper.py": "ONE = 1"})
    packed = pickle.dumps(read(tmp_path).estimator)
    write(tmp_path, {"helper.py": "ONE = 2"})
    for name in [name for name in sys.modules if str(tmp_path).encode().hex() in name]:
        del sys.modules[name]
    with pytest.raises(ImportError, match="has changed since it was read"):
        pickle.loads(packed)


@pytest.fixture
def module(tmp_path):
    """Write a module, import it as a user would, and forget it afterwards."""
    sys.path.insert(0, str(tmp_path))
    names = []

    def make(text, name="plainly_imported"):
        write(tmp_path, {f"{name}.py": text})
        importlib.invalidate_caches()
        names.append(name)
        sys.modules.pop(name, None)
        return importlib.import_module(name)

    yield make
    for name in names:
        sys.modules.pop(name, None)


def test_code_outside_of_libraries_counts_by_content_though_it_has_a_version(
    module, tmp_path, monkeypatch
):
    write(
        tmp_path,
        {"plainly_imported-1.0.dist-info/METADATA": "Name: plainly_imported\nVersion: 1.0\n"},
    )
    imported = module("def f(x): return x")
    sections = parse_key(make_fingerprint(FunctionTransformer(imported.f)).text).sections
    assert "plainly_imported.py" in sections["file"]
    # With a list of installed files it is a library.
    write(tmp_path, {"plainly_imported-1.0.dist-info/RECORD": "plainly_imported.py,,\n"})
    from twofold.learners import source_files

    source_files._find_installed.cache_clear()
    sections = parse_key(make_fingerprint(FunctionTransformer(imported.f)).text).sections
    assert sections["library"]["plainly_imported"] == "1.0"
    source_files._find_installed.cache_clear()


def test_a_module_that_is_older_than_its_file_is_not_kept(module, tmp_path):
    imported = module("def f(x):\n    return x + 1\n")
    estimator = FunctionTransformer(imported.f)
    assert make_fingerprint(estimator).unknown == ()
    write(tmp_path, {"plainly_imported.py": "# more\ndef f(x):\n    return x + 1  # the same\n"})
    assert make_fingerprint(estimator).unknown == ()
    write(tmp_path, {"plainly_imported.py": "def f(x):\n    return x + 2\n"})
    unknown = make_fingerprint(estimator).unknown
    assert unknown == ("plainly_imported.py has changed since it was imported",)
    importlib.reload(imported)
    assert make_fingerprint(FunctionTransformer(imported.f)).unknown == ()


def test_a_file_that_changed_after_it_was_read_is_not_kept(tmp_path):
    write(tmp_path, {"mine.py": make_model("import helper", "helper.ONE"), "helper.py": "ONE = 1"})
    learner = read(tmp_path)
    write(tmp_path, {"helper.py": "ONE = 2"})
    assert "has changed" in learner.fingerprint.unknown[0]


# What functions and classes read.

TABLE = [1.0, 2.0]
WORDS = {"a": 1}
ARRAY = np.zeros(3)
SCALE = 2


class Thing:
    """A value with attributes, a class attribute and a method."""

    shift = 1

    def __init__(self):
        self.inner = {"weights": [1, 2]}

    def __call__(self, X):
        return X * self.inner["weights"][0] + self.shift


THING = Thing()
FITTED = LinearRegression().fit([[0.0], [1.0]], [0.0, 1.0])


def read_table(X):
    return X * TABLE[0]


def read_words(X):
    return [WORDS["a"] for _ in X]


def read_array(X):
    return X + ARRAY.sum()


def read_thing(X):
    return THING(X)


def read_fitted(X):
    return FITTED.predict(X)


def read_through_another(X):
    def inside():
        return read_table(X)

    return inside()


def read_scale(X, by=SCALE):
    return X * (by if by else SCALE)


@functools.lru_cache
def read_cached(X):
    return SCALE


def read_class(X):
    return X + Thing.shift


def changed_list():
    TABLE[0] += 1


def changed_dict():
    WORDS["b"] = 1


def changed_array():
    ARRAY[1] += 1


def changed_attribute():
    THING.inner["weights"].append(1)


def changed_class():
    Thing.shift += 1


def changed_fit():
    FITTED.fit([[0.0], [1.0]], [0.0, random.random()])


def changed_scale():
    globals()["SCALE"] += 1


def changed_method():
    number = random.random()
    Thing.__call__ = lambda self, X: X * number


def changed_default():
    read_scale.__defaults__ = (read_scale.__defaults__[0] + 1,)


@pytest.mark.parametrize(
    ("reader", "change"),
    [
        (read_table, changed_list),
        (read_through_another, changed_list),
        (functools.partial(read_table), changed_list),
        (lambda X: read_table(X), changed_list),
        (lambda X: [read_table(x) for x in X], changed_list),
        (read_words, changed_dict),
        (read_array, changed_array),
        (read_thing, changed_attribute),
        (THING, changed_attribute),
        (THING.__call__, changed_attribute),
        (read_thing, changed_class),
        (read_class, changed_class),
        (read_fitted, changed_fit),
        (read_scale, changed_scale),
        (read_scale, changed_default),
        (read_cached, changed_scale),
        (Thing(), changed_class),
        (Thing(), changed_method),
    ],
)
def test_what_a_function_reads_counts_as_it_is_now(reader, change):
    def key():
        return make_fingerprint(FunctionTransformer(reader)).text

    before = key()
    assert key() == before
    change()
    assert key() != before


def test_what_is_only_named_like_an_attribute_does_not_count():
    def read_attribute(X):
        return X.TABLE

    before = make_fingerprint(FunctionTransformer(read_attribute)).text
    changed_list()
    assert make_fingerprint(FunctionTransformer(read_attribute)).text == before


def test_closures_and_wrappers_count():
    def make(number, deep=0):
        def inner(X):
            return X + deep

        @functools.wraps(inner)
        def outer(X):
            return inner(X) * number

        return outer

    texts = [make_fingerprint(FunctionTransformer(make(*numbers))).text for numbers in
             ((1,), (1,), (2,), (1, 1))]  # fmt: skip
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_functions_with_the_same_name_are_told_apart():
    first, second = (lambda X: X), (lambda X: X + 1)

    def key(*functions):
        return make_fingerprint(FunctionTransformer(functions[0], functions[1])).text

    assert len({key(first, second), key(second, first), key(first, first)}) == 3


def test_a_class_without_a_file_counts_by_its_code_and_what_it_imports():
    def make(value, inside="pass"):
        module = types.ModuleType("typed_in")
        exec(make_model("", value, inside), vars(module))
        return make_fingerprint(module.Model()).text

    assert make("1") == make("1") != make("2")
    assert "joblib" in make("1", "import joblib.numpy_pickle")
    assert "joblib" not in make("1")


def test_order_and_identity_do_not_count():
    text = [make_fingerprint(FunctionTransformer(kw_args=value)).text for value in
            ({"a": 1, "b": {"x", "y"}}, {"b": {"y", "x"}, "a": 1})]  # fmt: skip
    assert text[0] == text[1]


def test_long_values_are_digests():
    short = make_fingerprint(FunctionTransformer(kw_args={"a": list(range(10_000))})).text
    assert len(short) < 500
    assert (
        short != make_fingerprint(FunctionTransformer(kw_args={"a": list(range(1, 10_001))})).text
    )


# What differs between two keys.


def test_the_differences_of_two_keys_are_named():
    def key(C=1.0, functions=(read_table, None), version=""):
        steps = [("first", FunctionTransformer(*functions)), ("svm", SVC(C=C))]
        text = make_fingerprint(Pipeline(steps)).text + " | nothing"
        return text.replace("scikit-learn ", f"scikit-learn {version}")

    def compare(before, after):
        return [str(change) for change in compare_keys(before, after)]

    first = key()
    assert compare(first, first) == []
    assert compare(first, key(C=2.5)) == ["parameter steps.svm.C 1.0 → 2.5"]
    assert compare(first, key(version="0."))[0].startswith("scikit-learn ")
    assert compare(first, first.replace("nothing", "scaled")) == ["what is done to the rows"]
    assert compare(key(functions=(read_words, None)), first) == [
        "parameter steps.first.func test_keys.read_words → test_keys.read_table",
        "code test_keys.read_table added",
        "code test_keys.read_words gone",
        "value test_keys.TABLE added",
        "value test_keys.WORDS gone",
    ]
    before = first
    changed_list()
    assert compare(before, key())[0].startswith("value test_keys.TABLE [")
    assert compare("mine.Old(a=1) [scikit-learn 1.2] | nothing", first) == [
        "the version of twofold"
    ]


@pytest.mark.parametrize("text", ['a, [b] ] | " c', "'; files: x=1]", "=", "\\'", "(('"])
def test_keys_are_taken_apart_whatever_stands_in_them(text):
    def key(value):
        return make_fingerprint(FunctionTransformer(kw_args={text: value})).text + " | nothing"

    parts = parse_key(key(text))
    assert parts.preparation == "nothing"
    assert set(parts.sections) == {"library"}
    (change,) = compare_keys(key(text), key(1))
    assert (change.kind, change.name) == ("parameter", "kw_args")


def test_a_text_that_is_no_key_is_compared_all_the_same():
    deep = "f(a=" * 5000 + "1" + ")" * 5000
    assert [change.kind for change in compare_keys(deep, deep.replace("1", "2"))] == ["parameter"]
    for text in ("", "[", "x [files: ; code: a]", "a | b | c", "'", "x [libraries: ] | "):
        assert compare_keys(text, text) == []
        assert compare_keys(text, "m.M(k=1) [libraries: numpy 2.0] | nothing")


# What cannot be written down.

X = np.random.default_rng(1).normal(size=(30, 2))
Y = np.repeat(["no", "yes"], 15)


class Holding(FunctionTransformer):
    """A classifier that holds anything."""

    def __init__(self, thing=None):
        self.thing = thing

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def run(learner, store, workers=0):
    options = {"design": "2x3", "workers": workers, "progress": False}
    return twofold.run({"held": learner}, X, Y, store=store, **options)


class Lasting:
    """Copies are the same object, as open files would be."""

    def __init__(self, thing):
        self.thing = thing

    def __deepcopy__(self, memo):
        return self


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (threading.Lock(), "`thing` holds a thread.lock"),
        ((i for i in range(3)), "`thing` holds a generator"),
        (sys.stdout.buffer, "`thing` holds a io."),
        (np.frompyfunc(abs, 1, 1), "`thing` holds a ufunc"),
    ],
)
def test_what_cannot_be_written_down_is_run_and_not_kept(thing, words):
    store = MemoryStore()
    scores = [run(Holding(Lasting(thing)), store) for _ in range(2)]
    assert np.array_equal(scores[0].value, scores[1].value)
    assert store.tasks() == []
    for each in scores:
        (note,) = [note for note in each.notes if note.code == "not-kept"]
        assert words in note.detail
        assert "held" in note.detail


def test_what_can_be_written_down_is_kept():
    store = MemoryStore()
    run(Holding(Lasting([1, 2])), store)
    assert len(store.tasks()) == 2


def test_other_values_elsewhere_are_noticed(module):
    imported = module("SCALE = 1\ndef f(X):\n    return X * SCALE\n")
    learner = Learner("any", FunctionTransformer(imported.f))
    assert learner.fingerprint.unknown == ()
    sent = pickle.dumps(learner)
    assert pickle.loads(sent).find_changes() == []
    imported.SCALE = 2
    assert [str(change) for change in pickle.loads(sent).find_changes()] == [
        "value plainly_imported.SCALE 1 → 2"
    ]


def test_a_worker_that_sees_other_values_does_not_keep_its_results(module, tmp_path):
    text = make_model("SCALE = 0", "SCALE")
    imported, store = module(text), MemoryStore()
    assert run(imported.Model(), store, workers=1).value.size
    assert len(store.tasks()) == 2
    imported.SCALE = 1
    (note,) = [n for n in run(imported.Model(), store, workers=1).notes if n.code == "not-kept"]
    assert "not as in the main process: value plainly_imported.SCALE 1 → 0" in note.detail
    assert len(store.tasks()) == 2


def test_a_worker_refuses_a_file_that_has_changed(module, tmp_path, monkeypatch):
    learner = Learner("held", module(make_model()).Model())
    assert learner.fingerprint.unknown == ()
    data = twofold.read_dataset((X, Y))
    context = TaskContext([data], [learner], parse_design("2x3"), 0)
    write(tmp_path, {"plainly_imported.py": make_model(value="1")})
    monkeypatch.setattr("twofold.execution.fit_task.is_worker", lambda: True)
    (done,) = context.do((Job(0, 0, 0),))
    assert done.failure is not None
    assert "plainly_imported.py has changed since it was read" in done.failure.message
