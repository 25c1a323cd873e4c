"""What to try next, fitted to the answer."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.plots import pictures_for

Call = tuple[str, str]


def suggest_options(c: Comparison) -> list[Call]:
    """Return options of `twofold compare` to try next, each with what it gives."""
    calls: list[Call] = []
    several = len(c.learners) > 2
    if several and c.control is None:
        calls.append(("--control NAME", "compare each learner with this one, with more power"))
    if _takes_rope(c):
        calls.append(("--rope 0.01", "how likely is a difference that matters?"))
    if _pairs_may_disagree(c):
        calls.append(("--test wilcoxon", "compare each pair by itself"))
    if pictures_for(c):
        calls.append(("--plot picture.svg", "draw it; .pdf, .png and .tex too"))
    calls.append(("--report report.html", "a page with everything; .tex for a paper"))
    calls.append(("--format json", "every number, for programs"))
    return calls


def suggest_calls(c: Comparison) -> list[str]:
    """Return calls in Python to try next."""
    calls = ["print(answer)"]
    if pictures_for(c):
        calls.append("answer.plot()")
    if len(c.learners) > 2 and c.control is None:
        calls.append("compare(…, control=NAME)")
    elif _takes_rope(c):
        calls.append("compare(…, rope=0.01)")
    calls.append("answer.to_dict()")
    return calls


def summarize_comparison(c: Comparison) -> str:
    """Return a comparison as two lines: what was found, and what to call next."""
    verdict = c.verdict if len(c.verdict) <= 300 else c.verdict[:299].rstrip() + "…"
    size = f"{len(c.learners)} learners × {len(c.datasets)} data sets"
    if len(c.datasets) == 1:
        size = f"{len(c.learners)} learners on one data set"
    return f"<Comparison of {size}: {verdict}>\nNext: {', '.join(suggest_calls(c))}"


def _takes_rope(c: Comparison) -> bool:
    return c.rope is None and len(c.learners) == 2 and c.scores is not None


def _pairs_may_disagree(c: Comparison) -> bool:
    return any(note.code == "mean-ranks-disagree" for note in c.notes)
