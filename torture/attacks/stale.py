"""Projects in which something that decides the result is changed: no old result may come back.

A project is a learner in a file with helpers, or in memory as in a notebook. It predicts one
number, the sum of many parts, each of which stands somewhere else; so any change can be seen in
its score.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import twofold
from torture.attack import Attack, Harm
from twofold.execution.store import MemoryStore, open_store

MAIN = """
import functools
import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
{top}

class Model({parents}RegressorMixin, BaseEstimator):
    {body}
    def __init__(self, a=0, b=None):
        self.a = a
        self.b = b
    def fit(self, X, y):
        self.parts_ = [self.a, len(str(self.b))]
        return self
    def predict(self, X):
        {inside}
        return np.full(len(X), float({total} + sum(self.parts_)))
"""


@dataclass(frozen=True)
class Part:
    """A way to hold a number: files, lines at the top, in the class and in the method, and a term.

    ``{n}`` stands for the number, ``{i}`` for the number of the part.
    """

    term: str
    files: dict[str, str] = field(default_factory=dict)
    top: str = ""
    body: str = ""
    inside: str = ""
    parent: str = ""


PARTS = [
    Part("{n}"),
    Part("C{i}", top="C{i} = {n}"),
    Part("f{i}()", top="def f{i}(): return {n}"),
    Part("f{i}()", top="f{i} = lambda x={n}: x"),
    Part("f{i}()", top="def make{i}(x): return lambda: x\nf{i} = make{i}({n})"),
    Part("f{i}()", top="f{i} = functools.partial(max, {n}, -1)"),
    Part("f{i}()", top="@functools.lru_cache\ndef f{i}(): return {n}"),
    Part("T{i}['x'][1]", top="T{i} = {{'x': [0, {n}]}}"),
    Part("A{i}[2]", top="A{i} = np.array([0, 1, {n}])"),
    Part("self.c{i}", body="c{i} = {n}"),
    Part("self.m{i}()", body="@staticmethod\n    def m{i}(): return {n}"),
    Part("self.p{i}", body="p{i} = property(lambda self: {n})"),
    Part("O{i}.x", top="class K{i}:\n    def __init__(self): self.x = {n}\nO{i} = K{i}()"),
    Part("C{i}", {"h{i}.py": "C{i} = {n}"}, top="from h{i} import C{i}"),
    Part("h{i}.C", {"h{i}.py": "C = {n}"}, top="import h{i}"),
    Part("h{i}.f()", {"h{i}.py": "def f(): return {n}"}, inside="import h{i}"),
    Part("C{i}", {"h{i}.py": "C{i} = {n}"}, inside="from h{i} import C{i}"),
    Part("h{i}.T['x'].y", {"h{i}.py": "class K: y = {n}\nT = {{'x': K()}}"}, top="import h{i}"),
    Part(
        "h{i}.f()",
        {"h{i}.py": "def f():\n    from g{i} import C\n    return C", "g{i}.py": "C = {n}"},
        top="import h{i}",
    ),
    Part(
        "f{i}()",
        {"p{i}/__init__.py": "from .q import f{i}", "p{i}/q.py": "def f{i}(): return {n}"},
        top="from p{i} import f{i}",
    ),
    Part(
        "p{i}.q.r.C",
        {"p{i}/__init__.py": "", "p{i}/q/__init__.py": "", "p{i}/q/r.py": "C = {n}"},
        top="import p{i}.q.r",
    ),
    Part(
        "r{i}.f()",
        {
            "p{i}/__init__.py": "C = {n}",
            "p{i}/q/__init__.py": "",
            "p{i}/q/r{i}.py": "from .. import C\ndef f(): return C",
        },
        top="from p{i}.q import r{i}",
    ),
    Part("s{i}.t.C", {"s{i}/t.py": "C = {n}"}, top="import s{i}.t"),
    Part(
        "self.c{i}",
        {"h{i}.py": "class P{i}:\n    c{i} = {n}"},
        "from h{i} import P{i}",
        parent="P{i}",
    ),
    Part(
        "C{i}",
        {"h{i}.py": "C{i} = {n}"},
        top="try:\n    from h{i} import C{i}\nexcept ImportError:\n    C{i} = 0",
    ),
]
"""Each is tried in files; those without files in memory, too."""


@dataclass
class Project:
    """Some parts and their numbers, the learner's parameters, and the data."""

    parts: list[Part]
    numbers: list[int]
    a: int = 0
    b: str = "x"
    shift: int = 0

    @classmethod
    def draw(cls, random: Random, choices: list[Part]) -> Project:
        """Choose parts and numbers."""
        parts = [random.choice(choices) for _ in range(random.randint(1, 6))]
        return cls(parts, [random.randint(10, 99) for _ in parts], random.randint(0, 9))

    def change(self, random: Random) -> str:
        """Change one thing; return what."""
        kind = random.choice(["number"] * 6 + ["a", "b", "data"])
        if kind == "a":
            self.a += 1
        elif kind == "b":
            self.b += "x"
        elif kind == "data":
            self.shift += 1
        else:
            chosen = random.randrange(len(self.parts))
            # As long as before: neither the size of a file nor, at times, its time tells.
            self.numbers[chosen] = self.numbers[chosen] % 89 + 10
            return f"the number of {self.parts[chosen]}"
        return kind

    def write(self, folder: Path) -> None:
        """Write all files."""
        files = {"mine.py": self._main()}
        for i, (part, n) in enumerate(zip(self.parts, self.numbers, strict=True)):
            files |= {k.format(i=i): v.format(i=i, n=n) for k, v in part.files.items()}
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    def _main(self) -> str:
        numbered = list(enumerate(zip(self.parts, self.numbers, strict=True)))

        def join(name: str, separator: str) -> str:
            texts = [getattr(part, name).format(i=i, n=n) for i, (part, n) in numbered]
            return separator.join(text for text in texts if text)

        parents = join("parent", ", ")
        return MAIN.format(
            top=join("top", "\n"),
            body=join("body", "\n    ") or "pass",
            inside=join("inside", "\n        ") or "pass",
            parents=f"{parents}, " if parents else "",
            total=join("term", " + "),
        )

    def define(self) -> Any:
        """Return the learner as one typed in at a prompt, where there is no file."""
        module = types.ModuleType("typed_in")
        exec(self._main(), vars(module))
        return module.Model(self.a, self.b)

    @property
    def data(self) -> tuple[Any, Any]:
        """Rows and numbers to predict."""
        rows = np.arange(24.0)
        return rows.reshape(12, 2), rows[:12] + self.shift


