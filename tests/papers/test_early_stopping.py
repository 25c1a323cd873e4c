"""Stopping on many experiments at once is stopping on each alone."""

import numpy as np

from twofold.seeds import rng
from twofold.stats import corrected_cv_t, predict_replicability
from twofold_papers.twofold2026.early_stopping import stop_early


def test_stopping_at_once_is_stopping_one_by_one():
    random = rng(1, "runs")
    centre = np.linspace(0, 0.06, 8)[:, None, None, None]
    x = random.normal(centre, 0.06, (8, 3, 12, 10))
    stops = stop_early(x, 0.95)
    assert stops.runs.min() == 5
    assert stops.runs.max() > 5
    for i, j in np.ndindex(8, 3):
        for runs in range(5, 13):
            here = x[i, j, :runs]
            if predict_replicability(here).limit_agreement >= 0.95:
                break
        answer = corrected_cv_t(here)
        expected = np.sign(here.mean()) * (answer.pvalue <= 0.05)
        assert (stops.runs[i, j], stops.outcomes[i, j]) == (runs, expected)
