"""Learners' text that wants to do something else: nothing runs, and the answer has two lines."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from torture.attack import Attack, Harm
from twofold import InputError
from twofold.learners import read_learner

TEXTS = 50
"""Texts in a trial."""

# Things that must not happen while text is read. Importing a package may write compiled code.
EVENTS = ("os.system", "os.exec", "os.posix_spawn", "os.fork", "os.remove", "os.rename", "os.rmdir")
EVENTS += ("os.mkdir", "os.chmod", "os.kill", "os.putenv", "shutil.", "subprocess.Popen", "socket.")
EVENTS += ("webbrowser.", "pty.", "ftplib.", "urllib.", "pickle.find_class", "sqlite3.")

HOSTILE = """
os.system('touch {file}')
os.remove('{file}')
subprocess.run(['touch','{file}'])
subprocess.Popen('{file}')
shutil.make_archive('{file}','zip')
shutil.rmtree('{folder}')
test.support.script_helper.make_script('{folder}','x','1')
builtins.exec('1')
builtins.open('{file}','w')
pathlib.Path('{file}').touch()
runpy.run_path('{file}')
webbrowser.open('http://x')
antigravity.x()
importlib.import_module('planted')
planted.Learner()
planted.make_learner()
planted.x
{folder}/planted.py:Learner
numpy.memmap('{file}','int8','w+',0,9)
numpy.save('{file}',1)
numpy.load('{file}')
numpy.fromfile('{file}')
joblib.dump(1,'{file}')
joblib.load('{file}')
joblib.Memory('{folder}/m')
pandas.read_pickle('{file}')
pandas.DataFrame()
numpy.f2py.__main__
numpy.f2py.__main__.x()
pip.__main__.x()
twofold.__main__.x
twofold.cli.main(['x'])
sklearn.svm.SVC.__init__.__globals__
sklearn.svm.SVC.__subclasses__()
sklearn.base.clone(1)
sklearn.datasets.load_files('{folder}')
sklearn.datasets.dump_svmlight_file(1,2,'{file}')
numpy.savetxt('{file}',[1])
twofold.writing.write_whole('{file}','x')
twofold.execution.store.open_store('{file}')
scipy.io.savemat('{file}',dict)
timeit.timeit('1')
code.interact()
pdb.set_trace()
ctypes.CDLL('{file}')
tempfile.mkdtemp()
logging.FileHandler('{file}')
__import__('os')
(lambda:0)()
[].append(1)
nb.__class__()
knn.fit
os
sys.exit()
eval('1')
exec('1')
""".strip().split("\n")
HARMLESS = """
nb()
knn(n_neighbors=3)
tree
sklearn.svm.SVC(C=10)
sklearn.svm.SVC(kernel=sklearn.metrics.pairwise.rbf_kernel)
sklearn.naive_bayes.GaussianNB()
sklearn.dummy.DummyClassifier(strategy='uniform')
""".strip().split("\n")
FRAMES = """
{0}
x={0}
sklearn.pipeline.make_pipeline({0},nb())
sklearn.pipeline.Pipeline([('a',{0}),('b',nb())])
sklearn.pipeline.make_pipeline(sklearn.preprocessing.FunctionTransformer(func={0}),nb())
knn(metric={0})
sklearn.pipeline.make_pipeline(sklearn.preprocessing.FunctionTransformer(kw_args={'a':{0}}),nb())
sklearn.ensemble.VotingClassifier([('a',{0}),('b',nb())])
sklearn.svm.SVC(C=1,**{'kernel':{0}})
sklearn.ensemble.BaggingClassifier(*[{0}])
sklearn.ensemble.BaggingClassifier(estimator={0})
sklearn.model_selection.GridSearchCV(knn(),{'metric':[{0}]})
sklearn.pipeline.make_pipeline({0}).x
sklearn.svm.SVC(C=[{0} for x in y])
sklearn.svm.SVC(C={0} if 1 else 2)
sklearn.svm.SVC(C=f'{{0}}')
({0})
[{0}]
{0};{0}
-{0}
{0}({0})
{0}[0]
not {0}
""".strip().split("\n")
LETTERS = "()[]{}.,=:'\"\\\n\x00\x1b\u202e\ud800 _*-+0aé" + "\U0001f600"

_watching: list[str] | None = None


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Read hostile texts, as the user's own and as somebody else's."""
    _arm()
    file = folder / "tripped"
    planted = (
        f"open({str(file)!r}, 'w').close()\nfrom sklearn.dummy import DummyClassifier as Learner\n"
    )
    (folder / "planted.py").write_text(planted, "utf-8")
    harm: list[Harm] = []
    sys.path.append(str(folder))
    written = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # Python itself makes a folder for that
    try:
        for _ in range(TEXTS):
            harm += _try(_make_text(random, folder, file), folder, file)
    finally:
        sys.dont_write_bytecode = written
        sys.path.remove(str(folder))
        sys.modules.pop("planted", None)
    return harm


