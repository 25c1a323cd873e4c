"""Pages of the reference that are written by the build: the Python interface and the commands."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

MODULES = (
    "twofold", "twofold.stats", "twofold.comparison", "twofold.scores", "twofold.studies",
    "twofold.designs", "twofold.simulation", "twofold.datasets", "twofold.learners",
    "twofold.plots", "twofold.report",
)  # fmt: skip


def write_api(folder: Path) -> None:
    """Write a page for each module with what it exports, from the docstrings."""
    folder.mkdir(parents=True)
    rows = []
    for name in MODULES:
        module = import_module(name)
        purpose = (module.__doc__ or "").strip().split("\n")[0]
        lines = [f"# {name}", "", purpose, ""]
        exported = list_exported(name)
        lines += [*_summarise(exported, name), ""]
        for member, value in exported.items():
            kind = "autoclass" if isinstance(value, type) else "autofunction"
            options = "   :members:\n" if kind == "autoclass" else ""
            # One place for each object: modules export some that others have too.
            again = (
                "   :no-index:\n"
                if name != "twofold" and member in list_exported("twofold")
                else ""
            )
            lines.append(f"```{{eval-rst}}\n.. {kind}:: {name}.{member}\n{again}{options}```\n")
        (folder / f"{name}.md").write_text("\n".join(lines), "utf-8")
        rows.append(f"| [{name}]({name}.md) | {purpose} |")
    text = "# Python\n\nWhat each module exports, from the docstrings.\n\n| module | what it is |\n|---|---|\n"
    pages = "\n".join(MODULES)
    (folder / "index.md").write_text(
        text + "\n".join(rows) + f"\n\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n", "utf-8"
    )


def list_exported(name: str) -> dict[str, object]:
    """Return the functions and classes that a module exports, by name."""
    module = import_module(name)
    values = {member: getattr(module, member) for member in sorted(module.__all__, key=str.lower)}
    return {
        member: value
        for member, value in values.items()
        if not member.startswith("__") and callable(value)
    }


def _summarise(exported: dict[str, object], name: str) -> list[str]:
    """Return a table of what a module exports: a line each."""
    lines = ["| name | what it is |", "|---|---|"]
    for member, value in exported.items():
        purpose = (value.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
        call = member if isinstance(value, type) else f"{member}()"
        home = "twofold" if member in list_exported("twofold") else name
        lines.append(
            f"| {{py:obj}}`{call} <{home}.{member}>` | {purpose.replace('|', chr(92) + '|')} |"
        )
    return lines


def write_commands(page: Path) -> None:
    """Write what `--help` of each command says."""
    from twofold.cli import make_parser

    parser = make_parser()
    lines = ["# Commands", "", "What `twofold COMMAND --help` says.", ""]
    (choices,) = [a.choices for a in parser._actions if isinstance(a.choices, dict)]
    for name, command in choices.items():
        lines += [f"## twofold {name}", "", "```text", command.format_help().rstrip(), "```", ""]
    page.write_text("\n".join(lines), "utf-8")
