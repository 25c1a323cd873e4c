"""What to try next, fitted to the answer: in the words of the shell, or in those of Python."""

from __future__ import annotations

from typing import NamedTuple

from twofold.comparison import Comparison
from twofold.comparison.defaults import CRITICAL_DIFFERENCE, MANY_LEARNERS, MEAN_RANKS
from twofold.comparison.wording import count_items
from twofold.plots import pictures_for
from twofold.report.formatting import count_learners
from twofold.stats import entry

Call = tuple[str, str]


class Step(NamedTuple):
    """Something to try next: the option of the shell, the call in Python, and what it gives."""

    option: str
    call: str
    purpose: str


def _name_other(by_ranks: bool, control: bool) -> str:
    """Return the test of each pair, or the one by mean ranks: whichever did not decide."""
    if by_ranks:
        return MANY_LEARNERS
    return MEAN_RANKS if control else CRITICAL_DIFFERENCE["all pairs"]


def _list_steps(c: Comparison) -> list[Step]:
    steps: list[Step] = []
    if len(c.learners) > 2 and c.control is None:
        purpose = "compare each learner with this one, with more power"
        steps.append(Step("--control NAME", "compare(…, control=NAME)", purpose))
    if _takes_rope(c):
        purpose = "how likely is a difference that matters?"
        steps.append(Step("--rope 0.01", "compare(…, rope=0.01)", purpose))
    if _pairs_may_disagree(c):
        by_ranks = entry(c.pairs[0].method).role == "mean ranks"
        purpose = "compare each pair by itself" if by_ranks else "Demšar's procedure, by mean ranks"
        test = _name_other(by_ranks, c.control is not None)
        steps.append(Step(f"--test {test}", f"compare(…, test='{test}')", purpose))
    if pictures_for(c):
        purpose = "draw it; .pdf, .png and .tex too" if c.mean_ranks else "draw it; .pdf, .png too"
        steps.append(Step("--plot picture.svg", "answer.plot('picture.svg')", purpose))
    purpose = "a page with everything; .tex for a paper"
    steps.append(Step("--report report.html", "answer.save('report.html')", purpose))
    return steps


def suggest_options(c: Comparison) -> list[Call]:
    """Return options of `twofold compare` to try next, each with what it gives."""
    json = ("--format json", "every number, for programs")
    return [*((step.option, step.purpose) for step in _list_steps(c)), json]


def suggest_next(c: Comparison) -> list[Call]:
    """Return what to try next, where the answer was asked for: in a shell, or in Python."""
    if c.provenance is not None and c.provenance.command is not None:
        return suggest_options(c)
    frame = ("answer.to_frame()", "the pairs as a frame; to_dict() has every number")
    if c.has_one_learner:
        frame = ("answer.to_frame('scores')", "its score as a frame; to_dict() has every number")
    return [*((step.call, step.purpose) for step in _list_steps(c)), frame]


def suggest_calls(c: Comparison) -> list[str]:
    """Return a few calls in Python to try next."""
    calls = ["print(answer)"]
    if pictures_for(c):
        calls.append("answer.plot()")
    frame = "answer.to_frame('scores')" if c.has_one_learner else "answer.to_frame()"
    calls += ["answer.save('report.html')", frame]
    if len(c.learners) > 2 and c.control is None:
        calls.append("compare(…, control=NAME)")
    elif _takes_rope(c):
        calls.append("compare(…, rope=0.01)")
    return calls


def summarize_comparison(c: Comparison) -> str:
    """Return a comparison as two lines: what was found, and what to call next."""
    verdict = c.verdict if len(c.verdict) <= 300 else c.verdict[:299].rstrip() + "…"
    size = f"{count_learners(c)} × {len(c.datasets)} data sets"
    if len(c.datasets) == 1:
        size = f"{count_learners(c)} on one data set"
    if c.items is not None:
        size = f"{count_learners(c)} on {count_items(c)}"
    return f"<Comparison of {size}: {verdict}>\nNext: {', '.join(suggest_calls(c))}"


def _takes_rope(c: Comparison) -> bool:
    takes = c.scores is not None and c.items is None
    return c.rope is None and len(c.learners) == 2 and takes


def _pairs_may_disagree(c: Comparison) -> bool:
    return any(note.code == "mean-ranks-disagree" for note in c.notes)
