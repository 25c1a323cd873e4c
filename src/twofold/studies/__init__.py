"""Asking about the tests themselves: Type I error, power, replicability, calibration."""

from twofold.studies.calibrating import calibrate
from twofold.studies.calibration import LOWEST, Calibrated, Calibration
from twofold.studies.decisions import decide, freedom
from twofold.studies.error_counts import ErrorCounts, joined, tally
from twofold.studies.findings import Finding, Findings
from twofold.studies.fitting import predict_runs
from twofold.studies.fold_differences import fold_differences
from twofold.studies.keeping import open_kept
from twofold.studies.measures import Estimate, agreement_of, mean, share
from twofold.studies.plan import Experiment, plan_experiments, study_tests
from twofold.studies.predictors import predictor
from twofold.studies.run_study import study
from twofold.studies.shared_splits import many_runs

__all__ = [
    "LOWEST",
    "Calibrated",
    "Calibration",
    "ErrorCounts",
    "Estimate",
    "Experiment",
    "Finding",
    "Findings",
    "agreement_of",
    "calibrate",
    "decide",
    "fold_differences",
    "freedom",
    "joined",
    "many_runs",
    "mean",
    "open_kept",
    "plan_experiments",
    "predict_runs",
    "predictor",
    "share",
    "study",
    "study_tests",
    "tally",
]
