"""Markdown and LaTeX arrange the same facts; nothing is lost, nothing breaks the document."""

from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest

from demsar import TABLE6
from twofold import InputError, compare
from twofold.cli import main
from twofold.report import html, latex, markdown, save_report
from twofold.report.latex import escaped

NAMES = ["C4.5", "C4.5_m", "C4.5 & cf", "100% #1"]
MANY = {name: TABLE6[:, i] for i, name in enumerate(NAMES)}
TWO = {name: TABLE6[:, i] for i, name in enumerate(NAMES[:2])}
FOLDS = [
    {"learner": n, "run": r, "fold": f, "value": np.sin(r * 7 + f * 3 + len(n)) / 50 + 0.8}
    for n in ("nb", "c45")
    for r in range(3)
    for f in range(5)
]
LABELS = {"truth": list("abab" * 10), "one": list("abab" * 10), "two": list("abbb" * 10)}
ANSWERS = {
    "many": lambda: compare(MANY),
    "control": lambda: compare(MANY, control="C4.5"),
    "two": lambda: compare(TWO),
    "one data set": lambda: compare(FOLDS),
    "predictions": lambda: compare(LABELS, predictions=True),
    "wilcoxon": lambda: compare(MANY, test="wilcoxon"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_markdown(name):
    answer = ANSWERS[name]()
    text = markdown(answer)
    assert answer.verdict in text
    for pair in answer.pairs:
        assert f"| {pair.a} | {pair.b} |" in text
    for note in answer.notes:
        assert note.detail in text
    assert "nan" not in text.lower().split()
    widths = {line.count(" | ") for line in text.splitlines() if line.startswith("| ")}
    assert widths <= {1, 7}


@pytest.mark.parametrize("name", ANSWERS)
def test_latex(name):
    text = latex(ANSWERS[name]())
    code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert code.count("\\begin{tabular}") == code.count("\\end{tabular}") > 0
    plain = code.replace("\\{", "").replace("\\}", "")
    assert plain.count("{") == plain.count("}")
    for special in "&%#_":
        for i, letter in enumerate(code):
            if letter == special and special != "&":
                assert code[i - 1] == "\\"
    assert "% @misc{" in text


def test_words_that_are_never_said():
    for make in ANSWERS.values():
        for text in (markdown(make()), latex(make()), str(make())):
            for word in ("prove", "accept the null", "insignificant"):
                assert word not in text


def test_escapes():
    assert escaped("a_b & 5% − x") == r"a\_b \& 5\% $-$ x"


class Page(HTMLParser):
    """Checks that tags close in order, and collects what the page would load."""

    VOID = ("meta", "br", "line", "circle", "link", "img")

    def __init__(self):
        super().__init__()
        self.open, self.loads = [], []

    def handle_starttag(self, tag, attributes):
        self.loads += [v for k, v in attributes if k in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.loads += [v for k, v in attributes if k in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ANSWERS)
def test_html_is_whole_and_loads_nothing(name):
    answer = ANSWERS[name]()
    text = html(answer)
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.loads == []
    assert text == html(ANSWERS[name]())
    assert escape(answer.verdict) in text
    assert "C4.5 & cf" not in text


def test_report_is_written_whole_or_not_at_all(tmp_path, capsys):
    file = tmp_path / "report.html"
    save_report(ANSWERS["many"](), file)
    assert file.read_text("utf-8").endswith("</html>\n")
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(InputError, match="HTML page"):
        save_report(ANSWERS["many"](), tmp_path / "report.pdf")
    with pytest.raises(InputError, match="cannot be written"):
        save_report(ANSWERS["many"](), tmp_path / "nowhere" / "report.html")
    table = tmp_path / "t.csv"
    table.write_text("dataset,A,B\n" + "\n".join(f"d{i},{i},{i + 1}" for i in range(7)))
    assert main(["compare", str(table), "--report", str(tmp_path / "cli.html")]) == 0
    assert (tmp_path / "cli.html").exists()
    assert "Report written" in capsys.readouterr().err
