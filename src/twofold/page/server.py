"""The page on one's own machine: open a port, say where, answer until Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twofold.errors import InputError, describe_error, format_traceback
from twofold.extras import require
from twofold.page import page_limits
from twofold.page.answer_workers import AnswerWorkers
from twofold.page.doorkeeper import LOOPBACK, Doorkeeper
from twofold.page.example_tables import add_examples
from twofold.page.kept_pages import KeptPages
from twofold.page.kept_tables import KeptTables
from twofold.page.plan_pages import PlanPages
from twofold.page.routes import Site, refuse
from twofold.page.run_queue import RunQueue
from twofold.page.run_routes import RunSite
from twofold.tables.decode import read_bytes

PORT = 8723


@dataclass(frozen=True)
class ServeOptions:
    """Where the page is served, and what it shows at first."""

    files: Sequence[str] = ()
    host: str = "127.0.0.1"
    port: int = PORT
    token: str = ""
    store: str = ""
    run: bool = False
    learners: Sequence[str] = ()


def find_store(where: str) -> str:
    """Return the store that is named, for a process in any folder; nothing means the usual one."""
    name = where or os.environ.get("TWOFOLD_STORE") or ""
    is_file = name and "://" not in name and name != ":memory:"
    return os.path.abspath(os.path.expanduser(name)) if is_file else name


def read_folder(folder: Path) -> list[tuple[str, bytes]]:
    """Return the files of a folder that was named, by their names within it."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    paths = [path for path in paths if "/." not in f"/{path.relative_to(folder).as_posix()}"]
    if len(paths) > page_limits.MOST_FILES:
        raise InputError(
            f"{str(folder)!r} holds more than {page_limits.MOST_FILES:,} files.",
            "Name a folder within it; `twofold compare` takes more.",
        )
    return [(path.relative_to(folder).as_posix(), read_bytes(path)) for path in paths]


def require_page() -> None:
    """Refuse to go on without the libraries of the page."""
    require("page", "`twofold serve`")


def open_queue(run: bool, store: str) -> RunQueue | None:
    """Return what runs experiments, where that is allowed."""
    if not run:
        return None
    require("run", "`twofold serve --run`")
    if store == ":memory:":
        raise InputError(
            "Runs are kept in a store, and `:memory:` keeps nothing.", "Name a file: `store=FILE`."
        )
    return RunQueue()


def make_app(
    options: ServeOptions, phrase: Callable[[Any], Any] | None = None, **limits: Any
) -> Any:
    """Return the ASGI application; ``limits`` are those of the workers."""
    require_page()
    from starlette.applications import Starlette
    from starlette.routing import Route

    tables = KeptTables()
    for name in options.files:
        if Path(name).is_dir():
            tables.add_folder(Path(name).resolve().name, read_folder(Path(name)), "given", name)
        else:
            tables.add(name, read_bytes(Path(name)), "given", name)
    add_examples(tables)
    workers = AnswerWorkers(phrase, **limits)
    store = find_store(options.store)
    plans = PlanPages(tables, workers)
    kept = KeptPages(tables, workers, store)
    queue = open_queue(options.run, store)
    site = Site(tables, workers, store, None if queue is None else queue.list_runs)
    runs = RunSite(tables, workers, queue, tuple(options.learners), store, options.store)

    @contextlib.asynccontextmanager
    async def run_workers(_: Any) -> AsyncIterator[None]:
        workers.open()
        if queue is not None:
            queue.open(workers.folder)
        try:
            yield
        finally:
            if queue is not None:
                queue.close()
            workers.close()

    routes = [
        Route("/", site.show_start),
        Route("/tables", site.take_tables, methods=["POST"]),
        Route("/read", site.show_reading),
        Route("/answer", site.show_answer),
        Route("/download", site.send_file),
        Route("/questions", site.walk_questions),
        Route("/plan", plans.show),
        Route("/plan/file", plans.send_file),
        Route("/runs", site.show_runs),
        Route("/studies", kept.show),
        Route("/kept", kept.send_file),
        Route("/experiment", runs.show_experiment),
        Route("/experiment", runs.start, methods=["POST"]),
        Route("/experiment/stop", runs.stop, methods=["POST"]),
        Route("/experiment/file", runs.send_file),
    ]
    handlers = {404: _show_missing, 405: _show_missing, 500: _show_failure}
    app = Starlette(routes=routes, lifespan=run_workers, exception_handlers=handlers)
    app.state.queue, app.state.workers = queue, workers
    is_local = options.host in LOOPBACK
    names = LOOPBACK if is_local else (*LOOPBACK, options.host, socket.gethostname())
    return Doorkeeper(app, options.token, names, not is_local, refuse)


async def _show_missing(*_: Any) -> Any:
    return refuse(404, "There is no such page.", "The first page has links to all others.")


async def _show_failure(_: Any, error: Exception) -> Any:
    sys.stderr.write(format_traceback(error))
    return refuse(500, f"This should not happen: {describe_error(error)}.", "Please report it.")


def serve(
    options: ServeOptions,
    *,
    phrase: Callable[[Any], Any] | None = None,
    announce: Callable[[str], None] = print,
    open_browser: bool = True,
) -> None:
    """Serve the page until a signal ends it.

    Parameters
    ----------
    phrase : function
        Puts the notes of an answer into the words of the command line.
    announce : function
        Is given the address to open.
    """
    require_page()
    options = replace(options, token=options.token or secrets.token_urlsafe(24))
    app = make_app(options, phrase)
    with open_port(options.host, options.port) as listener:
        address = write_address(options, listener.getsockname()[1])
        announce(address)
        if open_browser:
            _open_browser(address)
        _make_server(app).run(sockets=[listener])


def _make_server(app: Any) -> Any:
    import logging

    from uvicorn import Config, Server

    from twofold.page.patient_protocol import make_protocol

    # What is wrong with a form is told to who sent it, not in the terminal.
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)
    return Server(
        Config(
            app,
            http=make_protocol(page_limits.SILENT_SECONDS),
            ws="none",
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=64_000,
        )
    )


def open_port(host: str, port: int) -> socket.socket:
    """Return a listening socket, or refuse in two lines."""
    if not 0 <= port <= 65535:
        raise InputError(f"There is no port {port}.", "Choose one from 1024 to 65535.")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
    except OSError:
        raise InputError(
            f"This machine has no address {host!r}.", "Leave out `host`, for 127.0.0.1."
        ) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        reason = (error.strerror or "refused").lower()
        raise InputError(
            f"Port {port} of {host} cannot be used: {reason}.",
            f"Choose another: `port={port + 1 if port < 65535 else PORT}`.",
        ) from None
    return listener


def write_address(options: ServeOptions, port: int) -> str:
    """Return the first address, which holds the token."""
    host = "127.0.0.1" if options.host in ("0.0.0.0", "::") else options.host
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/?token={options.token}"


def _open_browser(address: str) -> None:
    """Open the address where there is a browser; a browser in the terminal would hold us up."""
    import webbrowser

    def open_quietly() -> None:
        with contextlib.suppress(Exception):
            webbrowser.open(address)

    threading.Thread(target=open_quietly, daemon=True).start()
