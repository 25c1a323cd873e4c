"""Folders for what learners write on the way: removed afterwards, or by the next process."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path

_NAME = re.compile(r"twofold-([0-9]+)-([0-9]+)-([0-9]+)-\w+")


def make_folder() -> Path:
    """Return a new folder of this process; remove those that dead processes of ours have left."""
    parent = Path(tempfile.gettempdir())
    remove_remains(parent)
    namespace, process = _namespace(), os.getpid()
    prefix = f"twofold-{namespace}-{process}-{_start_time(process)}-"
    return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))


def remove_remains(parent: Path) -> None:
    """Remove the folders of processes of this user and machine that are dead."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(parent):
            match = _NAME.fullmatch(entry.name)
            if (
                match
                and entry.is_dir(follow_symlinks=False)
                and _is_dead(*map(int, match.groups()))
            ):
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == os.getuid():
                        shutil.rmtree(entry.path, ignore_errors=True)


def _is_dead(namespace: int, process: int, started: int) -> bool:
    """Tell whether a process is gone; of one in another container nothing is known."""
    return namespace == _namespace() and _start_time(process) != started


def _start_time(process: int) -> int:
    """Return when a process was started: its number alone may be another's by now. −1: it is gone.

    Where the system does not tell the time it is 0 for every process that lives.
    """
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return -1
    except OSError:
        pass  # it lives and is not ours
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return -1 if Path("/proc/self/stat").exists() else 0
    except OSError:
        return 0
    return int(text.rpartition(")")[2].split()[19])


def _namespace() -> int:
    """Return which processes we see: numbers of processes mean nothing in another container."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0
