"""The answers by several metrics, asked for together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from twofold.comparison.comparison import Comparison, FrameKind
from twofold.comparison.metric_agreement import describe_agreement
from twofold.errors import InputError, suggest
from twofold.provenance_record import Provenance
from twofold.result import SMALLEST_P, Note


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Comparisons(Mapping[str, Comparison]):
    """Comparisons of the same learners by several metrics: a mapping of metric to `Comparison`.

    Attributes
    ----------
    answers : mapping of str to Comparison
        In the order in which the metrics were asked for.
    alpha : float
        The level that was asked for. With ``across_metrics`` each answer has its own share of it.
    across_metrics : str, optional
        The adjustment over metrics; None where each metric was judged by itself.
    adjusted : mapping of str to p values
        With ``across_metrics``: for each metric the p values of its pairs, adjusted over metrics.
    unanswered : mapping of str to str
        Metrics by which there is no answer, as too few learners have scores by them, and why.
    notes : tuple of Note
        What concerns all metrics; each answer has its own.
    """

    answers: Mapping[str, Comparison]
    alpha: float = 0.05
    across_metrics: str | None = None
    adjusted: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    unanswered: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __getitem__(self, metric: str) -> Comparison:
        if metric not in self.answers:
            listed = f"There are {', '.join(self.answers)}."
            raise KeyError(f"No metric {metric!r}. {suggest(metric, self.answers, listed)}")
        return self.answers[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order in which they were asked for."""
        return tuple(self.answers)

    @property
    def verdict(self) -> str:
        """Whether the metrics agree, in a sentence or two."""
        return describe_agreement(self.answers, list(self.unanswered))

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict by each metric."""
        return {metric: answer.verdict for metric, answer in self.answers.items()}

    @property
    def provenance(self) -> Provenance | None:
        """What all the answers were made from."""
        return next(iter(self.answers.values())).provenance

    def with_provenance(self, provenance: Provenance) -> Comparisons:
        """Return the same answers, each of which says what it was made from."""
        answers = {m: replace(c, provenance=provenance) for m, c in self.answers.items()}
        return replace(self, answers=answers)

    def to_dict(self) -> dict[str, Any]:
        """Return all answers as plain data for JSON."""
        return self.outline() | {
            "answers": {metric: answer.to_dict() for metric, answer in self.answers.items()}
        }

    def outline(self) -> dict[str, Any]:
        """Return plain data for JSON, with ``answers`` left empty."""
        return {
            "metrics": [*self.answers],
            "unanswered": dict(self.unanswered),
            "verdict": self.verdict,
            "verdicts": self.verdicts,
            "alpha": self.alpha,
            "across_metrics": self.across_metrics,
            "adjusted_across_metrics": {
                metric: [max(p, SMALLEST_P) for p in values]
                for metric, values in self.adjusted.items()
            },
            "notes": [
                {name: getattr(note, name) for name in ("code", "title", "detail", "severity")}
                for note in self.notes
            ],
            "answers": {},
        }

    def to_frame(self, kind: FrameKind = "pairs") -> Any:
        """Return what `Comparison.to_frame` returns, below each other by metric."""
        frames = {metric: answer.to_frame(kind) for metric, answer in self.answers.items()}
        import pandas as pd

        return pd.concat(frames, names=["metric"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a report on all metrics: .html, .tex (with .bib), .md, .json, .txt or .xlsx."""
        from twofold.report import save_report

        save_report(self, path)

    def save_table(self, path: str | os.PathLike[str]) -> None:
        """Write the results tables of all metrics alone: .tex, .md, .html, .csv or .xlsx."""
        from twofold.report import save_table

        save_table(self, path)

    def plot(self, path: Any = None, **options: Any) -> list[Path]:
        """Draw one picture for each metric, and return the files: ranks-accuracy.svg, ….

        ``options`` are those of `Comparison.plot`.
        """
        if path is None:
            raise InputError(
                f"{len(self)} metrics have {len(self)} pictures.",
                f"Name a file, or draw one of them: answers[{next(iter(self))!r}].plot().",
            )
        paths = name_pictures(path, self.metrics)
        for answer, target in zip(self.answers.values(), paths, strict=True):
            answer.plot(target, **options)
        return paths

    def __str__(self) -> str:
        from twofold.report import terminal

        return terminal(self)

    def __repr__(self) -> str:
        lines = [f"  {metric}: {verdict}" for metric, verdict in self.verdicts.items()]
        calls = f"print(answers), answers[{next(iter(self))!r}], answers.save('report.html')"
        return "\n".join([f"<Comparisons by {len(self)} metrics:", *lines, f">\nNext: {calls}"])

    def _repr_html_(self) -> str:
        from twofold.report import fragment

        return fragment(self)


def name_pictures(path: str | os.PathLike[str], metrics: Sequence[str]) -> list[Path]:
    """Return a file for each metric, with its name before the suffix."""
    target = Path(path)
    stems: list[str] = []
    for metric in metrics:
        plain = "".join(letter if letter.isalnum() else "-" for letter in metric).strip("-")
        stem = f"{target.stem}-{plain or 'metric'}"
        while stem in stems:
            stem += "-2"
        stems.append(stem)
    return [target.with_name(stem + target.suffix) for stem in stems]
