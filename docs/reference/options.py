"""Write options.md beside this file from the declarations: python docs/reference/options.py."""

from __future__ import annotations

from pathlib import Path

from twofold.options import Option, Question, Reading, Running, options_of

PAGE = Path(__file__).with_suffix(".md")
WORDS = """# Options of compare, run and study

Written by `make docs` from `src/twofold/options.py`; edit that instead.

`twofold.compare(table, …)` and `twofold compare FILE …` take the options marked "table"; `twofold.compare(learners, data, …)` and `twofold
compare LEARNER … --data FILE` those marked "data"; `twofold.run` and `twofold run` those marked "run"; `twofold.study` and `twofold study
--source` those marked "study", `twofold.study_data` and `twofold study --data` those marked "study-data". An option in the wrong place, or with
a value that cannot be meant, is refused in Python and on the command line in the same two lines, there with exit code 2."""
TITLES = {
    Question: "The question",
    Reading: "Reading a table, or data",
    Running: "Running learners",
}


def write_row(option: Option) -> str:
    """Return a row of the table."""
    flags = ", ".join(f"`{flag}`" for flag in option.flags) or "—"
    default = "" if option.default in (None, ()) else f"`{option.default!r}`"
    places = ", ".join(option.situations)
    text = option.help.replace(" | ", "; ")
    text += f": {', '.join(option.choices)}" if option.choices else ""
    return f"| `{option.name}` | {flags} | {default} | {places} | {text} |"


def write_page() -> str:
    """Return the page."""
    parts = [WORDS]
    for group, title in TITLES.items():
        rows = ["| Python | command line | default | for | what |", "|---|---|---|---|---|"]
        rows += map(write_row, options_of(group))
        parts += [f"## {title}", "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(write_page(), "utf-8")
