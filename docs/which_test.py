"""Write which-test.md and which-test.svg, from what one has to the test: python docs/which_test.py.

With the name of a file that ends in .pdf the figure is written there, as a page to print.
Which test stands at a leaf is what `twofold compare` takes there (`comparison/situation_tree.py`).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from situation_tables import make_table

from twofold.comparison import defaults
from twofold.comparison.situation_tree import (
    SITUATIONS,
    SituationBranch,
    SituationLeaf,
)
from twofold.page.address import PageState, write_command, write_python
from twofold.stats import entry

FILE = Path(__file__).with_name("which-test.md")
SHOWN = 3
"""Lines of a table that the page shows."""

ADJUSTED = {
    "nemenyi": "It allows for all pairs by itself.",
    "holm": "p values of several pairs are adjusted by Holm's method.",
}

REMARKS = {
    defaults.FOLDS: "Papers disagree here. Bouckaert (2003) recommends all folds of 10 × 10 with 10 degrees of freedom (`--test use-all-data`). Dietterich (1998) recommends the 5x2cv t test "
    "(`--test 5x2cv-t`); Bouckaert & Frank (2004) advise against it, because another split often decides otherwise.",
    defaults.TWO_LEARNERS: "Every data set counts. Demšar (2006) warns against counting only significant wins: a test on one data set does not separate random differences from real ones.",
}
"""What users must know where they meet a test, in one or two sentences."""

HEAD = """\
# Which test?

<!-- Written by `python docs/which_test.py` from the rules that `twofold compare` follows; do not edit. -->

Say what you have, and open what fits, down to the test that `twofold compare` takes there: its null hypothesis, the table, the command. Nothing has to be
chosen by hand; `compare` recognises each of these situations and says why it took the test. [One page to print](which-test.svg) shows all of them.
If you would rather begin with what you ask: [Dietterich's nine questions](questions.md).
"""

FOOT = """
## Beside the test

- A difference that would not matter: `--rope 0.01` says how probable one that does is.
- No worse than a baseline, or equivalent to it: [`twofold gate`](how-to/gate.md), `--equivalence 0.01`.
- Looking while scores come in: [`--anytime`](how-to/look-again.md). How much is enough, before: [`twofold plan`](how-to/plan.md).
- Another test: `--test NAME`; [the catalog](reference/tests.md) says which fit, and which are unsafe.
"""


def ask(leaf: SituationLeaf, *, python: bool = False) -> str:
    """Return the command, or the call of Python, that asks for a leaf."""
    if leaf.learners:
        design = leaf.options["design"]
        if python:
            names = repr(list(leaf.learners)).replace("'", '"')
            return f'twofold.compare({names}, "{leaf.table}", design="{design}")'
        return f"twofold compare {' '.join(leaf.learners)} --data {leaf.table} --design {design}"
    options = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in leaf.options.items()
    }
    write = write_python if python else write_command
    return write([leaf.table], PageState(options=options))


def say_null(leaf: SituationLeaf) -> str:
    """Return the null hypothesis of a leaf's test, or that there is none."""
    test = entry(leaf.method)
    return "no test, an interval of the score" if test.group == "interval" else test.null


def write_page() -> str:
    """Return the page: choices that open, one within the other."""
    return HEAD + "".join(_write_choices(SITUATIONS, ())) + FOOT


def _write_choices(branch: SituationBranch, path: tuple[str, ...]) -> list[str]:
    """Return what is asked at a branch; of its answers one is open at a time."""
    lines = [f"\n**{branch.question}**\n"]
    group = _slug("which", *path)
    for child in branch.children:
        below = (*path, child.answer)
        lines.append(
            f'\n<details class="choice" name="{group}" id="{_slug(*below)}">\n'
            f"<summary>{child.answer[0].upper()}{child.answer[1:]}</summary>\n"
        )
        lines += (
            _write_leaf(child) if isinstance(child, SituationLeaf) else _write_choices(child, below)
        )
        lines.append("\n</details>\n")
    return lines


def _write_leaf(leaf: SituationLeaf) -> list[str]:
    test = entry(leaf.method)
    lines = [f"\n**{test.title}** ([`{test.name}`](reference/tests.md#{test.name})).\n"]
    lines.append(f"Null hypothesis: {say_null(leaf).removesuffix('.')}.\n")
    if leaf.first == leaf.method:
        lines.append("Of three learners or more, the same test asks first whether any differ.\n")
    elif leaf.first:
        first = entry(leaf.first)
        lines.append(
            f"Of three learners or more, first whether any differ: {first.title} ([`{first.name}`](reference/tests.md#{first.name})).\n"
        )
    if 3 in leaf.counts:
        lines.append(ADJUSTED[leaf.adjustment] + "\n")
    if leaf.method in REMARKS:
        lines.append(REMARKS[leaf.method] + "\n")
    if not leaf.learners:
        rows = make_table(leaf.table, leaf.counts[0]).splitlines()[:SHOWN]
        lines.append("\n```csv\n" + "\n".join([*rows, "…"]) + "\n```\n")
    lines.append(f"\n```console\n$ {ask(leaf)}\n```\n")
    call = ask(leaf, python=True)
    lines.append(f"\n```python\n>>> {call}.method\n{decide(leaf, leaf.counts[0])!r}\n```\n")
    more = [
        f"[question {number}](questions.md#{_find_anchor(number)})" for number in leaf.questions
    ]
    more += [f"[how to]({leaf.page})"] if leaf.page else []
    lines += [f"\nMore: {', '.join(more)}.\n"] if more else []
    return lines


def decide(leaf: SituationLeaf, learners: int) -> str:
    """Return what `Comparison.method` says at a leaf, of so many learners."""
    adjusted = learners > 2 and leaf.adjustment != leaf.method
    return f"{leaf.method}, {leaf.adjustment}" if adjusted else leaf.method


def _find_anchor(number: int) -> str:
    text = FILE.with_name("questions.md").read_text("utf-8")
    title = re.search(rf"^### (Question {number}: .*)$", text, re.M)
    assert title, number
    return re.sub(r"[^\w -]", "", title[1].lower()).replace(" ", "-")


def _slug(*texts: str) -> str:
    return re.sub(r"\W+", "-", "-".join(texts).lower()).strip("-")


def main() -> None:
    """Write the page and the figure, or the figure only."""
    from which_test_figure import draw_svg, save_pdf

    if sys.argv[1:]:
        save_pdf(Path(sys.argv[1]))
        return
    FILE.write_text(write_page(), encoding="utf-8")
    FILE.with_suffix(".svg").write_text(draw_svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
