"""The answer of a comparison: one set of typed facts, which every output only arranges."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from twofold.comparison.claimed_ranks import RankSets
from twofold.comparison.plain_data import to_plain, to_plain_pair, to_positive
from twofold.provenance_record import Provenance
from twofold.result import Note, is_significant
from twofold.scores import Scores
from twofold.scores.build_scores import ASSUMING, DIRECTION_ASSUMED
from twofold.stats import entry

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas.io.formats.style

    from twofold.comparison.class_scores import ClassScore
    from twofold.comparison.data_set_answers import DataSetAnswer
    from twofold.comparison.learner_scores import LearnerScore

Outcome = Literal["a", "b", "none"]
IntervalKind = Literal["simultaneous", "single"]
FrameKind = Literal["pairs", "scores", "ranks"]

Situation = Literal["data sets", "one data set", "predictions", "items"]

MEANS = ("mean", "relative mean", "posterior mean")
"""What the size of a difference is by tests of means: learners are then sorted by their means."""

LEFT_OUT = ("left-out-columns", "left-out-rows", "no-scores", "items-unmatched")
"""Notes that say what of a table was not read: they belong beside the verdict."""


@dataclass(frozen=True, slots=True)
class Omnibus:
    """An answer to: is there any difference among the learners? Of several the last decides.

    ``uncorrected`` holds statistic and pvalue of the formula without correction for ties, as in
    Demšar (2006), where the table has ties and that differs. ``permutations`` is how many random
    permutations of each data set's ranks the p value comes from, 0 where it comes from all of them,
    None where it comes from a distribution.
    """

    method: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    uncorrected: Mapping[str, float] | None = None
    permutations: int | None = None


@dataclass(frozen=True, slots=True)
class CriticalDifference:
    """By how much mean ranks must differ."""

    method: str
    alpha: float
    value: float


@dataclass(frozen=True, slots=True)
class Predicted:
    """The predicted probability that a repetition would decide the same.

    From the runs on one data set it is one number with a 95 % interval. New data sets, items or
    examples are predicted for learners that usually are as close, and as far apart, as is
    plausible: these are the ends of ``interval``, and ``predicted`` is None where they differ much.
    """

    predicted: float | None
    interval: tuple[float, float] | None
    limit: float | None = None

    def __bool__(self) -> bool:
        return self.interval is not None or self.limit is not None

    @property
    def between(self) -> tuple[float, float] | None:
        """The probability from its lower to its upper end, which are the same for one number."""
        return self.interval if self.predicted is None else (self.predicted, self.predicted)


@dataclass(frozen=True, slots=True)
class MeanWithinMargin:
    """Two one-sided tests of whether the mean of a − b over data sets is within a margin."""

    method: str
    estimate: float
    lower_p: float
    upper_p: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two one-sided tests of whether a pair differs by less than a margin.

    ``lower_p`` and ``upper_p`` are those of a − b at −margin and at margin. Over data sets they are
    about a typical data set, and ``on_mean`` has those about the mean. ``pvalue_unadjusted`` is
    the largest of all; ``pvalue`` decides, adjusted where there are several pairs. Intervals have
    the level 1 − 2α, with the α that this pair had to meet among several, so that all of them lie
    within the margin exactly where ``equivalent`` is true; very many pairs have none. ``worst`` are
    the data sets on which the two differ by more than the margin, with a − b, the largest first.
    """

    margin: float
    method: str
    lower_p: float
    upper_p: float
    pvalue: float
    pvalue_unadjusted: float
    interval: tuple[float, float] | None
    interval_confidence: float | None
    equivalent: bool
    on_mean: MeanWithinMargin | None = None
    worst: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """The answer for two learners. ``estimate`` is a minus b in the metric's own units.

    ``pvalue`` is the p value that decides, ``pvalue_unadjusted`` that of this pair alone.
    ``defined`` is False where the differences have no spread by which the test could judge them:
    then it has no p value and no interval, and decides nothing. ``adjustment`` names the entry of
    ``adjusted`` that decides, where there is one. ``interval`` holds zero exactly where no
    difference was found (an end at zero is open where one was). ``interval_kind`` is
    "simultaneous" where the intervals of all pairs hold together with the confidence
    ``interval_confidence``, "single" where each holds by itself. ``standard_error`` is that of the
    estimate, where the test has one. ``detectable`` is the difference that would have been found
    with power .8 or more, where none was. ``equivalence`` is there where it was asked for.
    """

    a: str
    b: str
    estimate: float
    interval: tuple[float, float] | None
    method: str
    statistic: float
    df: tuple[float, ...]
    pvalue_unadjusted: float | None
    adjusted: Mapping[str, float]
    outcome: Outcome
    wins: int
    ties: int
    losses: int
    replicability: Predicted | None = None
    beside: tuple[Mapping[str, Any], ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)
    defined: bool = True
    adjustment: str | None = None
    interval_kind: IntervalKind = "single"
    interval_confidence: float | None = None
    standard_error: float | None = None
    detectable: float | None = None
    equivalence: Equivalence | None = None

    @property
    def pvalue(self) -> float | None:
        """The p value that decides: the adjusted one where pairs were adjusted."""
        if self.adjustment is None or not self.defined:
            return self.pvalue_unadjusted
        return self.adjusted[self.adjustment]

    @property
    def differs(self) -> bool:
        """Whether one of the two was found to be better."""
        return self.outcome != "none"

    @property
    def better(self) -> str | None:
        """The learner that was found to be better."""
        return {"a": self.a, "b": self.b, "none": None}[self.outcome]

    @property
    def worse(self) -> str | None:
        """The learner that was found to be worse."""
        return {"a": self.b, "b": self.a, "none": None}[self.outcome]

    @property
    def n(self) -> int:
        """On how many data sets, splits, examples or items the two were compared."""
        return self.wins + self.ties + self.losses

    @property
    def is_bayesian(self) -> bool:
        """Whether a posterior decides, and no p value."""
        return entry(self.method).bayesian

    @property
    def posteriors(self) -> tuple[Mapping[str, Any], ...]:
        """The Bayesian answers, of which the last decides where the test is Bayesian."""
        return tuple(answer for answer in self.beside if "rope" in answer)

    @property
    def repeats(self) -> float | None:
        """The predicted probability that a repetition would decide the same, where one is known."""
        return None if self.replicability is None else self.replicability.predicted

    @property
    def repeats_between(self) -> tuple[float, float] | None:
        """The same from its lower to its upper end, where it depends on the kind of learners."""
        return None if self.replicability is None else self.replicability.between


