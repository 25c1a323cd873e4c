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
def _erfc_middle(x: float, power: float) -> float:
    """One minus the error function for 1 ≤ x < 8, ``power`` being exp(−x²)."""
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
    return power * top / low


@kernel
def _erfc_large(x: float, power: float) -> float:
    """As `_erfc_middle`, for x ≥ 8."""
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
    return power * top / low


@kernel
def fill_below(z: Any, count: int, below: Any, size: Any, power: Any, far: Any) -> None:
    """Fill the probabilities that a standard normal number is below each of ``count`` numbers.

    These are loops without branches, so that the processor does several numbers at once. Numbers
    far from zero need an exponential; ``size``, ``power`` and ``far`` are room for them.
    """
    for k in range(count):
        x = z[k] * ROOT_HALF
        near = _erf_small(x)
        tail = 0.5 * (1.0 - abs(near))
        outside = 1.0 - tail if x > 0.0 else tail
        below[k] = 0.5 + 0.5 * near if abs(x) < ROOT_HALF else outside
    many = 0
    for k in range(count):
        x = abs(z[k] * ROOT_HALF)
        far[many] = k
        size[many] = x
        many += x >= 1.0
    for m in range(many):
        exponent = -size[m] * size[m]
        power[m] = 0.0 if exponent < -LARGEST_EXPONENT else math.exp(exponent)
    for m in range(many):
        power[m] = _erfc_large(size[m], power[m]) if size[m] >= 8.0 else power[m]
    for m in range(many):
        middle = _erfc_middle(size[m], power[m])
        power[m] = 0.5 * (middle if size[m] < 8.0 else power[m])
    for m in range(many):
        k = far[m]
        below[k] = 1.0 - power[m] if z[k] > 0.0 else power[m]


@kernel
def fill_masses(
    x: Any, count: Any, mean: float, deviation: float, precision: float, room: Any, far: Any
) -> None:
    """Fill ``room[0]`` with the masses of intervals of width ``precision`` around some numbers.

    These are rounded to the precision already. ``room`` (4, ·) and ``far`` have space for twice
    as many numbers.
    """
    z, below = room[0], room[1]
    for k in range(count):
        z[k] = (x[k] - mean - precision / 2) / deviation
        z[count + k] = (x[k] - mean + precision / 2) / deviation
    fill_below(z, 2 * count, below, room[2], room[3], far)
    for k in range(count):
        z[k] = below[count + k] - below[k]


@kernel
def round_to(x: float, precision: float) -> float:
    """Round x to a multiple of ``precision``, halves to the even multiple."""
    return round_half_even(x / precision) * precision


@kernel
def round_half_even(x: float) -> float:
    """Round to the nearest whole number, halves to the even one."""
    # Adding and taking away 1.5·2⁵² leaves no room for digits behind the point.
    near = (x + 6755399441055744.0) - 6755399441055744.0
    return x if abs(x) >= 4503599627370496.0 else near


@maker
def interval_masses(x: Any, mean: Any, deviation: Any, precision: float) -> Any:
    """The masses of intervals around many numbers under many normal distributions."""
    mass = np.empty((x.size, mean.size))
    rounded = np.empty(x.size)
    room = np.empty((4, 2 * x.size))
    far = np.empty(2 * x.size, dtype=np.uint32)
    for i in range(x.size):
        rounded[i] = round_to(x[i], precision)
    for c in range(mean.size):
        fill_masses(rounded, x.size, mean[c], deviation[c], precision, room, far)
        mass[:, c] = room[0, : x.size]
    return mass