def run(learner: Any, project: Project, store: Any, workers: int = 0) -> list[float]:
    """Return the scores of a learner, by default computed in this process."""
    options: dict[str, Any] = {"design": "2x3", "metric": "mae", "progress": False}
    scores = twofold.run({"any": learner}, *project.data, store=store, workers=workers, **options)
    return [float(value) for value in scores.value]


@contextmanager
def forget_modules(folder: Path) -> Iterator[None]:
    """Forget what was imported from a folder."""
    path = list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in [name for name in sys.modules if str(folder).encode().hex() in name]:
            del sys.modules[name]


def compare(kept: list[float], fresh: list[float], changed: str) -> list[Harm]:
    """Return harm where a store gives other scores than no store."""
    if kept == fresh:
        return []
    return [
        Harm("stale", f"{kept[0]} from a store, {fresh[0]} without, after a change of {changed}")
    ]


def attempt_files(random: Random, folder: Path) -> list[Harm]:
    """Change a project of files between runs with one store, in one process."""
    project = Project.draw(random, PARTS)
    store, harm = MemoryStore(), []
    text = f"{folder / 'mine.py'}:Model(a={{}}, b={{!r}})"
    with forget_modules(folder):
        project.write(folder)
        run(text.format(project.a, project.b), project, store)
        for _ in range(3):
            changed = project.change(random)
            project.write(folder)
            learner = text.format(project.a, project.b)
            before = len(store.tasks())
            kept = run(learner, project, store)
            harm += compare(kept, run(learner, project, MemoryStore()), changed)
            if len(store.tasks()) != before + 2:
                harm.append(Harm("stale", f"no run was kept after a change of {changed}"))
            run(learner, project, store)
            if len(store.tasks()) != before + 2:
                harm.append(Harm("wrong", f"run again without a change, after one of {changed}"))
    return harm


def attempt_imported(random: Random, folder: Path) -> list[Harm]:
    """Change files that were imported before, with and without importing them again."""
    project = Project.draw(random, PARTS)
    store, harm = MemoryStore(), []
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    # Compiled copies go by size and whole seconds, and would be taken for the changed files.
    sys.dont_write_bytecode, written = True, sys.dont_write_bytecode
    try:
        project.write(folder)
        importlib.invalidate_caches()
        mine = importlib.import_module("mine")
        run(mine.Model(project.a, project.b), project, store)
        for _ in range(3):
            changed = project.change(random)
            project.write(folder)
            reloaded = random.choice([[], ["mine"], ["helpers", "mine"]])
            for name in sorted(set(sys.modules) - before - {"mine"}, key=len, reverse=True):
                if "helpers" in reloaded and name[0] in "hgps" and name[1:2].isdigit():
                    importlib.reload(sys.modules[name])
            if "mine" in reloaded:
                importlib.reload(mine)
            learner = mine.Model(project.a, project.b)
            words = f"{changed}, imported again: {' and '.join(reloaded) or 'nothing'}"
            kept = run(learner, project, store)
            harm += compare(kept, run(learner, project, MemoryStore()), words)
    finally:
        sys.dont_write_bytecode = written
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
        for name in [name for name in set(sys.modules) - before if name[1:].isdigit()]:
            del sys.modules[name]
    return harm


