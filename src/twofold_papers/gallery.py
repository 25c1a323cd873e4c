"""The page of all results that were kept: what agrees, what does not, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.writing import write_whole
from twofold_papers.collection import papers
from twofold_papers.reproduction import apart, figure_file, result_file

INTRODUCTION = """\
# The papers, reproduced

Written by `twofold reproduce --gallery`; do not edit. Each table and figure of the papers was run
again, and what is printed there stands beside what came out here.

A printed number *agrees* if it lies in the 95 % interval around ours, which allows for the chance
in both runs and for the rounding of the print; of numbers that measure the same, one in twenty will
not. A *claim* is a sentence of the paper turned into a check. Items marked *quick* had fewer trials
than the paper; those marked *full* had as many. Times are those of the last call, which took over
what calls before had finished.
"""


Results = dict[tuple[str, str], dict[str, Any]]


def read_results(folder: Path) -> Results:
    """Return the results kept in a folder, in the order of the papers."""
    found = {
        (paper.key, item.name): _read(result_file(folder, paper.key, item.name))
        for paper in papers()
        for item in paper.items
    }
    results = {place: one for place, one in found.items() if one is not None}
    if not results:
        raise InputError(
            f"There are no results in {str(folder)!r}.",
            f"Make some first: twofold reproduce all --save {folder}",
        )
    return results


def write_gallery(folder: Path) -> Path:
    """Write index.md from the results kept in a folder."""
    results = read_results(folder)
    lines = [INTRODUCTION, _summary(list(results.values())), "", _overview(results)]
    for paper in papers():
        lines += ["", f"## {paper.key}", "", f"{paper.title}."]
        for item in paper.items:
            one = results.get((paper.key, item.name))
            if one is None:
                lines += ["", f"### {paper.key} {item.name}", "", f"{item.title}. Not run here."]
            else:
                lines += ["", *_section(one, folder)]
        if paper.missing:
            lines += ["", "Not there yet:", ""]
            lines += [f"- {words}" for words in paper.missing]
    file = folder / "index.md"
    write_whole(file, "\n".join(lines).rstrip() + "\n")
    return file


def _read(file: Path) -> dict[str, Any] | None:
    try:
        known: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except OSError:
        return None
    except ValueError:
        raise InputError(
            f"{str(file)!r} is damaged.", "Remove it, and run the item again."
        ) from None
    return known


def _counts(results: list[dict[str, Any]]) -> tuple[int, int, int, int]:
    numbers = [one for result in results for one in result["numbers"]]
    claims = [one for result in results for one in result["claims"]]
    agreed = sum(one["agrees"] for one in numbers)
    return agreed, len(numbers), sum(one["holds"] for one in claims), len(claims)


def _summary(results: list[dict[str, Any]]) -> str:
    agreed, numbers, held, claims = _counts(results)
    explained = sum(
        bool(one["why"]) for result in results for one in result["numbers"] if not one["agrees"]
    )
    return (
        f"**Of {numbers} published numbers, {agreed} lie within the interval; of {claims} claims, "
        f"{held} hold.** Beside {explained} of the {numbers - agreed} numbers that differ stands "
        "what is known of the cause."
    )


def _overview(results: Results) -> str:
    lines = ["| item | size | numbers | claims | time |", "|---|---|---|---|---|"]
    for (paper, item), one in results.items():
        agreed, numbers, held, claims = _counts([one])
        link = f"[{paper} {item}](#{paper}-{item})"
        lines.append(
            f"| {link} | {one['size']} | {_of(agreed, numbers)} | {_of(held, claims)} "
            f"| {_time(one['seconds'])} |"
        )
    return "\n".join(lines)


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}" if whole else ""


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _section(one: dict[str, Any], folder: Path) -> list[str]:
    paper, item = one["paper"], one["item"]
    lines = [f"### {paper} {item}", "", f"{one['title']}. *{one['size']}*: {one['trials']}."]
    for figure in one["figures"]:
        place = figure_file(folder, paper, item, figure["name"]).relative_to(folder)
        lines += ["", f"![{figure['caption']}]({place.as_posix()})", "", f"{figure['caption']}"]
        ours = figure_file(folder, paper, item, apart(figure["name"]))
        if ours.exists():
            shown = ours.relative_to(folder).as_posix()
            lines += ["", f"As we would draw it:\n\n![{figure['caption']}]({shown})"]
    if one["claims"]:
        lines += ["", "| claim | | |", "|---|---|---|"]
        for claim in one["claims"]:
            mark = "holds" if claim["holds"] else "**does not hold**"
            lines.append(f"| {_cell(claim['text'])} | {mark} | {_cell(claim['detail'])} |")
    for table in one.get("tables", ()):
        lines += ["", f"{table['caption']}", "", *_table(table)]
    if one["numbers"]:
        lines += ["", *_numbers(one["numbers"])]
    for remark in one["remarks"]:
        lines += ["", remark]
    lines += ["", f"{_time(one['seconds'])}, seed {one['seed']}; {_made_with(one)}."]
    if one["datasets"]:
        digests = ", ".join(f"{name} `{digest}`" for name, digest in one["datasets"].items())
        lines += ["", f"<details><summary>Checksums</summary>{digests}</details>"]
    return lines


def _table(table: dict[str, Any]) -> list[str]:
    head = [_cell(one) for one in table["head"]]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    lines += [f"| {' | '.join(map(_cell, row))} |" for row in table["rows"]]
    if len(table["rows"]) > 30:
        return ["<details><summary>the table</summary>", "", *lines, "", "</details>"]
    return lines


def _made_with(one: dict[str, Any]) -> str:
    words = ", ".join(f"{name} {number}" for name, number in one["versions"].items())
    commit = one.get("commit")
    if commit:
        words += f"; commit {commit['id'][:10]}{', changed since' if commit['changed'] else ''}"
    return words


def _numbers(numbers: list[dict[str, Any]]) -> list[str]:
    lines = ["| | printed | ours | interval | | |", "|---|---|---|---|---|---|"]
    for one in numbers:
        exact = one["high"] <= one["low"]
        interval = "exact" if exact else f"{one['low']:.4g} to {one['high']:.4g}"
        z = "" if one["z"] is None else f" (z {one['z']:+.1f})".replace("-", "−")
        mark = "agrees" if one["agrees"] else f"**differs**{z}"
        why = "" if one["agrees"] else _cell(one["why"])
        label = _cell(one["label"])
        row = f"| {label} | {one['printed']} | {one['ours']:.4g} | {interval} | {mark} | {why} |"
        lines.append(row)
    if len(numbers) > 12:
        agreed = sum(one["agrees"] for one in numbers)
        head = f"<details><summary>{agreed} of {len(numbers)} numbers agree</summary>"
        return [head, "", *lines, "", "</details>"]
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
