"""`twofold compare`: from a table of scores, or from learners and data, to a verdict."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from twofold.cli.run_command import running_options
from twofold.comparison import Comparison
from twofold.comparison.refusals import refuse_misfit
from twofold.errors import InputError
from twofold.experiments import compare
from twofold.report import bibtex, html, latex, markdown, save_report, terminal

FORMATS = {
    "terminal": terminal,
    "markdown": markdown,
    "latex": latex,
    "bibtex": bibtex,
    "html": html,
}

# Options that only make sense for one of the two ways to ask, by their names in the arguments.
TABLE_ONLY = {
    "lower_is_better": "--lower-is-better",
    "higher_is_better": "--higher-is-better",
    "ranks": "--ranks",
    "predictions": "--predictions",
    "truth": "--truth",
    "learners": "--learners",
    "rows": "--rows",
    "transpose": "--transpose",
    "n_train": "--n-train",
    "n_test": "--n-test",
    "test_share": "--test-share",
}
DATA_ONLY = {
    "positive": "--positive",
    "target": "--target",
    "groups": "--groups",
    "folds": "--folds",
    "task": "--task",
    "drop_unlabelled": "--drop-unlabelled",
    "design": "--design",
    "no_stratify": "--no-stratify",
    "until": "--until",
    "max_runs": "--max-runs",
    "budget": "--budget",
    "calibrate": "--calibrate",
    "workers": "--workers",
    "on": "--on",
    "store": "--store",
}


def run(arguments: argparse.Namespace) -> None:
    """Answer, and write what was asked for."""
    _refuse_misfits(arguments)
    question: dict[str, Any] = {
        "control": arguments.control,
        "alpha": arguments.alpha,
        "adjust": arguments.adjust,
        "test": arguments.test,
        "rope": arguments.rope,
        "alternative": arguments.alternative,
        "df": arguments.df,
    }
    if arguments.data:
        answer = compare(
            arguments.what,
            **running_options(arguments),
            until=arguments.until,
            max_runs=arguments.max_runs,
            calibrate=arguments.calibrate,
            **question,
        )
    else:
        answer = _from_table(arguments, question)
    _write(answer, arguments)


def _refuse_misfits(arguments: argparse.Namespace) -> None:
    """Refuse options that would be ignored."""
    if arguments.picture and not arguments.plot:
        raise InputError("--picture says what to draw, but not where.", "Add --plot FILE.")
    if arguments.highlight and not arguments.plot:
        raise InputError("--highlight is for a picture, and none is drawn.", "Add --plot FILE.")
    misfits = TABLE_ONLY if arguments.data else DATA_ONLY
    for name, option in misfits.items():
        if getattr(arguments, name):
            refuse_misfit(option, with_data=bool(arguments.data))
    if not arguments.data and len(arguments.what) > 1:
        listed = " ".join(arguments.what[:4])
        raise InputError(
            f"One table can be read, and {len(arguments.what)} names were given.",
            f"To run learners, name the data: twofold compare {listed} --data FILE",
        )


def _from_table(arguments: argparse.Namespace, question: dict[str, Any]) -> Comparison:
    higher = None
    if arguments.lower_is_better or arguments.higher_is_better:
        higher = bool(arguments.higher_is_better)
    return compare(
        arguments.what[0],
        **question,
        ranks=arguments.ranks,
        predictions=arguments.predictions,
        truth=arguments.truth,
        metric=arguments.metric,
        higher_is_better=higher,
        drop=arguments.drop,
        only=arguments.learners,
        rows=arguments.rows,
        transpose=arguments.transpose,
        n_train=arguments.n_train,
        n_test=arguments.n_test,
        test_share=arguments.test_share,
        seed=arguments.seed,
    )


def _write(answer: Comparison, arguments: argparse.Namespace) -> None:
    if arguments.plot:
        answer.plot(arguments.plot, kind=arguments.picture, highlight=arguments.highlight)
        print(f"Picture written to {arguments.plot}", file=sys.stderr)
    if arguments.report:
        save_report(answer, arguments.report)
        print(f"Report written to {arguments.report}", file=sys.stderr)
    if arguments.format == "json":
        print(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))
    else:
        print(FORMATS[arguments.format](answer))
