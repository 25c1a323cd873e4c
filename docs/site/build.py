"""Build the site into a folder: python docs/site/build.py build/site.

The pages are the Markdown of docs/, readable as it is; docs/index.md says which pages there are and
in which sections. What only the site has is written into a copy: a page for each section, the
reference of the Python interface, of the commands and of the JSON schemas, tabs where a command and
Python stand side by side, the list of decisions, the changelog, and llms.txt. Warnings are errors, and
so are links that lead nowhere.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from check_links import find_broken
from reference_pages import write_api, write_commands
from schema_pages import write_schemas

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SITE = DOCS / "site"
LISTED = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)#]+)\)(?P<rest>.*)$", re.M)
FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```\n", re.M | re.S)
SHELLS = ("console", "sh", "bash", "")
"""Languages of blocks that are commands; those without any begin with one."""

ON_CARD = 5
"""Pages of a section that the home page names."""

WRITTEN = {
    "Reference": ["reference/api/index", "reference/commands", "reference/schemas/index"],
    "Project": ["changelog"],
}
"""Pages of sections that are written by the build; docs/index.md cannot link to them."""


@dataclass(frozen=True)
class Part:
    """Pages of a section that stand together, with a heading where there are several parts."""

    heading: str
    entries: tuple[re.Match[str], ...]


def read_sections(home: str) -> dict[str, list[Part]]:
    """Return the parts of each section of the home page."""
    _, *parts = re.split(r"^## (.+)$", home, flags=re.M)
    sections = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        first, *others = re.split(r"^### (.+)$", text, flags=re.M)
        pairs = [("", first), *zip(others[::2], others[1::2], strict=True)]
        listed = [Part(heading, tuple(LISTED.finditer(below))) for heading, below in pairs]
        sections[name] = [part for part in listed if part.entries]
    return sections


def slug(name: str) -> str:
    """Return the name of a section's page."""
    return re.sub(r"\W+", "-", name.lower())


def toctree(pages: list[str], *options: str) -> str:
    """Return Sphinx's list of pages."""
    return "\n".join(["```{toctree}", *options, "", *pages, "```", ""])


def find_page(entry: re.Match[str]) -> str:
    """Return the page of an entry, of a folder its index."""
    return entry["page"] if entry["page"].endswith(".md") else f"{entry['page']}/index.md"


def write_sections(source: Path) -> None:
    """Write a page for each section, and the home page that leads to them."""
    home = (source / "index.md").read_text("utf-8")
    sections = read_sections(home)
    cards, names = [], []
    for name, parts in sections.items():
        entries = [entry for part in parts for entry in part.entries]
        if len(entries) == 1 and name not in WRITTEN:  # a folder, whose index is the section
            page = find_page(entries[0])
            names.append(f"{name} <{page.removesuffix('.md')}>")
            links = [
                f"[{_title(path)}]({path.relative_to(source)})"
                for path in list_others(source / page)
            ]
            cards.append(_make_card(f"[{name}]({page})", links))
            continue
        text, trees, links = [f"# {name}\n"], [], []
        for part in parts:
            pages = []
            text.append(f"## {part.heading}\n" if part.heading else "")
            for entry in part.entries:
                text.append(f"- [{entry['title']}]({find_page(entry)}){entry['rest']}")
                links.append(f"[{entry['title']}]({find_page(entry)})")
                pages.append(f"{entry['title']} <{find_page(entry).removesuffix('.md')}>")
                pages += re.findall(r"\]\(([^)#]+)\.md\)", entry["rest"])
            text.append("")
            trees.append((part.heading, pages))
        for page in WRITTEN.get(name, ()):
            links.append(f"[{_title(source / page)}]({page}.md)")
            text.append(f"- {links[-1]}")
            trees[-1][1].append(page)
        text.append("")
        for heading, pages in trees:
            caption = [f":caption: {heading}"] if heading else []
            text.append(toctree(pages, ":hidden:", *caption))
        (source / f"{slug(name)}.md").write_text("\n".join(text), "utf-8")
        cards.append(_make_card(f"[{name}]({slug(name)}.md)", links))
        names.append(slug(name))
    intro = home.split("\n## ")[0]
    grid = "::::{grid} 1 1 2 2\n:gutter: 3\n\n" + "\n".join(cards) + "::::\n"
    (source / "index.md").write_text(f"{intro}\n\n{grid}\n{toctree(names, ':hidden:')}", "utf-8")


def _make_card(title: str, links: list[str]) -> str:
    """Return the card of a section on the home page: its first pages, and how many more there are."""
    shown = links if len(links) <= ON_CARD + 1 else links[:ON_CARD]
    lines = [f"- {link}" for link in shown]
    if len(links) > len(shown):
        lines.append(f"- [… and {len(links) - len(shown)} more]({title.split('](')[1]}")
    return "\n".join([f":::{{grid-item-card}} {title}", "", *lines, ":::", ""])


def _title(page: Path) -> str:
    return page.with_suffix(".md").read_text("utf-8").split("\n")[0].removeprefix("# ")


def list_others(index: Path) -> list[Path]:
    """Return the pages beside the index of a folder."""
    return sorted(path for path in index.parent.glob("*.md") if path != index)


