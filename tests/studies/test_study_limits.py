"""What would take all memory is refused before it is begun, with the limit."""

import pytest

import twofold
from twofold.errors import InputError


def test_too_many_runs_at_once():
    with pytest.raises(InputError, match="100,000,000 is the limit"):
        twofold.study("task1", design="1000000x10", store=":memory:")


def test_too_many_halvings():
    with pytest.raises(InputError, match="10,000 runs at most"):
        twofold.compare(["nb", "c45"], "iris", design="10001x10", calibrate=True, store=":memory:")
