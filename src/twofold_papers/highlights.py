"""What the papers found and what came out here, in one short table for the README.

The text stands between two marks, so that it is written anew from the results and stays true.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.writing import write_whole

BEGIN = "<!-- reproductions: written by `twofold reproduce --gallery`; do not edit -->"
END = "<!-- end of reproductions -->"
# Item, what the paper found, and the start of the claim that checks it.
CHOSEN = (
    (
        "dietterich1998 figure5",
        "The resampled t test is much worse than all others",
        "The resampled t test is much worse",
    ),
    (
        "dietterich1998 figure7",
        "10-fold cv t errs too often, McNemar and 5x2cv do not",
        "No other test's does",
    ),
    (
        "bouckaert2003 figure2",
        "Ten degrees of freedom for use all data, whatever the number of runs",
        "The df of use all data varies little",
    ),
    (
        "bouckaert2003 table5",
        "Calibrated 10×10 tests replicate far better than the others",
        "There is a big difference between the first three",
    ),
    (
        "bouckaertfrank2004 table1",
        "For any pair, 5x2cv repeats itself on fewer than half of the data sets",
        "For any pair, less than half",
    ),
    (
        "bouckaertfrank2004 table3",
        "Corrected 10×10 cross-validation replicates best",
        "The test on 10×10 folds has the best",
    ),
    (
        "bouckaert2005 text",
        "Low replicability is not a matter of small data sets",
        "Worst-case replicability does not depend",
    ),
    (
        "demsar2006 table6",
        "Holm finds what Nemenyi's test misses",
        "Holm's procedure rejects",
    ),
    (
        "demsar2006 table2",
        "The sign test is significant at .05 with 11 wins of 14",
        "By the sign test",
    ),
    (
        "demsar2006 table7",
        "Wilcoxon rejects more often than the t and sign tests",
        "It more often rejects",
    ),
    (
        "twofold2026 central",
        "New: stopping early is as replicable as ten runs, with fewer fits",
        "It takes fewer fits",
    ),
    (
        "twofold2026 predicted",
        "New: one experiment predicts whether a repetition agrees",
        "From one experiment of ten runs",
    ),
)


def highlights(results: dict[tuple[str, str], dict[str, Any]], page: str) -> str:
    """Return the table in Markdown; ``page`` is where the gallery is, as seen from the README."""
    lines = ["| what the papers found | here | item | time |", "|---|---|---|---:|"]
    for place, finding, start in CHOSEN:
        paper, _, item = place.partition(" ")
        one = results.get((paper, item))
        claim = _claim(one, start)
        if one is None or claim is None:
            continue
        mark = "holds" if claim["holds"] else "**does not hold**"
        detail = _short(claim["detail"])
        words = f"{mark}: {detail}" if detail else mark
        link = f"[{place}]({page}#{paper}-{item})"
        lines.append(f"| {finding} | {words} | {link} | {_time(one['seconds'])} |")
    numbers = [number for one in results.values() for number in one["numbers"]]
    claims = [claim for one in results.values() for claim in one["claims"]]
    seconds = sum(one["seconds"] for one in results.values())
    full = sum(one["size"] == "full" for one in results.values())
    total = (
        f"{sum(n['agrees'] for n in numbers)} of {len(numbers)} printed numbers lie within our "
        f"intervals, {sum(c['holds'] for c in claims)} of {len(claims)} claims hold; "
        f"{full} of {len(results)} items ran in full, in {_time(seconds)} altogether. "
        f"[All of it, with what differs and why]({page})."
    )
    return "\n".join([*lines, "", total])


def write_highlights(
    readme: Path, results: dict[tuple[str, str], dict[str, Any]], page: str
) -> None:
    """Put the table between the marks of a file."""
    try:
        text = readme.read_text("utf-8")
    except OSError as error:
        raise InputError(
            f"{str(readme)!r} cannot be read: {error.strerror}.", "Name the file with the marks."
        ) from None
    pattern = re.compile(re.escape(BEGIN) + r".*?" + re.escape(END), re.DOTALL)
    if not pattern.search(text):
        raise InputError(
            f"{str(readme)!r} has no marks to write between.", f"Put {BEGIN} and {END} there."
        )
    table = f"{BEGIN}\n\n{highlights(results, page)}\n\n{END}"
    write_whole(readme, pattern.sub(lambda _: table, text, count=1))


def _claim(one: dict[str, Any] | None, start: str) -> dict[str, Any] | None:
    claims = [] if one is None else one["claims"]
    return next((claim for claim in claims if claim["text"].startswith(start)), None)


def _short(detail: str) -> str:
    """Return the first sentence of a detail, not too much of it."""
    first = re.split(r"\. (?=[A-Z])|; ", detail)[0].replace("|", "\\|")
    return first if len(first) <= 110 else f"{first[:107].rsplit(' ', 1)[0]} …"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
