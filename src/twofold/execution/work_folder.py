"""Folders for what learners write on the way: removed afterwards, or by the next process."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from twofold.processes import describe_machine, describe_process, is_alive

_NAME = re.compile(r"twofold-(?P<machine>[0-9a-f]{8})-(?P<process>[0-9]+-[0-9]*)-\w+")


def make_folder() -> Path:
    """Return a new folder of this process; remove those that dead processes of ours have left."""
    parent = Path(tempfile.gettempdir())
    remove_remains(parent)
    prefix = f"twofold-{describe_machine()}-{describe_process(os.getpid())}-"
    return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))


def remove_remains(parent: Path) -> None:
    """Remove the folders of processes of this user and machine that are dead."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(parent):
            match = _NAME.fullmatch(entry.name)
            if not match or match["machine"] != describe_machine() or is_alive(match["process"]):
                continue
            with contextlib.suppress(OSError):
                mine = entry.stat(follow_symlinks=False).st_uid == os.getuid()
                if mine and entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
