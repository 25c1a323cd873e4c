"""What is running in a store, for the page: whoever started it, and wherever."""

from __future__ import annotations

import os
from datetime import datetime

from twofold.escapes import make_visible
from twofold.execution.progress import format_time
from twofold.execution.store import default_file
from twofold.execution.work_notices import WorkNotice, list_notices
from twofold.page.page_jobs import RunningWork, WorkList
from twofold.page.store_to_read import open_to_read


def show_running(where: str) -> WorkList:
    """Return what is running; nothing where there is no store yet."""
    if "://" not in where and not os.path.exists(where or default_file()):
        return WorkList(has_store=False)
    with open_to_read(where) as store:
        return WorkList(tuple(map(_describe, list_notices(store))))


def _describe(notice: WorkNotice) -> RunningWork:
    facts = notice.facts
    left = "" if facts.left is None else f"about {format_time(facts.left)} left"
    return RunningWork(
        process=notice.process,
        is_here=notice.is_here,
        title=make_visible(facts.title),
        command=make_visible(facts.command),
        done=facts.done,
        total=max(facts.done, facts.total),
        unit=make_visible(facts.unit),
        left=f"at most {left}" if left and facts.may_end_early else left,
        may_end_early=facts.may_end_early,
        so_far=make_visible(facts.so_far),
        started=datetime.fromtimestamp(facts.started).isoformat(" ", "seconds"),
    )
