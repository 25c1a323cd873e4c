"""Compiling what several learners need at the same time, each in a process of its own.

numba holds Python's lock while it compiles, so threads would take turns. This process compiles for
the first learner; a short-lived one runs each of the others once on the same data, so that what it
needs is on disk when this process comes to it. Whatever goes wrong there, this process compiles.
"""

from __future__ import annotations

import json
import os
import pickle
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from twofold.dataset import Dataset
from twofold.learners.kernels.column_arrays import Columns
from twofold.learners.kernels.compile import (
    check_threads,
    is_cold,
    is_kept,
    say,
    wait_before,
)
from twofold.learners.kernels.estimator import CodedClassifier

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from twofold.learners.kernels.compile_ahead import main; main()"
)

MOST_CELLS = 1_000_000
"""Values of a data set up to which it is handed to another process."""

PATIENCE = 120.0
"""Seconds after which this process compiles by itself."""

_CHECKED: set[type] = set()


def compile_ahead(learners: Sequence[Any], dataset: Dataset) -> None:
    """Start compiling what all learners but the first lack; each class is looked at once."""
    fresh = [learner for learner in learners if type(learner) not in _CHECKED]
    _CHECKED.update(map(type, fresh))
    if len(fresh) < 2 or dataset.X.size > MOST_CELLS:
        return
    cold = _find_cold(fresh, dataset)
    helpers = min(check_threads(None), len(cold)) - 1
    if helpers < 1:
        return
    say(*cold, processes=helpers + 1)
    _, *names = cold
    for number in range(helpers):
        share = names[number::helpers]
        with suppress(OSError):
            process = _start([cold[name] for name in share], dataset)
            for name in share:
                wait_before(name, lambda process=process: wait(process))  # type: ignore[misc]


def _find_cold(learners: Sequence[Any], dataset: Dataset) -> dict[str, CodedClassifier]:
    """Return learners with kernels that have to be compiled and can be kept, by kernel."""
    columns = Columns.from_dataset(dataset)
    cold = {}
    for learner in learners:
        if isinstance(learner, CodedClassifier):
            # What cannot be made ready is refused where it is used.
            with suppress(Exception):
                name = learner._whole_runs(columns).name
                if is_cold(name) and is_kept(name):
                    cold[name] = learner
    return cold


def _start(learners: list[CodedClassifier], dataset: Dataset) -> subprocess.Popen[bytes]:
    with tempfile.TemporaryFile() as work:
        pickle.dump((learners, dataset), work)
        work.seek(0)
        return subprocess.Popen(
            # -P: a json.py in the current folder, which may be somebody else's, is not run.
            [sys.executable, "-P", "-c", START, json.dumps(sys.path)],
            stdin=work,
            # Nothing is written; its end tells any process, also a fork of this one, of the end.
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


def wait(process: subprocess.Popen[bytes]) -> None:
    """Wait until another process has compiled, or has failed to."""
    assert process.stdout is not None
    ended, _, _ = select.select([process.stdout], [], [], PATIENCE)
    if ended:
        process.wait()
        process.stdout.close()


def main() -> None:
    """Do one run of each learner on standard input, which compiles what it needs."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    run_once(*pickle.load(sys.stdin.buffer))


def run_once(learners: Sequence[CodedClassifier], dataset: Dataset) -> None:
    """Do one run of two folds by each learner."""
    folds = (np.arange(dataset.rows, dtype=np.int32) % 2)[None, :]
    for learner in learners:
        # Not `predict_folds`, whose check of folds is compiled by the other process.
        runs = learner._whole_runs(Columns.from_dataset(dataset))
        runs.begin(1)
        runs.fill(folds, np.empty(folds.shape, dtype=np.intp))


def _end_with(parent: int) -> None:
    """End with the process that waits for this one."""
    while os.getppid() == parent:
        time.sleep(0.25)
    os._exit(1)
