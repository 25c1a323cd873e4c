"""What is known without any peer: Tables 2 and 6 of Demšar (2006), and p values by counting every case.

Imported first by every file here: it also quietens the warnings that the peers give.
"""

import itertools
import math
import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")
warnings.simplefilter("ignore")

import numpy as np
import pandas as pd
from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from demsar import RANKS6 as R6
from demsar import TABLE6 as T6

np.seterr(all="ignore")

# Where nothing differs, t, F and χ² are 0/0: no p follows from their definition, and 1 is a convention.
CONVENTION = "1 by convention"
FLIPS = "0/0; every flip alike"
PERMUTATIONS = "0/0; every permutation alike"

NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
A, B = T6[:, 0], T6[:, 1]
D = np.round(B - A, 3)
FRAME = pd.DataFrame(T6, columns=NAMES)
SE = math.sqrt(4 * 5 / (6 * 14))
MEANRANK = dict(zip(NAMES, R6.mean(0), strict=False))


def sign_flip_p(d, keep_zeros):
    """Exact two-sided signed-rank p: every one of the 2^n sign patterns, with the ranks (ties included) as they are."""
    d = np.round(np.asarray(d, float), 10)
    if not keep_zeros:
        d = d[d != 0]
    r = stats.rankdata(np.abs(d))
    observed = abs(np.sum(r * np.sign(d)))
    r = r[d != 0]
    flips = np.array(list(itertools.product([-1, 1], repeat=len(r))))
    return float(np.mean(np.abs(flips @ r) >= observed - 1e-9))


def friedman_by_hand(ranks):
    n, k = ranks.shape
    chi2 = 12 * n / (k * (k + 1)) * (np.sum(ranks.mean(0) ** 2) - k * (k + 1) ** 2 / 4)
    return chi2, (n - 1) * chi2 / (n * (k - 1) - chi2)


def friedman_exact_p(n, k, statistic):
    perms = np.array(list(itertools.permutations(range(1, k + 1))))
    hits = total = 0
    for rows in itertools.product(range(len(perms)), repeat=n):
        total += 1
        hits += friedman_by_hand(perms[list(rows)])[0] >= statistic - 1e-9
    return hits / total


FLIP_KEEP, FLIP_DROP = sign_flip_p(D, True), sign_flip_p(D, False)
# ten data sets, eight gains and two losses of exactly .01: with everything tied, Wilcoxon is the sign test
X01 = np.array([0.57, 0.69, 0.86, 0.87, 0.88, 0.89, 0.90, 0.91, 0.92, 0.94])
Y01 = np.array([0.56, 0.68, 0.87, 0.88, 0.89, 0.90, 0.91, 0.92, 0.93, 0.95])
SAME = np.c_[A, A, A]
