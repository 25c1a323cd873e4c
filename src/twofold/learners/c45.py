"""C4.5 decision trees, as Weka's J48."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.learners.kernels.c45_binary import MOST_ATTRIBUTES, MOST_ROWS, binary_runs
from twofold.learners.kernels.c45_binary import NAME as BINARY_NAME
from twofold.learners.kernels.c45_errors import no_errors_table
from twofold.learners.kernels.c45_kernel import NAME, c45_runs
from twofold.learners.kernels.c45_memory import MASS, TREE, Ranked
from twofold.learners.kernels.c45_split import nlogn_table
from twofold.learners.kernels.column_arrays import Columns
from twofold.learners.kernels.compile import announce, check_folds
from twofold.learners.kernels.decision_tree import Tree
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns

NO_PROBABILITIES = np.empty((0, 0, 0))


class C45(CodedClassifier):
    """A decision tree grown by gain ratio and pruned by pessimistic errors (Quinlan 1993).

    Nominal attributes have a branch for each value, numeric ones a threshold; rows whose value is
    missing go down all branches in fractions. The choices are those of Weka's J48, 3.6.

    Parameters
    ----------
    cf : float
        Confidence of pruning, above 0 and at most 0.5; less prunes more.
    m : float
        Least number of rows in at least two branches of a split.
    prune : bool
    raising : bool
        Whether pruning may replace a node by its largest branch.
    nominal, values, classes
        As for `NaiveBayes`.
    """

    def __init__(
        self,
        *,
        cf: float = 0.25,
        m: float = 2,
        prune: bool = True,
        raising: bool = True,
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.cf = cf
        self.m = m
        self.prune = prune
        self.raising = raising
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _check(self) -> None:
        if not isinstance(self.cf, int | float | np.number) or not 0 < self.cf <= 0.5:
            raise InputError(
                f"`cf` must lie above 0 and at most at 0.5, got {self.cf!r}.",
                "Leave it out for 0.25.",
            )
        if not isinstance(self.m, int | float | np.number) or not 1 <= self.m < np.inf:
            raise InputError(f"`m` must be 1 or larger, got {self.m!r}.", "Leave it out for 2.")

    def fit(self, X: Any, y: Any) -> C45:
        """Grow a tree from rows and their classes."""
        self._check()
        columns = self._read(X, y)
        job = _TreeRuns(columns, self)
        with announce(NAME):
            self.tree_ = job.whole_tree()
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every class for every row."""
        X = self._seen(X)
        return self.tree_.predict_proba(X)

    def predict_proba_folds(self, dataset: Dataset, fold_of_row: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classes for every row, learnt outside its fold.

        Parameters
        ----------
        dataset : Dataset
        fold_of_row : array (runs, rows)
            As for `predict_folds`, which predicts the most probable class.

        Returns
        -------
        array (runs, rows, classes)
            NaN for rows never tested.
        """
        self._check()
        columns = Columns.from_dataset(dataset)
        folds = check_folds(fold_of_row, dataset.rows)
        probabilities = np.full((*folds.shape, columns.classes), np.nan)
        with announce(NAME):
            _TreeRuns(columns, self).runs(
                folds, np.empty(folds.shape, dtype=np.intp), probabilities
            )
        return probabilities

    def text(self, names: Any = None, values: Any = None) -> str:
        """Return the tree as text, with names of the attributes and of their values if given."""
        count = self.n_features_in_
        names = [f"a{j}" for j in range(count)] if names is None else list(names)
        return "\n".join(self.tree_.lines(names, list(self.classes_), values))

    def __str__(self) -> str:
        return self.text() if hasattr(self, "tree_") else repr(self)

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        self._check()
        job: Any = _BinaryRuns(columns, self) if _is_binary(columns) else _TreeRuns(columns, self)
        return WholeRuns(job.name, job.runs, 100.0 * columns.X.shape[1])


class _TreeRuns:
    """A data set made ready, and the options, for trees on any of its rows."""

    name = NAME

    def __init__(self, columns: Columns, learner: C45) -> None:
        self.ranked = Ranked.from_columns(columns)
        self.options = _options(learner, len(columns.y), whole=self.ranked.whole)

    def runs(
        self,
        folds: NDArray[np.int32],
        predictions: NDArray[np.intp],
        probabilities: NDArray[np.float64] = NO_PROBABILITIES,
    ) -> Any:
        """Fill the predictions of all runs; return the memory with the last tree."""
        done, scale = 0, 1
        kernel: Any = c45_runs
        always = (self.ranked.order, folds, *self.options)
        while True:
            memory = self.ranked.memory(scale)
            done = kernel(*self.ranked.arrays(), *memory, *always, done, predictions, probabilities)
            if done == len(folds):
                return memory
            scale *= 2

    def whole_tree(self) -> Tree:
        nobody = np.full((1, len(self.ranked.y)), -1, dtype=np.int32)
        memory = self.runs(nobody, np.empty(nobody.shape, dtype=np.intp))
        return Tree.from_arrays(memory[TREE], memory[MASS], self.ranked.slot)


class _BinaryRuns:
    """As `_TreeRuns`, for two classes and attributes of two values."""

    name = BINARY_NAME

    def __init__(self, columns: Columns, learner: C45) -> None:
        rows, attributes = columns.X.shape
        table = np.column_stack([columns.X, columns.y]).astype(bool)
        # Bits of a row for asking the tree, bits of a column for growing it.
        self.bits = _words(table[:, :attributes])[:, 0]
        self.columns = np.ascontiguousarray(_words(table.T).T)
        self.options = _options(learner, rows, whole=True)

    def runs(self, folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
        kernel: Any = binary_runs
        kernel(self.bits, self.columns, folds, *self.options, predictions)


def _words(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Put 64 neighbouring bits into a word, the first one lowest."""
    lines, length = bits.shape
    padded = np.zeros((lines, -(-length // 64) * 64), dtype=bool)
    padded[:, :length] = bits
    packed = np.packbits(padded, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def _is_binary(columns: Columns) -> bool:
    """Whether the kernel for binary attributes can take a data set."""
    rows, attributes = columns.X.shape
    fits = rows <= MOST_ROWS and 0 < attributes <= MOST_ATTRIBUTES
    return (
        fits and columns.classes == 2 and bool((columns.values == 2).all()) and not columns.missing
    )


def _options(learner: C45, rows: int, *, whole: bool) -> tuple[Any, ...]:
    """What the kernels want to know, and their tables."""
    from scipy.special import ndtri

    return (
        float(learner.m),
        bool(learner.prune),
        bool(learner.raising),
        float(learner.cf),
        float(ndtri(1 - learner.cf)),
        nlogn_table(rows),
        # Fractions of rows are not in the table.
        no_errors_table(rows if whole else -1, float(learner.cf)),
    )
