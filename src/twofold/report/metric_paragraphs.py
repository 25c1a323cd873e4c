"""The paragraphs for a paper where several metrics were compared by."""

from __future__ import annotations

from twofold.comparison import Comparison, Comparisons
from twofold.comparison.across_metrics import describe_share
from twofold.report.citing import cite_test, find_keys
from twofold.report.methods_text import describe_methods, name_metric
from twofold.report.results_text import describe_results
from twofold.result import join_names


def describe_methods_of_metrics(answers: Comparisons) -> list[str]:
    """Return paragraphs on methods, with marks where papers are cited.

    One for all metrics where theirs differ in the metric alone.
    """
    comparisons = list(answers.values())
    names = [name_metric(answer) for answer in comparisons]
    shared = {_describe_one(answers, answer, "them") for answer in comparisons}
    if len(shared) == 1:
        texts = [_describe_one(answers, comparisons[0], join_names(names))]
    else:
        texts = [_describe_one(answers, *pair) for pair in zip(comparisons, names, strict=True)]
    judged = len(answers) > 1 and bool(comparisons[0].pairs)
    return [*texts, _describe_adjustment(answers)] if judged else texts


def _describe_one(answers: Comparisons, answer: Comparison, by: str) -> str:
    text = describe_methods(answer, by)
    return text if answers.across_metrics is None else _share_level(text, answer, answers.alpha)


def _share_level(text: str, answer: Comparison, alpha: float) -> str:
    """Return a paragraph without the share that its metric has of the level: it stands once."""
    text = text.replace(f"level of {answer.alpha:.4g}", f"level of {alpha:.4g} for all metrics", 1)
    return text.replace(f"{answer.interval_level} ", "").replace("a interval", "an interval")


def _describe_adjustment(answers: Comparisons) -> str:
    if answers.across_metrics is None:
        return (
            f"Each of the {len(answers)} metrics was judged by itself, without adjustment over "
            "metrics."
        )
    shares = join_names([f"{metric} {answer.alpha:.4g}" for metric, answer in answers.items()])
    return (
        f"All pairs by all {len(answers)} metrics were adjusted as one family, over metrics by "
        f"{cite_test(answers.across_metrics)}, for a level of {answers.alpha:.4g} in all. The "
        f"shares of the metrics, which also give the levels of their intervals, are {shares}."
    )


def describe_results_of_metrics(answers: Comparisons) -> list[str]:
    """Return paragraphs on results: what the metrics have in common, then each of them."""
    own = []
    for metric, answer in answers.items():
        text = f"By {metric}: {describe_results(answer)}"
        if answers.across_metrics is not None:
            text += f" {describe_share(answer, answers.adjusted[metric], answers.alpha)}"
        own.append(text)
    return [answers.verdict, *own] if len(answers) > 1 else own


def list_citations_of_metrics(answers: Comparisons) -> list[str]:
    """Return the keys of the papers that the paragraphs cite, in their order."""
    paragraphs = describe_methods_of_metrics(answers) + describe_results_of_metrics(answers)
    return find_keys(" ".join(paragraphs))
