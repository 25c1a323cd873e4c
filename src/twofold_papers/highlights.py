"""What the papers found and what came out here, in one short table for the README.

The text stands between two marks, so that it is written anew from the results and stays true.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.writing import write_whole
from twofold_papers.gallery import Results, count_agreeing

BEGIN = "<!-- reproductions: written by `twofold reproduce --gallery`; do not edit -->"
END = "<!-- end of reproductions -->"
MARKED = re.compile(re.escape(BEGIN) + r".*?" + re.escape(END), re.DOTALL)


def read_highlights() -> list[dict[str, str]]:
    """Return the item, the finding and the start of the claim of each line."""
    text = (files("twofold_papers") / "highlights.toml").read_text("utf-8")
    highlights: list[dict[str, str]] = tomllib.loads(text)["highlight"]
    return highlights


def write_table(results: Results, page: str) -> str:
    """Return the table in Markdown; ``page`` is where the gallery is, as seen from the README."""
    lines = ["| what the papers found | here | item | time |", "|---|---|---|---:|"]
    for highlight in read_highlights():
        paper, item = highlight["item"].split()
        result = results.get((paper, item))
        claim = _find_claim(result, highlight["claim"])
        if result is None or claim is None:
            continue
        mark = "holds" if claim["holds"] else "**does not hold**"
        detail = _shorten(claim["detail"])
        words = f"{mark}: {detail}" if detail else mark
        link = f"[{highlight['item']}]({page}#{paper}-{item})"
        time = _format_time(result["seconds"])
        lines.append(f"| {highlight['finding']} | {words} | {link} | {time} |")
    agreeing, numbers, holding, claims = count_agreeing(list(results.values()))
    seconds = sum(result["seconds"] for result in results.values())
    full = sum(result["size"] == "full" for result in results.values())
    total = (
        f"{agreeing} of {numbers} printed numbers lie within our "
        f"intervals, {holding} of {claims} claims hold; "
        f"{full} of {len(results)} items ran in full, in {_format_time(seconds)} altogether. "
        f"[All of it, with what differs and why]({page})."
    )
    return "\n".join([*lines, "", total])


def write_highlights(readme: Path, results: Results, page: str) -> None:
    """Put the table between the marks of a file."""
    text = read_marked(readme)
    table = f"{BEGIN}\n\n{write_table(results, page)}\n\n{END}"
    write_whole(readme, MARKED.sub(lambda _: table, text, count=1))


def read_marked(readme: Path) -> str:
    """Return the text of a file that has the marks."""
    try:
        text = readme.read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        raise InputError(
            f"{str(readme)!r} cannot be read: {reason}.", "Name the file with the marks."
        ) from None
    if not MARKED.search(text):
        raise InputError(
            f"{str(readme)!r} has no marks to write between.", f"Put {BEGIN} and {END} there."
        )
    return text


def _find_claim(result: dict[str, Any] | None, start: str) -> dict[str, Any] | None:
    claims = [] if result is None else result["claims"]
    return next((claim for claim in claims if claim["text"].startswith(start)), None)


def _shorten(detail: str) -> str:
    """Return the first sentence of a detail, not too much of it."""
    first = re.split(r"\. (?=[A-Z])|; ", detail)[0].replace("|", "\\|")
    return first if len(first) <= 110 else f"{first[:107].rsplit(' ', 1)[0]} …"


def _format_time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
