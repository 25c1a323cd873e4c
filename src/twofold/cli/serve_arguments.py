"""The arguments of `twofold serve`, without loading what it runs."""

from __future__ import annotations

from typing import Any

from twofold.cli.option_flags import read_count

PORT = 8723


def add_serve(commands: Any) -> None:
    """Define `twofold serve`."""
    serve = commands.add_parser(
        "serve",
        help="open a page in the browser: drop a table, see how it was read, get the answer",
        description="Serve a page on this machine, for this machine, until Ctrl-C. Tables that are "
        "dropped there stay in memory and are gone when it ends. With --bundle nothing is served: "
        "answers for the files are written as a folder of static pages.",
        epilog="examples: twofold serve; twofold serve scores.csv; "
        "twofold serve --run --learner 'sklearn.svm.SVC(C=10)' data.csv; "
        "twofold serve --bundle answers *.csv",
    )
    serve.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="tables to begin with, or folders of them; with --run also data",
    )
    serve.add_argument(
        "--port", type=read_count, default=PORT, metavar="N", help=f"({PORT}); 0: any that is free"
    )
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="where to listen (127.0.0.1, this machine alone); others then need the token printed",
    )
    serve.add_argument(
        "--store",
        metavar="FILE",
        default="",
        help="the store whose runs are shown; else TWOFOLD_STORE, else your cache folder",
    )
    serve.add_argument(
        "--run",
        action="store_true",
        help="let the page run experiments: built-in learners, and those named by --learner",
    )
    serve.add_argument(
        "--learner",
        action="append",
        default=[],
        metavar="LEARNER",
        help="with --run: also offer this one, as compare takes it: sklearn.svm.SVC(C=10), "
        "file.py:Name; repeatable",
    )
    serve.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )
    serve.add_argument(
        "--bundle", metavar="FOLDER", help="write the answers to this folder instead of serving"
    )
