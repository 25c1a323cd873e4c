"""How well one learner does, as the paragraphs of a paper say it."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.comparison.class_scores import average_recall
from twofold.report.citing import cite_test
from twofold.report.class_table import describe_classes
from twofold.report.score_table import format_score

LEFT_OUT_FROM = 7
"""Classes from which on a paragraph does not name all."""


def describe_interval(c: Comparison) -> str:
    """Say which interval is given, and at which level."""
    subject = "The accuracy" if c.situation == "predictions" else "The mean"
    return f"{subject} is given with a {c.interval_level} interval, {cite_test(c.method)}."


def describe_single_score(c: Comparison) -> str:
    """Return the paragraph on results."""
    (score,) = c.learner_scores
    sentences = [c.verdict]
    if score.sd is not None:
        over = "the splits" if score.sd_over in (None, "splits") else score.sd_over
        sentences.append(f"The standard deviation over {over} is {format_score(score.sd, 4)}.")
    if c.class_scores and len(c.class_scores) < LEFT_OUT_FROM:
        sentences.append(describe_classes(c.class_scores))
    balanced = average_recall(c.class_scores)
    if balanced is not None:
        sentences.append(f"The balanced accuracy is {format_score(balanced, 4)}.")
    return " ".join(sentences)
