"""`twofold compare`: from a table of scores to a verdict."""

from __future__ import annotations

import argparse
import json
import sys

from twofold.comparison import compare
from twofold.errors import InputError
from twofold.report import latex, markdown, save_report, terminal

FORMATS = {"terminal": terminal, "markdown": markdown, "latex": latex}


def run(arguments: argparse.Namespace) -> None:
    """Compare what the file holds, and print the answer."""
    higher = None
    if arguments.lower_is_better or arguments.higher_is_better:
        higher = bool(arguments.higher_is_better)
    answer = compare(
        arguments.file,
        control=arguments.control,
        alpha=arguments.alpha,
        adjust=arguments.adjust,
        test=arguments.test,
        rope=arguments.rope,
        alternative=arguments.alternative,
        ranks=arguments.ranks,
        predictions=arguments.predictions,
        truth=arguments.truth,
        metric=arguments.metric,
        higher_is_better=higher,
        seed=arguments.seed,
    )
    if arguments.picture and not arguments.plot:
        raise InputError("--picture says what to draw, but not where.", "Add --plot FILE.")
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
