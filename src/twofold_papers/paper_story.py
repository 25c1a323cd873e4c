"""What a paper asks, found and recommends, and what became of each of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that a paper recommends.

    Attributes
    ----------
    advice : str
        In plain words, as it stands today.
    section : str
        Where the paper says it.
    command : str
        The command that does it.
    """

    advice: str
    section: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class PaperPart:
    """A table, figure, test or recommendation of a paper.

    Attributes
    ----------
    what, where : str
        Its name, and where it stands.
    became : str
        The item, command or page that it became; or why it is not done.
    """

    what: str
    where: str
    became: str


@dataclass(frozen=True, slots=True)
class PaperStory:
    """The head of a paper's page; empty where nothing is written."""

    asks: str = ""
    found: str = ""
    ours: str = ""
    recommends: tuple[Advice, ...] = ()
    contents: tuple[PaperPart, ...] = ()


def read_story(head: Mapping[str, Any]) -> PaperStory:
    """Return the story that the head of a printed.toml tells."""
    return PaperStory(
        head.get("asks", "").strip(),
        head.get("found", "").strip(),
        head.get("ours", "").strip(),
        tuple(Advice(**each) for each in head.get("recommends", ())),
        tuple(PaperPart(**each) for each in head.get("contents", ())),
    )
