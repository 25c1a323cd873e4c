"""What the names of columns and rows tell about the part they play."""

from __future__ import annotations

import re
from collections.abc import Iterable

ROLES = {
    "dataset": ("dataset", "data set", "datasets", "dataset name", "data", "problem", "task"),
    "learner": (
        "learner", "algorithm", "model", "classifier", "method", "estimator", "regressor",
        "learner name", "model name", "algorithm name", "algo", "alg", "clf",
    ),
    "run": ("run", "repeat", "repetition", "seed", "random state", "random seed", "rep", "trial"),
    "fold": ("fold", "split", "cv fold", "fold id"),
    "n_train": ("n train", "train size", "ntrain"),
    "n_test": ("n test", "test size", "ntest"),
    "metric": ("metric", "measure", "scorer", "scoring"),
    "value": ("value", "score", "result", "test score", "mean test score", "performance"),
}  # fmt: skip
"""Words for each part, the surest first; they are compared as `plain` writes them."""

TRUTH = frozenset(
    "truth true ytrue label labels y target class groundtruth gold actual truelabel".split()
)
SURE_TRUTH = TRUTH - {"y", "class", "label", "labels", "actual"}
INDEX = re.compile(r"id|ids|index|idx|unnamed( \d+)?|level \d+|row|rownames|no|nr|x1|")
SIZES = re.compile(
    r"(n|num|nr|no|number|count)( of)? (instances|samples|features|attributes|classes|examples|"
    r"rows|columns|observations|labels|targets|points|train|test)|"
    r"(instances|samples|features|attributes|classes|examples|observations|size|n|d|p)"
)
TIMES = re.compile(
    r"((mean|std|total|avg) )?(fit|score|train|training|test|testing|predict|prediction|run|cpu|"
    r"wall|elapsed) ?time( \w+)?|runtime( \w+)?|times?|seconds|duration|time (s|ms|sec|seconds)"
)
SUMMARIES = re.compile(
    r"(the )?((overall|grand|macro|arithmetic|geometric|geo) )?(average|averages|avg|mean|means|"
    r"median|gmean|ave)( (rank|ranks|ranking|score|scores|accuracy|value|acc|auc|error))?|"
    r"(overall|friedman) ranks?|ranks?|ranking|sum( of)? ranks|rank sum|total|sum|"
    r"std|stdev|sd|w t l|win tie loss|wins ties losses|wins|losses|wins draws losses|w d l|"
    r"best|no best|of best|number of best|count best"
)
SPREAD = frozenset("std stdev stddev stderr".split())
SHORT_SPREAD = frozenset("sd se sem ci var variance".split())
FILLING = frozenset("mean avg average score test".split())
_NUMBERED = re.compile(r"(fold|split|cv|run|seed|rep|repeat|repetition|trial)[ _#:-]*\d+", re.I)


def plain(name: object) -> str:
    """Return a name in small letters, one space between its words, without marks.

    >>> plain("n_Instances"), plain("Unnamed: 0"), plain("Avg. rank")
    ('n instances', 'unnamed 0', 'avg rank')
    """
    return re.sub(r"[^\w]+|_+", " ", str(name).lower()).strip()


def roles_of(names: Iterable[str]) -> dict[str, str]:
    """Return which column plays which part, by its name."""
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(plain(name), name)
    found = {}
    for role, words in ROLES.items():
        for word in words:
            if word in known:
                found[role] = known[word]
                break
    return found


def truth_column(names: Iterable[str]) -> str | None:
    """Return the column that is named like one of true labels."""
    return next((name for name in names if plain(name).replace(" ", "") in TRUTH), None)


def is_summary(name: str) -> bool:
    """Tell whether a row (or column) sums up the others: Average, Mean rank, Total."""
    return bool(SUMMARIES.fullmatch(plain(name)))


def numbered(names: Iterable[str]) -> str | None:
    """Return "fold" or "run" where all rows are called fold 1, fold 2 … or seed 1, seed 2 …"""
    matches = [_NUMBERED.fullmatch(name.strip()) for name in names]
    words = {match[1].lower() if match else "" for match in matches}
    if len(words) != 1 or "" in words:
        return None
    return "fold" if words & {"fold", "cv"} else "run" if words - {"split"} else "fold"


def partner_of_spread(name: str, others: Iterable[str], *, times: bool = False) -> str | None:
    """Return the column whose spread (or time) this one is: "A std" belongs to "A"."""
    words = plain(name).split()
    if times:
        rest = words[:-1] if words and words[-1] in ("time", "runtime", "seconds") else []
        if rest and rest[-1] in ("fit", "score", "train", "test"):
            rest = rest[:-1]
    elif words and words[-1] in SPREAD | SHORT_SPREAD:
        rest = words[:-1]
    elif words and words[0] in SPREAD:
        rest = words[1:]
    else:
        return None
    if not rest:
        return None
    wanted = [word for word in rest if word not in FILLING]
    for other in others:
        if other != name and [w for w in plain(other).split() if w not in FILLING] == wanted:
            return other
    return None
