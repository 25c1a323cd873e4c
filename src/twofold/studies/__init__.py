"""Asking about the tests themselves: Type I error, power, replicability, calibration."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand

__all__ = [
    "LOWEST_DF",
    "Calibrated",
    "Calibration",
    "ErrorCounts",
    "Estimate",
    "Finding",
    "Findings",
    "PlannedExperiment",
    "agreement_of",
    "calibrate",
    "choose_df",
    "concatenate_counts",
    "count_errors",
    "decide",
    "fold_differences",
    "many_runs",
    "mean",
    "plan_experiments",
    "predict_runs",
    "predictor",
    "share",
    "study",
    "study_tests",
]

if TYPE_CHECKING:
    from twofold.studies.calibration import LOWEST_DF, Calibrated, Calibration
    from twofold.studies.decisions import choose_df, decide
    from twofold.studies.error_counts import ErrorCounts, concatenate_counts, count_errors
    from twofold.studies.findings import Finding, Findings
    from twofold.studies.fitting import predict_runs
    from twofold.studies.fold_differences import fold_differences
    from twofold.studies.measures import Estimate, agreement_of, mean, share
    from twofold.studies.plan import PlannedExperiment, plan_experiments, study_tests
    from twofold.studies.predictors import predictor
    from twofold.studies.run_calibration import calibrate
    from twofold.studies.run_study import study
    from twofold.studies.shared_splits import many_runs
else:
    __getattr__ = load_on_demand(
        __name__,
        {
            "calibration": "LOWEST_DF Calibrated Calibration",
            "decisions": "choose_df decide",
            "error_counts": "ErrorCounts concatenate_counts count_errors",
            "findings": "Finding Findings",
            "fitting": "predict_runs",
            "fold_differences": "fold_differences",
            "measures": "Estimate agreement_of mean share",
            "plan": "PlannedExperiment plan_experiments study_tests",
            "predictors": "predictor",
            "run_calibration": "calibrate",
            "run_study": "study",
            "shared_splits": "many_runs",
        },
    )
