"""Tables made from known truth, for the fuzz: names, scores, forms, and what stands beside scores.

Table `i` depends on the seed and `i` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

SEED = 2026
PLAIN = """tree forest svm nb kNN C4.5 net boost ridge lasso J48 rules stump bagging knn-3 naïve
XGBoost LightGBM ResNet-18 ROCKET""".split()
_WORDS = """A B C D N P n d p X Y size samples features classes id index no nr row run fold seed
split
rep trial mean Mean Average average median std sd se time times seconds rank Rank total sum best max
score value result data task problem name benchmark model learner method metric accuracy f1 auc
error y label class target truth diff delta gain count ID3 resample 0 1 2 3 10 42 NA None #1 +
""".split()
ODD = [
    *_WORDS,
    "n_instances", "n_train", "n_test", "fit_time", "p value", "A std", "A time", "mean rank",
    "Unnamed: 0", "test score", "random forest", "k-NN (k=3)", "C, deep", "fold 1", "run 2",
    "dataset", "A rank", "tree sd", "0.5",
]  # fmt: skip
SETS = """iris wine glass sonar vote zoo heart hepatitis lymph vehicle vowel yeast letter segment
credit-g diabetes ionosphere splice waveform soybean""".split()
ODD_SETS = """data task Total Best rank Average mean sum run fold score accuracy 1 2 3 31 1464 NA
None time size A B id label map total #4 dataset 0.5""".split()
SIZES = ["n_instances", "n_features", "n_classes", "instances", "size", "n", "d", "p"]
NUMBERS = ["id", "Unnamed: 0", "", "index", "dataset index", "openml_id"]
FORMS = (
    "wide", "wide", "wide", "long", "long", "transposed", "transposed", "folds", "long folds",
    "unnamed rows", "json records", "json nested", "dict", "frame", "markdown", "zeros and ones",
    "repetitions", "metrics", "long conditions",
)  # fmt: skip
NEVER = ("zeros and ones", "repetitions", "metrics", "long conditions")
"""Forms that hold no comparison of learners over data sets: reading one is wrong."""

LEARNER_WORDS = ["learner", "algorithm", "Model", "classifier", "method"]
VALUES = ["value", "score", "accuracy", "rmse", "result"]
Columns = dict[str, list]


@dataclass
class FuzzTable:
    """A table, what it was made from, and what was done to it."""

    form: str
    learners: list[str]
    datasets: list[str]
    scale: str
    shift: np.ndarray
    truth: dict[tuple[str, str], float] = field(default_factory=dict)
    content: object = None
    suffix: str = ".csv"
    tricks: list[str] = field(default_factory=list)


@dataclass
class Layout:
    """How a table's scores are to stand: its words for columns, its folds, and the scores."""

    label: str
    fold: str
    count: int
    start: int
    value: dict[tuple[str, str, int], float | None] = field(default_factory=dict)


def chance(rng, probability) -> bool:
    """Return True with this probability."""
    return bool(rng.random() < probability)


def start_table(rng) -> FuzzTable:
    """Return a table with names and a scale, and no scores yet."""
    form, odd = str(rng.choice(FORMS)), chance(rng, 0.5)
    k, n = int(rng.integers(2, 7)), int(rng.integers(3, 16))
    while True:
        learners = _names(rng, PLAIN, ODD, k, 0.4 if odd else 0)
        datasets = _names(rng, SETS, ODD_SETS, n, 0.1 if odd and chance(rng, 0.3) else 0)
        if len({name.lower() for name in learners}) == k and len(set(datasets)) == n:
            break
    scale = str(rng.choice(["unit", "unit", "percent", "whole percent", "loss", "rmse"]))
    scale = form if form == "zeros and ones" else scale
    shift = rng.normal(0, 0.5 if chance(rng, 0.2) else 0.1, k)
    return FuzzTable(form, learners, datasets, scale, shift, tricks=["odd names"] * odd)


def _names(rng, usual, odd, count, share):
    names = [str(name) for name in rng.choice(usual, count, replace=False)]
    return [str(rng.choice(odd)) if chance(rng, share) else name for name in names]


def _draw(rng, table, count):
    """Return scores of all learners on one data set, ``count`` of each."""
    shape = (len(table.learners), count)
    if table.scale == "zeros and ones":
        return rng.integers(0, 2, shape).astype(float)
    level = rng.normal(1.2, 0.6) + table.shift[:, None] + rng.normal(0, 0.15, shape)
    unit = 1 / (1 + np.exp(-level))
    return {
        "unit": np.round(unit, 4),
        "percent": np.round(100 * unit, 2),
        "whole percent": np.round(100 * unit),
        "loss": np.round(-np.log(unit) * 2, 4),
        "rmse": np.round(np.exp(3 + 2 * rng.random() - level), 1),
    }[table.scale]


