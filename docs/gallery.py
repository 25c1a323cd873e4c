"""Draws the pictures of docs/gallery.md: `make gallery`, or `python docs/gallery.py [NAME ...]`.

Scores are Demšar's Table 6, or simulated from named random streams; so the pictures are the same
wherever they are drawn.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import twofold

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "examples"))

LEARNERS = ("boosting", "forest", "SVM", "k-NN", "naive Bayes", "logistic", "C4.5", "MLP")


def table6():
    """Return Demšar's Table 6: AUC of four versions of C4.5 on 14 data sets."""
    from demsar_table6 import LEARNERS as versions
    from demsar_table6 import SCORES

    columns = np.array(list(SCORES.values())).T
    return {"dataset": list(SCORES), **dict(zip(versions, columns, strict=True))}


def paper_ranks():
    """Return the ranks that the paper used for Table 6."""
    from demsar_table6 import LEARNERS as versions
    from demsar_table6 import SCORES
    from demsar_table6 import paper_ranks as ranks

    return {"dataset": list(SCORES), **dict(zip(versions, ranks().T, strict=True))}


def benchmark(k=6, n=18, missing=0.0):
    """Return a wide table of simulated accuracies."""
    draw = twofold.rng(1, "gallery", "benchmark", k, n)
    scores = 0.85 + draw.normal(0, 0.06, (n, 1)) - np.linspace(0, 0.05, k)
    scores = (scores + draw.normal(0, 0.025, (n, k))).clip(0, 1).round(4)
    scores[draw.random((n, k)) < missing] = np.nan
    names = [f"data {i + 1}" for i in range(n)]
    return {"dataset": names, **{LEARNERS[j]: scores[:, j] for j in range(k)}}


def cross_validation(learners=2, n=1, runs=10, folds=10, gap=0.012):
    """Return a long table of simulated accuracies in every fold."""
    draw = twofold.rng(1, "gallery", "folds", learners, n)
    rows = []
    for d in range(n):
        own = draw.normal(0, 0.012, learners) * (n > 1)
        for i, name in enumerate(LEARNERS[:learners]):
            for run in range(runs):
                for fold in range(folds):
                    score = 0.85 - gap * i + own[i] + draw.normal(0, 0.02)
                    cell = {"dataset": f"data {d + 1}", "learner": name, "run": run, "fold": fold}
                    rows.append(cell | {"accuracy": round(score, 4)})
    return rows


@dataclass(frozen=True)
class Example:
    """A picture: its file, what it answers, the table it needs and the options to draw it with."""

    name: str
    title: str
    words: str
    table: object
    options: dict
    kind: str
    command: str


GALLERY = (
    Example(
        "ranks",
        "Mean ranks, all pairs",
        "Demšar's Figure 1(a). A bar joins learners that could not be told apart.",
        paper_ranks,
        {"ranks": True, "alpha": 0.10},
        "ranks",
        "twofold compare ranks.csv --ranks --alpha 0.10 --plot ranks.svg",
    ),
    Example(
        "ranks-control",
        "Mean ranks, against a control",
        "No single critical difference decides with Holm's adjustment; stars mark those that differ.",
        paper_ranks,
        {"ranks": True, "control": "C4.5"},
        "ranks",
        "twofold compare ranks.csv --ranks --control C4.5 --plot ranks.svg",
    ),
    Example(
        "ranks-pairs",
        "Mean ranks, each pair by itself",
        "Where single pairs decide, verdicts need not follow the ranks. Two learners share a bar "
        "exactly where they were not told apart; a thin line passes those that do differ.",
        lambda: benchmark(8, 20),
        {},
        "ranks",
        "twofold compare scores.csv --plot ranks.svg",
    ),
    Example(
        "matrix",
        "Comparison matrix",
        "Every pair: the typical difference with its interval, wins, ties and losses, adjusted p. "
        "With more learners text gives way to marks.",
        lambda: benchmark(5),
        {},
        "matrix",
        "twofold compare scores.csv --plot matrix.svg --picture matrix",
    ),
    Example(
        "differences",
        "Two learners over data sets",
        "A row for each data set, with the interval from its folds, corrected for overlapping "
        "training sets; the overall estimate below.",
        lambda: cross_validation(n=12, runs=1),
        {"rope": 0.01},
        "differences",
        "twofold compare folds.csv --rope 0.01 --plot differences.svg",
    ),
    Example(
        "folds",
        "Two learners on one data set",
        "The difference in every fold, run by run, and the mean with its corrected interval.",
        lambda: cross_validation(),
        {"rope": 0.01},
        "folds",
        "twofold compare folds.csv --rope 0.01 --plot folds.svg",
    ),
    Example(
        "pairs",
        "Several learners on one data set",
        "Differences, not means: means of learners on the same folds vary together, so that their "
        "intervals would say nothing about differences.",
        lambda: cross_validation(4),
        {},
        "pairs",
        "twofold compare folds.csv --plot pairs.svg --picture pairs",
    ),
    Example(
        "posterior",
        "Posterior of the difference",
        "How probable is each of three answers?",
        lambda: cross_validation(),
        {"rope": 0.01},
        "posterior",
        "twofold compare folds.csv --rope 0.01 --plot posterior.svg --picture posterior",
    ),
    Example(
        "simplex",
        "Posterior draws on a triangle",
        "Each draw is three probabilities. Bold is how probable an answer is on a new data set; the share "
        "of draws in a third, in brackets, how probable it is that this answer is the likeliest.",
        lambda: cross_validation(n=12, runs=1),
        {"rope": 0.01},
        "simplex",
        "twofold compare folds.csv --rope 0.01 --plot simplex.svg --picture simplex",
    ),
    Example(
        "rank-sets",
        "Ranks that learners may have",
        "A bar from the lowest to the highest rank that a learner may truly have; all bars hold together. Shades tell tiers apart: those of the first may each be "
        "the best.",
        lambda: benchmark(8, 60),
        {},
        "rank-sets",
        "twofold compare scores.csv --plot rank-sets.svg --picture rank-sets",
    ),
    Example(
        "heatmap",
        "The table itself",
        "Ranks give the colours, because scores of different data sets cannot be compared; missing "
        "cells are hatched.",
        lambda: benchmark(6, 12, 0.05),
        {},
        "heatmap",
        "twofold compare scores.csv --plot heatmap.svg --picture heatmap",
    ),
    Example(
        "scores",
        "One learner",
        "Its score on each data set, with intervals that allow for overlapping training sets, and the mean over data "
        "sets. On one data set every fold is a dot; of a classifier's predictions each class has a row.",
        lambda: cross_validation(1, 8),
        {},
        "scores",
        "twofold compare folds.csv --learners boosting --plot scores.svg",
    ),
)


