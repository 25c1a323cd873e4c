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
WHOLE = {"all-40-classifiers.csv.gz": (40, 142)}
"""Files that are tables of several learners: how many, on how many data sets."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_read_truly_or_refused(path):
    if path.name in WHOLE:
        scores = read_scores(path)
        assert (len(scores.learners), len(scores.datasets)) == WHOLE[path.name]
        return
    with pytest.raises(InputError) as caught:
        read_scores(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 2
    if path.name.endswith("_accuracy.csv"):
        assert "repetitions of one learner" in lines[0]
