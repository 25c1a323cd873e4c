"""What Weka 3.6.14 says about every row of the 27 data sets of Bouckaert & Frank (2004).

tests/reference/weka/record.py wrote the predictions, for three runs of ten folds; Weka is not
needed here.
"""

import numpy as np
import pytest
from samples import WEKA, real

from twofold.learners.c45 import C45
from twofold.learners.naive_bayes import NaiveBayes
from twofold.learners.nearest import NearestNeighbour

REFERENCE = np.load(WEKA / "predictions.npz")
NAMES = sorted({key.split("/")[0] for key in REFERENCE})
LEARNERS = {
    "naive-bayes": NaiveBayes(),
    "ib1": NearestNeighbour(ties="first"),
    "ibk": NearestNeighbour(ties="vote"),
    "c45": C45(),
}
# Two classes have the same chance, added up from fractions of rows; the last bit decides, and it
# depends on the order in which Weka's sorting leaves the rows.
DIFFERENCES = {("primary-tumor", "c45"): 1}


def test_there_are_27_data_sets():
    assert len(NAMES) == 27


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", NAMES)
def test_same_prediction_for_every_row(name, learner):
    dataset = real(name)
    weka = REFERENCE[f"{name}/{learner}"]
    ours = LEARNERS[learner].predict_folds(dataset, REFERENCE[f"{name}/folds"])
    assert ours.shape == weka.shape
    assert (ours != weka).sum() == DIFFERENCES.get((name, learner), 0)
