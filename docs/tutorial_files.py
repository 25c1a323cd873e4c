"""Writes the made-up files of the tutorials into docs/tutorial: `python docs/tutorial_files.py`.

They come from named random streams, so that they are the same wherever they are made; a test holds it.
"""

import csv
import io
import json
from pathlib import Path

import numpy as np

import twofold

HERE = Path(__file__).parent


def write_table(columns):
    """Return columns as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def make_customers(rows=400):
    """Return customers of a telephone company: words, numbers, missing ages, and who left."""
    draw = twofold.rng(1, "tutorial", "customers")
    plan = draw.choice(["basic", "plus", "pro"], rows, p=[0.5, 0.3, 0.2])
    months = draw.gamma(1.6, 16, rows).astype(int) + 1
    age = draw.normal(44, 14, rows).clip(18, 90).astype(int)
    calls = draw.poisson(1.3, rows)
    bill = (18 + 12 * (plan == "plus") + 25 * (plan == "pro") + draw.normal(0, 6, rows)).round(2)
    region = draw.choice(["north", "south", "east", "west"], rows)
    # New customers leave more, and so do those who call often and pay much: an interaction.
    odds = 1 - 0.07 * months - 0.02 * (age - 44)
    odds += np.where(calls >= 2, 0.12, -0.06) * (bill - 20)
    left = np.where(draw.random(rows) < 1 / (1 + np.exp(-odds)), "yes", "no")
    missing = draw.random(rows) < 0.06
    return write_table(
        {
            "plan": plan,
            "months": months,
            "age": ["" if gap else years for gap, years in zip(missing, age, strict=True)],
            "calls": calls,
            "bill": bill,
            "region": region,
            "left": left,
        }
    )


def answer_quiz(name, passages, gain, seed, questions=5):
    """Return passages, and whether two models answer each question on them."""
    draw = twofold.rng(seed, "tutorial", name)
    passage = np.repeat(np.arange(passages), questions)
    level = 0.4 + draw.normal(0, 0.7, passages)
    # A model that misreads a passage errs on all of its questions.
    base, tuned = (level + shift + draw.normal(0, 0.8, passages) for shift in (0, gain))
    chances = [1 / (1 + np.exp(-logits[passage])) for logits in (base, tuned)]
    right = [(draw.random(len(passage)) < chance).astype(int) for chance in chances]
    return passage, dict(zip(("base", "tuned"), right, strict=True))


def make_quiz(*quiz, first=1):
    """Return the table of a quiz: a row for each question, a column for each model."""
    return write_quiz(*answer_quiz(*quiz), first)


def write_quiz(passage, right, first):
    """Return questions with their passages and who answered them."""
    questions = [f"q{i + first:03}" for i in range(len(passage))]
    return write_table({"question": questions, "passage": [f"p{p:02}" for p in passage], **right})


def make_smaller(*quiz, first):
    """Return the answers of the tuned model and of a smaller version of it: a few are others."""
    passage, right = answer_quiz(*quiz)
    draw = twofold.rng(1, "tutorial", "smaller")
    smaller = np.where(draw.random(len(passage)) < 0.05, 1 - right["tuned"], right["tuned"])
    return write_quiz(passage, {"tuned": right["tuned"], "tuned-8bit": smaller}, first)


def make_samples(model, *quiz):
    """Return the same answers of one model as lm-evaluation-harness writes them, but for fields not needed."""
    passage, right = answer_quiz(*quiz)
    lines = [
        json.dumps(
            {
                "doc_id": i,
                "doc": {"passage": f"p{passage[i]:02}"},
                "filter": "none",
                "metrics": ["acc"],
                "doc_hash": f"d{i}",
                "target_hash": f"t{i}",
                "acc": float(value),
            }
        )
        for i, value in enumerate(right[model])
    ]
    return "\n".join(lines) + "\n"


def make_graded(items=60, samples=3):
    """Return grades from 0 to 1 of several answers to each question."""
    draw = twofold.rng(1, "tutorial", "graded")
    level = draw.normal(0.6, 0.15, items)
    rows = []
    for i in range(items):
        for sample in range(1, samples + 1):
            grades = level[i] + np.array([0, 0.06]) + draw.normal(0, 0.15, 2)
            rows.append((f"q{i + 1:02}", sample, *grades.clip(0, 1).round(2)))
    return write_table(
        dict(zip(("question", "sample", "base", "tuned"), zip(*rows, strict=True), strict=True))
    )


def files():
    """Return the text of each file by its path in docs/tutorial."""
    quiz, large = ("quiz", 32, 0.55, 2), ("quiz-large", 100, 0.55, 12)
    samples = {
        f"lm-out/{model}/samples_quiz_2026-01-02T03-04-0{i}.000000.jsonl": make_samples(
            model, *quiz
        )
        for i, model in enumerate(("base", "tuned"))
    }
    return {
        "customers.csv": make_customers(),
        "quiz.csv": make_quiz(*quiz),
        "quiz-large.csv": make_quiz(*large, first=161),
        "quiz-8bit.csv": make_smaller(*large, first=161),
        "graded.csv": make_graded(),
        **samples,
    }


def main():
    """Write them."""
    for name, text in files().items():
        path = HERE / "tutorial" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
        print(path)


if __name__ == "__main__":
    main()
