"""The day that pages and workbooks bear."""

from __future__ import annotations

import os
from datetime import UTC, datetime


def format_day() -> str:
    """Return the day as "2026-11-17", in universal time.

    SOURCE_DATE_EPOCH, the seconds that reproducible builds set, stands for the clock.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(seconds), UTC) if seconds.isdigit() else datetime.now(UTC)
    return f"{now:%Y-%m-%d}"
