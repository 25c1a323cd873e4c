"""Check the links of the built site: python docs/site/check_links.py build/site [--external].

Links within the site (pages, anchors, pictures, styles, scripts) have to lead somewhere; nothing is
loaded for that. With --external links to elsewhere are tried too, which needs the network.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

LINKS = {"href", "src", "data", "poster"}
BUSY = (403, 405, 429)
"""What sites answer that do not like programs; such a page exists."""


@dataclass
class PageLinks(HTMLParser):
    """What a page links to, and what can be linked to on it."""

    targets: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    twice: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take links and names of an element."""
        values = {name: value for name, value in attrs if value}
        if "id" in values:
            (self.twice if values["id"] in self.anchors else self.anchors).add(values["id"])
        if tag == "a" and "name" in values:
            self.anchors.add(values["name"])
        self.targets += [values[name] for name in LINKS & set(values)]


def read_pages(site: Path) -> dict[Path, PageLinks]:
    """Return the links of every page of the site."""
    pages = {}
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.relative_to(site).parts:
            continue
        pages[path] = PageLinks()
        pages[path].feed(path.read_text("utf-8"))
    return pages


def find_broken(site: Path) -> Iterator[str]:
    """Yield what is wrong with links within the site, a line each."""
    site = site.resolve()
    pages = read_pages(site)
    if not pages:
        yield f"{site}: no pages"
    for path, page in pages.items():
        name = path.relative_to(site)
        for anchor in sorted(page.twice):
            yield f"{name}: the anchor {anchor} stands there twice"
        for target in dict.fromkeys(page.targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if site not in [there, *there.parents]:
                yield f"{name}: {target} leads out of the site"
            elif not there.is_file():
                yield f"{name}: {target} is not there"
            elif (
                parts.fragment
                and there in pages
                and unquote(parts.fragment) not in pages[there].anchors
            ):
                yield f"{name}: {target} names no anchor of that page"


def find_unreachable(site: Path) -> Iterator[str]:
    """Yield links to elsewhere that are not answered, a line each."""
    where: dict[str, Path] = {}
    for path, page in read_pages(site.resolve()).items():
        for target in page.targets:
            if urlsplit(target).scheme in ("http", "https"):
                where.setdefault(target.split("#")[0], path)
    with ThreadPoolExecutor(8) as threads:
        for url, problem in zip(where, threads.map(_try_address, where), strict=True):
            if problem:
                yield f"{where[url].relative_to(site.resolve())}: {url}: {problem}"


def _try_address(url: str) -> str:
    request = Request(url, headers={"User-Agent": "Mozilla/5.0 (link check)"})
    try:
        with urlopen(request, timeout=20):
            return ""
    except HTTPError as error:
        return "" if error.code in BUSY else f"answered {error.code}"
    except OSError as error:
        return str(error)


def main() -> int:
    """Say what is broken; return 1 where anything is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("--external", action="store_true", help="try links to elsewhere too")
    arguments = parser.parse_args()
    problems = list(find_broken(arguments.site))
    if arguments.external:
        problems += find_unreachable(arguments.site)
    print("\n".join(problems) or "All links lead somewhere.")
    return bool(problems)


if __name__ == "__main__":
    raise SystemExit(main())
