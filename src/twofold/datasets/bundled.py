"""scikit-learn's data sets, out of its files: to import it would take longer than most work."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

BUNDLED = ("iris", "wine", "breast_cancer", "digits", "diabetes")

_MEASURES = (
    "radius texture perimeter area smoothness compactness concavity concave_points symmetry "
    "fractal_dimension"
)
MEASURES = [word.replace("_", " ") for word in _MEASURES.split()]

FILES = {
    "iris": "iris.csv",
    "wine": "wine_data.csv",
    "breast_cancer": "breast_cancer.csv",
    "digits": "digits.csv.gz",
}
FEATURES = {
    "iris": [f"{part} {side} (cm)" for part in ("sepal", "petal") for side in ("length", "width")],
    "wine": (
        "alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids "
        "nonflavanoid_phenols proanthocyanins color_intensity hue od280/od315_of_diluted_wines "
        "proline"
    ).split(),
    "breast_cancer": [
        *(f"mean {measure}" for measure in MEASURES),
        *(f"{measure} error" for measure in MEASURES),
        *(f"worst {measure}" for measure in MEASURES),
    ],
    "digits": [f"pixel_{row}_{column}" for row in range(8) for column in range(8)],
}


def load_bundled(name: str) -> dict[str, Any]:
    """Return what scikit-learn's ``load_…`` returns, as far as it makes a data set."""
    path = _find_file(name)
    if path is None:  # made from several files, or kept in another way by another version
        import sklearn.datasets

        load: Callable[[], dict[str, Any]] = getattr(sklearn.datasets, f"load_{name}")
        return load()
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        labels = range(10) if name == "digits" else file.readline().strip().split(",")[2:]
        cells = np.loadtxt(file, delimiter=",")
    rows = cells[:, :-1]
    return {
        # In memory as scikit-learn has them, which may decide the last digit of a sum.
        "data": rows if name == "digits" else np.ascontiguousarray(rows),
        "target": cells[:, -1].astype(int),
        "target_names": list(labels),
        "feature_names": FEATURES[name],
    }


def _find_file(name: str) -> Path | None:
    library = find_spec("sklearn")
    folders = [] if library is None else library.submodule_search_locations or []
    files = [Path(folder, "datasets", "data", FILES.get(name, "")) for folder in folders]
    return next((file for file in files if file.is_file()), None)
