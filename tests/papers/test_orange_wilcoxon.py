"""Orange's p value of Wilcoxon's test: by hand, and beside scipy's approximation."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from demsar import TABLE6
from twofold import stats
from twofold.seeds import rng
from twofold_papers.demsar2006.orange_wilcoxon import compute_orange_wilcoxon


def test_by_hand():
    # Differences 1, 2, 3, −4, 5, 0: N = 5, T = min(11, 4) = 4, z = |4 − 7.5| / √13.75 = .94387,
    # and one tail of it is .17262.
    a = np.array([2.0, 4.0, 6.0, 1.0, 9.0, 7.0])
    b = np.array([1.0, 2.0, 3.0, 5.0, 4.0, 7.0])
    assert compute_orange_wilcoxon(a, b) == pytest.approx(0.17262, abs=5e-6)
    assert compute_orange_wilcoxon(b, a) == pytest.approx(0.17262, abs=5e-6)


def test_table_2_of_the_paper():
    # Zeros left out N = 12 and T = 6.5: z = 32.5 / √162.5 = 2.5495, one tail .00539.
    scores = np.round(TABLE6, 3)
    assert compute_orange_wilcoxon(scores[:, 1], scores[:, 0]) == pytest.approx(0.0054, abs=2e-4)
    right = stats.wilcoxon(scores[:, 1], scores[:, 0]).pvalue
    assert right == pytest.approx(0.0078, abs=5e-5)


def test_half_of_the_two_sided_approximation():
    random = rng(1, "orange")
    a, b = random.normal(size=(2, 40, 10))
    expected = scipy_stats.wilcoxon(a, b, axis=1, method="asymptotic", correction=False).pvalue / 2
    np.testing.assert_allclose(compute_orange_wilcoxon(a, b), expected, rtol=1e-12)


def test_never_above_a_half_unless_nothing_differs():
    random = rng(2, "orange")
    a, b = np.round(random.normal(size=(2, 500, 10)), 1)
    assert compute_orange_wilcoxon(a, b).max() <= 0.5
    assert compute_orange_wilcoxon(a[0], a[0]) == 1.0
