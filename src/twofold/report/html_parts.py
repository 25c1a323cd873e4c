"""The parts of the page: each is a heading and what belongs under it, or nothing."""

from __future__ import annotations

from html import escape

from twofold.comparison import Comparison, Pair
from twofold.comparison.sentences import describe_secondary, number, percent
from twofold.comparison.wording import method_in_words
from twofold.report import formatting
from twofold.report import pictures as drawn
from twofold.report.next_calls import for_python, for_terminal
from twofold.report.paragraphs import cited, methods, results
from twofold.stats import entry, papers

MOST_PAIRS = 1300
"""Rows of pairs on a page: all of 50 learners. More would be slow, and nobody reads them."""

FEWER_PAIRS = 400


def name(text: str) -> str:
    """Return a name that cannot disturb the page: neither by tags nor by its direction."""
    return f"<bdi>{escape(text)}</bdi>"


def title(text: str, level: int) -> str:
    """Return a heading."""
    return f'<h{level} class="title">{escape(text)}</h{level}>'


def answer(c: Comparison, level: int) -> str:
    """Return the question, the verdict, and how it was reached."""
    better = "higher" if c.higher_is_better else "lower"
    sets = f"{len(c.datasets)} data sets" if len(c.datasets) > 1 else name(c.datasets[0])
    side = ""
    if c.is_one_sided:
        names = (c.pairs[0].a, c.pairs[0].b) if len(c.pairs) == 1 else (str(c.control), "each")
        asked = formatting.direction_tested(c, *names)
        side = f" One-sided: tested only whether {escape(asked)}."
    gone = "".join(f'\n<p class="left-out">Left out: {escape(text)}</p>' for text in c.left_out)
    return (
        f'<h{level} class="question">{escape(c.question)}</h{level}>\n'
        f'<p class="verdict">{escape(c.verdict)}</p>\n'
        f'<p class="soft">{len(c.learners)} learners, {sets}; {escape(formatting.measured(c))}, '
        f"{better} is better; {escape(method_in_words(c.method))} at α = {c.alpha:g}. "
        f"{escape(c.reason)}{side}</p>{gone}"
    )


def notes(c: Comparison, level: int) -> str:
    """Return what a referee would say, warnings first."""
    if not c.notes:
        return ""
    # All are open, so that the page is whole without scripts and on paper.
    return "\n".join(
        [
            title("What to watch out for", level),
            *(
                f'<details open class="{note.severity}"><summary>{escape(note.title)}</summary>'
                f"<p>{escape(note.detail)}</p></details>"
                for note in formatting.notes(c)
            ),
        ]
    )


def omnibus(c: Comparison, level: int) -> str:
    """Return the tests for any difference."""
    if not c.omnibus:
        return ""
    rows = "\n".join(
        f'<tr><td>{escape(test.method)}</td><td class="n">{number(test.statistic, 4)}</td>'
        f'<td class="n">{", ".join(f"{part:g}" for part in test.df)}</td>'
        f'<td class="n">{escape(formatting.p_bare(test.pvalue))}</td></tr>'
        for test in c.omnibus
    )
    again = formatting.uncorrected(c)
    again = f'\n<p class="soft">{escape(again)}</p>' if again else ""
    if c.omnibus_replicability and c.omnibus_replicability.predicted is not None:
        share = escape(percent(c.omnibus_replicability.predicted))
        chance = f"Chance that {escape(entry(c.omnibus[-1].method).in_words)} on other data sets "
        again += f'\n<p class="soft">{chance}alike would decide the same: {share}.</p>'
    head = table_head(["test", "*statistic", "*df", "*p"])
    table = f'<table class="narrow">{head}<tbody>\n{rows}\n</tbody></table>'
    return f'{title("Any difference at all?", level)}\n<div class="scroll">{table}</div>{again}'


def pictures(c: Comparison, level: int) -> str:
    """Return every picture that fits."""
    found, left_out = drawn.pictures(c)
    if not found and not left_out:
        return ""
    lines = [title("Pictures" if len(found) > 1 else "Picture", level)]
    lines += [f'<div class="picture">{element}</div>' for _, element in found]
    for kind in left_out:
        lines.append(
            f'<p class="soft">The picture <code>{escape(kind)}</code> is too large for this page: '
            f'<code>answer.plot("{escape(kind)}.svg", kind="{escape(kind)}")</code>.</p>'
        )
    return "\n".join(lines)


