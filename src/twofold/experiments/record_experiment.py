"""What an answer's provenance says of data sets and learners that were run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from twofold.dataset import Dataset
from twofold.learners import Learner
from twofold.learners.key_parts import parse_key
from twofold.provenance_record import current_record, digest_bytes


def record_experiment(datasets: Sequence[Dataset], learners: Sequence[Learner]) -> None:
    """Note the content of data sets, the learners, and the versions of learners' libraries.

    A learner's digest leaves libraries out: their versions stand by themselves.
    """
    record = current_record()
    if record is None:
        return
    record.data |= {dataset.name: dataset.fingerprint for dataset in datasets}
    for learner in learners:
        parts = parse_key(learner.fingerprint.text)
        sections = dict(parts.sections)
        record.libraries |= sections.pop("library", {})
        text = repr(replace(parts, sections=sections))
        digest = None if learner.fingerprint.unknown else digest_bytes(text.encode())
        record.learners[learner.label] = digest
