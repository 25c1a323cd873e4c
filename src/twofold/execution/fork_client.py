"""The process that workers are copies of, seen from here: started, told, heard and ended.

One that is not needed any more waits for the next pool of this process, which then starts in
hundredths of a second; it ends with this process.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

from twofold.errors import first_line
from twofold.execution.messages import Inbox, send
from twofold.execution.worker import ONE_THREAD, read_output

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from twofold.execution.fork_server import main; main(int(sys.argv[2]))"
)

PATIENCE = 10.0
"""Seconds in which a server ends by itself."""

_spare: list[ForkClient] = []


class ForkClient:
    """A running server; ``ready`` once it has loaded what it was told to load."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        self.ready = self._cleared = False
        self._inbox = Inbox(self.control)
        self._complaints: IO[bytes] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        with theirs:
            words = [json.dumps(sys.path), str(theirs.fileno())]
            self._process = subprocess.Popen(
                # -P: a json.py in the current folder, which may be somebody else's, is not run.
                [sys.executable, "-P", "-c", START, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
                start_new_session=True,
                pass_fds=[theirs.fileno()],
            )

    def tell(self, verb: str, *arguments: Any, files: Sequence[int] = ()) -> None:
        """Ask for something; a server that has died is noticed where it is heard."""
        with contextlib.suppress(OSError):
            send(self.control, (verb, *arguments), files)

    def hear(self) -> Iterator[tuple[int, int]]:
        """Yield workers that have ended, and how; EOFError where the server has."""
        more = self._inbox.read()
        for verb, number, status in self._inbox.messages():
            if verb == "ended":
                yield number, status
            self.ready = self.ready or verb == "ready"
            self._cleared = verb == "cleared"
        if not more:
            raise EOFError

    def read_complaint(self) -> str:
        """Return the last line that the server wrote, which should be none."""
        lines = read_output(self._complaints.fileno()).splitlines()
        return first_line(lines[-1]) if lines else ""

    def is_alive(self) -> bool:
        """Tell whether it still runs."""
        return self._process.poll() is None

    def terminate(self) -> None:
        """End it, and all workers, from another thread."""
        self._process.terminate()

    def end(self) -> None:
        """End it, and all workers, and wait for that."""
        if not self.ready:
            self._process.terminate()  # it is loading, and would not notice
        self.control.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._complaints.close()

    def put_aside(self) -> None:
        """Keep it for the next pool; its workers, and what they started, end."""
        if not self._clear() or _spare:
            self.end()
        else:
            _spare.append(self)

    def _clear(self) -> bool:
        """Tell whether it has ended all workers."""
        if not self.ready:
            return False
        self.tell("clear")
        self._cleared = False
        deadline = time.monotonic() + PATIENCE
        with contextlib.suppress(EOFError):
            while not self._cleared and (left := deadline - time.monotonic()) > 0:
                select.select([self.control], [], [], left)
                for _ in self.hear():
                    pass
        return self._cleared


def take_server() -> ForkClient:
    """Return a server that was put aside, or a new one."""
    with contextlib.suppress(IndexError):
        server = _spare.pop()
        if server.is_alive():
            return server
        server.end()
    return ForkClient()


def start_server(modules: Iterable[str]) -> None:
    """Begin to load what workers will need, for a pool that is to come."""
    server = take_server()
    server.tell("import", sorted(modules))
    _spare.append(server)


@atexit.register
def _end_spare() -> None:
    while _spare:
        _spare.pop().end()


# A copy of this process has servers of its own.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_spare.clear)
