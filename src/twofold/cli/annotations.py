"""Remarks that continuous integration shows beside a change, where it is known to read them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from twofold.gates import Gate
from twofold.report.gate_text import write_gate_line

TITLE = "twofold gate"
GITHUB = {"good enough": "notice", "not good enough": "error", "undecided": "warning"}
AZURE = {"not good enough": "error", "undecided": "warning"}


def annotate(gate: Gate, environment: Mapping[str, str] | None = None) -> list[str]:
    """Return the lines that GitHub Actions or Azure Pipelines make remarks of; elsewhere none."""
    known = os.environ if environment is None else environment
    text = write_gate_line(gate)
    if known.get("GITHUB_ACTIONS") == "true":
        return [f"::{GITHUB[gate.decision]} title={TITLE}::{_escape_github(text)}"]
    if known.get("TF_BUILD", "").lower() == "true" and gate.decision in AZURE:
        return [f"##vso[task.logissue type={AZURE[gate.decision]}]{_escape_azure(text)}"]
    return []


def _escape_github(text: str) -> str:
    """Escape what would end the message, or begin another command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_azure(text: str) -> str:
    escaped = text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")
    return escaped.replace(";", "%3B").replace("]", "%5D")
