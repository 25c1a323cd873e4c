"""The page of all results that were kept: what agrees, what does not, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.writing import write_whole
from twofold_papers.collection import papers
from twofold_papers.reproduction import figure_file, name_apart, result_file

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
    results = {}
    for paper in papers():
        for item in paper.items:
            result = _read(result_file(folder, paper.key, item.name))
            if result is not None:
                results[paper.key, item.name] = result
    if not results:
        raise InputError(
            f"There are no results in {str(folder)!r}.",
            f"Make some first: twofold reproduce all --save {folder}",
        )
    return results


def write_gallery(folder: Path) -> Path:
    """Write index.md from the results kept in a folder."""
    results = read_results(folder)
    lines = [INTRODUCTION, _summarize(list(results.values())), "", _write_overview(results)]
    for paper in papers():
        lines += ["", f"## {paper.key}", "", f"{paper.title}."]
        for item in paper.items:
            result = results.get((paper.key, item.name))
            if result is None:
                lines += ["", f"### {paper.key} {item.name}", "", f"{item.title}. Not run here."]
            else:
                lines += ["", *_write_section(result, folder)]
        if paper.missing:
            lines += ["", "Not there yet:", ""]
            lines += [f"- {words}" for words in paper.missing]
    file = folder / "index.md"
    write_whole(file, "\n".join(lines).rstrip() + "\n")
    return file


def count_agreeing(results: list[dict[str, Any]]) -> tuple[int, int, int, int]:
    """Return how many numbers agree, of how many, and how many claims hold, of how many."""
    numbers = [number for result in results for number in result["numbers"]]
    claims = [claim for result in results for claim in result["claims"]]
    agreeing = sum(number["agrees"] for number in numbers)
    return agreeing, len(numbers), sum(claim["holds"] for claim in claims), len(claims)


def _read(file: Path) -> dict[str, Any] | None:
    try:
        result: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except OSError:
        return None
    except ValueError:
        raise InputError(
            f"{str(file)!r} is damaged.", "Remove it, and run the item again."
        ) from None
    return result


def _summarize(results: list[dict[str, Any]]) -> str:
    agreeing, numbers, holding, claims = count_agreeing(results)
    explained = sum(
        bool(each["why"]) for result in results for each in result["numbers"] if not each["agrees"]
    )
    return (
        f"**Of {numbers} published numbers, {agreeing} lie within the interval; of {claims} "
        f"claims, {holding} hold.** Beside {explained} of the {numbers - agreeing} numbers that "
        "differ stands what is known of the cause."
    )


def _write_overview(results: Results) -> str:
    lines = ["| item | size | numbers | claims | time |", "|---|---|---|---|---|"]
    for (paper, item), result in results.items():
        agreeing, numbers, holding, claims = count_agreeing([result])
        agreed = f"{agreeing} of {numbers}" if numbers else ""
        held = f"{holding} of {claims}" if claims else ""
        time = _format_time(result["seconds"])
        link = f"[{paper} {item}](#{paper}-{item})"
        lines.append(f"| {link} | {result['size']} | {agreed} | {held} | {time} |")
    return "\n".join(lines)


def _format_time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _write_section(result: dict[str, Any], folder: Path) -> list[str]:
    paper, item = result["paper"], result["item"]
    title = f"{result['title']}. *{result['size']}*: {result['trials']}."
    lines = [f"### {paper} {item}", "", title]
    for figure in result["figures"]:
        caption = figure["caption"]
        file = figure_file(folder, paper, item, figure["name"])
        lines += ["", f"![{caption}]({file.relative_to(folder).as_posix()})", "", caption]
        apart = figure_file(folder, paper, item, name_apart(figure["name"]))
        if apart.exists():
            link = apart.relative_to(folder).as_posix()
            lines += ["", f"As we would draw it:\n\n![{caption}]({link})"]
    if result["claims"]:
        lines += ["", "| claim | | |", "|---|---|---|"]
        for claim in result["claims"]:
            mark = "holds" if claim["holds"] else "**does not hold**"
            lines.append(f"| {_escape(claim['text'])} | {mark} | {_escape(claim['detail'])} |")
    for table in result.get("tables", ()):
        lines += ["", table["caption"], "", *_write_table(table)]
    if result["numbers"]:
        lines += ["", *_write_numbers(result["numbers"])]
    for remark in result["remarks"]:
        lines += ["", remark]
    time, seed = _format_time(result["seconds"]), result["seed"]
    lines += ["", f"{time}, seed {seed}; {_write_provenance(result)}."]
    if result["datasets"]:
        digests = ", ".join(f"{name} `{digest}`" for name, digest in result["datasets"].items())
        lines += ["", f"<details><summary>Checksums</summary>{digests}</details>"]
    return lines


def _write_table(table: dict[str, Any]) -> list[str]:
    lines = [
        f"| {' | '.join(map(_escape, table['head']))} |",
        f"|---|{'---:|' * (len(table['head']) - 1)}",
        *(f"| {' | '.join(map(_escape, row))} |" for row in table["rows"]),
    ]
    return lines if len(table["rows"]) <= 30 else _fold("the table", lines)


def _fold(summary: str, lines: list[str]) -> list[str]:
    return [f"<details><summary>{summary}</summary>", "", *lines, "", "</details>"]


def _write_provenance(result: dict[str, Any]) -> str:
    words = ", ".join(f"{name} {number}" for name, number in result["versions"].items())
    commit = result.get("commit")
    if commit:
        words += f"; commit {commit['id'][:10]}{', changed since' if commit['changed'] else ''}"
    return words


def _write_numbers(numbers: list[dict[str, Any]]) -> list[str]:
    lines = ["| | printed | ours | interval | | |", "|---|---|---|---|---|---|"]
    for number in numbers:
        low, high = number["low"], number["high"]
        interval = "exact" if high <= low else f"{low:.4g} to {high:.4g}"
        z = "" if number["z"] is None else f" (z {number['z']:+.1f})".replace("-", "−")
        mark = "agrees" if number["agrees"] else f"**differs**{z}"
        why = "" if number["agrees"] else _escape(number["why"])
        values = f"{number['printed']} | {number['ours']:.4g}"
        lines.append(f"| {_escape(number['label'])} | {values} | {interval} | {mark} | {why} |")
    agreeing = sum(number["agrees"] for number in numbers)
    if len(numbers) <= 12:
        return lines
    return _fold(f"{agreeing} of {len(numbers)} numbers agree", lines)


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
