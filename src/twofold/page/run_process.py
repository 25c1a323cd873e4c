"""The process of one experiment that the page started.

Its standard input is its lifeline: it stops in order as soon as that is closed, which is how the
page stops it, and what happens by itself when the page is gone, however it went. What was finished
is in the store then.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twofold.errors import TwofoldError, describe_error, format_traceback
from twofold.signals import raise_on_signals, send_to_self

JOB, REPLY = "job.pickle", "reply.pickle"

_IN_FILE = re.compile(r"((?:[^=(]*=)?\s*)([^=()]+\.py)(:\s*[A-Za-z_].*)", re.DOTALL)


@dataclass(frozen=True)
class RunJob:
    """What to run: learners and names of data as `compare` takes them, and files among the data."""

    learners: tuple[str, ...]
    data: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    options: Mapping[str, Any]
    command: str
    store: str


def main(folder: str) -> None:
    """Do the job in a folder, and leave the reply there."""
    home = os.getcwd()
    place = Path(folder)
    try:
        with raise_on_signals(for_good=True):
            watch_line()
            job: RunJob = pickle.loads((place / JOB).read_bytes())
            reply = _do(job, place / "tables", home)
    except KeyboardInterrupt:
        reply = ("stopped",)
    except TwofoldError as error:  # also where every learner failed
        reply = ("refused", error.rule, error.remedy)
    except Exception as error:
        print(format_traceback(error), file=sys.stderr, flush=True)
        reply = ("failed", describe_error(error))
    part = place / f"{REPLY}.part"
    part.write_bytes(pickle.dumps(reply))
    part.rename(place / REPLY)


def _do(job: RunJob, folder: Path, home: str) -> tuple[Any, ...]:
    from twofold.api import compare_as
    from twofold.provenance_record import record_provenance

    folder.mkdir()
    os.chdir(folder)  # files have the names here that the user knows
    for name, content in job.files:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content)
    options = {**job.options, "store": job.store or None, "progress": False}
    learners = [name_file(text, home) for text in job.learners]
    data = job.data[0] if len(job.data) == 1 else list(job.data)
    with record_provenance(job.command):
        answer = compare_as(learners, data, None, options)
    return "done", pickle.dumps(answer)


def name_file(text: str, home: str) -> str:
    """Return a learner in a file by a name that does not depend on the folder.

    >>> name_file("mine=models.py:Tree(k=3)", "/home/me"), name_file("svm", "/home/me")
    ('mine=/home/me/models.py:Tree(k=3)', 'svm')
    """
    match = _IN_FILE.fullmatch(text)
    return text if match is None else match[1] + os.path.join(home, match[2]) + match[3]


def watch_line() -> None:
    """Send this process a signal when standard input ends."""

    def wait_for_end() -> None:
        while os.read(0, 1024):
            pass
        send_to_self(signal.SIGINT)  # on Windows the one that ends waiting

    threading.Thread(target=wait_for_end, name="lifeline", daemon=True).start()
