"""Is a candidate good enough to take the place of a baseline, within a margin?"""

from twofold.gates.decide_gate import gate
from twofold.gates.gate_answer import Changes, Gate, NeededSize

__all__ = ["Changes", "Gate", "NeededSize", "gate"]
