"""Where an answer comes from: files, data, versions, and the call that makes it again.

Files are noted where they are read, so that none is read twice for its digest. There is no time and
no folder in it that the user did not name: the same command gives the same bytes anywhere.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from twofold.escapes import make_visible

STANDARD_INPUT = "standard input"


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read, by the name that the user gave it."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ExperimentFile:
    """The file that described the experiment; ``overridden`` are options given beside it."""

    name: str
    sha256: str
    overridden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """What an answer was made from.

    Attributes
    ----------
    version : str
        Of twofold.
    seed : int
    command : str or None
        The line that was typed in a shell.
    python : str or None
        The call that asks the same in Python, where it can be written down.
    inputs : tuple of InputFile
        Files that were read, and their digests.
    data : mapping of str to str
        Data sets that learners were run on: a digest of their content, as tasks in the store have.
    learners : mapping of str to str or None
        Learners that were run: a digest of their parameters and of their code outside of
        libraries; None where not all of it can be seen.
    libraries : mapping of str to str
        Versions of what computed the numbers.
    experiment : ExperimentFile or None
    """

    version: str
    seed: int
    command: str | None = None
    python: str | None = None
    inputs: tuple[InputFile, ...] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    learners: Mapping[str, str | None] = field(default_factory=dict)
    libraries: Mapping[str, str] = field(default_factory=dict)
    experiment: ExperimentFile | None = None

    def __post_init__(self) -> None:
        """Write out control characters of what was typed."""
        for name in ("command", "python"):
            text = getattr(self, name)
            object.__setattr__(self, name, None if text is None else make_visible(text))


@dataclass
class ProvenanceRecord:
    """What is noted while an answer is made."""

    command: str | None = None
    experiment: ExperimentFile | None = None
    inputs: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    learners: dict[str, str | None] = field(default_factory=dict)
    libraries: dict[str, str] = field(default_factory=dict)

    def describe(self, seed: int, python: str | None) -> Provenance:
        """Return where the answer comes from."""
        from twofold import __version__

        return Provenance(
            version=__version__,
            seed=seed,
            command=self.command,
            python=python,
            inputs=tuple(InputFile(name, digest) for name, digest in self.inputs.items()),
            data=dict(self.data),
            learners=dict(self.learners),
            libraries=dict(sorted({**self.libraries, **find_versions()}.items())),
            experiment=self.experiment,
        )


_record: ContextVar[ProvenanceRecord | None] = ContextVar("record", default=None)


@contextmanager
def record_provenance(
    command: str | None = None, experiment: ExperimentFile | None = None
) -> Iterator[ProvenanceRecord]:
    """Note what is read until the end; inside another record, for an answer of its own."""
    above = _record.get() or ProvenanceRecord()
    record = ProvenanceRecord(command or above.command, experiment or above.experiment)
    token = _record.set(record)
    try:
        yield record
    finally:
        _record.reset(token)


@contextmanager
def pause_recording() -> Iterator[None]:
    """Note nothing for a while: files that the user did not name are read."""
    token = _record.set(None)
    try:
        yield
    finally:
        _record.reset(token)


def current_record() -> ProvenanceRecord | None:
    """Return where to note what an answer is made from, if anyone wants to know."""
    return _record.get()


def record_input(name: str | os.PathLike[str], content: bytes) -> None:
    """Note a file that was read."""
    record = _record.get()
    if record is not None:
        record.inputs[make_visible(os.fspath(name))] = digest_bytes(content)


def record_file(path: str | os.PathLike[str]) -> None:
    """Note a file that a library reads by itself."""
    record = _record.get()
    if record is not None:
        import hashlib

        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        record.inputs[make_visible(os.fspath(path))] = digest


def is_experiment(source: Any) -> bool:
    """Tell the name of an experiment file."""
    return isinstance(source, str | os.PathLike) and os.fspath(source).lower().endswith(".toml")


def digest_bytes(content: bytes) -> str:
    """Return the SHA-256 digest of some bytes, in hexadecimal."""
    import hashlib  # loads OpenSSL; `import twofold` need not wait for that

    return hashlib.sha256(content).hexdigest()


def find_versions() -> dict[str, str]:
    """Return the versions of Python, numpy and scipy, which do the arithmetic."""
    import numpy
    import scipy

    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }


def format_call(function: str, sources: Sequence[Any], keywords: Mapping[str, Any]) -> str | None:
    """Return a call as Python writes it; None where sources have no names, or a value is not plain.

    >>> format_call("twofold.compare", ["scores.csv"], {"control": "nb", "drop": ("a", "b")})
    'twofold.compare("scores.csv", control="nb", drop=["a", "b"])'
    >>> format_call("twofold.compare", [[[0.5, 0.6], [0.7, 0.6]]], {})
    """
    for source in sources:
        names = source if isinstance(source, list | tuple) else [source]
        if not all(isinstance(name, str | os.PathLike) for name in names):
            return None
    try:
        parts = [_write(value) for value in sources]
        parts += [f"{name}={_write(value)}" for name, value in keywords.items()]
    except TypeError:
        return None
    return f"{function}({', '.join(parts)})"


def _write(value: Any) -> str:
    import json
    import numbers

    if isinstance(value, str | os.PathLike):
        return json.dumps(str(value), ensure_ascii=False)  # quotes and escapes are Python's too
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, numbers.Real):  # numpy's are written as numbers, too
        return repr(int(value) if isinstance(value, numbers.Integral) else float(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_write, value))}]"
    raise TypeError(value)
