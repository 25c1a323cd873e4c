"""What the names of columns and rows hint at. A hint decides nothing: the values must agree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from twofold.scores.metrics import direction

ROLES = {
    "dataset": ("dataset", "data set", "datasets", "dataset name", "data", "problem", "task"),
    "learner": (
        "learner", "algorithm", "model", "classifier", "method", "estimator", "regressor",
        "learner name", "model name", "algorithm name", "algo", "alg", "clf",
    ),
    "run": (
        "run", "repeat", "repetition", "seed", "random state", "random seed", "rep", "trial",
        "resample",
    ),
    "fold": ("fold", "split", "cv fold", "fold id"),
    "n_train": ("n train", "train size", "ntrain"),
    "n_test": ("n test", "test size", "ntest"),
    "metric": ("metric", "measure", "scorer", "scoring"),
    "value": ("value", "score", "result", "test score", "mean test score", "performance"),
}  # fmt: skip
"""Words for each part, the surest first; they are compared as `plain` writes them."""

SURE_LABELS = ("dataset", "data set", "datasets", "dataset name", "dataset id")
"""Names of columns that can be nothing but the names of data sets."""

TRUTH = frozenset(
    "truth true ytrue label labels y target class groundtruth gold actual truelabel".split()
)
SURE_TRUTH = TRUTH - {"y", "class", "label", "labels", "actual"}
INDEX = re.compile(
    r"id|ids|index|idx|unnamed( \d+)?|level \d+|row|rownames|no|nr|x1|\w+ (id|index|idx)|did|tid|"
)
_UNNAMED = re.compile(r"unnamed( \d+)?|level \d+|rownames|")
_SIZES = re.compile(
    r"instances|samples|features|attributes|classes|examples|observations|size|[ndp]"
)
_SURE_SIZES = re.compile(
    r"(n|num|nr|no|number|count)( of)? (instances|samples|features|attributes|classes|examples|"
    r"rows|columns|observations|labels|targets|points|train|test|missing|numeric|categorical)"
    r"( \w+)?|n(train|test|instances|features|classes|samples)|(train|test) size"
)
_TIMES = re.compile(r"times?|seconds|duration|run ?time")
_SURE_TIMES = re.compile(
    r"((mean|std|total|avg) )?(fit|score|train|training|test|testing|predict|prediction|run|cpu|"
    r"wall|elapsed) time( \w+)?|(fit|score|train|predict|cpu|wall)time|runtime \w+|"
    r"time (s|ms|sec|seconds)"
)
_AVERAGE = r"(average|averages|avg|mean|means|median|gmean|ave)"
_SURE_SUMMARIES = re.compile(
    rf"(the )?((overall|grand|macro|arithmetic|geometric|geo) )?{_AVERAGE} "
    r"(ranks?|ranking|scores?|accuracy|value|acc|auc|error)|"
    rf"(the )?(overall|grand|macro|arithmetic|geometric|geo) {_AVERAGE}|"
    r"(overall|friedman) ranks?|sum( of)? ranks|rank sum|w t l|win tie loss|wins ties losses|"
    r"wins draws losses|w d l|no best|of best|number of best|count best"
)
_SUMMARIES = re.compile(
    rf"(the )?{_AVERAGE}|ranks?|ranking|total|sum|wins|losses|best|worst|max|min|count"
)
_DIFFERENCES = re.compile(r"diff|difference|delta|gap|improvement|gain|\w+ (diff|difference)")
_P_VALUES = re.compile(r"p ?values?|p ?val|significance|significant|sig")
SPREAD = frozenset("std stdev stddev stderr".split())
SHORT_SPREAD = frozenset("sd se sem ci var variance".split())
FILLING = frozenset("mean avg average score test".split())
_REPEATS = (
    "fold,split,cv,run,seed,rep,repeat,repetition,trial,resample,iteration,iter,replicate,"
    "bootstrap,shuffle,random state,random seed,"
    "folds,splits,runs,seeds,reps,repeats,repetitions,trials,resamples,iterations,replicates,"
    "bootstraps,shuffles"
).split(",")
# scikit-learn calls them split0_test_score.
_NUMBERED = re.compile(
    rf"({'|'.join(_REPEATS).replace(' ', '[ _]?')})[ _#:=-]*\d+([ _]test[ _]\w+)?", re.I
)
_WHOLE = re.compile(r"\d+(\.0+)?")
_PARTS = frozenset(
    "train training test testing val valid validation mean avg average min max median count".split()
)

Kind = Literal["row numbers", "runs or folds", "sizes", "times", "spreads", "summaries",
               "differences", "p values"]  # fmt: skip


class Hint(NamedTuple):
    """What a name hints at; ``sure`` where hardly any learner has such a name."""

    kind: Kind
    sure: bool
    partner: str | None = None


def plain(name: object) -> str:
    """Return a name in small letters, one space between its words, without marks.

    >>> plain("n_Instances"), plain("Unnamed: 0"), plain("Avg. rank")
    ('n instances', 'unnamed 0', 'avg rank')
    """
    return re.sub(r"[^\w]+|_+", " ", str(name).lower()).strip()


def find_roles(names: Iterable[str]) -> dict[str, str]:
    """Return which column plays which part, by its name."""
    by_word: dict[str, str] = {}
    for name in names:
        by_word.setdefault(plain(name), name)
    roles = {}
    for role, words in ROLES.items():
        for word in words:
            if word in by_word:
                roles[role] = by_word[word]
                break
    return roles


def find_hint(name: str, names: Sequence[str]) -> Hint | None:
    """Return what a column's name hints at, None where it hints at nothing but a learner.

    >>> find_hint("n_instances", []), find_hint("D", []).sure, find_hint("tree", [])
    (Hint(kind='sizes', sure=True, partner=None), False, None)
    """
    word = plain(name)
    if INDEX.fullmatch(word):
        if not word and name not in ("", "#"):
            return None  # a learner may be called +
        return Hint("row numbers", bool(_UNNAMED.fullmatch(word)) and name != "#")
    if word in (*ROLES["run"], *ROLES["fold"]):
        return Hint("runs or folds", False)
    if word in ROLES["dataset"]:
        return Hint("row numbers", False)
    if _SURE_SIZES.fullmatch(word) or _SIZES.fullmatch(word):
        return Hint("sizes", bool(_SURE_SIZES.fullmatch(word)))
    if _SURE_TIMES.fullmatch(word) or _TIMES.fullmatch(word):
        return Hint("times", bool(_SURE_TIMES.fullmatch(word)))
    if word in SPREAD or word in ("sd", "standard deviation", "standard error"):
        return Hint("spreads", False)
    partner = find_spread_partner(name, names)
    if partner is not None:
        return Hint("spreads", bool(SPREAD & set(word.split())), partner)
    partner = find_spread_partner(name, names, times=True)
    if partner is not None:
        return Hint("times", False, partner)
    words = word.split()
    if len(words) > 1 and words[-1] in ("rank", "ranks") and _same_words(words[:-1], name, names):
        return Hint("summaries", True)
    if is_summary(name):
        return Hint("summaries", bool(_SURE_SUMMARIES.fullmatch(word)))
    if _P_VALUES.fullmatch(word):
        return Hint("p values", True)
    return Hint("differences", False) if _DIFFERENCES.fullmatch(word) else None


def truth_column(names: Iterable[str]) -> str | None:
    """Return the column that is named like one of true labels."""
    return next((name for name in names if plain(name).replace(" ", "") in TRUTH), None)


def is_summary(name: str) -> bool:
    """Tell whether a row (or column) is named like a sum of the others: Average, Mean rank."""
    word = plain(name)
    return bool(_SURE_SUMMARIES.fullmatch(word) or _SUMMARIES.fullmatch(word))


def is_sure_summary(name: str) -> bool:
    """Tell whether a row can hardly be anything but a summary; no data set is called Average."""
    word = plain(name)
    return bool(
        _SURE_SUMMARIES.fullmatch(word) or re.fullmatch(rf"(the )?{_AVERAGE}", word)
    ) or word in ("std", "stdev", "sd")


def is_summary_row(name: str) -> bool:
    """Tell whether a row is named like a summary of the rows above it."""
    if any(map(str.isdigit, name)):
        return False  # tables may have many rows; no summary has a number in its name
    return is_summary(name) or is_sure_summary(name)


def find_numbering(names: Iterable[str]) -> str | None:
    """Return "fold" or "run" where all rows are called fold 1, fold 2 … or seed 1, seed 2 …"""
    matches = [_NUMBERED.fullmatch(name.strip()) for name in names]
    words = {match[1].lower().rstrip("s") if match else "" for match in matches}
    if len(words) != 1 or "" in words:
        return None
    return "fold" if words & {"fold", "cv", "split"} else "run"


def names_repeats(name: str | None) -> bool:
    """Tell whether a header says that what follows it are repetitions: "Resamples:", "fold"."""
    return name is not None and plain(name) in _REPEATS


def are_whole_numbers(names: Iterable[str]) -> bool:
    """Tell whether names are whole numbers, as 0, 1 or (in columns that were numbers) 0.0, 1.0."""
    return all(_WHOLE.fullmatch(name.strip()) for name in names)


def count_up(names: Sequence[str]) -> bool:
    """Tell whether names are whole numbers that follow each other, in any order."""
    if len(names) < 2 or not are_whole_numbers(names):
        return False
    numbers = sorted(int(float(name)) for name in names)
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def letters_in_order(names: Sequence[str]) -> bool:
    """Tell whether names are letters that follow each other, as A, B, C, D, in any order."""
    codes = sorted(ord(name) for name in names if len(name) == 1 and name.isalpha())
    return len(codes) == len(names) > 1 and codes == list(range(codes[0], codes[0] + len(codes)))


def find_crossing(names: Sequence[str]) -> str | None:
    """Return what columns are, beside learners, where every name is a learner's and one thing
    more: "repetitions" (tree_1, tree_2, svm_1, …), "metrics", "several scores" (train, test).

    >>> find_crossing(["tree_acc", "tree_f1"]), find_crossing(["kNN 1", "kNN 3", "C4.5"])
    ('metrics', None)
    """
    for last in (True, False):
        pairs = [split_name(name, last=last) for name in names]
        bases = {base for base, _ in pairs}
        tails = {tail for _, tail in pairs}
        if len(tails) < 2 or len(set(pairs)) != len(bases) * len(tails) or len(pairs) < len(names):
            continue
        if all(direction(tail) is not None for tail in tails):
            return "metrics"
        if tails <= _PARTS:
            return "several scores"
        crossed = len(bases) > 1 and len(tails) > 2
        if last and count_up(sorted(tails)) and (crossed or all(map(_is_repeated, bases))):
            return "repetitions"
    return None


def _is_repeated(base: str) -> bool:
    """Tell whether a word with a number behind it is one of several scores of one learner."""
    is_value = direction(base) is not None or base in ROLES["value"]
    return is_value or any(word in _REPEATS for word in base.split()[-1:])


def split_name(name: str, *, last: bool) -> tuple[str, str]:
    """Part a name into a learner's and the metric, word or number at its end (or beginning)."""
    words = plain(name).split()
    for count in (3, 2, 1):  # log loss, balanced accuracy
        metric, rest = (words[-count:], words[:-count]) if last else (words[:count], words[count:])
        if len(metric) == count and direction("".join(metric)) is not None:
            return " ".join(rest), " ".join(metric)
    if last:
        words = re.sub(r"(?<=[^\W\d])(\d+)$", r" \1", " ".join(words)).split()
        return " ".join(words[:-1]), words[-1] if words else ""
    return " ".join(words[1:]), words[0] if words else ""


def _same_words(words: list[str], name: str, names: Iterable[str]) -> str | None:
    """Return another column that is called by these words."""
    for other in names:
        if other != name and [w for w in plain(other).split() if w not in FILLING] == words:
            return other
    return None


def find_spread_partner(name: str, names: Iterable[str], *, times: bool = False) -> str | None:
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
    if not times:
        own = _name_scored(rest)
        others = (other for other in names if other != name)
        return next((other for other in others if _name_scored(plain(other).split()) == own), None)
    return _same_words([word for word in rest if word not in FILLING], name, names)


def _name_scored(words: Sequence[str]) -> str:
    """Return the learner in the words of a column, without its metric: "svm" of "svm rmse"."""
    text = " ".join(word for word in words if word not in FILLING)
    for last in (True, False):
        learner, metric = split_name(text, last=last)
        if learner and direction(metric) is not None:
            return learner
    return text
