"""Findings go to the store too, where `twofold serve` shows them."""

from __future__ import annotations

import argparse
from typing import Any

from twofold.cli.streams import tell
from twofold.errors import TwofoldError
from twofold.execution.store import open_store
from twofold.execution.store_waiting import SHORT_SECONDS
from twofold.studies.findings_store import keep_findings


def keep(findings: Any, arguments: argparse.Namespace) -> None:
    """Keep findings; they have been shown before, so that a store that fails costs nothing."""
    try:
        with open_store(arguments.store, patience=SHORT_SECONDS) as store:
            keep_findings(store, findings, arguments.command_line)
    except TwofoldError as error:
        tell(f"Not kept for `twofold serve`: {error.rule}", quiet=arguments.quiet)