def _make_text(random: Random, folder: Path, file: Path) -> str:
    text = random.choice(HOSTILE if random.random() < 0.8 else HARMLESS)
    for _ in range(random.choice((0, 1, 1, 1, 2, 3, 40))):
        if len(text) > 30_000:
            break
        text = random.choice(FRAMES).replace("{0}", text)
    text = text.replace("{file}", str(file)).replace("{folder}", str(folder))
    if random.random() < 0.3:
        signs = list(text)
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(signs) + 1)
            signs[at : at + random.choice((0, 0, 1, 3))] = random.choice(LETTERS)
        text = "".join(signs)
    return text


def _try(text: str, folder: Path, file: Path) -> list[Harm]:
    global _watching
    harm = []
    for allow in ((), None):
        # One's own text may import what it names; that is all it does.
        names_planted = "planted" in text and allow is None
        before = set(os.listdir(folder))
        _watching = []
        try:
            learner = read_learner(text, allow=allow)
        except InputError as error:
            lines = str(error).split("\n")
            if len(lines) != 2 or any(not line.isprintable() for line in lines):
                harm.append(Harm("wrong", f"{text[:200]!r}: {str(error)!r}"))
        else:
            harm += _check(learner.estimator, text)
        finally:
            events, _watching = _watching, None
        harm += [Harm("wrong", f"{event} by {text[:200]!r}") for event in events]
        fresh = set(os.listdir(folder)) - before - {"__pycache__"}
        if fresh - ({file.name} if names_planted else set()):
            harm.append(Harm("wrong", f"{sorted(fresh)} by {text[:200]!r}, allow={allow}"))
        file.unlink(missing_ok=True)
    return harm


def _check(estimator: Any, text: str) -> list[Harm]:
    """Look for functions of the standard library among the parameters."""
    values = list(estimator.get_params(deep=True).values())
    for value in values:
        if isinstance(value, list | tuple):
            values += value
        elif isinstance(value, dict):
            values += value.values()
    modules = {getattr(value, "__module__", None) or "numpy" for value in values if callable(value)}
    bad = {module for module in modules if module.partition(".")[0] in sys.stdlib_module_names}
    return [Harm("wrong", f"{module} in {text[:200]!r}") for module in bad]


def _arm() -> None:
    """Watch what Python does, once per process; hooks cannot be taken away."""
    if hasattr(sys, "_twofold_watched"):
        return
    sys._twofold_watched = True  # type: ignore[attr-defined]
    # What packages do when they are imported is not watched.
    for text in HARMLESS:
        read_learner(text)
    for name in ("joblib", "pandas", "pip", "scipy.io"):
        with suppress(ImportError):
            import_module(name)
    sys.addaudithook(_watch)


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching is None:
        return
    if event.startswith(EVENTS):
        _watching.append(event)
    elif event == "open" and isinstance(arguments[0], str):
        writes = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes and "__pycache__" not in arguments[0] and "tripped" not in arguments[0]:
            _watching.append(f"open {arguments[0]}")


ATTACKS = [Attack("learners' text that wants to run something", attempt, trials=400, short=2)]