def fill(rng, table: FuzzTable) -> Columns:
    """Draw the scores, set down what is true, and return the columns of the table's form."""
    repeated = table.form in ("folds", "long folds", "long conditions")
    taken = {name.lower() for name in table.learners}
    folds = ["fold", "run", "seed", "Fold", "split", "repeat"]
    labels = ["dataset", "dataset", "Data set", "data", "problem", "task", "name"]
    layout = Layout(
        label=str(rng.choice([word for word in labels if word.lower() not in taken])),
        fold=str(rng.choice([word for word in folds if word.lower() not in taken])),
        count=int(rng.integers(2, 6)) if repeated else 1,
        start=int(rng.integers(0, 2)),
    )
    lacking = 0.03 if not repeated and chance(rng, 0.3) else 0
    for name in table.datasets:
        for learner, scores in zip(table.learners, _draw(rng, table, layout.count), strict=True):
            cells = [None if chance(rng, lacking) else float(score) for score in scores]
            there = [score for score in cells if score is not None]
            if there:
                table.truth[name, learner] = float(np.mean(there))
            for i, score in enumerate(cells):
                layout.value[name, learner, i + layout.start] = score
    if table.form.startswith("long"):
        return _long(rng, table, layout)
    if table.form == "transposed":
        return _transpose(rng, table, layout)
    if table.form == "folds":
        return _folds(rng, table, layout)
    if table.form == "zeros and ones":
        return _zeros_and_ones(rng, table, layout)
    if table.form in ("repetitions", "metrics"):
        return _repeat_learner(rng, table, layout)
    columns = _wide(table, layout)
    return _drop_names(table, columns) if table.form == "unnamed rows" else columns


def _wide(table, layout) -> Columns:
    columns = {layout.label: list(table.datasets)}
    for learner in table.learners:
        columns[learner] = [layout.value[d, learner, layout.start] for d in table.datasets]
    return columns


def _drop_names(table, columns) -> Columns:
    names = {old: f"data set {i + 1}" for i, old in enumerate(table.datasets)}
    table.truth = {(names[d], learner): score for (d, learner), score in table.truth.items()}
    table.datasets = list(names.values())
    return {name: columns[name] for name in table.learners}


def _long(rng, table, layout) -> Columns:
    keys = list(layout.value)
    label = layout.label if layout.label != "name" else "dataset"
    columns = {
        label: [d for d, _, _ in keys],
        str(rng.choice(LEARNER_WORDS)): [learner for _, learner, _ in keys],
    }
    if table.form == "long folds":
        columns[layout.fold] = [i for _, _, i in keys]
        if chance(rng, 0.3):
            columns |= {"n_train": [90] * len(keys), "n_test": [10] * len(keys)}
    if table.form == "long conditions":
        columns[str(rng.choice(["noise", "budget", "variant"]))] = [i for _, _, i in keys]
    return columns | {str(rng.choice(VALUES)): list(layout.value.values())}


def _transpose(rng, table, layout) -> Columns:
    columns: Columns = {str(rng.choice(LEARNER_WORDS)): list(table.learners)}
    for d in table.datasets:
        columns[d] = [layout.value[d, learner, layout.start] for learner in table.learners]
    return columns


def _folds(rng, table, layout) -> Columns:
    several = chance(rng, 0.6)
    if not several:
        only = table.datasets[0]
        table.truth = {("the data set", a): table.truth[only, a] for a in table.learners}
    sets = table.datasets if several else table.datasets[:1]
    keys = [(d, i + layout.start) for d in sets for i in range(layout.count)]
    columns: Columns = {layout.label: [d for d, _ in keys]} if several else {}
    columns[layout.fold] = [i for _, i in keys]
    if layout.fold.lower() == "fold" and chance(rng, 0.3):
        columns["run"] = [1] * len(keys)
    if chance(rng, 0.3):
        columns |= {"n_train": [900] * len(keys), "n_test": [100] * len(keys)}
    for learner in table.learners:
        if learner in columns:
            columns.pop(learner)
        columns[learner] = [layout.value[d, learner, i] for d, i in keys]
    if not several:
        table.datasets = ["the data set"]
    return columns


