"""What can go wrong, said in two lines: the rule, and the remedy.

TwofoldError            everything twofold raises on purpose
└── InputError          the caller's data or options cannot be used (also a ValueError)
"""

from __future__ import annotations


class TwofoldError(Exception):
    """An error with a rule that was broken and a remedy to try."""

    def __init__(self, rule: str, remedy: str) -> None:
        super().__init__(f"{rule}\n{remedy}")
        self.rule = rule
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[TwofoldError], tuple[str, str]]:
        # Exceptions are rebuilt from their arguments when a worker process sends them home.
        return type(self), (self.rule, self.remedy)


class InputError(TwofoldError, ValueError):
    """The data or an option given by the caller cannot be used."""
