"""What a gate found, in one line."""

from __future__ import annotations

from twofold.comparison.comparison import begin_with_assumption
from twofold.comparison.margin_tests import DATA_SETS
from twofold.comparison.sentences import describe_worst, p_value
from twofold.comparison.wording import difference, name_estimand
from twofold.gates.gate_answer import Gate
from twofold.rounding import number, written
from twofold.scores.build_scores import DIRECTION_ASSUMED


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
    claim = claims[gate.goal, gate.decision]
    if gate.below_floor:
        claim = (
            f"{new} is worse than {old} by more than {number(gate.worst_loss or 0)}"
            f"{_write_unit(gate)} on {len(gate.below_floor)} of {gate.n} data sets"
        )
    parts = [f"{claim}: {describe_numbers(gate)}"]
    if gate.worst:
        parts.append(describe_worst(gate.below_floor or gate.worst))
    sentence = "; ".join(parts) + "."
    assumed = any(note.code == DIRECTION_ASSUMED for note in gate.notes)
    return begin_with_assumption(sentence, (new, old)) if assumed else sentence


def write_margin(gate: Gate) -> str:
    """Return the margin in words: "0.01 accuracy", "0.0082 accuracy (1%)"."""
    given = f" ({gate.margin_given} of {gate.baseline}'s mean)" if "%" in gate.margin_given else ""
    return f"{number(gate.margin)}{_write_unit(gate)}{given}"


def _write_unit(gate: Gate) -> str:
    return "" if gate.metric in ("score", "rank") else f" {gate.metric}"


def _write_excess(gate: Gate) -> str:
    return f" by more than {write_margin(gate)}" if gate.margin else ""


def describe_numbers(gate: Gate) -> str:
    """Return each difference with its interval and p, or probabilities, and what they rest on."""
    clusters = "" if gate.clusters is None else f" in {gate.clusters:,} clusters"
    units = f"{gate.n:,} {gate.unit}{clusters}"
    if gate.probabilities is not None:
        listed = [f"{name} {written(share, 3)}" for name, share in gate.probabilities.items()]
        value, _ = difference(gate.estimate, None)
        text = f"{_name_difference(gate, gate.method)} {value}"
        return f"{text}, probabilities: {', '.join(listed)}, {units}"
    bad = gate.decision == "not good enough" and not gate.below_floor
    parts = []
    for test in gate.tests:
        value, ends = difference(test.estimate, test.interval)
        text = f"{_name_difference(gate, test.method)} {value}"
        if ends:
            text += f" ({100 * gate.interval_confidence:.4g}% interval {ends})"
        parts.append(f"{text}, {p_value(test.bad_p if bad else test.good_p)}")
    return f"{'; '.join(parts)}{'; ' if len(parts) > 1 else ', '}{units}"


def _name_difference(gate: Gate, method: str) -> str:
    """Return what a test is about: "difference", and over data sets which one."""
    name = name_estimand(method, gate.n) if gate.unit == DATA_SETS else ""
    return {"": "difference", "mean": "mean difference"}.get(name, f"difference {name}")
