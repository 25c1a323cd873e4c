"""Asking about the tests themselves: Type I error, power, replicability, calibration."""

from twofold.studies.calibrating import calibrate
from twofold.studies.calibration import Calibrated, Calibration
from twofold.studies.findings import Finding, Findings
from twofold.studies.measures import Estimate
from twofold.studies.run_study import study

__all__ = ["Calibrated", "Calibration", "Estimate", "Finding", "Findings", "calibrate", "study"]
