"""Findings of a study, and calibrations, as one page each; in the look of a comparison's page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from twofold.errors import InputError
from twofold.plots import calibration_chart, chart_svg, study_chart, study_pictures
from twofold.plots.charts import Chart
from twofold.report.html import element, page
from twofold.report.html_parts import table_head, title
from twofold.report.pictures import alone
from twofold.report.study_sentences import erring, headline, of_calibration, of_point, points
from twofold.studies import Calibrated, Calibration, Estimate, Finding, Findings
from twofold.studies.findings_table import HEADS, label, name_pair, short

COLUMNS = {
    "for_a": "A better",
    "for_b": "B better",
    "consistent": "consistent",
    "replicability": "R",
    "replicability_p": "R(p)",
    "agreement": "agree",
    "predicted": "predicted",
}
LEGEND = (
    "In brackets behind a test the degrees of freedom, where they were chosen. A better, B better: "
    "how often each is found to be. consistent: data sets on which all repetitions decide alike. "
    "R: chance that two repetitions both reject or both do not; R(p) = 1 − 2·var(p). agree: the "
    "same as R, direction included; predicted: what single experiments predict of it. fits: "
    "trainings in one experiment. Intervals show where the pointer rests."
)


def findings_html(found: Findings) -> str:
    """Return findings as a self-contained page."""
    return page(headline(found), findings_fragment(found, heading=1))


def findings_fragment(found: Findings, *, heading: int = 3) -> str:
    """Return findings as an element that brings its own styles."""
    level = heading + 1
    unfinished = "" if found.complete else " Not finished yet."
    top = (
        f'<h{heading} class="question">How do tests behave on '
        f"{escape(name_pair(found.learners))}?</h{heading}>\n"
        f'<p class="verdict">{escape(headline(found))}</p>\n'
        f'<p class="soft">{escape(_scope(found))}{unfinished}</p>'
    )
    charts = [(kind, lambda kind=kind: study_chart(found, kind)) for kind in study_pictures(found)]
    sections = [top, _pictures(charts, level), *_tables(found, level), _made(found.made, level)]
    return element([*sections, _notes(found, level), _next("study", level)])


def calibration_html(found: Calibration) -> str:
    """Return a calibration as a self-contained page."""
    return page(of_calibration(found)[0], calibration_fragment(found, heading=1))


def calibration_fragment(found: Calibration, *, heading: int = 3) -> str:
    """Return a calibration as an element that brings its own styles."""
    made, level = found.made, heading + 1
    learners = " against ".join(map(str, made["learners"]))
    about = (
        f"{learners} on {made['datasets']} data sets of {made['rows']} rows of {made['source']}, "
        f"where neither should win; {found.confidence:.0%} intervals."
    )
    top = (
        f'<h{heading} class="question">With how many degrees of freedom do tests keep their level?'
        f"</h{heading}>\n"
        f'<p class="verdict">{escape(" ".join(of_calibration(found)))}</p>\n'
        f'<p class="soft">{escape(about)}</p>'
    )
    charts = [("df", lambda: calibration_chart(found))]
    sections = [top, _pictures(charts, level), _calibrated(found, level), _made(made, level)]
    return element([*sections, _next("calibrate", level)])


def _scope(found: Findings) -> str:
    if not found.rows:
        return ""
    one = found.rows[0]
    count = len(points(found))
    times = "once" if one.repetitions == 1 else f"{one.repetitions} times"
    many = f"{count} combinations of source, size and level; " if count > 1 else ""
    return f"{many}{one.datasets} data sets each, every experiment {times} on each."


def _pictures(charts: Iterable[tuple[str, Callable[[], Chart]]], level: int) -> str:
    lines = []
    for place, (kind, make) in enumerate(charts):
        try:
            chart = make()
            drawn = alone(chart_svg(chart), f"s{place}-")
        except InputError as error:
            # Too many panels, or no matplotlib: the page has its tables.
            lines.append(
                f'<p class="soft">The picture <code>{escape(kind)}</code> is not here: '
                f"{escape(error.rule)}</p>"
            )
            continue
        lines.append(
            f'<p class="soft">{escape(chart.title)}</p>\n<div class="picture">{drawn}</div>'
        )
    return "\n".join([title("Pictures" if len(lines) > 1 else "Picture", level), *lines])


def _tables(found: Findings, level: int) -> list[str]:
    groups, bad = points(found), erring(found.rows)
    made = []
    for (source, rows, alpha), group in groups.items():
        words = f"{source}, {rows} rows, α = {alpha:g}"
        gap = group[0].difference
        between = f"({gap.low:+.4f} to {gap.high:+.4f})"
        size = f"Mean difference of accuracy A − B: {gap.value:+.4f} {between}.".replace("-", "−")
        said = "\n".join(f"<li>{escape(one)}</li>" for one in of_point(group, bad))
        head = table_head(
            ["experiment", f"*{HEADS[group[0].null]}", f"*{found.confidence:.0%} interval"]
            + [f"*{name}" for name in COLUMNS.values()]
            + ["*fits"]
        )
        body = "\n".join(_row(row) for row in group)
        made.append(
            f'{title(words, level)}\n<p class="soft">{escape(size)}'
            f'</p>\n<ul>\n{said}\n</ul>\n<div class="scroll"><table class="sortable">'
            f"{head}<tbody>\n{body}\n</tbody>"
            "</table></div>"
        )
    return [*made, f'<p class="soft">{escape(LEGEND)}</p>']


def _row(row: Finding) -> str:
    rate = row.rejected
    kind = ' class="name"'
    mark = ""
    if row.null and rate.low > row.alpha:
        mark = " ↑"
    elif row.null and rate.high < row.alpha:
        mark = " ↓"
    cells = [
        f"<td{kind}>{escape(label(row))}</td>",
        f'<td class="n" data-v="{rate.value:.6g}">{short(rate.value)}{mark}</td>',
        f'<td class="n" data-v="{rate.low:.6g}">{short(rate.low)} to {short(rate.high)}</td>',
    ]
    cells += [_cell(getattr(row, name)) for name in COLUMNS]
    cells.append(f'<td class="n" data-v="{row.fits}">{row.fits}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _cell(one: Estimate | None) -> str:
    if one is None:
        return '<td class="n" data-v="-1">—</td>'
    between = f"{short(one.low)} to {short(one.high)}"
    return f'<td class="n" data-v="{one.value:.6g}" title="{between}">{short(one.value)}</td>'


def _calibrated(found: Calibration, level: int) -> str:
    levels = list(dict.fromkeys(one.alpha for one in found.entries))
    head = table_head(
        ["test", "design", "*level", "*df", "*interval", "*Type I error", "*textbook", "*its error"]
    )
    rows = "\n".join(_entry(one) for one in found.entries)
    words = (
        "df: the largest at which the Type I error is not above the level; none: even the lowest "
        "that was considered errs too often; ≥: as many as were considered. textbook: the df of "
        "the test without calibration, and how often it errs with them."
    )
    return (
        f"{title(f'{len(levels)} levels, {len(found.entries)} entries', level)}\n"
        f'<p class="soft">{escape(words)}</p>\n<div class="scroll"><table class="sortable">{head}'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _entry(one: Calibrated) -> str:
    df = "none" if one.df is None else f"{'≥ ' if one.at_most else ''}{one.df:g}"
    between = "" if one.df is None or one.at_most else f"{one.low:.1f} to {one.high:.1f}"
    error = "—" if one.type_one is None else short(one.type_one.value)
    textbook = one.type_one_textbook
    return (
        f'<tr><td class="name">{escape(one.test)}</td><td>{escape(one.design)}</td>'
        f'<td class="n" data-v="{one.alpha}">{one.alpha:g}</td>'
        f'<td class="n" data-v="{one.df or 0:g}">{df}</td>'
        f'<td class="n" data-v="{one.low:.4g}">{between}</td>'
        f'<td class="n">{error}</td><td class="n" data-v="{one.textbook:g}">{one.textbook:g}</td>'
        f'<td class="n" data-v="{textbook.value:.6g}">{short(textbook.value)}</td></tr>'
    )


def _made(made: Mapping[str, Any], level: int) -> str:
    """Return what the numbers depend on."""
    items = "\n".join(
        f"<dt>{escape(name.replace('_', ' '))}</dt><dd>{escape(_plain(value))}</dd>"
        for name, value in made.items()
        if value not in ([], None)
    )
    return f"{title('How it was made', level)}\n<dl>\n{items}\n</dl>" if items else ""


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _notes(found: Findings, level: int) -> str:
    if not found.notes:
        return ""
    lines = [
        f'<details open class="{note.severity}"><summary>{escape(note.title)}</summary>'
        f"<p>{escape(note.detail)}</p></details>"
        for note in found.notes
    ]
    return "\n".join([title("Notes", level), *lines])


def _next(command: str, level: int) -> str:
    calls = {
        "study": (
            ("--picture qq --plot qq.svg", "another picture: rates, power, replicability, …"),
            ("--precision 0.01", "more data sets, until intervals are that narrow"),
            ("-o found.json", "every number, for programs"),
        ),
        "calibrate": (
            ("-o own.json", "the table, for `twofold compare --df own.json`"),
            ("--plot df.svg", "the picture alone"),
        ),
    }[command]
    items = "\n".join(f"<li><code>{escape(a)}</code> {escape(b)}</li>" for a, b in calls)
    return f"{title('Next', level)}\n<ul>\n{items}\n</ul>"