def attempt_workers(random: Random, folder: Path) -> list[Harm]:
    """Change a project of files between runs in worker processes."""
    project = Project.draw(random, PARTS)
    store, text = MemoryStore(), f"{folder / 'mine.py'}:Model(a={{}}, b={{!r}})"
    with forget_modules(folder):
        project.write(folder)
        run(text.format(project.a, project.b), project, store, workers=1)
        changed = project.change(random)
        project.write(folder)
        learner = text.format(project.a, project.b)
        kept = run(learner, project, store, workers=1)
        harm = compare(kept, run(learner, project, MemoryStore()), changed)
        if len(store.tasks()) != 4:
            harm.append(Harm("lost", f"{len(store.tasks())} of 4 runs kept, {changed}"))
    return harm


def attempt_memory(random: Random, folder: Path) -> list[Harm]:
    """Define a learner anew between runs, as in a notebook, or change what it reads."""
    project = Project.draw(random, [part for part in PARTS if not part.files])
    store, harm = MemoryStore(), []
    run(project.define(), project, store)
    for _ in range(3):
        changed = project.change(random)
        learner = project.define()
        kept = run(learner, project, store)
        harm += compare(kept, run(learner, project, MemoryStore()), changed)
        before = len(store.tasks())
        run(project.define(), project, store)
        if len(store.tasks()) != before:
            harm.append(Harm("wrong", f"run again without a change, after one of {changed}"))
        changed = _change_in_place(random, learner)
        harm += compare(run(learner, project, store), run(learner, project, MemoryStore()), changed)
    return harm


def _change_in_place(random: Random, learner: Any) -> str:
    """Change a global or an attribute of the class that the learner reads."""
    variables = type(learner).predict.__globals__
    choices = {
        name: value
        for name, value in variables.items()
        if name[0] in "CTAOf" and name[1:].isdigit()
    }
    if not choices:
        return "nothing"
    name = random.choice(sorted(choices))
    value = choices[name]
    if name[0] == "C":
        variables[name] += 1
    elif name[0] == "T":
        value["x"][1] += 1
    elif name[0] == "A":
        value[2] += 1
    elif name[0] == "O":
        value.x += 1
    else:
        number = random.random()
        variables[name] = lambda: number
    return f"the global {name}"


ELSEWHERE = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from random import Random
from torture.attacks.stale import PARTS, Project, run
from twofold.execution.store import open_store
project = Project.draw(Random({seed}), PARTS)
with open_store({store!r}) as store:
    for _ in range(2):
        print(run({learner!r}, project, store), len(store.tasks()))
"""


def attempt_elsewhere(random: Random, folder: Path) -> list[Harm]:
    """Run the same project in another folder and process: what is there must be used."""
    seed = random.randrange(2**32)
    project = Project.draw(Random(seed), PARTS)
    here, there, file = folder / "here", folder / "there", folder / "runs.sqlite"
    project.write(here)
    learner = f"mine.py:Model(a={project.a}, b={project.b!r})"
    with forget_modules(folder), open_store(file) as store:
        kept = run(f"{here}/{learner}", project, store)
    shutil.copytree(here, there)
    code = ELSEWHERE.format(
        root=str(Path(__file__).parents[2]),
        seed=seed,
        store=str(file),
        learner=f"{there}/{learner}",
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": str(random.randrange(1000))},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.stdout.splitlines() != [f"{kept} 2"] * 2:
        return [Harm("wrong", f"{kept} 2, but elsewhere {done.stdout or done.stderr[-500:]}")]
    return []


ATTACKS = [
    Attack("change a project of files", attempt_files, trials=300, short=4),
    Attack("change a learner in memory", attempt_memory, trials=300, short=4),
    Attack("change files that were imported", attempt_imported, trials=300, short=4),
    Attack("change a project that workers run", attempt_workers, trials=40, short=1),
    Attack("run a project elsewhere", attempt_elsewhere, trials=40, short=1),
]
