"""The caption of a picture: words for the text around it, in a file of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from twofold.escapes import escape_latex
from twofold.plots.canvas import TEX
from twofold.writing import write_whole


class Caption(NamedTuple):
    """What stands below a picture: a title, and how to read it."""

    title: str
    text: str

    @property
    def sentence(self) -> str:
        """Title and text as a caption of a paper has them."""
        return f"{self.title}. {self.text}"


def make_caption(title: str, text: str, names: Sequence[str] = ()) -> Caption:
    """Return a caption whose text is a sentence; names that it begins with stay as they are."""
    if not text.startswith(tuple(filter(None, names))):
        text = text[:1].upper() + text[1:]
    return Caption(title, f"{text}.")


def caption_file(picture: Path) -> Path:
    """Return the file beside a picture that holds its caption."""
    return picture.with_suffix(".caption.tex" if _is_tex(picture) else ".caption.txt")


def save_caption(caption: Caption, picture: Path) -> None:
    r"""Write a caption beside a picture, as a ``\caption`` beside TikZ."""
    text = caption.sentence
    if _is_tex(picture):
        text = rf"\caption{{{escape_latex(text)}}}"
    write_whole(caption_file(picture), text + "\n")


def _is_tex(picture: Path) -> bool:
    return picture.suffix.lower() in TEX
