"""The situations of the how-to pages: what is dropped, how it is read, which option is changed."""

from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]


def read_doc(path):
    return (ROOT / "docs" / path).read_text("utf-8")


def make_probabilities():
    """A test set with a probability of each classifier, in clusters of two examples."""
    rows = [
        f"{i // 2},{'well' if i % 3 else 'sick'},{(i * 37 % 100) / 100 + 0.2 * (not i % 3):.2f},"
        f"{(i * 61 % 100) / 100 + 0.5 * (not i % 3):.2f}"
        for i in range(120)
    ]
    return "\n".join(["patient,truth,nb,forest", *rows, ""])


def make_ranks():
    return "dataset,a,b,c\n" + "".join(f"d{i},1,{2 + i % 2},{3 - i % 2}\n" for i in range(9))


def make_metrics():
    rows = [
        f"d{i},{name},{0.6 + 0.02 * i + bonus:.3f},{0.7 + 0.01 * i + bonus / 2:.3f},"
        f"{0.5 - 0.01 * i - bonus / 5:.3f}"
        for i in range(10)
        for name, bonus in (("nb", 0.0), ("c45", 0.013 * (i % 3)), ("nn", 0.05))
    ]
    return "\n".join(["dataset,learner,accuracy,auc,brier", *rows, ""])


@dataclass(frozen=True)
class Situation:
    """What is dropped, how its reading is corrected, and which option is changed afterwards."""

    name: str
    text: str
    reading: dict[str, str] = field(default_factory=dict)
    change: tuple[str, str] = ("alpha", "0.01")
    flags: str = "--alpha 0.01"
    takes: str = "JSON"


SITUATIONS = {
    "two learners, many data sets": Situation(
        "two.csv", read_doc("how-to/tables/two.csv"), {"metric": "AUC"}
    ),
    "many learners, many data sets": Situation(
        "scores.csv", read_doc("how-to/tables/scores.csv"), {}, ("control", "C4.5"),
        "--control C4.5", "TikZ",
    ),
    "many learners, one data set": Situation(
        "folds.csv", read_doc("how-to/tables/folds.csv"), {}, ("control", "nb"), "--control nb",
        "LaTeX",
    ),
    "two learners, one data set": Situation(
        "folds.csv", read_doc("how-to/tables/folds.csv"), {"only": "nb,c45"}, ("rope", "0.01"),
        "--rope 0.01", "Excel",
    ),
    "items of a test set": Situation(
        "items.csv", read_doc("how-to/tables/items.csv"), {}, ("only", "medium,large"),
        "--learners medium,large",
    ),
    "items, looked at again": Situation(
        "items.csv", read_doc("how-to/tables/items.csv"), {"only": "medium,large"},
        ("anytime", "yes"), "--anytime", "Markdown",
    ),
    "equivalence": Situation(
        "two.csv", read_doc("how-to/tables/two.csv"), {}, ("equivalence", "0.05"),
        "--equivalence 0.05",
    ),
    "predicted labels": Situation(
        "classifiers.csv", read_doc("questions/classifiers.csv"), {"predictions": "yes"},
        ("metric", "f1"), "--metric f1",
    ),
    "metrics of a test set": Situation(
        "scores.csv", make_probabilities(),
        {"predictions": "yes", "metric": "auc", "positive": "sick", "cluster": "patient"},
    ),
    "several metrics": Situation(
        "metrics.csv", make_metrics(), {"metric": "accuracy,auc,brier"},
        ("across_metrics", "bonferroni"), "--across-metrics bonferroni", "Excel",
    ),
    "one learner": Situation(
        "folds.csv", read_doc("how-to/tables/folds.csv"), {"only": "nb"}, takes="Text"
    ),
    "ranks": Situation(
        "ranks.csv", make_ranks(), {"ranks": "yes"}, ("adjust", "holm"), "--adjust holm",
    ),
}  # fmt: skip
