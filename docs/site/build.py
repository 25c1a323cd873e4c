"""Build the site into a folder: python docs/site/build.py build/site.

The pages are the Markdown of docs/, readable as it is; docs/index.md says which pages there are and
in which sections. What only the site has is written here, into a copy: an index page for each section,
the reference of the Python interface and of the command line, tabs where a command and Python stand
side by side, the list of decisions, the changelog, and llms.txt. Warnings are errors.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SITE = DOCS / "site"
LISTED = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)#]+)\)(?P<rest>.*)$", re.M)
CODE = r"```{language}\n(.*?)```\n"
SIDE_BY_SIDE = re.compile(
    CODE.format(language="console") + r"\n" + CODE.format(language="python"), re.S
)
MODULES = (
    "twofold", "twofold.stats", "twofold.comparison", "twofold.scores", "twofold.studies",
    "twofold.designs", "twofold.simulation", "twofold.datasets", "twofold.learners",
    "twofold.plots", "twofold.report",
)  # fmt: skip


def read_sections(home: str) -> dict[str, list[re.Match[str]]]:
    """Return the entries of each section of the home page."""
    _, *parts = re.split(r"^## (.+)$", home, flags=re.M)
    return {
        name: list(LISTED.finditer(text))
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def slug(name: str) -> str:
    """Return the name of a section's page."""
    return re.sub(r"\W+", "-", name.lower())


def toctree(pages: list[str], *options: str) -> str:
    """Return Sphinx's list of pages."""
    return "\n".join(["```{toctree}", *options, "", *pages, "```", ""])


def write_sections(source: Path) -> None:
    """Write a page for each section, and the home page that leads to them."""
    home = (source / "index.md").read_text("utf-8")
    names = []
    for name, entries in read_sections(home).items():
        pages, lines = [], []
        for entry in entries:
            page = entry["page"] + ("/index.md" if not entry["page"].endswith(".md") else "")
            pages.append(page.removesuffix(".md"))
            lines.append(f"- [{entry['title']}]({page}){entry['rest']}")
            others = re.findall(r"\]\(([^)#]+)\.md\)", entry["rest"])
            pages += others
        pages += {
            "Reference": ["reference/api/index", "reference/commands"],
            "Project": ["changelog"],
        }.get(name, [])
        names.append(slug(name))
        text = f"# {name}\n\n" + "\n".join(lines) + "\n\n" + toctree(pages, ":hidden:")
        (source / f"{slug(name)}.md").write_text(text, "utf-8")
    home = home.replace("](decisions)", "](decisions/index.md)")
    (source / "index.md").write_text(home + "\n" + toctree(names, ":hidden:"), "utf-8")


def write_folder_indices(source: Path) -> None:
    """List pages of a folder below its index, and write the index of decisions."""
    decisions = sorted(path.stem for path in (source / "decisions").glob("0*.md"))
    text = "# Decisions\n\nWhy things are as they are, half a page each.\n\n"
    (source / "decisions" / "index.md").write_text(
        text + toctree(decisions, ":maxdepth: 1"), "utf-8"
    )
    for index in source.rglob("index.md"):
        if index.parent in (source, source / "decisions"):
            continue
        pages = sorted(path.stem for path in index.parent.glob("*.md") if path.stem != "index")
        with index.open("a", encoding="utf-8") as file:
            file.write("\n" + toctree(pages, ":hidden:"))


def write_api(source: Path) -> None:
    """Write a page for each module with what it exports, from the docstrings."""
    import importlib

    folder = source / "reference" / "api"
    folder.mkdir(parents=True)
    pages = []
    for name in MODULES:
        module = importlib.import_module(name)
        purpose = (module.__doc__ or "").strip().split("\n")[0]
        lines = [f"# {name}", "", purpose, ""]
        for member in sorted(module.__all__, key=str.lower):
            value = getattr(module, member)
            if member.startswith("__") or not (isinstance(value, type) or callable(value)):
                continue
            kind = "autoclass" if isinstance(value, type) else "autofunction"
            options = "   :members:\n" if kind == "autoclass" else ""
            # One place for each object: modules export some that others have too.
            again = "   :no-index:\n" if name != "twofold" and member in twofold_names() else ""
            lines.append(f"```{{eval-rst}}\n.. {kind}:: {name}.{member}\n{again}{options}```\n")
        (folder / f"{name}.md").write_text("\n".join(lines), "utf-8")
        pages.append(name)
    text = "# Python\n\nWhat each module exports, from the docstrings.\n\n"
    (folder / "index.md").write_text(text + toctree(pages, ":maxdepth: 1"), "utf-8")


