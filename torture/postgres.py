"""A PostgreSQL server of one's own, which may be stopped, killed and started again.

Its programs come from the package pgserver, else from Debian (/usr/lib/postgresql). It listens on a
socket in a folder of its own, as a user who is not root, and ends with the process that started it.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

SECONDS_TO_START = 600
PREFIX = "twofold-postgres-"

# What is lost with the machine's power is of no interest here; speed is.
SETTINGS = {"listen_addresses": "", "fsync": "off", "max_connections": "40"}


def find_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, if there is one."""
    package = importlib.util.find_spec("pgserver")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if package is not None and package.origin is not None:
        folders.insert(0, Path(package.origin).parent / "pginstall" / "bin")
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def missing() -> str:
    """Return what this machine lacks for a server, or an empty text."""
    if os.name != "posix" or find_programs() is None:
        return "PostgreSQL is not installed: pip install pgserver"
    if importlib.util.find_spec("psycopg") is None:
        return "PostgreSQL's driver is not installed: pip install 'psycopg[binary]'"
    if os.geteuid() == 0 and _user() is None:
        return "PostgreSQL does not run as root, and there is no other user"
    if os.geteuid() == 0 and not may_enter(find_programs()):
        return "PostgreSQL does not run as root, and others may not enter the folder it is in"
    return ""


def may_enter(folder: Path | None) -> bool:
    """Tell whether everybody may enter a folder; a checkout in root's home is closed to others."""
    return folder is not None and all(
        each.stat().st_mode & stat.S_IXOTH for each in (folder.resolve(), *folder.resolve().parents)
    )


class PostgresServer:
    """A server that runs until `close`, in a folder that is removed then."""

    def __init__(self) -> None:
        programs = find_programs()
        assert programs is not None, missing()
        self._postgres = programs / "postgres"
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count()
        # Linux ends the server with the thread that started it.
        self._launcher = ThreadPoolExecutor(1)
        self._user = _user() if os.geteuid() == 0 else None
        # Not below a folder that only its owner may enter, as pytest's are; the name is short,
        # because names of sockets must be.
        _remove_left_over()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self.data = self.folder / "data"
        if self._user is not None:
            os.chown(self.folder, self._user, -1)
        initdb = [programs / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust"]
        subprocess.run(
            [*initdb, "-E", "utf8", "--locale=C", "--no-sync"],
            check=True,
            capture_output=True,
            cwd=self.folder,
            user=self._user,
        )
        self.start()

    def start(self) -> None:
        """Start the server, and return when it answers; one that runs is left alone."""
        import psycopg

        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            if not self.runs():
                self.launch()
            with contextlib.suppress(psycopg.OperationalError), self.connect():
                return
            if time.monotonic() > deadline:
                log = (self.folder / "log").read_text(encoding="utf-8", errors="replace")
                raise TimeoutError(f"PostgreSQL did not start: {log[-500:]}")
            time.sleep(0.02)

    def launch(self) -> None:
        """Begin to start the server, without waiting until it answers.

        It may end at once where a server that was killed has not quite gone: `start` tries again.
        """
        settings = {**SETTINGS, "unix_socket_directories": str(self.folder)}
        options = [part for item in settings.items() for part in ("-c", "=".join(item))]
        with (self.folder / "log").open("ab") as log:
            self._process = self._launcher.submit(
                subprocess.Popen,
                [self._postgres, "-D", self.data, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self._user,
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,
            ).result()

    def runs(self) -> bool:
        """Tell whether the process of the server is there."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stop the server as an administrator does who does not wait: connections are ended."""
        self._signal(signal.SIGINT)

    def crash(self) -> None:
        """Stop the server at once: it will recover from its log when it is started again."""
        self._signal(signal.SIGQUIT)

    def kill(self) -> None:
        """Kill the server's main process with SIGKILL; its children end by themselves."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait()

    def connect(self) -> Any:
        """Return a connection of psycopg, which commits each statement."""
        import psycopg

        return psycopg.connect(host=str(self.folder), user="postgres", autocommit=True)

    def end_connections(self) -> int:
        """End all connections but this one, as an administrator may; return how many there were."""
        query = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> "
        with self.connect() as connection:
            query += "pg_backend_pid() AND backend_type = 'client backend'"
            return int(connection.execute(query).fetchone()[0])

    def make_url(self) -> str:
        """Make an empty schema, and return the URL with which SQLAlchemy uses it."""
        self.start()
        name = f"s{next(self._numbers)}"
        with self.connect() as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        options = f"-csearch_path%3D{name}"
        return f"postgresql+psycopg://postgres@/postgres?host={self.folder}&options={options}"

    def close(self) -> None:
        """Stop the server and remove its folder."""
        if self.runs():
            self.crash()
        self._launcher.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _user() -> int | None:
    """Return a user other than root."""
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_uid
    return None


def _remove_left_over() -> None:
    """Remove folders of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        number = folder.name.removeprefix(PREFIX).partition("-")[0]
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (OSError, ValueError):
            continue  # it runs as someone else, or is not ours


def _end_with_parent() -> None:
    """Ask the system to end this process when the one that started it ends, however that does."""
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGQUIT)