def learners(c: Comparison, level: int) -> str:
    """Return the learners, best first, with letters for those that could not be told apart."""
    measure, reading, numbers = formatting.standing(c)
    if not numbers:
        return ""
    caption = f"{reading[0].upper()}{reading[1:]}."
    if c.critical_difference is not None:
        words = formatting.critical_difference(c)
        caption += f" {words[0].upper()}{words[1:]}."
    if c.groups:
        caption += " Learners that share a letter could not be told apart."
    where = {learner: i for i, learner in enumerate(c.learners)}
    values, of = c.mean_ranks or c.mean_scores, formatting.letters(c)
    rows = []
    for row, (learner, text) in enumerate(numbers.items(), 1):
        mark = " (control)" if learner == c.control else ""
        cells = [
            f'<td class="n" data-v="{row}">{row}</td>',
            f'<td class="name">{name(learner)}{mark}</td>',
            f'<td class="n" data-v="{values[learner]:.9g}">{text}</td>',
        ]
        if c.groups:
            cells.append(f"<td>{of[learner]}</td>")
        rows.append(f'<tr data-l="{where[learner]}">{"".join(cells)}</tr>')
    head = table_head(
        ["*place", "learner", f"*{escape(measure)}", *(["group"] if c.groups else [])]
    )
    body = "\n".join(rows)
    table = f'<table class="sortable narrow">{head}<tbody>\n{body}\n</tbody></table>'
    above = (
        f'{title(formatting.title_of_standing(c), level)}\n<p class="soft">{escape(caption)}</p>'
    )
    return f'{above}\n<div class="scroll">{table}</div>'


def pairs(c: Comparison, level: int) -> str:
    """Return the pairs; scripts sort and filter them, and show other adjustments."""
    if not c.pairs:
        return ""
    rows = formatting.that_matter(c, MOST_PAIRS if len(c.pairs) <= MOST_PAIRS else FEWER_PAIRS)
    left_out = len(c.pairs) - len(rows)
    caption = f"a − b: {formatting.estimate_kind(c)}. Wins, ties and losses are those of a."
    if any(pair.interval is not None for pair in c.pairs) and c.adjustment is not None:
        caption += f" Intervals are {formatting.interval_kind(c)}."
    repeats = any(pair.repeats is not None for pair in c.pairs)
    if repeats:
        caption += f" Repeats: the predicted chance that {formatting.repetition_kind(c)} decide"
        caption += "s the same." if len(c.datasets) == 1 else " the same."
    names = ["", *formatting.adjustments(c)]
    chosen = c.adjustment or ""
    label = f'<span class="p-label">{escape(f"p, {chosen}" if chosen else "p")}</span>'
    head = table_head(
        [
            "a",
            "b",
            "*a − b",
            f"*{c.interval_level} interval",
            "*\0",
            "*wins/ties/losses",
            "better",
        ]
        + ["*repeats"] * repeats
    ).replace("\0", label)
    where = {learner: i for i, learner in enumerate(c.learners)}
    body = "\n".join(_pair(c, pair, where, names, repeats) for pair in rows)
    heading, sortable = ("Pairs", "sortable ") if len(rows) > 1 else ("The pair", "")
    more = ""
    if left_out:
        more = (
            f'\n<p class="soft">{left_out} more pairs are left out; shown are those of the best '
            "learner (or the control) and those nearest to α. <code>--format json</code> "
            "lists them all.</p>"
        )
    return (
        f'{title(heading, level)}\n<p class="soft">{escape(caption)}</p>\n'
        f'{_choices(c, names, rows)}<div class="scroll"><table class="{sortable}pairs">'
        f"{head}<tbody>\n{body}\n</tbody></table></div>{more}"
    )