def _zeros_and_ones(rng, table, layout) -> Columns:
    way = str(rng.choice(["wide", "passages", "no names", "long", "transposed"]))
    table.tricks.append(way)
    words = [(0.0, 1.0), (0, 1), (False, True), ("wrong", "right"), ("false", "true")]
    wrong, right = words[int(rng.integers(len(words)))]
    for key, score in layout.value.items():
        layout.value[key] = None if score is None else right if score else wrong
    if way == "long":
        return _long(rng, table, layout)
    if way == "transposed":
        return _transpose(rng, table, layout)
    columns = _wide(table, layout)
    if way == "no names":
        return _drop_names(table, columns)
    if way == "passages":
        items = [f"q{i}" if chance(rng, 0.5) else i for i in range(len(table.datasets))]
        passages = [f"p{i // 4}" for i in range(len(table.datasets))]
        del columns[layout.label]
        return {"item": items, "passage": passages} | columns
    return columns


def _repeat_learner(rng, table, layout) -> Columns:
    """Columns that are repetitions, or metrics, and no learners each."""
    count = len(table.learners)
    header = layout.label
    if table.form == "metrics":
        names = ["accuracy", "f1", "auc", "recall", "kappa", "mcc"][:count]
        if count == 4 and chance(rng, 0.7):
            names = [f"{a}_{m}" for a in ("tree", "svm") for m in ("acc", "f1")]
    else:
        header = str(rng.choice(["Resamples:", "dataset", "seed", "Folds", ""]))
        first = int(rng.integers(0, 2))
        names = [str(first + j) for j in range(count)]
        if header == "dataset" and chance(rng, 0.5):
            names = [f"{layout.fold.lower()}{name}" for name in names]
    columns = _wide(table, layout)
    renamed = dict(zip(table.learners, names, strict=True)) | {layout.label: header}
    table.learners = names
    return {renamed[name]: cells for name, cells in columns.items()}


def add_extras(rng, table: FuzzTable, columns: Columns) -> Columns:
    """Add what stands in tables beside scores."""
    if table.form in ("transposed", "json nested") or "transposed" in table.tricks:
        return columns
    size = len(next(iter(columns.values())))
    numbered = not table.form.startswith("long") and table.form not in ("folds", "unnamed rows")
    more: Columns = {}
    if chance(rng, 0.3):
        name = str(rng.choice(SIZES))
        high = {"n_classes": 27, "n_features": 200, "d": 100, "p": 100}.get(name, 20000)
        more[name] = [int(x) for x in rng.integers(2, high, size)]
        table.tricks.append("sizes")
    if numbered and chance(rng, 0.2):
        name = str(rng.choice(NUMBERS))
        counts = list(range(size)) if name in ("", "Unnamed: 0", "index") else None
        more[name] = counts or [int(x) for x in rng.permutation(50000)[:size]]
        table.tricks.append("row numbers")
    if chance(rng, 0.2) and (table.form != "unnamed rows" or size > 3):
        more["source"] = [str(x) for x in rng.choice(["uci", "openml", "kaggle"], size)]
        table.tricks.append("words")
    if table.form == "wide" and chance(rng, 0.2):
        more |= _add_columns(rng, table, columns)
    lower = {name.lower() for name in columns}
    if any(name.lower() in lower for name in more):
        return columns
    joined = columns | more
    return {"": joined.pop("")} | joined if "" in joined else joined


def _add_columns(rng, table, columns) -> Columns:
    """Return spreads, times, summaries, or properties of the data sets."""
    kinds = [" std", "_sd", " time", "fit_time", "Average", "best", "difference", "year",
             "imbalance"]  # fmt: skip
    kind = str(rng.choice(kinds))
    cells = [columns[learner] for learner in table.learners]
    # On other scales nothing tells an unknown property of data sets from a learner.
    unknowable = {"imbalance": table.scale != "unit", "year": table.scale == "rmse"}
    if any(cell is None for column in cells for cell in column) or unknowable.get(kind):
        return {}
    scores = np.array(cells)
    size = scores.shape[1]
    table.tricks.append("beside: " + kind.strip(" _"))
    if kind in (" std", "_sd", " time"):
        return {
            learner + kind: np.round(np.abs(row) * rng.uniform(0.01, 0.1, size), 4).tolist()
            for learner, row in zip(table.learners, scores, strict=True)
        }
    numbers = {
        "fit_time": np.round(rng.uniform(0.1, 100, size), 2),
        "year": rng.integers(1985, 2025, size),
        "imbalance": np.round(rng.uniform(1.5, 40, size), 2),
        "Average": np.round(scores.mean(0), 4),
        "best": scores.max(0),
        "difference": np.round(scores[0] - scores[-1], 4),
    }
    return {kind: numbers[kind].tolist()}