def write_folder_indices(source: Path) -> None:
    """List pages of a folder below its index, and write the index of decisions."""
    decisions = sorted(path for path in (source / "decisions").glob("0*.md"))
    text = "# Decisions\n\nWhy things are as they are, half a page each.\n\n"
    text += "".join(f"- [{_title(path)}]({path.name})\n" for path in decisions)
    (source / "decisions" / "index.md").write_text(text, "utf-8")
    for index in source.rglob("index.md"):
        if index.parent == source:
            continue
        pages = [path.stem for path in list_others(index)]
        with index.open("a", encoding="utf-8") as file:
            file.write("\n" + toctree(pages, ":hidden:"))


def write_figures(source: Path) -> None:
    """Write the figure that is to be printed, and link it where its picture is."""
    sys.path.insert(0, str(DOCS))
    from which_test_figure import save_pdf

    save_pdf(source / "which-test.pdf")
    page = source / "which-test.md"
    text = page.read_text("utf-8")
    link = "[One page to print](which-test.svg)"
    if link not in text:
        raise SystemExit("which-test.md does not link its figure.")
    page.write_text(text.replace(link, f"{link} ([PDF](which-test.pdf))"), "utf-8")


def put_side_by_side(source: Path) -> None:
    """Make tabs of a command and the Python that follows it."""
    for page in source.rglob("*.md"):
        page.write_text(make_tabs(page.read_text("utf-8")), "utf-8")


def list_pairs(text: str) -> list[tuple[re.Match[str], re.Match[str]]]:
    """Return the blocks of commands that a block of Python follows, each with that block."""
    blocks = list(FENCE.finditer(text))
    return [
        (shell, python)
        for shell, python in pairwise(blocks)
        if shell["language"] in SHELLS
        and shell["text"].removeprefix("$ ").startswith("twofold ")
        and python["language"] == "python"
        and text[shell.end() : python.start()] == "\n"
    ]


def measure_pages(source: Path) -> None:
    """Draw the pictures of the pages that explain, measure their numbers anew, and run notebooks."""
    folder = source / "understand"
    subprocess.run([sys.executable, DOCS / "understand" / "draw.py", folder], check=True)
    subprocess.run([sys.executable, SITE / "notebooks.py", source / "notebooks"], check=True)


def make_tabs(text: str) -> str:
    """Return a page with tabs where a command and Python stand side by side."""
    for shell, python in reversed(list_pairs(text)):
        tabs = (
            "::::{tab-set}\n:sync-group: language\n"
            f":::{{tab-item}} Command line\n:sync: shell\n```console\n{shell['text']}```\n:::\n"
            f":::{{tab-item}} Python\n:sync: python\n```python\n{python['text']}```\n:::\n::::\n"
        )
        text = text[: shell.start()] + tabs + text[python.end() :]
    return text


def write_llms(source: Path, target: Path) -> None:
    """Write llms.txt: what there is to read, for programs that read; and the pages as Markdown."""
    home = (DOCS / "index.md").read_text("utf-8")
    title, _, intro = home.split("\n## ")[0].partition("\n")
    question = re.search(r"^\*\*(.+)\*\*$", intro, re.M)
    below = re.sub(r"^(\*\*.+\*\*|!\[.*)\n+", "", intro, flags=re.M).strip()
    lines = [title, "", f"> {question[1] if question else ''}", "", below, ""]
    for name, parts in read_sections(home).items():
        lines += [f"## {name}", ""]
        for entry in (entry for part in parts for entry in part.entries):
            page = find_page(entry)
            if not (DOCS / page).exists():  # written by the build
                page = page.removesuffix(".md") + ".html"
            lines.append(f"- [{entry['title']}]({page}):{entry['rest']}")
        lines += [f"- [{_title(source / page)}]({page}.html)" for page in WRITTEN.get(name, ())]
        lines.append("")
    (target / "llms.txt").write_text("\n".join(lines), "utf-8")
    for page in DOCS.rglob("*.md"):
        copy = target / page.relative_to(DOCS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(page, copy)


def build(target: Path) -> int:
    """Build the site; return Sphinx's exit code, 1 where links lead nowhere."""
    source = target.with_name(target.name + "-source")
    for folder in (source, target):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("site", "__pycache__"))
    shutil.copy(SITE / "conf.py", source)
    shutil.copytree(SITE / "static", source / "_static")
    shutil.copy(ROOT / "CHANGELOG.md", source / "changelog.md")
    measure_pages(source)
    fix_links(source)
    write_figures(source)
    write_folder_indices(source)
    write_api(source / "reference" / "api")
    write_commands(source / "reference" / "commands.md")
    write_schemas(source / "reference")
    write_sections(source)
    put_side_by_side(source)
    words = ["-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-j", "auto"]
    code = subprocess.run(
        [sys.executable, *words, str(source), str(target)], check=False
    ).returncode
    if code:
        return code
    write_llms(source, target)
    for schema in (DOCS / "reference").glob("*.schema.json"):
        shutil.copy(schema, target / "reference")
    shutil.rmtree(target / ".doctrees", ignore_errors=True)
    broken = list(find_broken(target))
    print("\n".join(broken), end="\n" if broken else "", file=sys.stderr)
    return bool(broken)


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
