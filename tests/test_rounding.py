"""What is shown does not depend on the last bits of a number, and is rounded in one place."""

import ast
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold.comparison.sentences import p_value, percent
from twofold.comparison.wording import difference
from twofold.result import is_significant
from twofold.rounding import number, percentage, settled, written

SOURCE = Path(__file__).parents[1] / "src"
FILES = sorted(SOURCE.rglob("*.py"))
PRECISE = re.compile(r"\.(\d+|\{\})[fgeFGE%]$")
IN_TEXT = re.compile(r"\{:[^{}]*\.\d+[fgeFGE%]\}|%[+-]?\d*\.\d+[fge]")
# Settings are short decimals that people gave.
SETTINGS = re.compile(r"(alpha|confidence|until|LEVEL|POWER|share|rounded)\W*$")
# What is written there is for programs, or measures paper, bytes and seconds.
NOT_SHOWN = {
    "twofold/rounding.py",
    "twofold/cli/store_command.py",
    "twofold/comparison/deciding_intervals.py",  # a key
    "twofold/comparison/wide_pairs.py",  # a key
    "twofold/designs/design_text.py",  # a design
    "twofold/execution/store_overview.py",
    "twofold/execution/store_waiting.py",
    "twofold/experiments/worker_limits.py",
    "twofold/plots/canvas.py",
    "twofold/plots/matplotlib_svg.py",
    "twofold/plots/rank_tikz.py",
    "twofold/report/results_latex.py",
    "twofold/scores/sklearn_results.py",  # a name
}


def shift(value, steps):
    """Return the float so many steps away."""
    for _ in range(abs(steps)):
        value = float(np.nextafter(value, np.inf if steps > 0 else -np.inf))
    return value


def test_ties_of_the_shown_digit_go_away_from_zero():
    for mean in (0.74025, 0.7402500000000001, 0.7402499999999999, 0.7402500000000002):
        assert written(mean, 4) == "0.7403"
        assert written(-mean, 4) == "−0.7403"
    assert [percentage(x) for x in (0.125, 0.12499999999999999, 0.124999)] == ["13%", "13%", "12%"]
    assert number(2.0005, 4) == number(2.0004999999999997, 4) == "2.001"


@given(st.integers(-(10**9), 10**9), st.integers(0, 9), st.integers(0, 6), st.integers(-8, 8))
def test_last_bits_decide_no_digit(digits, scale, decimals, steps):
    value = digits / 10**scale
    exact = Decimal(digits).scaleb(-scale).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    shown = written(shift(value, steps if value else 0), decimals)
    assert Decimal(shown.replace("−", "-")) == exact
    assert number(shift(value, steps if value else 0), 3) == number(value, 3)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_digit_is_lost(value):
    assert abs(float(settled(value, ".6g")) - value) <= 0.5000001e-5 * abs(value)
    if abs(value) < 1e300:
        assert abs(float(settled(value, ".4f")) - value) <= max(0.5001e-4, 1e-12 * abs(value))


@pytest.mark.parametrize("steps", [-3, -1, 0, 1, 3])
def test_bounds_of_words_do_not_hinge_on_last_bits(steps):
    assert p_value(shift(0.05, steps)) == "p = .050"
    assert p_value(shift(0.001, steps)) == "p = .001"
    assert percent(shift(0.995, steps)) == ">99%"
    assert difference(0.05, (0.0, shift(0.1, steps))) == ("0.050", "0.000 to 0.100")
    assert is_significant(shift(0.05, steps), 0.05)
    assert not is_significant(0.05 * (1 + 1e-9), 0.05)


def find_formats(path):
    """Yield the line, the spec and the value of every format with digits in an f-string."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            parts = node.format_spec.values
            spec = "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in parts)
            if PRECISE.search(spec):
                yield node.lineno, spec, ast.unparse(node.value)
        elif isinstance(node, ast.Constant) and IN_TEXT.search(str(node.value)):
            yield node.lineno, node.value, ""


def test_shown_numbers_are_rounded_in_one_place():
    wrong = [
        f"{path.relative_to(SOURCE)}:{line}: {value}:{spec}"
        for path in FILES
        if str(path.relative_to(SOURCE)) not in NOT_SHOWN
        for line, spec, value in find_formats(path)
        if not SETTINGS.search(value)
    ]
    assert not wrong, "use `written`, `number` or `percentage` of twofold.rounding"
