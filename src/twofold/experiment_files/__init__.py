"""Experiment files: learners, data, options and outputs of an experiment in one TOML file."""

from twofold.experiment_files.expectations import describe_expected, digest_scores, note_expected
from twofold.experiment_files.experiment_plan import ExperimentPlan, read_experiment
from twofold.experiment_files.write_experiment import format_experiment

__all__ = [
    "ExperimentPlan",
    "describe_expected",
    "digest_scores",
    "format_experiment",
    "note_expected",
    "read_experiment",
]