def twofold_names() -> set[str]:
    """Return what the package exports itself."""
    import twofold

    return set(twofold.__all__)


def write_commands(source: Path) -> None:
    """Write what `--help` of each command says."""
    from twofold.cli import make_parser

    parser = make_parser()
    lines = ["# Commands", "", "What `twofold COMMAND --help` says.", ""]
    (choices,) = [a.choices for a in parser._actions if isinstance(a.choices, dict)]
    for name, command in choices.items():
        lines += [f"## twofold {name}", "", "```text", command.format_help().rstrip(), "```", ""]
    (source / "reference" / "commands.md").write_text("\n".join(lines), "utf-8")


def put_side_by_side(source: Path) -> None:
    """Make tabs of a command and the Python that follows it."""
    for page in source.rglob("*.md"):
        text = page.read_text("utf-8")
        page.write_text(SIDE_BY_SIDE.sub(_make_tabs, text), "utf-8")


def _make_tabs(match: re.Match[str]) -> str:
    shell, python = match.groups()
    return (
        "::::{tab-set}\n:sync-group: language\n"
        f":::{{tab-item}} Command line\n:sync: shell\n```console\n{shell}```\n:::\n"
        f":::{{tab-item}} Python\n:sync: python\n```python\n{python}```\n:::\n::::\n"
    )


def measure_pages(source: Path) -> None:
    """Draw the pictures of the pages that explain, and measure their numbers anew."""
    folder = source / "understand"
    subprocess.run([sys.executable, DOCS / "understand" / "draw.py", folder], check=True)


def write_llms(target: Path) -> None:
    """Write llms.txt: what there is to read, for programs that read."""
    home = (DOCS / "index.md").read_text("utf-8")
    first = home.split("## ")[0]
    question = re.search(r"^\*\*(.+)\*\*$", first, re.M)
    lines = ["# twofold", "", f"> {question[1] if question else ''}", ""]
    for name, entries in read_sections(home).items():
        lines += [f"## {name}", ""]
        for entry in entries:
            page = entry["page"].removesuffix(".md") + ".html"
            page = page.replace("decisions.html", "decisions/index.html")
            lines.append(f"- [{entry['title']}]({page}):{entry['rest']}")
        lines.append("")
    (target / "llms.txt").write_text("\n".join(lines), "utf-8")


def build(target: Path) -> int:
    """Build the site; return Sphinx's exit code."""
    source = target.with_name(target.name + "-source")
    for folder in (source, target):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("site", "__pycache__"))
    shutil.copy(SITE / "conf.py", source)
    shutil.copytree(SITE / "static", source / "_static")
    shutil.copy(ROOT / "CHANGELOG.md", source / "changelog.md")
    measure_pages(source)
    fix_links(source)
    write_folder_indices(source)
    write_api(source)
    write_commands(source)
    write_sections(source)
    put_side_by_side(source)
    words = ["-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-j", "auto"]
    code = subprocess.run(
        [sys.executable, *words, str(source), str(target)], check=False
    ).returncode
    if code == 0:
        write_llms(target)
        shutil.rmtree(target / ".doctrees", ignore_errors=True)
    return code


def fix_links(source: Path) -> None:
    """Turn links to files outside of docs/ into names: the site does not have them."""
    changelog = source / "changelog.md"
    text = re.sub(r"\[([^\]]+)\]\((?!docs/|http)[^)]+\)", r"\1", changelog.read_text("utf-8"))
    changelog.write_text(text.replace("](docs/", "]("), "utf-8")
    for page in source.rglob("*.md"):
        text = page.read_text("utf-8")

        def keep(match: re.Match[str], page: Path = page) -> str:
            there = (page.parent / match[2]).resolve()
            outside = source.resolve() not in [there, *there.parents]
            folder = (
                there.is_dir() and not (there / "index.md").exists() and there.name != "decisions"
            )
            return match[1] if outside or folder else match[0]

        page.write_text(
            re.sub(r"\[([^\]]+)\]\((?!http|#)([^)#\s]+)(?:#[^)]*)?\)", keep, text), "utf-8"
        )


def main() -> int:
    """Build, and say where the site is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path)
    target = parser.parse_args().target.resolve()
    code = build(target)
    print(f"{target / 'index.html'}" if code == 0 else "The site was not built: see the warnings.")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
