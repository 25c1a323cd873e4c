"""What a worker does: read a table, answer, or make a file of the answer."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

from twofold.api import compare_as
from twofold.comparison import Comparison, Comparisons
from twofold.page.answer_part import make_part
from twofold.page.describe_table import describe_table
from twofold.page.kept_overview import KeptOverview, KeptPart
from twofold.page.offer_runs import offer_runs
from twofold.page.page_jobs import (
    AnswerPart,
    MadeFile,
    PageJob,
    RunOffer,
    StoreOverview,
    TableReading,
    WalkStep,
    WorkList,
)
from twofold.page.plan_part import make_plan_file, make_plan_part
from twofold.page.show_running import show_running
from twofold.page.show_store import show_store
from twofold.page.walk_questions import list_questions
from twofold.provenance_record import record_provenance
from twofold.report import bibtex, save_report, save_table

Reply = (
    TableReading
    | AnswerPart
    | MadeFile
    | WalkStep
    | StoreOverview
    | WorkList
    | KeptOverview
    | KeptPart
    | RunOffer
)


def do_job(job: PageJob, phrase: Any) -> Reply:
    """Do a job in its own folder, in which files have the names that the user knows."""
    # Readers may take the name of a folder for that of a learner: here it is always the same.
    folder = Path(job.folder) / "tables"
    folder.mkdir(exist_ok=True)
    os.chdir(folder)
    for name, content in job.files:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content)
    names = list(job.sources) or [name for name, _ in job.files]
    source = names[0] if len(names) == 1 else names
    if job.kind in ("kept", "kept page", "kept file"):
        return _do_kept(job)
    if job.kind == "runs":
        return show_store(job.target)
    if job.kind == "offer":
        return offer_runs()
    if job.kind == "running":
        return show_running(job.target)
    if job.kind == "questions":
        return list_questions()
    if job.kind == "read":
        return describe_table(source, job.options)
    if job.kind == "plan":
        return make_plan_part(job, source if names else None)
    if job.kind == "plan file":
        return make_plan_file(job, source if names else None)
    if job.answer:
        answer = pickle.loads(job.answer)  # by a process of ours
    else:
        with record_provenance(job.command or None):
            answer = compare_as(source, None, None, job.options)
    if phrase is not None:
        answer = phrase(answer)
    if job.kind == "answer":
        return make_part(answer, job.highlight, predicted=bool(job.options.get("predictions")))
    return MadeFile(_make_file(answer, job))


def _do_kept(job: PageJob) -> KeptOverview | KeptPart | MadeFile:
    # Loads what studies need, which those who drop a table do not wait for.
    from twofold.page.kept_part import list_kept, make_kept_file, show_kept

    if job.kind == "kept":
        return list_kept(job.store)
    return show_kept(job) if job.kind == "kept page" else MadeFile(make_kept_file(job))


def _make_file(answer: Comparison | Comparisons, job: PageJob) -> bytes:
    if job.target.endswith(".bib"):
        return bibtex(answer).encode()
    Path("made").mkdir(exist_ok=True)
    target = Path("made") / job.target
    if job.picture == "table":
        save_table(answer, target)
    elif job.picture:
        answer.plot(target, kind=job.picture, highlight=job.highlight)
    else:
        save_report(answer, target)
    made = sorted(Path("made").iterdir())
    if target in made:
        return target.read_bytes()
    return _pack(made)  # a picture for each of several metrics


def _pack(files: list[Path]) -> bytes:
    """Return files as a zip that is the same each time."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes())
    return packed.getvalue()
