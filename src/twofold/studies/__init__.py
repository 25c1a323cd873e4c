"""Asking about the tests themselves: Type I error, power, replicability, calibration."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand

__all__ = [
    "LOWEST_DF",
    "Calibrated",
    "Calibration",
    "DamageStep",
    "DamagedSize",
    "DataFindings",
    "DatasetFinding",
    "ErrorCounts",
    "Estimate",
    "Finding",
    "Findings",
    "PairFinding",
    "PlannedExperiment",
    "StudyAnswer",
    "TableFinding",
    "TableFindings",
    "agreement_of",
    "calibrate",
    "choose_df",
    "concatenate_counts",
    "count_errors",
    "decide",
    "draw_data_sets",
    "exchange_labels",
    "find_rate",
    "fold_counts",
    "fold_differences",
    "keep_findings",
    "many_runs",
    "mean",
    "plan_experiments",
    "predict_runs",
    "predictor",
    "read_findings",
    "share",
    "spoil_error",
    "spoil_predictions",
    "stretch_columns",
    "study",
    "study_data",
    "study_like",
    "study_table",
    "study_tests",
    "weigh_columns",
]

if TYPE_CHECKING:
    from twofold.studies.calibration import LOWEST_DF, Calibrated, Calibration
    from twofold.studies.damaged_learners import (
        DamagedSize,
        DamageStep,
        find_rate,
        spoil_error,
        spoil_predictions,
        stretch_columns,
        weigh_columns,
    )
    from twofold.studies.data_findings import DataFindings, DatasetFinding, PairFinding
    from twofold.studies.decisions import choose_df, decide
    from twofold.studies.error_counts import ErrorCounts, concatenate_counts, count_errors
    from twofold.studies.findings import Finding, Findings
    from twofold.studies.findings_json import StudyAnswer, read_findings
    from twofold.studies.findings_store import keep_findings
    from twofold.studies.fitting import predict_runs
    from twofold.studies.measures import Estimate, agreement_of, mean, share
    from twofold.studies.plan import PlannedExperiment, plan_experiments, study_tests
    from twofold.studies.predictors import predictor
    from twofold.studies.run_calibration import calibrate
    from twofold.studies.run_study import study
    from twofold.studies.run_study_data import study_data
    from twofold.studies.run_study_like import study_like
    from twofold.studies.run_table_study import study_table
    from twofold.studies.shared_splits import many_runs
    from twofold.studies.study_folds import fold_counts, fold_differences
    from twofold.studies.table_draws import draw_data_sets, exchange_labels
    from twofold.studies.table_findings import TableFinding, TableFindings
else:
    __getattr__ = load_on_demand(
        __name__,
        {
            "calibration": "LOWEST_DF Calibrated Calibration",
            "damaged_learners": "DamageStep DamagedSize find_rate spoil_error spoil_predictions "
            "stretch_columns weigh_columns",
            "data_findings": "DataFindings DatasetFinding PairFinding",
            "decisions": "choose_df decide",
            "error_counts": "ErrorCounts concatenate_counts count_errors",
            "findings": "Finding Findings",
            "fitting": "predict_runs",
            "study_folds": "fold_counts fold_differences",
            "measures": "Estimate agreement_of mean share",
            "plan": "PlannedExperiment plan_experiments study_tests",
            "predictors": "predictor",
            "findings_store": "keep_findings",
            "findings_json": "StudyAnswer read_findings",
            "run_calibration": "calibrate",
            "run_study": "study",
            "run_study_data": "study_data",
            "run_study_like": "study_like",
            "run_table_study": "study_table",
            "shared_splits": "many_runs",
            "table_draws": "draw_data_sets exchange_labels",
            "table_findings": "TableFinding TableFindings",
        },
    )