def draw(example: Example, folder: Path) -> Path:
    """Draw one picture into a folder."""
    answer = twofold.compare(example.table(), **({"metric": "accuracy"} | example.options))
    return answer.plot(folder / f"{example.name}.svg", kind=example.kind)


def _literal(value: object) -> str:
    """Write a value as Python code in the style of the project: double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


OUTPUTS = """
| file | what it is | how |
|---|---|---|
| `answer.html` | the page above: verdict, scores, pictures, pairs, notes, words for the paper | `--report answer.html` |
| `answer.tex`, `answer.bib` | paragraphs, figure and tables for `\\\\input`, with references | `--report answer.tex` |
| `answer.md`, `answer.txt` | the same to read and to paste | `--report answer.md` |
| `answer.xlsx` | a workbook: scores, ranks, pairs, notes | `--report answer.xlsx` |
| `answer.json` | every number, for programs | `--report answer.json` |
| `results.tex`, `.md`, `.html`, `.csv`, `.xlsx` | the results table: learners by data sets, best bold | `--table results.tex` |
| `ranks.svg`, `.pdf`, `.png`, `.tex` | the figure, its caption beside it | `--plot ranks.pdf --caption` |
| `experiment.toml` | all that was asked, to run again and to cite | `--save-experiment experiment.toml` |
""".strip()


def list_answers() -> dict[str, tuple[str, str]]:
    """Return titles and commands of the answers that docs/whole_answers.py makes."""
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    from whole_answers import EXAMPLES

    return EXAMPLES


def answers() -> list[str]:
    """Return the part that shows whole answers."""
    parts = ["## Three answers, whole"]
    for name, (title, command) in list_answers().items():
        parts += [f"**{title}**", f"![Its page, wide and narrow](gallery/{name}.png)"]
        parts += [f"```sh\n{command}\n```"]
    return [
        *parts,
        "Each answer can be had as:",
        OUTPUTS,
        "`make gallery` writes all of them into `build/gallery`, with a page that links them; the second needs "
        "the file of published results in the folder `TWOFOLD_RESULTS`, the third data sets in `TWOFOLD_DATA`. All three are [notebooks](notebooks/index.md), too.",
    ]


def page() -> str:
    """Return the page that shows them all."""
    parts = [
        "# Gallery",
        "Written by `make gallery`; edit `docs/gallery.py` instead.",
        'Every answer has a picture: `answer.plot("file.svg")` draws the one that suits the '
        "situation, `kind=` or `--picture` another; one that does not fit is refused, and those that "
        "do are named. Files may be SVG, PDF or PNG, mean ranks TikZ (`.tex`) too. "
        '`width="one-column"` suits a column of 3.25 inches; "text" is 5.5, "two-column" 6.75. '
        '`font="serif"` sets it in the type of the venue, `caption=True` writes the caption to a '
        "file beside it. `--highlight NAME` emphasises. "
        "The same call gives the same bytes.",
    ]
    parts += answers()
    for example in GALLERY:
        options = "".join(f", {key}={_literal(value)}" for key, value in example.options.items())
        parts += [
            f"## {example.title}",
            example.words,
            f"![{example.title}](gallery/{example.name}.svg)",
            f"```sh\n{example.command}\n```",
            "```python\n"
            f'twofold.compare(table{options}).plot("{example.name}.svg", kind="{example.kind}")\n```',
        ]
    return "\n\n".join(parts).replace("kind='", 'kind="').replace("')\n", '")\n') + "\n"


def draw_tree(folder: Path) -> Path:
    """Draw the tree of docs/reference/learners.md: C4.5 on breast_cancer."""
    from twofold import plots
    from twofold.datasets import read_datasets
    from twofold.learners.c45 import C45

    data = read_datasets("breast_cancer")[0]
    model = C45(**C45.parameters_of(data)).fit(data.X, data.y)
    return plots.tree(model, folder / "tree.svg", data=data)


def main() -> None:
    """Draw the pictures named on the command line, or all of them and the page."""
    folder = HERE / "gallery"
    folder.mkdir(exist_ok=True)
    chosen = sys.argv[1:]
    for example in GALLERY:
        if not chosen or example.name in chosen:
            file = draw(example, folder)
            print(f"{file.relative_to(HERE.parent)}  {file.stat().st_size / 1000:.0f} kB")
    if not chosen:
        draw_tree(HERE / "reference")
        (HERE / "gallery.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
