"""Reports: the facts of a comparison, arranged for people and programs."""

from typing import TYPE_CHECKING

from twofold.on_demand import load_on_demand
from twofold.report.bibtex import bibtex
from twofold.report.html import fragment, html
from twofold.report.latex import latex
from twofold.report.markdown import markdown
from twofold.report.save import save_report
from twofold.report.terminal import terminal

__all__ = [
    "bibtex",
    "calibration_html",
    "findings_html",
    "fragment",
    "html",
    "latex",
    "markdown",
    "save_report",
    "save_study_report",
    "save_table",
    "study_json",
    "table_findings_html",
    "terminal",
]

if TYPE_CHECKING:
    from twofold.report.save_study import save_study_report, study_json
    from twofold.report.study_html import calibration_html, findings_html
    from twofold.report.table_files import save_table
    from twofold.report.table_study_html import table_findings_html
else:
    # Those of studies and of tables; the others are called like their modules, or are small.
    __getattr__ = load_on_demand(
        __name__,
        {
            "save_study": "save_study_report study_json",
            "study_html": "calibration_html findings_html",
            "table_files": "save_table",
            "table_study_html": "table_findings_html",
        },
    )
