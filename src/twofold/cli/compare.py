"""`twofold compare`: from a table of scores to a verdict."""

from __future__ import annotations

import argparse
import json
import sys

from twofold.comparison import compare
from twofold.report import bibtex, html, latex, markdown, save_report, terminal

FORMATS = {
    "terminal": terminal,
    "markdown": markdown,
    "latex": latex,
    "bibtex": bibtex,
    "html": html,
}


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
        drop=arguments.drop,
        only=arguments.learners,
        rows=arguments.rows,
        transpose=arguments.transpose,
        n_train=arguments.n_train,
        n_test=arguments.n_test,
        test_share=arguments.test_share,
        seed=arguments.seed,
    )
    if arguments.plot:
        answer.plot(arguments.plot, highlight=arguments.highlight)
        print(f"Picture written to {arguments.plot}", file=sys.stderr)
    if arguments.report:
        save_report(answer, arguments.report)
        print(f"Report written to {arguments.report}", file=sys.stderr)
    if arguments.format == "json":
        print(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))
    else:
        print(FORMATS[arguments.format](answer))