def _choices(c: Comparison, names: list[str], rows: list[Pair]) -> str:
    """Return what scripts offer; hidden without them."""
    if len(c.pairs) < 2:
        return ""
    present = {learner for pair in rows for learner in (pair.a, pair.b)}
    learners = "".join(
        f'<option value="{i}">{escape(learner)}</option>'
        for i, learner in enumerate(c.learners)
        if learner in present
    )
    offered = ""
    if len(names) > 1:
        options = "".join(
            f'<option data-head="p{f", {escape(one)}" if one else ""}"'
            f"{' selected' if one == (c.adjustment or '') else ''}>"
            f"{escape(one) or 'not adjusted'}{' (decides)' if one and one == c.adjustment else ''}"
            "</option>"
            for one in names
        )
        offered = f' <label>p values <select class="adjust">{options}</select></label>'
    return (
        '<div class="choices" hidden><label>learner <select class="who"><option value="">all'
        f"</option>{learners}</select></label>"
        f' <label><input type="checkbox" class="only"> only those that differ</label>{offered}'
        f' <span class="count soft">{len(rows)} rows</span></div>\n'
    )


def _pair(c: Comparison, pair: Pair, where: dict[str, int], names: list[str], repeats: bool) -> str:
    p = pair.decisive_p
    low = "" if pair.interval is None else f' data-v="{max(pair.interval[0], -1e300):.6g}"'
    better = pair.better
    every = [pair.adjusted.get(one, pair.pvalue) if one else pair.pvalue for one in names]
    known = "" if p is None else f' data-v="{p:.6g}"'
    if len(names) > 1 and all(one is not None for one in every):
        known += f' data-all="{" ".join(f"{one:.4g}" for one in every)}"'
    cells = [
        _learner(pair.a, better),
        _learner(pair.b, better),
        f'<td class="n" data-v="{pair.estimate:.6g}">{number(pair.estimate)}</td>',
        f'<td class="n"{low}>{formatting.interval_cell(pair)}</td>',
        f'<td class="n p"{known}>{escape(formatting.p_cell(p))}</td>',
        f'<td class="n" data-v="{pair.wins - pair.losses}">{formatting.record_cell(pair)}</td>',
        f"<td>{'—' if pair.outcome == 'none' else pair.outcome}</td>",
    ]
    if repeats:
        share = "" if pair.repeats is None else f"{pair.repeats:.4g}"
        cells.append(f'<td class="n" data-v="{share}">{escape(formatting.again_cell(pair))}</td>')
    kind = ' class="differs"' if better is not None else ""
    return f'<tr{kind} data-a="{where[pair.a]}" data-b="{where[pair.b]}">{"".join(cells)}</tr>'


def _learner(learner: str, better: str | None) -> str:
    kind = "name better" if learner == better else "name"
    return f'<td class="{kind}">{name(learner)}</td>'


def beside(c: Comparison, level: int) -> str:
    """Return other answers to the question about a single pair."""
    answers = describe_secondary(c.pairs)
    if not answers:
        return ""
    listed = "\n".join(
        f"<dt>{escape(name)}</dt><dd>{escape(_join(lines))}</dd>" for name, lines in answers
    )
    return f"{title('Beside it', level)}\n<dl>\n{listed}\n</dl>"


def _join(lines: list[str]) -> str:
    first, *rest = lines
    return f"{first}. {'; '.join(rest)}." if rest else first


def for_the_paper(c: Comparison, level: int) -> str:
    """Return paragraphs to copy, and the papers behind them."""
    listed = "\n".join(f"<li>{escape(papers()[key])}</li>" for key in cited(c))
    return (
        f'{title("For the paper", level)}\n<div class="paper"><p>{escape(methods(c))}</p>\n'
        f"<p>{escape(results(c))}</p></div>\n"
        f"<ul>\n{listed}\n</ul>"
    )


def next_calls(c: Comparison, level: int) -> str:
    """Return what to try next, in the terminal and in Python."""
    rows = [(call, what) for call, what in for_terminal(c) if "--report" not in call]
    rows += [('twofold.report.save_report(answer, "report.tex")', "for a paper, with a .bib")]
    items = "\n".join(f"<li><code>{escape(call)}</code> {escape(what)}</li>" for call, what in rows)
    python = ", ".join(f"<code>{escape(call)}</code>" for call in for_python(c))
    return f"{title('Next', level)}\n<ul>\n{items}\n<li>In Python: {python}</li>\n</ul>"


def table_head(names: list[str]) -> str:
    """Return the head of a table; names that begin with a star are over numbers."""
    cells = "".join(
        f'<th scope="col" class="n">{escape(text[1:])}</th>'
        if text.startswith("*")
        else f'<th scope="col">{escape(text)}</th>'
        for text in names
    )
    return f"<thead><tr>{cells}</tr></thead>"
