"""Gates on results that other tools wrote; skipped where TWOFOLD_RESULTS names no folder."""

import os
from pathlib import Path

import pytest

import twofold

FOLDER = Path(os.environ.get("TWOFOLD_RESULTS", "nowhere"))
needs_results = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="TWOFOLD_RESULTS names no folder of results"
)


@needs_results
def test_logs_of_inspect_are_matched_by_sample():
    answer = twofold.gate(*sorted((FOLDER / "inspect" / "eval").glob("*.eval")), margin=0.01)
    assert (answer.n, answer.unit) == (60, "items")
    assert not answer.changes


@needs_results
def test_samples_of_lm_eval_stand_in_passages():
    first, second = (
        next((FOLDER / "lm-eval" / model).glob("samples*")) for model in ("modelA", "modelB")
    )
    answer = twofold.gate(first, second, margin=0.05)
    assert (answer.baseline, answer.candidate, answer.n) == ("modelA", "modelB", 120)
    assert answer.method == "sign-flip"


@needs_results
def test_results_of_time_series_list_new_data_sets():
    files = [FOLDER / "tsc" / f"{name}_accuracy.csv" for name in ("ROCKET", "HC2")]
    answer = twofold.gate(*files, margin=0.01)
    assert (answer.n, len(answer.changes.new), answer.decision) == (112, 30, "good enough")
