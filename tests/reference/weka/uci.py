"""The 27 data sets of Bouckaert & Frank (2004), where they are at hand, for tests and benchmarks.

A small ARFF reader that knows just what these files need, so that the references do not hang on
the reader of the package.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np

from twofold.dataset import Attribute, Dataset

NAMES = (
    "anneal arrhythmia audiology autos balance-scale breast-cancer breast-w colic credit-a "
    "credit-g diabetes ecoli glass heart-h heart-statlog hepatitis ionosphere iris labor lymph "
    "primary-tumor sonar soybean vehicle vote vowel zoo"
).split()
DROPPED = {"zoo": "animal"}


def folder() -> Path | None:
    """Where the data files are: TWOFOLD_DATA, or a folder ``shared/datasets`` further up."""
    named = os.environ.get("TWOFOLD_DATA")
    if named:
        return Path(named)
    for above in Path(__file__).resolve().parents:
        for place in (above / "shared" / "datasets", above / "work" / "shared" / "datasets"):
            if (place / "vowel.arff").exists():
                return place
    return None


def _words(text: str) -> list[tuple[str, bool]]:
    """Split at commas outside quotes; a word and whether it was quoted."""
    words, current, quote, quoted = [], "", "", False
    for mark in text:
        if quote:
            if mark == quote:
                quote = ""
            else:
                current += mark
        elif mark in "'\"" and not current.strip():
            quote, quoted, current = mark, True, ""
        elif mark == ",":
            words.append((current.strip(), quoted))
            current, quoted = "", False
        else:
            current += mark
    words.append((current.strip(), quoted))
    return words


def read(path: Path) -> Dataset:
    """Read an ARFF file whose last attribute is the class; only classes that occur are kept."""
    attributes: list[Attribute] = []
    rows: list[list[tuple[str, bool]]] = []
    in_data = False
    for line in path.read_text("utf-8", errors="replace").splitlines():
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            rows.append(_words(line))
        elif line.lower().startswith("@data"):
            in_data = True
        elif line.lower().startswith("@attribute"):
            rest = line[len("@attribute") :].strip()
            if rest[0] in "'\"":
                name, kind = rest[1:].split(rest[0], 1)
            else:
                name, kind = [*rest.split(None, 1), ""][:2]
            kind = kind.strip()
            values = None
            if kind.startswith("{"):
                values = tuple(word for word, _ in _words(kind[1 : kind.rindex("}")]))
            attributes.append(Attribute(name, values))
    table = np.full((len(rows), len(attributes)), np.nan)
    for i, row in enumerate(rows):
        assert len(row) == len(attributes), f"{path.name}, row {i}: {len(row)} values"
        for j, (word, quoted) in enumerate(row):
            if word == "?" and not quoted:
                continue
            values = attributes[j].values
            table[i, j] = float(word) if values is None else values.index(word)
    occurs, y = np.unique(table[:, -1].astype(int), return_inverse=True)
    classes = tuple((attributes[-1].values or ())[code] for code in occurs)
    keep = [j for j, a in enumerate(attributes[:-1]) if a.name != DROPPED.get(path.stem)]
    return Dataset(
        path.stem,
        tuple(attributes[j] for j in keep),
        np.ascontiguousarray(table[:, keep]),
        y.astype(np.intp),
        classes,
    )


def write(dataset: Dataset, path: Path) -> None:
    """Write a data set for Weka, its names replaced by numbers."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("@relation data\n")
        for j, attribute in enumerate(dataset.attributes):
            kind = "numeric"
            if attribute.values is not None:
                kind = "{" + ",".join(f"v{k}" for k in range(len(attribute.values))) + "}"
            file.write(f"@attribute a{j} {kind}\n")
        names = ",".join(f"c{k}" for k in range(len(dataset.classes or ())))
        file.write(f"@attribute class {{{names}}}\n@data\n")
        rows = csv.writer(file, lineterminator="\n")
        nominal = [attribute.nominal for attribute in dataset.attributes]
        for row, code in zip(dataset.X, dataset.y, strict=True):
            cells = [
                "?" if np.isnan(x) else f"v{int(x)}" if words else repr(float(x))
                for x, words in zip(row, nominal, strict=True)
            ]
            rows.writerow([*cells, f"c{code}"])
