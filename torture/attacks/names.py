"""Names and messages that want to be more than text: on terminals, in pages, in spreadsheets."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

import twofold
from torture.attack import Attack, Harm
from twofold.cli import main
from twofold.report import html, latex, markdown, terminal
from twofold.report.save import as_json
from twofold.scores.write import write_scores

PIECES = r"""
\x1b[31m \x1b]0;title\x07 \x1b[2J \x07 \x08\x08 \r \n \t \x00 \x9b1m \x85 \u2028 \u202e \u2066
\u200f \ufeff \ud800 \U000e0041 [bold\x20red] {{x}} {%x%} \xe4 \u540d svm a\x20b \uffff \x20
<script>alert(1)</script> <img\x20src=x\x20onerror=a()> "\x20onload="a() &lt;b&gt; </svg> ]]> < " '
\\input{/etc/passwd} \\write18{ls} $x_1$ % { } \\ ~^ \\end{tabular} ` ** [a](javascript:x) 1.\x20
| ; , ! # -\x20 =1+1 =cmd() +1 -1 @SUM(A1) \u2212x '=1 '' '#
""".split()
PIECES = [piece.encode("ascii").decode("unicode_escape") for piece in PIECES]
CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\ufeff\uffff]"
)
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
FORMULA = re.compile(r"[=+\-@\t\r]")
BENIGN = {
    "a": [0.8, 0.7, 0.9, 0.6, 0.8],
    "b": [0.7, 0.6, 0.7, 0.5, 0.6],
    "c": [0.5, 0.6, 0.6, 0.6, 0.9],
}


class Elements(HTMLParser):
    """Collects elements and the names of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element."""
        self.names |= {tag, *(f"{tag} {name}" for name, _ in attrs)}


class Raises(ClassifierMixin, BaseEstimator):
    """A classifier that fails with a message."""

    def __init__(self, message: str = "") -> None:
        self.message = message

    def fit(self, X: Any, y: Any) -> Raises:
        """Fail."""
        raise ValueError(self.message)

    def predict(self, X: Any) -> Any:
        """Not reached."""


def compare_hostile(random: Random, folder: Path) -> list[Harm]:
    """Compare learners with hostile names, by a dict and by a file, and look at every output."""
    names = _draw_names(random, random.randint(2, 5))
    rows = _draw_names(random, 6)
    values = np.random.default_rng(random.randrange(2**32)).uniform(0.5, 0.9, (6, len(names)))
    table: dict[str, Any] = {"dataset": rows}
    table |= {name: values[:, i].tolist() for i, name in enumerate(names)}
    harm: list[Harm] = []
    try:
        answer = twofold.compare(table)
    except twofold.InputError as error:
        return _check_text("error", str(error))
    if len(set(answer.learners)) != len(names):
        harm.append(Harm("wrong", f"{names} became {answer.learners}"))
    if random.random() < 0.5:
        return harm + _check_answer(random, answer)
    return harm + _check_files(random, answer, table, folder)


def run_hostile(random: Random, folder: Path) -> list[Harm]:
    """Run learners with hostile labels, of which some fail with hostile messages."""
    labels = _draw_names(random, 4)
    learners = dict(zip(labels, ("majority", "nb", "tree", Raises(_draw(random))), strict=True))
    X = np.random.default_rng(1).normal(size=(30, 2))
    y = np.arange(30) % 2
    errors, output = io.StringIO(), io.StringIO()
    options: dict[str, Any] = {"workers": 1, "store": ":memory:", "verbose": True, "design": "2x2"}
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(output):
        try:
            answer = twofold.compare(learners, X, y, **options)
        except twofold.InputError as error:
            return _check_text("error", str(error))
    harm = _check_answer(random, answer)
    for stream in (errors, output):
        harm += _check_text("standard streams", stream.getvalue())
    return harm


def _draw_names(random: Random, count: int) -> list[str]:
    names: list[str] = []
    while len(names) < count:
        name = _draw(random)
        if name.strip() and name not in names:
            names.append(name)
    return names


def _draw(random: Random) -> str:
    return "".join(random.choice(PIECES) for _ in range(random.randint(1, 4)))


def _check_answer(random: Random, answer: Any) -> list[Harm]:
    harm = []
    for write in (terminal, latex, markdown, as_json):
        harm += _check_text(write.__name__, write(answer))
    json.loads(as_json(answer))
    if random.random() < 0.2:  # it draws pictures, which takes most of the time
        page = html(answer)
        harm += _check_text("html", page)
        elements = _list_elements(page) - _list_benign()
        elements = {name for name in elements if re.search("script|img| on", name)}
        harm += [Harm("wrong", f"html: {name}") for name in elements]
    text = latex(answer)
    balanced = text.count(r"\begin{tabular}") == text.count(r"\end{tabular}")
    if r"\input{/etc" in text or r"\write18" in text or not balanced:
        harm.append(Harm("wrong", f"latex of {answer.learners}"))
    if re.search(r"(?<!\\)<(script|img)", markdown(answer)):
        harm.append(Harm("wrong", f"markdown: {markdown(answer)[:300]}"))
    return harm


def _check_files(random: Random, answer: Any, table: dict[str, Any], folder: Path) -> list[Harm]:
    harm = []
    if random.random() < 0.2:
        picture = folder / ("p.tex" if answer.mean_ranks and random.random() < 0.5 else "p.svg")
        answer.plot(picture)
        harm += _check_text(picture.name, picture.read_text("utf-8"))
    scores = twofold.read_scores(table)
    for name in ("s.csv", "s.tsv", "s.json"):
        write_scores(scores, folder / name)
        text = (folder / name).read_text("utf-8")
        harm += _check_text(name, text.replace("\t", ""))
        if name != "s.json":
            cells = csv.reader(io.StringIO(text), delimiter="," if name == "s.csv" else "\t")
            texts = [cell for row in cells for cell in row if FORMULA.match(cell)]
            texts = [cell for cell in texts if not NUMBER.fullmatch(cell)]
            harm += [Harm("wrong", f"{name}: formula {cell!r}") for cell in texts]
        back = twofold.read_scores(folder / name)
        for before, after in ((scores.learners, back.learners), (scores.datasets, back.datasets)):
            if [each.strip() for each in before] != [each.strip() for each in after]:
                harm.append(Harm("wrong", f"{name}: {before} came back as {after}"))
    errors, output = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(output):
        main(["compare", str(folder / "s.csv"), "--control", _draw(random).strip("-") or "x"])
    harm += _check_text("errors", errors.getvalue())
    return harm + _check_text("output", output.getvalue())


def _check_text(where: str, text: str) -> list[Harm]:
    bad = CONTROLS.search(text)
    if bad is None:
        return []
    around = text[max(0, bad.start() - 40) : bad.end() + 20]
    return [Harm("wrong", f"{where} holds {bad[0]!r}: {around!r}")]


@lru_cache
def _list_benign() -> set[str]:
    return _list_elements(html(twofold.compare(BENIGN)))


def _list_elements(page: str) -> set[str]:
    parser = Elements()
    parser.feed(page)
    return parser.names


ATTACKS = [
    Attack("names that want to be more than text", compare_hostile, trials=2000, short=5),
    Attack("labels and messages of learners that do", run_hostile, trials=100, short=1),
]
