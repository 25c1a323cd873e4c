"""What a gate found, in one line."""

from __future__ import annotations

from twofold.comparison.sentences import p_value
from twofold.comparison.wording import difference
from twofold.gates.gate_answer import Gate
from twofold.rounding import number, written


def describe_gate(gate: Gate) -> str:
    """Return the finding of a gate, with its numbers, as one sentence.

    The words are about the candidate; what is shown is shown at level α.
    """
    margin = write_margin(gate)
    new, old = gate.candidate, gate.baseline
    claims = {
        ("non-inferiority", "good enough"): f"{new} is no worse than {old} by {margin} or more",
        ("non-inferiority", "not good enough"): f"{new} is worse than {old} by more than {margin}",
        ("non-inferiority", "undecided"): f"Undecided whether {new} is worse than {old} by "
        f"{margin} or more",
        ("equivalence", "good enough"): f"{new} and {old} are equivalent within {margin}",
        ("equivalence", "not good enough"): f"{new} and {old} differ by more than {margin}",
        ("equivalence", "undecided"): f"Undecided whether {new} and {old} are equivalent within "
        f"{margin}",
        ("superiority", "good enough"): f"{new} is better than {old}{_write_excess(gate)}",
        ("superiority", "not good enough"): f"{new} is not better than {old}{_write_excess(gate)}"
        if gate.margin
        else f"{new} is worse than {old}",
        (
            "superiority",
            "undecided",
        ): f"Undecided whether {new} is better than {old}{_write_excess(gate)}",
    }
    return f"{claims[gate.goal, gate.decision]}: {describe_numbers(gate)}."


def write_margin(gate: Gate) -> str:
    """Return the margin in words: "0.01 accuracy", "0.0082 accuracy (1%)"."""
    unit = "" if gate.metric in ("score", "rank") else f" {gate.metric}"
    given = f" ({gate.margin_given} of {gate.baseline}'s mean)" if "%" in gate.margin_given else ""
    return f"{number(gate.margin)}{unit}{given}"


def _write_excess(gate: Gate) -> str:
    return f" by more than {write_margin(gate)}" if gate.margin else ""


def describe_numbers(gate: Gate) -> str:
    """Return the difference with its interval, p or probabilities, and what it rests on."""
    value, ends = difference(gate.estimate, gate.interval)
    parts = [f"difference {value}"]
    if ends:
        parts[0] += f" ({100 * gate.interval_confidence:.4g}% interval {ends})"
    if gate.good_p is not None and gate.bad_p is not None:
        parts.append(p_value(gate.bad_p if gate.decision == "not good enough" else gate.good_p))
    elif gate.probabilities is not None:
        listed = [f"{name} {written(share, 3)}" for name, share in gate.probabilities.items()]
        parts.append(f"probabilities: {', '.join(listed)}")
    parts.append(f"{gate.n:,} {gate.unit}")
    return ", ".join(parts)
