"""The verdict in words: true sentences, the direction and size of a difference beside its p."""

from __future__ import annotations

from twofold.comparison.answer import Omnibus, Pair


def number(value: float, digits: int = 3) -> str:
    """Return a number as people write it."""
    return f"{value:.{digits}g}".replace("-", "−").replace("inf", "∞")


def p_value(p: float) -> str:
    """Return "p = .012" or "p < .001"."""
    if p < 0.001:
        return "p < .001"
    return f"p = {p:.3f}".replace("0.", ".", 1)


def of_pair(pair: Pair, metric: str, p: float | None, alpha: float) -> str:
    """Say what was found for two learners."""
    size = f"{pair.a} − {pair.b} = {number(pair.estimate)} {metric}"
    if pair.interval is not None and all(abs(edge) < float("inf") for edge in pair.interval):
        low, high = map(number, pair.interval)
        size += f" ({1 - alpha:.0%} interval {low} to {high})"
    if p is None:
        return f"{size}."
    if pair.outcome == "none":
        return f"No difference between {pair.a} and {pair.b} was found: {size}, {p_value(p)}."
    better, worse = (pair.a, pair.b) if pair.outcome == "a" else (pair.b, pair.a)
    return f"{better} is better than {worse}: {size}, {p_value(p)}."


def of_many(
    omnibus: tuple[Omnibus, ...],
    pairs: tuple[Pair, ...],
    control: str | None,
    alpha: float,
    best: str | None = None,
) -> str:
    """Say what was found for several learners."""
    found = [pair for pair in pairs if pair.outcome != "none"]
    parts = []
    if omnibus:
        last = omnibus[-1]
        some = last.pvalue <= alpha
        parts.append(
            f"The learners {'differ' if some else 'were not found to differ'} "
            f"({last.method}, {p_value(last.pvalue)})"
        )
    if not found:
        which = "no pair could be told apart" if control is None else f"none differs from {control}"
        parts.append(which)
    elif len(found) <= 4:
        parts.append("; ".join(_better(pair) for pair in found))
    else:
        first = "" if best is None else f"{best} has the best mean rank, and "
        parts.append(f"{first}{len(found)} of {len(pairs)} pairs differ")
    # Names of learners keep their letters: only our own words are capitalised.
    text = ": ".join(parts)
    if not omnibus and not found:
        text = text[0].upper() + text[1:]
    return text + "."


def _better(pair: Pair) -> str:
    a, b = (pair.a, pair.b) if pair.outcome == "a" else (pair.b, pair.a)
    return f"{a} is better than {b}"
