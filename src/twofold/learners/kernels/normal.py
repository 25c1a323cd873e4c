"""The normal distribution as Weka reckons with it: masses of intervals, and its quantile.

The probabilities come from the rational approximations of the Cephes library (Moshier 1989), which
Weka uses too. Differences of two probabilities near 1 lose digits; with the same approximation they
lose the same ones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import kernel, maker

ROOT_HALF = 0.7071067811865476
LARGEST_EXPONENT = 709.782712893384


@kernel
def _erf_small(x: float) -> float:
    """The error function for |x| ≤ 1."""
    z = x * x
    top = 9.60497373987051638749e0
    top = top * z + 9.00260197203842689217e1
    top = top * z + 2.23200534594684319226e3
    top = top * z + 7.00332514112805075473e3
    top = top * z + 5.55923013010394962768e4
    low = z + 3.35617141647503099647e1
    low = low * z + 5.21357949780152679795e2
    low = low * z + 4.59432382970980127987e3
    low = low * z + 2.26290000613890934246e4
    low = low * z + 4.92673942608635921086e4
    return x * top / low


@kernel
def _erfc_positive(x: float) -> float:
    """One minus the error function for x ≥ 0."""
    if x < 1.0:
        return 1.0 - _erf_small(x)
    z = -x * x
    if z < -LARGEST_EXPONENT:
        return 0.0
    z = math.exp(z)
    if x < 8.0:
        top = 2.46196981473530512524e-10
        top = top * x + 5.64189564831068821977e-1
        top = top * x + 7.46321056442269912687e0
        top = top * x + 4.86371970985681366614e1
        top = top * x + 1.96520832956077098242e2
        top = top * x + 5.26445194995477358631e2
        top = top * x + 9.34528527171957607540e2
        top = top * x + 1.02755188689515710272e3
        top = top * x + 5.57535335369399327526e2
        low = x + 1.32281951154744992508e1
        low = low * x + 8.67072140885989742329e1
        low = low * x + 3.54937778887819891062e2
        low = low * x + 9.75708501743205489753e2
        low = low * x + 1.82390916687909736289e3
        low = low * x + 2.24633760818710981792e3
        low = low * x + 1.65666309194161350182e3
        low = low * x + 5.57535340817727675546e2
    else:
        top = 5.64189583547755073984e-1
        top = top * x + 1.27536670759978104416e0
        top = top * x + 5.01905042251180477414e0
        top = top * x + 6.16021097993053585195e0
        top = top * x + 7.40974269950448939160e0
        top = top * x + 2.97886665372100240670e0
        low = x + 2.26052863220117276590e0
        low = low * x + 9.39603524938001434673e0
        low = low * x + 1.20489539808096656605e1
        low = low * x + 1.70814450747565897222e1
        low = low * x + 9.60896809063285878198e0
        low = low * x + 3.36907645100081516050e0
    return z * top / low


@kernel
def probability_below(z: float) -> float:
    """The probability that a standard normal number is below z."""
    x = z * ROOT_HALF
    size = abs(x)
    if size < ROOT_HALF:
        return 0.5 + 0.5 * _erf_small(x)
    tail = 0.5 * _erfc_positive(size)
    return 1.0 - tail if x > 0 else tail


@kernel
def interval_mass(x: float, mean: float, deviation: float, precision: float) -> float:
    """The mass of the interval of width ``precision`` around x, x rounded to that precision."""
    x = round_to(x, precision)
    low = probability_below((x - mean - precision / 2) / deviation)
    return probability_below((x - mean + precision / 2) / deviation) - low


@kernel
def round_to(x: float, precision: float) -> float:
    """Round x to a multiple of ``precision``, halves to the even multiple."""
    return round_half_even(x / precision) * precision


@kernel
def round_half_even(x: float) -> float:
    """Round to the nearest whole number, halves to the even one."""
    # Adding and taking away 1.5·2⁵² leaves no room for digits behind the point.
    if abs(x) >= 4503599627370496.0:
        return x
    return (x + 6755399441055744.0) - 6755399441055744.0


@maker
def interval_masses(x: Any, mean: Any, deviation: Any, precision: float) -> Any:
    """The masses of intervals around many numbers under many normal distributions."""
    mass = np.empty((x.size, mean.size))
    for i in range(x.size):
        for c in range(mean.size):
            mass[i, c] = interval_mass(x[i], mean[c], deviation[c], precision)
    return mass
