"""Sources that users write as a function of rows and a generator."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from twofold.dataset import Attribute, Dataset
from twofold.datasets.read import read_dataset
from twofold.errors import InputError, describe_error
from twofold.seeds import rng as seeded
from twofold.simulation.source import Drawn, Source, check_size

Draws = Callable[[int, np.random.Generator], Any]
SAMPLE = 200  # rows that are drawn once to learn what the columns and classes are


@dataclass(frozen=True)
class FunctionSource(Source):
    """A function ``draw(rows, rng)`` that returns ``(X, y)``, a frame or a data set.

    Attributes
    ----------
    label : str
        Its name.
    function : callable, optional
        Left out, it is found by the name, ``file.py:function``; so worker processes find it too.
    """

    label: str
    function: Draws | None = field(default=None, compare=False)

    def __reduce__(self) -> tuple[type[FunctionSource], tuple[str, Draws | None]]:
        # What was loaded from a file stays behind; the other process loads it again.
        return FunctionSource, (self.label, self.function)

    @property
    def name(self) -> str:
        """Its name, on the command line where it came from there."""
        return self.label

    @cached_property
    def _function(self) -> Draws:
        if self.function is not None:
            return self.function
        path, _, name = self.name.rpartition(":")
        return _from_file(path, name)

    @cached_property
    def _sample(self) -> Dataset:
        sample = self._call(SAMPLE, seeded(0, "source", "sample"))
        if sample.classes is None:
            raise InputError(
                f"{self.name} draws numbers to predict, not classes.", "Return classes as y."
            )
        return sample

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The columns of a sample."""
        return self._sample.attributes

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of a sample."""
        return self._sample.declared_classes or self._sample.classes or ()

    def draw(self, rows: int, rng: np.random.Generator) -> Dataset:
        """Return what the function draws."""
        check_size(1, rows)
        return self._call(rows, rng)

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return X and y of several calls of the function."""
        check_size(count, rows)
        codes = {name: code for code, name in enumerate(self.classes)}
        drawn = [self._call(rows, rng) for _ in range(count)]
        try:
            y = [[codes[label] for label in dataset.labels] for dataset in drawn]
        except KeyError as error:
            raise InputError(
                f"{self.name} drew the class {error.args[0]!r}, which {SAMPLE} rows before "
                "did not hold.",
                "Return a data set whose declared_classes are all there are.",
            ) from None
        return np.stack([dataset.X for dataset in drawn]), np.array(y)

    def _call(self, rows: int, rng: np.random.Generator) -> Dataset:
        try:
            rows_drawn = self._function(rows, rng)
        except InputError:
            raise
        except Exception as error:
            raise InputError(
                f"{self.name} failed: {describe_error(error)}.",
                "It is called with a number of rows and a numpy generator.",
            ) from None
        dataset = read_dataset(rows_drawn, name=self.name)
        if dataset.rows != rows:
            raise InputError(
                f"{self.name} was asked for {rows} rows and gave {dataset.rows}.",
                "Let it return as many rows as it is asked for.",
            )
        return dataset


@lru_cache(maxsize=16)
def _from_file(path: str, name: str) -> Draws:
    file = Path(os.path.realpath(os.path.expanduser(path)))
    if not os.path.isfile(file):
        raise InputError(f"There is no file {path!r}.", "Check the name and the folder.")
    module_name = f"twofold_source_{str(file).encode().hex()}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{path!r} is not a Python file.", "Name a file that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module_name]
        raise InputError(
            f"{path!r} cannot be imported: {describe_error(error)}.",
            f"Try it by itself: python {path}",
        ) from None
    function: Draws | None = getattr(module, name, None)
    if function is None or not callable(function):
        there = sorted(key for key in vars(module) if callable(getattr(module, key)))
        raise InputError(
            f"{path!r} has no function {name!r}.",
            f"It has: {', '.join(there)}." if there else "It has no functions.",
        )
    return function
