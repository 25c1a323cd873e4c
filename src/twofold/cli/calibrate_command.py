"""`twofold calibrate`: with how many degrees of freedom does each test keep its level?"""

from __future__ import annotations

import argparse

from twofold.cli.keep_answers import keep
from twofold.cli.streams import tell
from twofold.cli.study_command import check_targets, draw_and_report, write
from twofold.cli.study_kinds import read_learner_names, study_keywords
from twofold.provenance_record import record_provenance
from twofold.studies import calibrate


def run(arguments: argparse.Namespace) -> None:
    """Calibrate tests, and show or write the table."""
    check_targets(arguments)
    with record_provenance(arguments.command_line):
        calibration = calibrate(
            arguments.source,
            read_learner_names(arguments),
            rows=arguments.rows,
            datasets=arguments.datasets,
            design=arguments.design,
            runs=arguments.runs,
            tests=arguments.tests,
            alpha=arguments.alpha,
            most=arguments.most,
            **study_keywords(arguments),
        )
    if arguments.output and arguments.output.endswith(".json"):
        # A short line for each entry, rather than one for each number.
        calibration.save(arguments.output)
        tell(f"Written to {arguments.output}", quiet=arguments.quiet)
        print(calibration, flush=True)
        draw_and_report(calibration, arguments)
        keep(calibration, arguments)
        return
    write(calibration, arguments)
