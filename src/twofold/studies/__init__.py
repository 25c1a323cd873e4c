"""Asking about the tests themselves: Type I error, power, replicability, calibration."""

from twofold.studies.findings import Finding, Findings
from twofold.studies.measures import Estimate
from twofold.studies.verbs import study

__all__ = ["Estimate", "Finding", "Findings", "study"]
