"""`twofold compare`: from a table of scores to a verdict."""

from __future__ import annotations

import argparse
import json

from twofold.comparison import compare
from twofold.report import terminal


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
    if arguments.format == "json":
        print(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))
    else:
        print(terminal(answer))
