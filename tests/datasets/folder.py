"""Where the real data sets are, if they are anywhere."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def real_data() -> Path | None:
    named = os.environ.get("TWOFOLD_DATA")
    path = Path(named) if named else ROOT.parent / "shared" / "datasets"
    return path if path.is_dir() else None


needs_data = pytest.mark.skipif(
    real_data() is None, reason="no folder of real data sets; set TWOFOLD_DATA to one"
)
