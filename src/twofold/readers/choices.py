"""What readers choose and say: which metric, which of several runs, what learners are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from twofold.errors import InputError, suggest
from twofold.options import ALL_METRICS, Reading
from twofold.result import Note, Severity, join_first


def choose_metrics(
    available: Sequence[str], options: Reading, default: str | None = None
) -> tuple[list[str], list[Note]]:
    """Return the metrics to read: those that are named, all, or the default with a note.

    ``available`` are the metrics of the files, each once; the first is taken where the format has
    no ``default``.
    """
    if not available:
        raise InputError("The files hold no scores.", "Check that they are complete.")
    if options.metric == ALL_METRICS:
        return list(available), []
    if options.metric is not None:
        named = options.list_metrics() or []
        return list(dict.fromkeys(_find_metric(name, available) for name in named)), []
    chosen = available[0] if default is None else default
    remaining = [name for name in available if name != chosen]
    if not remaining:
        return [chosen], []
    detail = (
        f"{chosen} was taken. Also there: {join_first(remaining, 8)}. `metric=NAME` chooses one, "
        "`metric='all'` answers by each."
    )
    # What a format has for its own main metric is no surprise.
    severity: Severity = "warning" if default is None else "info"
    return [chosen], [Note("metric-chosen", "One of several metrics", detail, severity)]


def _find_metric(name: object, available: Sequence[str]) -> str:
    by_word = {fold_name(metric): metric for metric in reversed(available)}
    if name in available:
        return str(name)
    if fold_name(name) in by_word:
        return by_word[fold_name(name)]
    raise InputError(
        f"There is no metric {name!r} in the files.",
        suggest(name, available, f"They have {join_first(list(available), 8)}."),
    )


def fold_name(name: object) -> str:
    """Return a name in small letters and digits alone, for comparing."""
    return re.sub(r"[\W_]+", "", str(name).lower())


def distinguish(
    names: Sequence[str], traits: Sequence[Mapping[str, object]], scopes: Sequence[object]
) -> list[str]:
    """Return what to call learners of which some have one name: with the traits that differ.

    A trait is added to a name where learners of that name differ in it within one scope, such as a
    data set: two runs with other options on other data sets are of one learner.

    >>> traits = [{"shots": 0, "t": 1}, {"shots": 5, "t": 1}, {"shots": 5}]
    >>> distinguish(["m", "m", "n"], traits, ["quiz", "quiz", "quiz"])
    ['m (shots=0)', 'm (shots=5)', 'n']
    """
    seen: dict[tuple[str, object, str], set[str]] = {}
    for name, own, scope in zip(names, traits, scopes, strict=True):
        for key, value in own.items():
            seen.setdefault((name, scope, key), set()).add(str(value))
    varied = {(name, key) for (name, _, key), values in seen.items() if len(values) > 1}
    labels = []
    for name, own in zip(names, traits, strict=True):
        parts = [f"{key}={value}" for key, value in own.items() if (name, key) in varied]
        labels.append(f"{name} ({', '.join(parts)})" if parts else name)
    return labels


def keep_latest(
    keys: Sequence[object], times: Sequence[str], labels: Sequence[str]
) -> tuple[list[int], list[Note]]:
    """Return the indices of the latest of those with one key, and a note on the others."""
    latest: dict[object, int] = {}
    for i, key in enumerate(keys):
        if key in latest and times[i] == times[latest[key]]:
            raise InputError(
                f"{labels[latest[key]]!r} and {labels[i]!r} are of one learner on one data set.",
                "Name one of them.",
            )
        if key not in latest or times[i] > times[latest[key]]:
            latest[key] = i
    kept = list(latest.values())  # in the order in which the keys first appear
    left = [labels[i] for i in range(len(keys)) if i not in set(kept)]
    if not left:
        return kept, []
    detail = (
        f"Of several runs of one learner on one data set the latest was taken. Left out: "
        f"{join_first(left)}. Name only the files that should count."
    )
    return kept, [Note("latest-run", "Earlier runs were left out", detail, "warning")]


def keep_shared(tables: Iterable[Mapping[str, object]]) -> list[str]:
    """Return the names that all of several tables have, in the order of the first."""
    first, *rest = tables
    return [name for name in first if all(name in table for table in rest)]
