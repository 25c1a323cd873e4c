"""What an experiment file expects: versions, data, learners and scores of an earlier answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from twofold.experiment_files.experiment_plan import ExperimentPlan
from twofold.experiment_files.file_names import join_folder, leave_folder
from twofold.provenance_record import Provenance
from twofold.result import Note, join_first
from twofold.scores import Scores

MOST_NAMED = 8
"""Changes that are named in a note."""


def digest_scores(scores: Scores) -> str:
    """Return a digest of a table of scores: names, runs, folds, sizes and every digit."""
    import hashlib

    names = (scores.datasets, scores.learners, scores.metric, scores.higher_is_better)
    digest = hashlib.sha256(repr(names).encode())
    for part in (scores.dataset, scores.learner, scores.run, scores.fold):
        digest.update(np.ascontiguousarray(part, dtype="<i8").tobytes())
    for values in (scores.n_train, scores.n_test, scores.value):
        # A missing number is one thing, however its bits are set.
        numbers = np.where(np.isnan(values), np.nan, values) + 0.0
        digest.update(np.ascontiguousarray(numbers, dtype="<f8").tobytes())
    return digest.hexdigest()


def describe_expected(
    folder: str, provenance: Provenance, tables: Iterable[Scores]
) -> dict[str, Any]:
    """Return what a later answer is to be held against; files are relative to the folder."""
    leave = partial(leave_folder, folder)
    return {
        "twofold": provenance.version,
        "libraries": dict(provenance.libraries),
        "inputs": {leave(file.name): file.sha256 for file in provenance.inputs},
        "data": dict(provenance.data),
        "learners": {name: digest for name, digest in provenance.learners.items() if digest},
        "scores": {scores.metric: digest_scores(scores) for scores in tables},
    }


def note_expected(
    plan: ExperimentPlan, provenance: Provenance, tables: Iterable[Scores]
) -> list[Note]:
    """Say whether an experiment came out as expected, and what has changed since."""
    if not plan.expected:
        return []
    name = plan.file.name
    changes = list(_list_changes(plan, provenance))
    expected = plan.expected.get("scores", {})
    digests = {scores.metric: digest_scores(scores) for scores in tables}
    shared = [metric for metric in digests if metric in expected]
    differ = [metric for metric in shared if digests[metric] != expected[metric]]
    parts = []
    if changes:
        parts.append(f"Since {name} was written: {join_first(changes, MOST_NAMED, '; ')}.")
    if plan.file.overridden:
        parts.append(f"Options were given beside it: {', '.join(plan.file.overridden)}.")
    text = " ".join(parts)
    if differ:
        text = text or (
            f"No version, file, data set or learner has changed since {name} was written. Numbers "
            "may then depend on the processor, on the number of threads, or on random numbers that "
            "a learner does not draw from its seed."
        )
        which = "" if len(differ) == len(shared) else f" by {', '.join(differ)}"
        detail = f"The scores{which} are not those that {name} expects. {text}"
        return [Note("scores-moved", "The scores are not those expected", detail, "warning")]
    same = "The scores are the same to the last digit. " if shared else ""
    if text:
        detail = f"{same}{text}"
        return [Note("experiment-changed", "Parts of the experiment have changed", detail)]
    detail = f"{same}Versions, files, data sets and learners are those that {name} expects."
    return [Note("experiment-repeated", "The experiment was repeated", detail)]


def _list_changes(plan: ExperimentPlan, provenance: Provenance) -> Iterator[str]:
    """Yield what differs from what is expected, in words."""
    expected = plan.expected
    if "libraries" in expected:
        before = {"twofold": expected.get("twofold", "?"), **expected["libraries"]}
        now = {"twofold": provenance.version, **provenance.libraries}
        for name in sorted({*before, *now}):
            if before.get(name) != now.get(name):
                yield f"{name} {before.get(name, 'not used')} → {now.get(name, 'not used')}"
    files = {file.name: file.sha256 for file in provenance.inputs}
    earlier = expected.get("inputs", {})
    earlier = {join_folder(plan.folder, name): earlier[name] for name in earlier}
    yield from _compare_digests("the file", earlier, files)
    yield from _compare_digests("the data set", expected.get("data", {}), provenance.data)
    learners = {name: digest for name, digest in provenance.learners.items() if digest}
    yield from _compare_digests("the learner", expected.get("learners", {}), learners)


def _compare_digests(kind: str, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yield what differs; where nothing is expected, nothing does."""
    added = [name for name in now if before and name not in before]
    for name in [*before, *added]:
        if name not in now:
            yield f"{kind} {name} is not used any more"
        elif name not in before:
            yield f"{kind} {name} is new"
        elif before[name] != now[name]:
            yield f"{kind} {name} has changed"
