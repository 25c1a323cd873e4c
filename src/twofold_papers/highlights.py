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
from twofold_papers.cold_time import ColdRun
from twofold_papers.gallery import count_claims, pick_results
from twofold_papers.paper_page import Results
from twofold_papers.tally import tally_results

BEGIN = "<!-- reproductions: written by `twofold reproduce --gallery`; do not edit -->"
END = "<!-- end of reproductions -->"
MARKED = re.compile(re.escape(BEGIN) + r".*?" + re.escape(END), re.DOTALL)


def read_highlights() -> list[dict[str, str]]:
    """Return the item, the finding and the name of the claim of each line."""
    text = (files("twofold_papers") / "highlights.toml").read_text("utf-8")
    highlights: list[dict[str, str]] = tomllib.loads(text)["highlight"]
    return highlights


def write_table(results: Results, page: str, run: ColdRun | None = None) -> str:
    """Return the table in Markdown; ``page`` is where the gallery is, as seen from the README."""
    lines = ["| what the papers found | here | item |", "|---|---|---|"]
    folder = page.rpartition("/")[0]
    for highlight in read_highlights():
        paper, item = highlight["item"].split()
        claim = _find_claim(results.get((paper, item)), highlight["claim"])
        if claim is None:
            continue
        mark = claim["verdict"] if claim["verdict"] == "holds" else f"**{claim['verdict']}**"
        detail = _shorten(claim["detail"])
        words = f"{mark}: {detail}" if detail else mark
        target = f"{folder}/{paper}.md" if folder else f"{paper}.md"
        link = f"[{highlight['item']}]({target}#{paper}-{item})"
        lines.append(f"| {highlight['finding']} | {words} | {link} |")
    theirs = tally_results(pick_results(results, own=False))
    apart = {key: _count_apart(result) for key, result in results.items()}
    most = sorted(apart, key=lambda key: -apart[key])[:3]
    where = ", ".join(f"{apart[key]} in {' '.join(key)}" for key in most if apart[key])
    full = sum(result["size"] == "full" for result in results.values())
    time = f": {run.describe()}" if run is not None else ""
    total = (
        f"{theirs.agreeing} of {theirs.numbers} printed numbers lie within our intervals"
        f"{f' (of the others {where})' if where else ''}; "
        f"{count_claims(theirs)}. {full} of {len(results)} items ran in full{time}. "
        f"[A page for each paper, with what differs and why]({page})."
    )
    return "\n".join([*lines, "", total])


def write_highlights(readme: Path, results: Results, page: str, run: ColdRun | None) -> None:
    """Put the table between the marks of a file."""
    text = read_marked(readme)
    table = f"{BEGIN}\n\n{write_table(results, page, run)}\n\n{END}"
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


def _find_claim(result: dict[str, Any] | None, name: str) -> dict[str, Any] | None:
    claims = [] if result is None else result["claims"]
    return next((claim for claim in claims if claim["name"] == name), None)


def _count_apart(result: dict[str, Any]) -> int:
    """Return how many printed numbers differ from ours."""
    return sum(not number["agrees"] for number in result["numbers"])


def _shorten(detail: str) -> str:
    """Return the first sentence of a detail, not too much of it."""
    first = re.split(r"\. (?=[A-Z])|; ", detail)[0].replace("|", "\\|")
    return first if len(first) <= 110 else f"{first[:107].rsplit(' ', 1)[0]} …"
