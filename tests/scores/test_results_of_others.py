"""Results files of other tools are read truly or refused in two lines, never as something else.

TWOFOLD_RESULTS names a folder of them, such as published results of time series classifiers.
"""

import os
from pathlib import Path

import pytest

from twofold import InputError, read_scores

FOLDER = os.environ.get("TWOFOLD_RESULTS", "")
FILES = sorted(path for path in Path(FOLDER).rglob("*") if path.is_file()) if FOLDER else []
pytestmark = pytest.mark.skipif(not FILES, reason="TWOFOLD_RESULTS names no folder of results")
SHAPES = {
    "all-40-classifiers.csv.gz": (40, 142),
    "HC2_accuracy.csv": (1, 142),
    "cv.csv": (2, 2),
    "cv.arff": (2, 2),
    "split.csv": (2, 2),
    "split.arff": (2, 2),
    "results.csv": (2, 2),
}
"""Files that hold scores on data sets: of how many learners, on how many."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_read_truly_or_refused(path):
    if not (path.name in SHAPES or path.match("*_accuracy.csv") or path.match("results_*.json")):
        with pytest.raises(InputError) as caught:
            read_scores(path)
        assert len(str(caught.value).splitlines()) == 2
        return
    scores = read_scores(path)
    shape = SHAPES.get(path.name)
    if shape is not None:
        assert (len(scores.learners), len(scores.datasets)) == shape
    else:  # of the same kinds, of one learner each
        assert len(scores.learners) == 1
