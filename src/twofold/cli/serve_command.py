"""`twofold serve`: a page for a browser on this machine, or the same as static files."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import Any

from twofold.cli.compare_command import phrase_answer
from twofold.cli.streams import tell
from twofold.errors import InputError

GOODBYE = "Stopped. Uploaded tables are gone."


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C, or write a folder."""
    if arguments.learner and not arguments.run:
        raise InputError("`learner` offers a learner to run.", "Add --run, which allows that.")
    if arguments.bundle is not None:
        if arguments.run:
            raise InputError("Static files run nothing.", "Leave out --run, or --bundle.")
        from twofold.page import write_bundle

        for file in write_bundle(arguments.bundle, arguments.files, phrase_as_compare):
            tell(f"Written: {file}")
        return 0
    if not isinstance(arguments.port, int):
        raise InputError(f"`port` must be a whole number, got {arguments.port!r}.", "As in 8723.")
    from twofold.page import ServeOptions, serve

    options = ServeOptions(
        tuple(arguments.files),
        arguments.host,
        arguments.port,
        store=arguments.store,
        run=arguments.run,
        learners=tuple(arguments.learner),
    )
    with suppress(KeyboardInterrupt):  # the usual end
        serve(
            options,
            phrase=phrase_as_compare,
            announce=_announce,
            open_browser=not arguments.no_browser,
        )
    tell(GOODBYE)
    return 0


def phrase_as_compare(answer: Any) -> Any:
    """Return an answer with notes that name the flags of `twofold compare`."""
    from twofold.cli import find_parser

    return phrase_answer(answer, find_parser("compare"))


def _announce(address: str) -> None:
    print(f"twofold serves on {address}\nCtrl-C ends it.", flush=True)