def begin_with_assumption(text: str, learners: Sequence[str], by: str = "") -> str:
    """Return a text that begins with the direction that was assumed; names keep their letters.

    ``by`` names the metrics, of several, for which it was.

    >>> begin_with_assumption("The learners differ.", ["nb"])
    'Assuming higher is better: the learners differ.'
    """
    if not text.startswith(tuple(learners)):
        text = text[:1].lower() + text[1:]
    return f"{ASSUMING}{by and ' by '}{by}: {text}"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The answer to a comparison of learners.

    ``print`` it for the terminal, ``save`` it as a report, ``plot`` it, or take it further:
    ``to_frame`` for pandas, ``to_dict`` for JSON. Attributes are those of the JSON, which is
    described in docs/reference/comparison.md, but ``learner_scores`` is its "scores"; ``scores`` is
    the table that was read (None where predictions were compared). With one learner there are no
    pairs: ``learner_scores`` holds the answer, ``class_scores`` that for each class of predictions.
    """

    question: str
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    metric: str
    higher_is_better: bool
    alpha: float
    verdict: str
    method: str
    reason: str
    ranking: tuple[str, ...] = ()
    mean_ranks: Mapping[str, float] = field(default_factory=dict)
    ranks_are: Literal["mean", "estimated"] | None = None
    mean_scores: Mapping[str, float] = field(default_factory=dict)
    learner_scores: tuple["LearnerScore", ...] = ()
    omnibus: tuple[Omnibus, ...] = ()
    omnibus_replicability: Predicted | None = None
    critical_difference: CriticalDifference | None = None
    pairs: tuple[Pair, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    rank_sets: tuple[RankSets, ...] = ()
    control: str | None = None
    adjustment: str | None = None
    alternative: str = "two-sided"
    rope: float | None = None
    equivalence: float | None = None
    seed: int = 0
    notes: tuple[Note, ...] = ()
    positive: Mapping[str, str] = field(default_factory=dict)
    stratified: bool | None = None
    bootstrap_errors: tuple[Mapping[str, Any], ...] = ()
    prepared: tuple[Mapping[str, Any], ...] = ()
    class_scores: tuple["ClassScore", ...] = ()
    items: int | None = None
    clusters: int | None = None
    per_dataset: tuple["DataSetAnswer", ...] = ()
    provenance: Provenance | None = field(default=None, compare=False)
    scores: Scores | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Let the verdict begin with the direction where nothing but an assumption gives it."""
        if self.assumes_direction and not self.verdict.startswith(ASSUMING):
            object.__setattr__(self, "verdict", begin_with_assumption(self.verdict, self.learners))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON; infinite numbers become None."""
        return {**self.outline(), "pairs": [to_plain_pair(pair) for pair in self.pairs]}

    def outline(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON, with ``pairs`` left empty."""
        omnibus = tuple(replace(test, pvalue=to_positive(test.pvalue)) for test in self.omnibus)
        plain: dict[str, Any] = to_plain(replace(self, scores=None, pairs=(), omnibus=omnibus))
        del plain["scores"]
        for answer, facts in zip(self.per_dataset, plain["per_dataset"], strict=True):
            facts["pairs"] = [to_plain_pair(pair) for pair in answer.pairs]
        plain = {"scores" if key == "learner_scores" else key: plain[key] for key in plain}
        for name in ("bootstrap_errors", "prepared", "class_scores", "per_dataset"):
            if not plain[name]:
                del plain[name]  # they belong to single situations
        head = {"question": plain.pop("question"), "situation": self.situation}
        names = {key: plain.pop(key) for key in ("learners", "datasets")}
        return head | names | {"left_out": [*self.left_out]} | plain

    @property
    def situation(self) -> Situation:
        """What the learners were compared by."""
        if self.items is not None:
            return "items"
        if self.scores is None:
            return "predictions"
        return "data sets" if len(self.datasets) > 1 else "one data set"

    @property
    def has_one_learner(self) -> bool:
        """Whether there is one learner: the answer is then its score, and nothing is compared."""
        return len(self.learners) == 1

    @property
    def assumes_direction(self) -> bool:
        """Whether nothing says that higher is better, and learners are compared nevertheless."""
        return len(self.learners) > 1 and any(n.code == DIRECTION_ASSUMED for n in self.notes)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the table was left out, a sentence for each warning that says so."""
        return tuple(note.detail for note in self.notes if note.code in LEFT_OUT)

    @property
    def cd_decides(self) -> bool:
        """Whether the critical difference decides about all pairs, and not an adjustment."""
        return self.critical_difference is not None and (
            self.adjustment == self.critical_difference.method
        )

    @property
    def sorted_by_ranks(self) -> bool:
        """Whether learners are sorted by mean ranks; where means are compared it is by means."""
        return bool(self.mean_ranks) and (
            self.holds_ranks or entry(self.pairs[0].method).estimate not in MEANS
        )

    @property
    def omnibus_rejects(self) -> bool:
        """Whether a difference among all the learners was found."""
        return bool(self.omnibus) and is_significant(self.omnibus[-1].pvalue, self.alpha)

    @property
    def is_one_sided(self) -> bool:
        """Whether the tests of pairs looked in one direction only."""
        return self.alternative != "two-sided" and any(
            entry(pair.method).one_sided for pair in self.pairs
        )

    @property
    def holds_ranks(self) -> bool:
        """Whether the table held ranks, so that estimates are differences of mean ranks."""
        return self.scores is not None and self.scores.form == "ranks"

    @property
    def interval_level(self) -> str:
        """The level of an interval that stands by itself, as in "95%"."""
        return f"{100 * (1 - self.alpha):.4g}%"

    @property
    def pair_interval_level(self) -> str:
        """What stands before "interval" of a pair: "95%", "simultaneous 95%" or "adjusted".

        Adjusted intervals hold one by one, each at the level at which its pair had to be
        significant.
        """
        if self.adjustment is None or not self.pairs:
            return self.interval_level
        simultaneous = f"simultaneous {self.interval_level}"
        return simultaneous if self.has_simultaneous_intervals else "adjusted"

    @property
    def has_simultaneous_intervals(self) -> bool:
        """Whether the intervals of all pairs hold together."""
        return bool(self.pairs) and self.pairs[0].interval_kind == "simultaneous"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a report, of the kind that the file's ending says.

        A page for browsers (.html), LaTeX with a .bib beside it (.tex), Markdown (.md), a workbook
        (.xlsx), every number (.json), or the text that ``print`` shows (.txt). An existing file is
        replaced.
        """
        from twofold.report import save_report

        save_report(self, path)

    def save_table(self, path: str | os.PathLike[str]) -> None:
        """Write the results table of a paper alone: .tex, .md, .html, .csv or .xlsx.

        A row for each data set and a column for each learner, the best in bold.
        """
        from twofold.report import save_table

        save_table(self, path)

    def to_frame(self, kind: FrameKind = "pairs") -> "pandas.DataFrame":
        """Return a part of the answer as a frame of pandas.

        Parameters
        ----------
        kind : {"pairs", "scores", "ranks"}
            "pairs": a row for each pair of learners that were compared. "scores": a row for each
            learner, best first: mean, median, spread, interval, rank. "ranks": the rank of each
            learner (columns, best first) on each data set (rows).
        """
        from twofold.report.answer_frames import answer_frame

        return answer_frame(self, kind)

    def style(self, kind: FrameKind = "scores") -> "pandas.io.formats.style.Styler":
        """Return what `to_frame` returns with a style, for notebooks: the best in bold."""
        from twofold.report.answer_frames import style_answer

        return style_answer(self, kind)

    def plot(
        self,
        path: str | Path | None = None,
        *,
        kind: str | None = None,
        ax: "matplotlib.axes.Axes | None" = None,
        highlight: Sequence[str] = (),
        width: str | float = "two-column",
        font: str | None = None,
        caption: bool = False,
    ) -> "matplotlib.axes.Axes | Path":
        """Draw the comparison and return the axes; with a path, save it and return the path.

        Parameters
        ----------
        path : path, optional
            A file that ends in .svg, .pdf or .png; for mean ranks also .tex, which is TikZ.
        kind : str, optional
            "ranks", "matrix", "rank-sets", "differences", "folds", "pairs", "posterior", "simplex",
            "heatmap" or, for one learner, "scores"; without it the best for the situation.
        ax : matplotlib axes, optional
            Axes to draw into, instead of a new figure.
        highlight : names, optional
            Learners, or data sets, to emphasise.
        width : "one-column" (3.25 inches), "text" (5.5), "two-column" (6.75) or inches
        font : "serif", "sans" or an installed family, optional
        caption : bool
            Draw the words below the picture too, or write them to a file beside ``path``.
        """
        from twofold.plots import plot

        drawn: matplotlib.axes.Axes | Path = plot(
            self,
            path,
            kind=kind,
            ax=ax,
            highlight=highlight,
            width=width,
            font=font,
            caption=caption,
        )
        return drawn

    def __str__(self) -> str:
        from twofold.report import terminal

        return terminal(self)

    def __repr__(self) -> str:
        from twofold.report.next_calls import summarize_comparison

        return summarize_comparison(self)

    def _repr_html_(self) -> str:
        from twofold.report import fragment

        return fragment(self)
