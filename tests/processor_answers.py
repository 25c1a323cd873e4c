"""Answers of every kind, written as JSON: what `test_processors.py` asks on several processors."""

import contextlib
import io
import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np

from twofold.cli import main
from twofold.designs.assign import assign_groups
from twofold.report.save import as_json

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "report"))
from random_answers import random_answer  # noqa: E402

ANSWERS = 40
ITEMS = "gate quiz-8bit.csv --baseline tuned --candidate tuned-8bit --margin 0.03"
COMMANDS = (
    "compare nb c45 --data customers.csv",
    "compare nb c45 knn --data customers.csv --metric auc --design 3x5",
    "compare scores.csv --metric AUC --test max-t",
    "compare scores.csv --metric AUC --test bayes-signed-rank",
    "compare quiz.csv",
    "compare quiz-large.csv",
    "compare graded.csv --metric grade",
    ITEMS,
    f"{ITEMS} --anytime",
    "plan items --pilot quiz.csv --difference 0.1",
    "plan datasets --pilot two.csv --power 0.8",
    "study --table scores.csv --draws 100 --sizes 10",
    "study --source task1 --rows 100 --datasets 20 --tests mcnemar corrected-cv-t@1x10",
)
REPRODUCED = (
    "demsar2006 table2",
    "demsar2006 table5",
    "demsar2006 table6",
    "bouckaert2003 table1",
    "bouckaert2003 table2 --toy",
    "bouckaert2005 closed --toy",
)
TIME = re.compile(r"[\d.]+ s, seed")


def run_command(command):
    """Return what a command prints, and its exit code."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as errors:
        code = main(command.split())
    assert code in (0, 1, 3), errors.getvalue()
    return f"{out.getvalue()}\n{code}"


def assign_groups_of(seed):
    """Return the folds of whole groups, where several folds may suit one equally."""
    random = np.random.default_rng(seed)
    groups = np.unique(random.integers(0, 40, 150), return_inverse=True)[1]
    strata = random.integers(0, 3, 150).astype(np.int16)
    return assign_groups(groups, strata, 5, random).tolist()


def ask_all():
    """Yield a name, a text and, where there is one, the same for programs."""
    yield "folds of groups", "", [assign_groups_of(seed) for seed in range(100)]
    for seed in range(ANSWERS):
        answer = random_answer(seed)
        yield f"answer {seed}", str(answer), json.loads(as_json(answer))
    for command in COMMANDS:
        plain = run_command(f"{command} --format json").rsplit("\n", 1)[0]
        yield command, run_command(command), json.loads(plain)
    for item in REPRODUCED:
        yield item, TIME.sub("", run_command(f"reproduce {item}")), None


if __name__ == "__main__":
    shutil.copytree(HERE.parent / "docs" / "tutorial", ".", dirs_exist_ok=True)
    found = {name: {"text": text, "json": plain} for name, text, plain in ask_all()}
    Path("answers.json").write_text(json.dumps(found), "utf-8")
