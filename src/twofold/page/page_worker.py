"""A worker process of the page: it gets jobs, does one after the other, and ends with its pipe."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from twofold.errors import InputError, describe_error, format_traceback
from twofold.page import page_limits

if TYPE_CHECKING:
    from twofold.page.page_jobs import PageJob


def work(connection: Any, phrase: Any) -> None:
    """Do jobs until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    home = os.getcwd()
    prepare()
    connection.send("ready")
    while True:
        try:
            job = connection.recv()
            reply = _reply(job, phrase)
            os.chdir(home)
            connection.send(reply)
        except (EOFError, OSError):
            return


def prepare() -> None:
    """Load what answers need, and lower the limits of tables to those of the page."""
    from twofold.page import do_jobs  # noqa: F401 (loads the libraries)
    from twofold.tables.table_limits import lower_limits

    lower_limits(cells=page_limits.MOST_CELLS, size=page_limits.MOST_UNPACKED)


def _reply(job: PageJob, phrase: Any) -> tuple[Any, ...]:
    from twofold.page.do_jobs import do_job

    try:
        return "done", do_job(job, phrase)
    except InputError as error:
        return "refused", error.rule, error.remedy
    except MemoryError:
        return "refused", "The table needs more memory than there is.", "Leave out a part of it."
    except Exception as error:
        print(format_traceback(error), file=sys.stderr, flush=True)
        return "failed", describe_error(error)
