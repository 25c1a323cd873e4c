"""A comparison in the terminal: verdict first, readable at 80 columns."""

from __future__ import annotations

import textwrap

from twofold.comparison import RENDERERS, Comparison, Pair
from twofold.comparison.sentences import number, p_value
from twofold.report.paragraphs import chosen_adjustment

WIDTH = 79
MOST_PAIRS = 12


def terminal(comparison: Comparison) -> str:
    """Return the comparison as text of at most 80 columns."""
    blocks = [
        _wrapped(comparison.verdict, ""),
        _asked(comparison),
        _omnibus(comparison),
        _ranks(comparison),
        _pairs(comparison),
        _beside(comparison),
        _notes(comparison),
        _next(comparison),
    ]
    return "\n\n".join(block for block in blocks if block)


RENDERERS["terminal"] = terminal


def _wrapped(text: str, first: str, rest: str | None = None) -> str:
    indent = first if rest is None else rest
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=indent)


def _asked(c: Comparison) -> str:
    n, k = len(c.datasets), len(c.learners)
    better = "higher" if c.higher_is_better else "lower"
    sets = f"{n} data sets" if n > 1 else f"one data set ({c.datasets[0]})"
    return "\n".join(
        [
            _wrapped(f"Question  {c.question}", "", " " * 10),
            _wrapped(
                f"Table     {k} learners, {sets}; {c.metric}, {better} is better", "", " " * 10
            ),
            _wrapped(f"Method    {c.method} at α = {c.alpha:g}. {c.reason}", "", " " * 10),
        ]
    )


def _omnibus(c: Comparison) -> str:
    if not c.omnibus:
        return ""
    lines = ["Any difference at all?"]
    for test in c.omnibus:
        df = " and ".join(f"{part:g}" for part in test.df)
        value = number(test.statistic, 4)
        lines.append(f"  {test.method:<16} {value:>8}, df {df:<10} {p_value(test.pvalue)}")
    if c.omnibus_replicability is not None:
        share = c.omnibus_replicability.predicted
        lines.append(f"  other data sets of this kind would decide the same: about {share:.0%}")
    return "\n".join(lines)


def _ranks(c: Comparison) -> str:
    if not c.mean_ranks:
        return ""
    title = "Mean ranks, 1 is best"
    if c.critical_difference is not None:
        cd = c.critical_difference
        title += f"; critical difference {cd.value:.3f} ({cd.method})"
    order = sorted(c.mean_ranks, key=lambda name: c.mean_ranks[name])
    widest = min(max(map(len, order)), 40)
    lines = [title]
    for name in order:
        bars = "".join(" ┃" if name in group else "  " for group in c.groups)[: WIDTH - widest - 12]
        mark = " (control)" if name == c.control else ""
        lines.append(
            f"  {_short(name, widest):<{widest}} {c.mean_ranks[name]:>7.3f} {bars}{mark}".rstrip()
        )
    if c.groups:
        lines.append("  ┃ joins learners that could not be told apart")
    return "\n".join(lines)


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else name[: width - 1] + "…"


def _names(pair: Pair, width: int) -> str:
    """Return "a − b", both shortened alike where they are too long."""
    if len(pair.a) + len(pair.b) + 3 <= width:
        return f"{pair.a} − {pair.b}"
    half = (width - 3) // 2
    spare = max(0, half - min(len(pair.a), len(pair.b)))
    return f"{_short(pair.a, half + spare)} − {_short(pair.b, half + spare)}"


def _pairs(c: Comparison) -> str:
    if not c.pairs:
        return ""
    chosen = chosen_adjustment(c)
    shown = sorted(c.pairs, key=lambda pair: (pair.outcome == "none", _p(pair, chosen)))
    lines = ["Pairs: a − b, what p is, and how often a wins, ties and loses"]
    widest = min(max(len(pair.a) + len(pair.b) for pair in c.pairs) + 3, 31)
    label = "adjusted" if chosen else "p"
    lines.append(
        f"  {'':<{widest}} {'a − b':>8} {label:>9} {'wins':>10}  {'verdict':<8}"
        + ("repeats" if any(pair.replicability for pair in c.pairs) else "")
    )
    for pair in shown[:MOST_PAIRS]:
        name = _names(pair, widest)
        p = _p(pair, chosen)
        text = "—" if pair.pvalue is None else (f"{p:.4f}" if p >= 0.0001 else "<.0001")
        verdict = {"a": "a better", "b": "b better", "none": "—"}[pair.outcome]
        again = f" {pair.replicability.predicted:>5.0%}" if pair.replicability else ""
        record = f"{pair.wins}/{pair.ties}/{pair.losses}"
        row = f"  {name:<{widest}} {number(pair.estimate):>8} {text:>9} {record:>10}"
        lines.append(f"{row}  {verdict:<8}{again}".rstrip())
    if len(shown) > MOST_PAIRS:
        lines.append(f"  … and {len(shown) - MOST_PAIRS} more; --format json lists them all")
    return "\n".join(lines)


def _p(pair: Pair, chosen: str | None) -> float:
    if chosen is not None:
        return pair.adjusted[chosen]
    return 1.0 if pair.pvalue is None else pair.pvalue


def _beside(c: Comparison) -> str:
    if len(c.pairs) != 1:
        return ""
    pair = c.pairs[0]
    lines = []
    if "r_plus" in pair.details:
        plus, minus = pair.details["r_plus"], pair.details["r_minus"]
        lines.append(f"  R+ {plus:g} ({pair.b} ahead), R− {minus:g} ({pair.a} ahead)")
    for other in pair.beside:
        if "pvalue" in other:
            lines.append(f"  {other['method']}: {p_value(other['pvalue'])}")
        else:
            lines.append(
                f"  {other['method']}, rope {other['rope']:g}: P({pair.a} better) "
                f"{other['a_better']:.3f}, P(equal) {other['equivalent']:.3f}, "
                f"P({pair.b} better) {other['b_better']:.3f}"
            )
    known = pair.replicability
    if known is not None and known.interval is not None:
        low, high = known.interval
        line = f"  replicability: {known.predicted:.0%} ({low:.0%} to {high:.0%})"
        if known.limit is not None:
            line += f"; chance that more runs would not change the verdict: {known.limit:.0%}"
        lines.append(line)
    return (
        "\n".join(["Beside it", *(_wrapped(line, "", "    ") for line in lines)]) if lines else ""
    )


def _notes(c: Comparison) -> str:
    lines = []
    for note in sorted(c.notes, key=lambda note: note.severity != "warning"):
        sign = "!" if note.severity == "warning" else "·"
        lines.append(_wrapped(f"{sign} {note.title}: {note.detail}", "  ", "    "))
    return "\n".join(["Notes", *lines]) if lines else ""


def _next(c: Comparison) -> str:
    if len(c.learners) > 2 and c.control is None:
        return "Next: --control NAME compares each with one; --format json is for programs."
    return "Next: --format json for programs; `twofold tests` explains the tests."
