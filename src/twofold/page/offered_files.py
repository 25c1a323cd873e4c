"""The files that can be made of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twofold.errors import InputError

TABLE = "table"
"""Stands for the results table where pictures have their kinds."""


@dataclass(frozen=True)
class OfferedFile:
    """A kind of file, and what it can hold: the whole answer, the results table, pictures."""

    title: str
    suffix: str
    media: str
    holds: tuple[str, ...]

    def fits(self, picture: str) -> bool:
        """Tell whether it can hold the answer (""), the table or a picture."""
        if picture in ("", TABLE):
            return picture in self.holds
        return "pictures" in self.holds or picture in self.holds

    def write_flags(self, target: str, picture: str, highlight: Sequence[str]) -> list[str]:
        """Return the flags of `twofold compare` that write the same file."""
        if picture == TABLE:
            return ["--table", target]
        if picture:
            names = [word for name in highlight for word in ("--highlight", name)]
            return ["--plot", target, "--picture", picture, *names]
        if self.suffix == ".bib":
            return ["--format", "bibtex"]
        return ["--report", target]


FILES = {
    "html": OfferedFile("Report", ".html", "text/html", ("",)),
    "tex": OfferedFile("LaTeX", ".tex", "application/x-tex", ("", TABLE)),
    "bib": OfferedFile("BibTeX", ".bib", "application/x-bibtex", ("",)),
    "md": OfferedFile("Markdown", ".md", "text/markdown", ("", TABLE)),
    "json": OfferedFile("JSON", ".json", "application/json", ("",)),
    "txt": OfferedFile("Text", ".txt", "text/plain", ("",)),
    "csv": OfferedFile("CSV", ".csv", "text/csv", (TABLE,)),
    "xlsx": OfferedFile(
        "Excel",
        ".xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ("", TABLE),
    ),
    "svg": OfferedFile("SVG", ".svg", "image/svg+xml", ("pictures",)),
    "pdf": OfferedFile("PDF", ".pdf", "application/pdf", ("pictures",)),
    "png": OfferedFile("PNG", ".png", "image/png", ("pictures",)),
    "tikz": OfferedFile("TikZ", ".tex", "application/x-tex", ("ranks",)),
}
"""By the word that stands in the address."""


def find_file(name: str, picture: str) -> tuple[OfferedFile, str]:
    """Return the kind of file that an address asks for, and which picture."""
    is_name = picture.replace("-", "_").isidentifier()
    offered = FILES.get(name) if picture == "" or is_name else None
    if offered is None or not offered.fits(picture):
        raise InputError("There is no such file.", "Choose one of those below an answer.")
    return offered, picture
